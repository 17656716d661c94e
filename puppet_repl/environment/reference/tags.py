"""One tag of a comment, from its text: ``@param [String] name text``.

YARD reads the text after the name of a tag in a handful of ways; ``READERS`` has the way of each
tag. The list of types is found by counting brackets, as in YARD, even in text that is not meant as
a list of types.
"""

from __future__ import annotations

import re

from puppet_repl.environment.reference.model import Option, Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

BLANKS = " \t\n\v\f\r\0"
"""What Ruby strips from a text."""

_SPACE = re.compile(r"\s+", re.ASCII)
_METHOD_NAME = re.compile(
    r"[a-zA-Z_]\w*[!?=]?|[-+~]@|<<|>>|=~|===?|![=~]?|<=>|[<>]=?|\*\*|[-/+%^&*~`]|\[\]=?", re.ASCII
)
_QUOTED = {quote: re.compile(f"{quote}.+?{quote}") for quote in "\"'"}
_OPENING, _CLOSING = "[({<", "])}>"


class TagError(Exception):
    """The text of a tag is not of the form that the tag has."""


def make_tag(name: str, text: str, line: int = 0) -> Tag:
    """Return a tag of a known name; raise TagError if its text has another form."""
    return READERS[name](name, text, line)


def _plain(name: str, text: str, line: int) -> Tag:
    return Tag(name, text.strip(BLANKS), line=line)


def _with_types(name: str, text: str, line: int) -> Tag:
    before, types, rest = split_types(text)
    if before is not None:
        raise TagError("there is a name before the types")
    return Tag(name, rest, types, line=line)


def with_types_and_subject(name: str, text: str, line: int = 0) -> Tag:
    """Read ``[Types] subject text`` or ``subject [Types] text``."""
    subject, types, rest = split_types(text)
    told: str | None = rest
    if subject is None:
        subject, told = split_word(rest)
    return Tag(name, told, types, subject, line=line)


def _with_subject(name: str, text: str, line: int) -> Tag:
    subject, rest = split_word(text)
    return Tag(name, rest, subject=subject, line=line)


def _with_title(name: str, text: str, line: int) -> Tag:
    if not text:
        raise TagError("there is no text")
    if re.match(r"[ \t]\n", text):
        return Tag(name, text, line=line)
    lines = ruby_lines(text)
    if not lines:
        raise TagError("there is no text")
    title = re.sub(r" {2,}", " ", lines[0]).strip(BLANKS)
    return Tag(name, "\n".join(lines[1:]), subject=title, line=line)


def _of_option(name: str, text: str, line: int) -> Tag:
    parent, rest = split_word(text)
    key, types, told = split_types(rest or "", "[{<", "]}>")
    about: str | None = told
    if key is None:
        key, about = split_word(told)
    default = None
    if about is not None and about.startswith("("):
        _, default, about = split_types(about, "(", ")")
    return Tag(name, subject=parent, option=Option(key, about, types, default), line=line)


def _of_enum(name: str, text: str, line: int) -> Tag:
    parent, rest = split_word(text)
    if rest is None:
        raise TagError("there is no value")
    value, about = split_word(rest)
    return Tag(name, subject=parent, option=Option(value, about), line=line)


READERS: dict[str, Callable[[str, str, int], Tag]] = {
    **dict.fromkeys(
        (
            *("abstract", "api", "author", "deprecated", "note", "private", "since", "summary"),
            *("todo", "version"),
        ),
        _plain,
    ),
    **dict.fromkeys(("raise", "return", "yield", "yieldreturn"), _with_types),
    **dict.fromkeys(
        ("attr", "attr_reader", "attr_writer", "param", "yieldparam"), with_types_and_subject
    ),
    "see": _with_subject,
    "example": _with_title,
    "option": _of_option,
    "enum": _of_enum,
}
"""How the text of each tag is read; that of ``@overload`` is a comment, and read as one."""


def split_word(text: str) -> tuple[str | None, str | None]:
    """Return the first word of a text and the rest; None for a missing part."""
    text = text.strip(BLANKS)
    if not text:
        return None, None
    first, *rest = _SPACE.split(text, maxsplit=1)
    return first, rest[0] if rest else None


def ruby_lines(text: str) -> list[str]:
    """Return the lines of a text, without empty ones at its end."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def split_types(
    text: str, opening: str = _OPENING, closing: str = _CLOSING
) -> tuple[str | None, tuple[str, ...] | None, str]:
    """Return the text before a list of types, the list, and the text after it.

    Without a list the whole text is the text after it.
    """
    scan = _TypeScan(text, opening, closing)
    scan.run()
    if scan.types == [""]:
        return None, None, text.strip(BLANKS)
    before = "".join(scan.before)
    types = tuple(each.strip(BLANKS) for each in scan.types)
    return before.strip(BLANKS) or None, types, text[scan.end + 1 :].strip(BLANKS)


class _TypeScan:
    """The search for a list of types; ``end`` is where it ends.

    One that has no end is taken to end with the first character of the text, as YARD does.
    """

    __slots__ = ("before", "closing", "depth", "end", "is_spaced", "opening", "text", "types")

    def __init__(self, text: str, opening: str, closing: str) -> None:
        self.text = text
        self.opening = opening
        self.closing = closing
        self.before: list[str] = []
        self.types = [""]
        self.depth = 0
        self.end = 0
        self.is_spaced = False

    def run(self) -> None:
        """Go through the text up to the end of the list, or to where none can begin any more."""
        text = self.text
        position, last, size = 0, "", len(text)
        while position < size:
            character = text[position]
            taken = self._special(character, position)
            if taken:
                self.types[-1] += taken
                position += len(taken)
                continue
            if self._ends(character, last):
                self.end = position
                return
            last = character
            position += 1

    def _special(self, character: str, position: int) -> str:
        """Return a string in quotes, or a reference to a method, both taken as a whole."""
        if character in _QUOTED:
            found = _QUOTED[character].search(self.text, position)
            return found[0] if found else ""
        if character == "#" and self.depth > 0:
            found = _METHOD_NAME.search(self.text, position + 1)
            return "#" + found[0] if found else ""
        return ""

    def _ends(self, character: str, last: str) -> bool:
        """Take one character; tell whether the list, or the search for one, ends with it."""
        if character in self.opening:
            if self.depth > 0:
                self.types[-1] += character
            self.depth += 1
        elif character in self.closing:
            if not (last == "=" and character == ">"):
                self.depth -= 1
            if self.depth == 0:
                return True
            self.types[-1] += character
        elif self.depth == 1 and character == ",":
            self.types.append("")
        elif self.depth == 0:
            return self._ends_outside(character)
        elif self.depth > 0:
            self.types[-1] += character
        return False

    def _ends_outside(self, character: str) -> bool:
        if character not in " \t\n\v\f\r":
            if self.is_spaced and self.types == [""]:
                return True
            self.before.append(character)
            return False
        if character in " \t" and self.before:
            self.is_spaced = True
        return character == "\n"
