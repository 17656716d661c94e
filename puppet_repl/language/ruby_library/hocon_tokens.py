"""The tokens of HOCON, and errors with the messages of Ruby's library hocon."""

from __future__ import annotations

import re

from puppet_repl.language.values.integers import integer_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

# Kinds of tokens. Blanks count: they belong to a value if more of it follows.
PUNCTUATION: Final = "punctuation"
NEWLINE: Final = "newline"
BLANK: Final = "blank"
STRING: Final = "string"
PLAIN: Final = "plain"
SUBSTITUTION: Final = "substitution"
PROBLEM: Final = "problem"
END: Final = "end"

_BLANKS = re.compile(r"[^\S\n]+")
_NUMBER = re.compile(r"[-0-9][-+0-9eE.]*")
_PLAIN = re.compile(r"(?:(?!//)[^\s$\"{}\[\]:=,+#`^?!@*&\\])+")
_COMMENT = re.compile(r"(?://|#)[^\n]*")
_TRIPLE = re.compile(r'"""(.*?)"""("*)', re.DOTALL)
_STRING = re.compile(r'"((?:[^"\\\n]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*)"')
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_INTEGER = re.compile(r"-?(?:0[0-7]*|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


class HoconError(ValueError):
    """The text is not HOCON; the message says where."""


class HoconTypeError(ValueError):
    """The text is HOCON with a meaning that cannot be; no default takes its place."""


class Token:
    """One token. ``value`` is that of a string, or the tokens and the option of a substitution."""

    __slots__ = ("kind", "line", "optional", "text", "tokens", "value")

    def __init__(self, kind: str, text: str, line: int, value: str = "") -> None:
        self.kind = kind
        self.text = text
        self.line = line
        self.value = value
        self.tokens: list[Token] = []
        self.optional = False

    def is_sign(self, *signs: str) -> bool:
        """Tell whether the token is any of some punctuation marks."""
        return self.kind == PUNCTUATION and self.text in signs

    @property
    def shown(self) -> str:
        """The token as messages show it."""
        if self.kind in (END, PROBLEM, STRING):
            return self.text
        return f"'{self.text}'"


def tokens_of(text: str, line: int = 1) -> Iterator[Token]:
    """Yield the tokens of a text, the end as last one."""
    at = 0
    while at < len(text):
        token, at = _token_at(text, at, line)
        if token is not None:
            yield token
            if token.kind == PROBLEM:
                return
            line += token.text.count("\n")
    yield Token(END, "end of file", line)


def _token_at(text: str, at: int, line: int) -> tuple[Token | None, int]:
    """Return the token at a place, None for a comment, and the place after it."""
    character = text[at]
    if character == "\n":
        return Token(NEWLINE, "\n", line), at + 1
    for pattern, kind in ((_BLANKS, BLANK), (_COMMENT, "")):
        found = pattern.match(text, at)
        if found is not None:
            return (Token(kind, found[0], line) if kind else None), found.end()
    if character == '"':
        return _string_at(text, at, line)
    if character == "$":
        return _substitution_at(text, at, line)
    if text.startswith("+=", at):
        return Token(PUNCTUATION, "+=", line), at + 2
    if character == "+":
        after = text[at + 1 : at + 2]
        return _problem(after, f"'+' not followed by =, '{after}' not allowed after '+'", line), at
    if character in "{}[],:=":
        return Token(PUNCTUATION, character, line), at + 1
    number = _NUMBER.match(text, at)
    if number is not None and number_of(number[0]) is not None:
        return Token(PLAIN, number[0], line), number.end()
    if number is not None and "+" in number[0]:
        return _problem("+", "Reserved character '+'is not allowed outside quotes", line), at
    plain = _PLAIN.match(text, at)
    if plain is not None:
        return Token(PLAIN, plain[0], line), plain.end()
    reason = f"Reserved character '{character}' is not allowed outside quotes"
    return _problem(character, reason, line), at


def _problem(text: str, reason: str, line: int) -> Token:
    return Token(PROBLEM, f"'{text}' ({reason})", line)


def _string_at(text: str, at: int, line: int) -> tuple[Token, int]:
    if text.startswith('"""', at):
        found = _TRIPLE.match(text, at)
        if found is None:
            reason = "End of input but triple-quoted string was still open"
            return _problem("-1", reason, line), at
        return Token(STRING, found[0], line, found[1] + found[2]), found.end()
    found = _STRING.match(text, at)
    if found is not None:
        return Token(STRING, found[0], line, _ESCAPE.sub(_unescape, found[1])), found.end()
    stopped = re.compile(r'"(?:[^"\\\n]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*').match(text, at)
    wrong = text[stopped.end() :] if stopped is not None else ""
    if not wrong:
        return _problem("-1", "End of input but string quote was still open", line), at
    if wrong[0] == "\n":
        reason = "JSON does not allow unescaped \n in quoted strings, use a backslash escape"
        return _problem("\n", reason, line), at
    reason = f"backslash followed by '{wrong[1:2]}', this is not a valid escape sequence"
    return _problem(wrong[1:2], f"{reason} (quoted strings use JSON escaping)", line), at


def _unescape(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else _ESCAPES.get(found[2], found[2])


def _substitution_at(text: str, at: int, line: int) -> tuple[Token, int]:
    after = text[at + 1 : at + 2]
    if after != "{":
        return _problem(after, f"'$' not followed by {{, '{after}' not allowed after '$'", line), at
    optional = text.startswith("?", at + 2)
    start = inner = at + 2 + optional
    parts: list[Token] = []
    while inner < len(text):
        token, inner = _token_at(text, inner, line)
        if token is None:
            continue
        if token.kind == PROBLEM:
            return token, at
        if token.is_sign("}"):
            mark = "?" if optional else ""
            made = Token(SUBSTITUTION, f"${{{mark}{text[start : inner - 1]}}}", line)
            made.tokens = parts
            made.optional = optional
            return made, inner
        parts.append(token)
    return _problem("end of file", "Substitution ${ was not closed with a }", line), at


def number_of(text: str) -> int | float | None:
    """Return the number that a text without quotes stands for, None for other texts."""
    if not any(character in text for character in ".eE"):
        if not _INTEGER.fullmatch(text):
            return None
        digits = text.lstrip("-")
        return integer_of(text, 8 if len(digits) > 1 and digits[0] == "0" else 10)
    if not _FLOAT.fullmatch(text):
        return None
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise HoconTypeError("Infinity" if number > 0 else "-Infinity")
    return int(number) if number.is_integer() else number
