"""HOCON, the format of configuration files of Lightbend, as Ruby's library hocon reads it.

A text is parsed to nodes, then substitutions (``${path}``) are replaced and parts put together.
Files are not included (``include`` gives nothing, as for a file that is missing), and environment
variables do not take the place of paths that are missing.
"""

from __future__ import annotations

from puppet_repl.base.limits import MAX_DATA_DEPTH
from puppet_repl.language.ruby_library.hocon_tokens import (
    BLANK,
    END,
    NEWLINE,
    PLAIN,
    PROBLEM,
    STRING,
    SUBSTITUTION,
    HoconError,
    HoconTypeError,
    Token,
    tokens_of,
)
from puppet_repl.language.ruby_library.hocon_values import (
    Concatenation,
    HoconList,
    HoconObject,
    Resolver,
    Scalar,
    Substitution,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.ruby_library.hocon_values import Node
    from puppet_repl.language.values.protocols import Value

_SUGGESTION = (
    " (if you intended {} to be part of a key or string value, try enclosing the key or value in "
    "double quotes"
)
_TOO_DEEP = f"String: {{}}: nested more than {MAX_DATA_DEPTH:,} deep"
_EMPTY_PATH = "Expecting a field name or path here, but got nothing"
_BAD_PERIOD = (
    "path has a leading, trailing, or two adjacent period '.' (use quoted \"\" empty string if "
    "you want an empty element)"
)


def parse_hocon(text: str) -> Value:
    """Return the Hash of a text; raise HoconError, or HoconTypeError where no default helps."""
    root = _Parser(text).document()
    return Resolver(root).value()


class _Parser:
    """The nodes of a text."""

    def __init__(self, text: str) -> None:
        self.tokens = list(tokens_of(text))
        self.at = 0
        depth = 0
        for token in self.tokens:
            depth += token.is_sign("[", "{") - token.is_sign("]", "}")
            if depth > MAX_DATA_DEPTH:
                raise HoconTypeError(_TOO_DEEP.format(token.line))

    # Tokens

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[min(self.at, len(self.tokens) - 1)]

    def skip(self, *kinds: str) -> bool:
        """Skip tokens of some kinds; tell whether a line ended among them."""
        ended = False
        while self.token.kind in kinds:
            ended = ended or self.token.kind == NEWLINE
            self.at += 1
        return ended

    def failure(self, message: str, *, suggests: bool = True) -> HoconError:
        """Return the error about the next token."""
        token = self.token
        text = f"String: {token.line}: {message}{token.shown}"
        if suggests and token.kind != END:
            text += _SUGGESTION.format(token.shown)
        return HoconError(text)

    # Structure

    def document(self) -> HoconObject:
        """Return the object of the whole text, whose braces are optional."""
        self.skip(BLANK, NEWLINE)
        if self.token.is_sign("["):
            self.list_node()
            self.check_end()
            raise HoconTypeError("String: 1:  has type LIST rather than object at file root")
        if self.token.is_sign("{"):
            self.at += 1
            root = self.fields(is_root=False)
            self.check_end()
            return root
        return self.fields(is_root=True)

    def check_end(self) -> None:
        """Raise an error unless only blanks are left."""
        self.skip(BLANK, NEWLINE)
        if self.token.kind != END:
            message = "Document has trailing tokens after first object or array: "
            raise self.failure(message, suggests=False)

    def fields(self, *, is_root: bool) -> HoconObject:
        """Return an object up to its closing brace, or to the end of the text."""
        made = HoconObject(self.token.line)
        while True:
            self.skip(BLANK, NEWLINE)
            if self.closes(is_root=is_root):
                return made
            token = self.token
            if token.kind == PLAIN and token.text == "include":
                self.include()
            elif token.kind in (PLAIN, STRING):
                self.field(made)
            else:
                message = "expecting a close brace or a field name here, got "
                raise self.failure(message, suggests=False)
            ended = self.skip(BLANK, NEWLINE)
            if self.token.is_sign(","):
                self.at += 1
            elif self.closes(is_root=is_root):
                return made
            elif not ended:
                raise self.failure("Expecting close brace } or a comma, got ")

    def closes(self, *, is_root: bool) -> bool:
        """Tell whether an object ends here, and skip its brace."""
        if self.token.is_sign("}"):
            if is_root:
                raise HoconError(
                    f"String: {self.token.line}: unbalanced close brace '}}' with no open brace"
                    + _SUGGESTION.format(self.token.shown)
                )
            self.at += 1
            return True
        return self.token.kind == END and is_root

    def include(self) -> None:
        """Skip an include statement; there are no files to include."""
        self.at += 1
        self.skip(BLANK)
        token = self.token
        if token.kind == STRING:
            self.at += 1
            return
        if token.kind == PLAIN and token.text in ("file(", "classpath(", "url("):
            self.at += 1
            self.skip(BLANK)
            if self.token.kind == STRING:
                self.at += 1
                self.skip(BLANK)
                if self.token.kind == PLAIN and self.token.text.startswith(")"):
                    self.at += 1
                    return
        if token.kind == PLAIN:
            raise self.failure(
                "expecting include parameter to be quoted filename, file(), classpath(), or url()."
                " No spaces are allowed before the open paren. Not expecting: ",
                suggests=False,
            )
        message = "include keyword is not followed by a quoted string, but by: "
        raise self.failure(message, suggests=False)

    def field(self, made: HoconObject) -> None:
        """Read one field into an object."""
        start = self.at
        while self.token.kind in (PLAIN, STRING, BLANK):
            self.at += 1
        parts = self.tokens[start : self.at]
        shown = "".join([token.text for token in parts]).strip()
        path = _path(parts)
        self.skip(NEWLINE, BLANK)
        token = self.token
        value: Node
        if token.is_sign("{"):
            self.at += 1
            value = self.fields(is_root=False)
        elif token.is_sign(":", "=", "+="):
            self.at += 1
            self.skip(BLANK, NEWLINE)
            value = self.value()
            if token.text == "+=":
                itself = Substitution(path, f"${{?{shown}}}", token.line, optional=True)
                value = Concatenation([itself, HoconList([value], token.line)])
        else:
            raise self.failure(f"Key '{shown}' may not be followed by token: ")
        made.define(path, value)

    # Values

    def value(self) -> Node:
        """Return a value: everything up to a comma, a brace or the end of the line."""
        parts: list[Node] = []
        while True:
            token = self.token
            if token.kind == BLANK:
                parts.append(Scalar(token.text, token.text, token.line, is_blank=True))
                self.at += 1
            elif token.is_sign("{"):
                self.at += 1
                parts.append(self.fields(is_root=False))
            elif token.is_sign("["):
                parts.append(self.list_node())
            elif token.kind in (STRING, PLAIN, SUBSTITUTION):
                parts.append(_part(token))
                self.at += 1
            else:
                break
        while parts and isinstance(parts[-1], Scalar) and parts[-1].is_blank:
            parts.pop()
        if not parts:
            raise self.failure("Expecting a value but got wrong token: ")
        return parts[0] if len(parts) == 1 else Concatenation(parts)

    def list_node(self) -> HoconList:
        """Return a list; items are parted by commas or line ends."""
        line = self.token.line
        self.at += 1
        items: list[Node] = []
        self.skip(BLANK, NEWLINE)
        if self.token.is_sign("]"):
            self.at += 1
            return HoconList(items, line)
        if not self.begins_value():
            raise self.list_failure("List should have ] or a first element after the open [, ", "")
        while True:
            items.append(self.value())
            ended = self.skip(BLANK, NEWLINE)
            if self.token.is_sign("]"):
                self.at += 1
                return HoconList(items, line)
            if self.token.is_sign(","):
                self.at += 1
                self.skip(BLANK, NEWLINE)
                if self.token.is_sign("]"):
                    self.at += 1
                    return HoconList(items, line)
                if not self.begins_value():
                    message = "List should have had new element after a comma, "
                    raise self.list_failure(message, "the comma or ")
            elif not ended or not self.begins_value():
                raise self.list_failure("List should have ended with ] or had a comma, ", "")

    def begins_value(self) -> bool:
        """Tell whether a value begins here."""
        return self.token.kind in (STRING, PLAIN, SUBSTITUTION) or self.token.is_sign("{", "[")

    def list_failure(self, message: str, other: str) -> HoconError:
        """Return the error about the next token, where an item or the end of a list should be."""
        token = self.token
        return HoconError(
            f"String: {token.line}: {message}instead had token: {token.shown} (if you want "
            f"{other}{token.shown} to be part of a string value, then double-quote it)"
        )


def _part(token: Token) -> Node:
    if token.kind == STRING:
        return Scalar(token.value, token.value, token.line, is_quoted=True)
    if token.kind == PLAIN:
        return Scalar.of_text(token.text, token.line)
    path = _path(token.tokens)
    if not path:
        raise HoconTypeError(f"String: {token.line}: {_EMPTY_PATH}")
    return Substitution(path, token.text, token.line, optional=token.optional)


def _path(tokens: list[Token]) -> tuple[str, ...]:
    """Return the names of a path: dots outside of quotes part them, blanks around it go."""
    names: list[str] = [""]
    filled = [False]
    for token in tokens:
        if token.kind == PROBLEM:
            raise HoconError(f"String: {token.line}: {token.text}")
        if token.kind == STRING:
            names[-1] += token.value
            filled[-1] = True
            continue
        first, *others = token.text.split(".")
        if len(names) + len(others) > MAX_DATA_DEPTH:
            raise HoconTypeError(_TOO_DEEP.format(token.line))
        names[-1] += first
        for other in others:
            names.append(other)
            filled.append(False)
    if len(names) == 1 and not names[0].strip() and not filled[0]:
        return ()
    if not filled[0]:
        names[0] = names[0].lstrip()
    if not filled[-1]:
        names[-1] = names[-1].rstrip()
    trimmed = [name.strip() if not has else name for name, has in zip(names, filled, strict=True)]
    if any(not name and not has for name, has in zip(trimmed, filled, strict=True)):
        raise HoconTypeError(_BAD_PERIOD)
    if tokens and tokens[-1].kind == BLANK and filled[-1]:
        names[-1] = names[-1].rstrip()
    return tuple(names)
