"""What a file in Ruby says about its function: signatures and documentation, without running it.

Declarations in such files are nearly always literal, so reading them is enough to complete a call
and to show what it takes. What cannot be read is left out.
"""

from __future__ import annotations

import re
import textwrap

from puppet_repl.functions.documentation import Tags
from puppet_repl.functions.signatures import Signature

_CREATE = re.compile(r"^[ \t]*Puppet::Functions\.create_function\b", re.MULTILINE)
_DISPATCH = re.compile(
    r"^([ \t]*)dispatch[ (]+:['\"]?\w+[?!]?['\"]?\)?\s*(?:do\b(.*?)^\1end\b|\{(.*?)\})",
    re.MULTILINE | re.DOTALL,
)
_STRING = r"(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")"
_PARAMETER = re.compile(
    rf"\b(required_repeated_param|optional_repeated_param|repeated_param|optional_param"
    rf"|required_param|param)[ \t(]+{_STRING}\s*,\s*:['\"]?(\w+)"
)
_BLOCK = re.compile(
    rf"\b(optional_block_param|required_block_param|block_param)\b"
    rf"(?:[ \t(]+{_STRING}\s*,)?(?:[ \t(]*:(\w+))?"
)
_RETURNS = re.compile(rf"\breturn_type[ \t(]+{_STRING}")
_SIGNS = {
    "required_repeated_param": ("+", ""),
    "optional_repeated_param": ("*", ""),
    "repeated_param": ("*", ""),
    "optional_param": ("", "?"),
}
_LEGACY = re.compile(r"\bnewfunction\b")
_ARITY = re.compile(r":?arity(?:\s*=>|:)\s*(-?\d+)")
_RVALUE = re.compile(r":?type(?:\s*=>|:)\s*:rvalue")
_DOC = re.compile(rf":?doc(?:\s*=>|:)\s*(?:<<[-~]?['\"]?(\w+)['\"]?|{_STRING})")
_TAG = re.compile(r"@(\w+)[ \t]*(.*)", re.DOTALL)
_NAMED = frozenset(("param", "option"))
_MAX_TEXT = 200_000


class FunctionDescription:
    """What a file in Ruby says of its function: a Function's documentation, with nothing to call.

    ``theme`` says whose function it is.
    """

    __slots__ = ("_signatures", "doc", "examples", "name", "theme")

    def __init__(self, name: str, theme: str, doc: str, signatures: list[tuple[str, str]]) -> None:
        self.name = name
        self.theme = theme
        self.doc = doc
        self.examples: tuple[str, ...] = ()
        self._signatures = [Signature(text, returns) for text, returns in signatures]

    def signatures(self) -> list[Signature]:
        """Return the signatures in the order of their declaration."""
        return self._signatures

    @property
    def tags(self) -> Tags:
        """Return nothing: what a comment says of parameters is a part of ``doc``."""
        return Tags({}, "", "")

    def result_text(self, signature: Signature) -> str:
        """Return the type of the result of a signature."""
        return signature.returns


def read_function(name: str, text: str, theme: str = "") -> FunctionDescription | None:
    """Return what a file says of the function that it declares; None where none is found."""
    text = text[:_MAX_TEXT]
    created = _CREATE.search(text)
    if created is not None:
        doc = _comment_before(text, created.start())
        inner = _inner_comment(name, text)
        doc = "\n".join(filter(None, [doc, inner]))
        return FunctionDescription(name, theme, _as_text(doc), _signatures(name, text))
    legacy = _LEGACY.search(text)
    if legacy is None:
        return None
    head = text[legacy.start() :]
    given = _DOC.search(head)
    doc = _comment_before(text, _line_start(text, legacy.start()))
    if given is not None:
        doc = (
            _heredoc(head[given.end() :], given[1]) if given[1] else _unescaped(given[2], given[3])
        )
    return FunctionDescription(name, theme, _as_text(doc), [_legacy_signature(head)])


# Signatures


def _signatures(name: str, text: str) -> list[tuple[str, str]]:
    found = [_signature(do or braces or "") for _, do, braces in _DISPATCH.findall(text)]
    return found or [(_of_method(name, text), "Any")]


