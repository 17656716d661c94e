"""Reading the bracketed character classes of Ruby's regular expressions."""

from __future__ import annotations

from puppet_repl.language.syntax.regexp_escapes import Escapes
from puppet_repl.language.syntax.regexp_set import POSIX_CLASSES, Set, class_item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.regexp_set import ClassItem, NamedItem

MAX_DEPTH = 200
# Escapes such as \d that stand for a class of characters.
CLASS_LETTERS = "dDwWsShH"


class Options:
    """What ``(?imx-imx)`` and ``(?adu)`` switch; values are never changed, only replaced."""

    __slots__ = ("dotall", "extended", "ignore", "range")

    def __init__(self, ignore: bool, extended: bool, dotall: bool, range_: str) -> None:
        self.ignore = ignore
        self.extended = extended
        self.dotall = dotall
        self.range = range_


class ClassReader(Escapes):
    """Reads classes; knows the options in force and how deep things are nested."""

    def __init__(self, source: str, options: Options) -> None:
        super().__init__(source)
        self.options = options
        self.depth = 0

    def _set(self) -> Set:
        """Read a class after its ``[``."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail("too deep nest level over")
        negated = self.source[self.at : self.at + 1] == "^"
        self.at += negated
        made = _Building()
        if self.source[self.at : self.at + 1] == "]":
            if "]" not in self.source[self.at + 1 :]:
                raise self.fail("empty char-class")
            self.at += 1
            made.add_character("]")
        while True:
            if self.at >= len(self.source):
                raise self.fail("premature end of char-class")
            character = self.source[self.at]
            if character == "]":
                self.at += 1
                break
            if self.source.startswith("&&", self.at):
                self.at += 2
                made.close_part()
            elif character == "-":
                self.at += 1
                self._hyphen(made)
            else:
                self._member(made, character)
        self.depth -= 1
        return made.finish(negated)

    def _hyphen(self, made: _Building) -> None:
        """Read what a ``-`` is: the middle of a range, or itself."""
        if made.state == "range":
            self._end_range(made, "-")
            return
        ends = self.source.startswith(("]", "&&"), self.at)
        if made.state == "value" and not ends:
            made.state = "range"
        elif made.state == "class" and not ends:
            raise self.fail("unmatched range specifier in char-class")
        else:
            made.add_character("-")

    def _member(self, made: _Building, character: str) -> None:
        """Read a character, an escape, a POSIX bracket or a class inside."""
        item = self._posix()
        if item is None:
            self.at += 1
            if character == "[":
                if made.state == "range":
                    raise self.unsupported("a range that ends in a class")
                made.add_set(self._set())
                return
            if character != "\\":
                self._add(made, character)
                return
            escaped = self._set_escape()
            if isinstance(escaped, str):
                for each in escaped:
                    self._add(made, each)
                return
            item = escaped
        if made.state == "range":
            raise self.fail("char-class value at end of range")
        made.add_class(item)

    def _add(self, made: _Building, character: str) -> None:
        if made.state == "range":
            self._end_range(made, character)
        else:
            made.add_character(character)

    def _end_range(self, made: _Building, high: str) -> None:
        if made.pending is not None and made.pending > high:
            raise self.fail("empty range in char class")
        made.end_range(high)

    def _posix(self) -> NamedItem | None:
        """Read ``[:name:]``; return None for other text."""
        source = self.source
        if not source.startswith("[:", self.at):
            return None
        end = source.find(":]", self.at)
        name = source[self.at + 2 : end] if end > 0 else ""
        if not name.lstrip("^").isalpha():
            return None
        if name.lstrip("^") not in POSIX_CLASSES:
            raise self.fail("invalid POSIX bracket type")
        self.at = end + 2
        negated = name.startswith("^")
        return class_item(name.lstrip("^"), self.options.range, negated, posix=True)

    def _set_escape(self) -> str | NamedItem:
        """Read an escape: characters as str, anything else as an item of a Set."""
        letter = self.source[self.at : self.at + 1]
        if letter and letter in CLASS_LETTERS:
            self.at += 1
            return class_item(letter, self.options.range)
        if letter and letter in "pP" and self.source[self.at + 1 : self.at + 2] == "{":
            return self._property()
        if letter in ("R", "X"):
            self.at += 1
            return letter
        return self._characters(in_set=True)


class _Building:
    """A class that is being read.

    ``state`` says what a ``-`` would mean: after a "value" a range may follow, after a "class"
    none may, "range" waits for its end, and at the "start" or after something "complete" it is
    itself. ``pending`` is the value that may still begin a range.
    """

    def __init__(self) -> None:
        self.items: list[ClassItem] = []
        self.parts: list[Set] = []
        self.state = "start"
        self.pending: str | None = None

    def _flush(self) -> None:
        if self.pending is not None:
            self.items.append(("range", self.pending, self.pending))
            self.pending = None

    def add_character(self, character: str) -> None:
        """Take a character that may begin a range."""
        self._flush()
        self.pending = character
        self.state = "value"

    def add_class(self, item: ClassItem) -> None:
        """Take the item of an escape or a POSIX bracket."""
        self._flush()
        self.items.append(item)
        self.state = "class"

    def add_set(self, inner: Set) -> None:
        """Take a class inside this one."""
        self._flush()
        self.items.append(("set", inner))
        self.state = "complete"

    def end_range(self, high: str) -> None:
        """Take the end of a range."""
        assert self.pending is not None
        self.items.append(("range", self.pending, high))
        self.pending = None
        self.state = "complete"

    def close_part(self) -> None:
        """Begin another operand of ``&&``."""
        self._flush()
        self.parts.append(Set(False, tuple(self.items)))
        self.items = []
        self.state = "start"

    def finish(self, negated: bool) -> Set:
        """Return the class."""
        self._flush()
        last = tuple(self.items)
        if self.parts:
            return Set(negated, (), (*self.parts, Set(False, last)))
        return Set(negated, last)
