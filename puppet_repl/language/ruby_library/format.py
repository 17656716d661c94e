"""Ruby's ``sprintf`` on Puppet values: the directives, their flags, and Ruby's errors.

A directive is ``%``, then flags (space # + - 0), a width, ``.`` and a precision, an argument
given by number (``1$``) or name (``<key>``), in nearly any order, and a letter; ``%{key}``
inserts a string. Negative numbers in bases 2, 8 and 16 are written as infinite two's complement
(``..f``).
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.ruby_library.number import to_float, to_integer
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import no_conversion, ruby_inspect, ruby_text
from puppet_repl.language.values.sprintf import (
    LONGEST,
    Directive,
    character_of,
    format_float,
    format_integer,
    pad_text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value


class KeyMissing(RuntimeFailure):
    """A named directive whose key is not in the Hash."""


class _Directive(Directive):
    """One directive, and the argument that it formats."""

    __slots__ = ("given", "name", "value")

    def __init__(self) -> None:
        super().__init__()
        self.name: str | None = None
        self.value: Value = None
        self.given = False


class Formatter:
    """One run over a format string with its arguments."""

    def __init__(self, text: str, arguments: tuple[Value, ...]) -> None:
        self.text = text
        self.arguments = arguments
        self.position = 0
        self.taken = 0
        self.numbered = False
        self.named = False
        self.pieces: list[str] = []

    def run(self) -> str:
        """Return the formatted string."""
        text = self.text
        while True:
            percent = text.find("%", self.position)
            if percent < 0:
                self.pieces.append(text[self.position :])
                return "".join(self.pieces)
            self.pieces.append(text[self.position : percent])
            self.position = percent + 1
            self.pieces.append(self._directive())

    def _directive(self) -> str:
        text = self.text
        if self.position == len(text):
            raise RuntimeFailure("incomplete format specifier; use %% (double %) instead")
        if text[self.position] == "%":
            self.position += 1
            return "%"
        if text[self.position] in "\n\0":
            return "%"
        directive = _Directive()
        while True:
            if self.position >= len(text):
                raise RuntimeFailure("invalid format character - %")
            character = text[self.position]
            if character in " #+-0":
                self._flag(directive, character)
            elif character in "123456789":
                self._number(directive)
            elif character in "<{":
                inserted = self._name(directive, character)
                if inserted is not None:
                    return inserted
            elif character == "*":
                self._star(directive)
            elif character == ".":
                self._precision(directive)
            else:
                self.position += 1
                return self._write(directive, character)

    def _flag(self, directive: _Directive, character: str) -> None:
        if directive.width is not None:
            raise RuntimeFailure("flag after width")
        if directive.precision is not None:
            raise RuntimeFailure("flag after precision")
        directive.flags += character
        self.position += 1

    def _digits(self) -> int:
        text = self.text
        start = self.position
        while self.position < len(text) and text[self.position] in "0123456789":
            self.position += 1
        if self.position == len(text):
            raise RuntimeFailure("malformed format string - %*[0-9]")
        number = int(text[start : self.position] or "0")
        if number > LONGEST:
            raise RuntimeFailure("width too big")
        return number

    def _number(self, directive: _Directive) -> None:
        number = self._digits()
        if self.text[self.position] == "$":
            if directive.given:
                raise RuntimeFailure(f"value given twice - {number}$")
            directive.value = self._argument_at(number)
            directive.given = True
            self.position += 1
            return
        if directive.width is not None:
            raise RuntimeFailure("width given twice")
        if directive.precision is not None:
            raise RuntimeFailure("width after precision")
        directive.width = number

    def _name(self, directive: _Directive, opening: str) -> str | None:
        closing = ">" if opening == "<" else "}"
        end = self.text.find(closing, self.position)
        if end < 0:
            raise RuntimeFailure("malformed name - unmatched parenthesis")
        name = self.text[self.position + 1 : end]
        shown = f"{opening}{name}{closing}"
        if directive.name is not None:
            raise RuntimeFailure(f"named{shown} after <{directive.name}>")
        directive.name = name
        directive.value = self._argument_named(name, shown)
        directive.given = True
        self.position = end + 1
        if opening == "{":
            return pad_text(ruby_text(directive.value), directive)
        return None

    def _star(self, directive: _Directive) -> None:
        if directive.width is not None:
            raise RuntimeFailure("width given twice")
        self.position += 1
        width = self._counted_argument()
        if width < 0:
            directive.flags += "-"
            width = -width
        directive.width = width

    def _counted_argument(self) -> int:
        value = self._next_argument()
        if type(value) is float:
            value = int(value)
        if type(value) is not int:
            raise no_conversion(value, "Integer")
        if abs(value) > LONGEST:
            raise RuntimeFailure("width too big")
        return value

    def _precision(self, directive: _Directive) -> None:
        if directive.precision is not None:
            raise RuntimeFailure("precision given twice")
        self.position += 1
        if self.text[self.position : self.position + 1] == "*":
            self.position += 1
            precision = self._counted_argument()
            directive.precision = precision if precision >= 0 else None
        else:
            directive.precision = self._digits()

    def _next_argument(self) -> Value:
        number = self.taken + 1
        if self.numbered:
            raise RuntimeFailure(f"unnumbered({number}) mixed with numbered")
        if self.named:
            raise RuntimeFailure(f"unnumbered({number}) mixed with named")
        self.taken = number
        if number > len(self.arguments):
            raise RuntimeFailure("too few arguments")
        return self.arguments[number - 1]

    def _argument_at(self, number: int) -> Value:
        if self.taken:
            raise RuntimeFailure(f"numbered({number}) after unnumbered({self.taken})")
        if self.named:
            raise RuntimeFailure(f"numbered({number}) after named")
        self.numbered = True
        if number > len(self.arguments):
            raise RuntimeFailure("too few arguments")
        return self.arguments[number - 1]

    def _argument_named(self, name: str, shown: str) -> Value:
        if self.taken:
            raise RuntimeFailure(f"named{shown} after unnumbered({self.taken})")
        if self.numbered:
            raise RuntimeFailure(f"named{shown} after numbered")
        self.named = True
        if len(self.arguments) != 1 or type(self.arguments[0]) is not PuppetHash:
            raise RuntimeFailure("one hash required")
        values = self.arguments[0]
        if not values.has(name):
            raise KeyMissing(f"key{shown} not found")
        return values.get(name)

    def _write(self, directive: _Directive, letter: str) -> str:
        if letter not in "sdiufgGeEaAxXobBpc":
            if letter in "%\n\0":
                raise RuntimeFailure("invalid format character - %")
            raise RuntimeFailure(f"malformed format string - %{letter}")
        value = directive.value if directive.given else self._next_argument()
        if letter == "s":
            return pad_text(ruby_text(value), directive)
        if letter == "p":
            return pad_text(ruby_inspect(value), directive)
        if letter == "c":
            return _character(value, directive)
        if letter in "diuxXobB":
            return format_integer(to_integer(value), directive, letter)
        number = value if type(value) is int else to_float(value)
        return format_float(number, directive, letter)


def ruby_format(text: str, arguments: tuple[Value, ...]) -> str:
    """Return the result of Ruby's ``sprintf``; raise its error as a RuntimeFailure."""
    return Formatter(text, arguments).run()


def _character(value: Value, directive: _Directive) -> str:
    if type(value) is str:
        if len(value) != 1:
            raise RuntimeFailure("%c requires a character")
        character = value
    else:
        character = character_of(to_integer(value))
    width = directive.width or 0
    return character.ljust(width) if "-" in directive.flags else character.rjust(width)