def _signature(body: str) -> tuple[str, str]:
    """Return the parameters of a dispatch in the notation of built-in functions, and the result."""
    parts = []
    for kind, single, double, name in _PARAMETER.findall(body):
        before, after = _SIGNS.get(kind, ("", ""))
        parts.append(f"{_unescaped(single, double)} {before}${name}{after}")
    block = _BLOCK.search(body)
    if block is not None:
        mark = "?" if block[1] == "optional_block_param" else ""
        kind = _unescaped(block[2], block[3]) or "Callable"
        parts.append(f"{kind} &${block[4] or 'block'}{mark}")
    returns = _RETURNS.search(body)
    return ", ".join(parts), "Any" if returns is None else _unescaped(returns[1], returns[2])


def _method(name: str, text: str) -> re.Match[str] | None:
    leaf = re.escape(name.rpartition("::")[2])
    return re.search(rf"^[ \t]*def {leaf}\b[ \t]*\(?([^)\n]*)", text, re.MULTILINE)


def _of_method(name: str, text: str) -> str:
    """Return the parameters of a method, which are those of a function without a dispatch."""
    found = _method(name, text)
    parts = []
    for part in found[1].split(",") if found is not None else ():
        word, default, _ = part.partition("=")
        word = word.strip()
        if word.startswith("*") and word.strip("*"):
            parts.append(f"Any *${word.strip('*')}")
        elif word.isidentifier():
            parts.append(f"Any ${word}{'?' if default else ''}")
    return ", ".join(parts)


def _legacy_signature(head: str) -> tuple[str, str]:
    arity = _ARITY.search(head)
    count = -1 if arity is None else int(arity[1])
    required = count if count >= 0 else -count - 1
    parts = [f"Any $arg{index}" for index in range(1, required + 1)]
    if count < 0:
        parts.append("Any *$args")
    return ", ".join(parts), "Any" if _RVALUE.search(head) else "Undef"


# Documentation


def _comment_before(text: str, end: int) -> str:
    """Return the comment that ends in the line before a position."""
    lines: list[str] = []
    for line in reversed(text[:end].splitlines()):
        stripped = line.strip()
        if not stripped.startswith("#") or stripped.startswith(("# frozen_string", "#!")):
            break
        lines.append(stripped[1:].removeprefix(" "))
    return "\n".join(reversed(lines))


def _inner_comment(name: str, text: str) -> str:
    """Return the comment of the first dispatch, or of the method where there is none."""
    found = _DISPATCH.search(text) or _method(name, text)
    return "" if found is None else _comment_before(text, found.start())


def _line_start(text: str, position: int) -> int:
    """Return where the line begins, or that of a module around it on the line before."""
    start = text.rfind("\n", 0, position) + 1
    before = text[:start].rstrip()
    last = before.rpartition("\n")[2]
    return text.rfind(last, 0, start) if last.startswith("module ") else start


def _heredoc(rest: str, mark: str) -> str:
    body = rest.partition("\n")[2]
    end = re.search(rf"^[ \t]*{mark}[ \t]*$", body, re.MULTILINE)
    return textwrap.dedent(body[: end.start()] if end is not None else "")


def _unescaped(single: str, double: str) -> str:
    return re.sub(r"\\(['\"\\])", r"\1", single or double or "")


def _as_text(doc: str) -> str:
    """Return documentation with the tags of YARD as sentences and lists."""
    blocks: list[tuple[str, str]] = [("", "")]
    for line in doc.strip("\n").split("\n"):
        tag = _TAG.match(line)
        if tag is not None:
            blocks.append((tag[1], tag[2]))
        elif blocks[-1][0] and line.strip() and not line.startswith(" "):
            blocks.append(("", line))
        else:
            kind, text = blocks[-1]
            blocks[-1] = (kind, f"{text}\n{line}")
    blocks.sort(key=lambda block: block[0] != "summary")
    return "\n\n".join(filter(None, [_block(kind, text) for kind, text in blocks]))


def _block(kind: str, text: str) -> str:
    first, _, rest = text.partition("\n")
    body = f"{first.strip()}\n{textwrap.dedent(rest)}".strip()
    if not body:
        return ""
    if kind in ("", "summary", "note"):
        return body
    if kind == "example":
        title = first.strip() or "Example"
        return f"{title}:\n\n{textwrap.indent(textwrap.dedent(rest).strip(), '    ')}"
    if kind == "return":
        return f"Returns {_without_type(body)}"
    if kind in _NAMED:
        name, _, told = _without_type(body).replace("\n", " ").partition(" ")
        return f"`${name}`: {_without_type(told.strip())}"
    return f"{kind.capitalize()}: {body}"


def _without_type(text: str) -> str:
    return re.sub(r"^\[[^\]]*\]\s*", "", text)
