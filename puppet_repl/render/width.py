"""How many terminal cells a text takes, and cutting a text to a number of cells."""

from __future__ import annotations

import unicodedata

ELLIPSIS = "…"
TAB = 4


def display_width(text: str) -> int:
    """Cells that a text without line ends takes in a terminal.

    Wide East Asian characters and emoji take two, combining marks none; an emoji sequence joined
    by U+200D takes as much as its first part, two regional indicators (a flag) take two.
    """
    if text.isascii():
        return len(text)
    return sum(cells(text))


def cells(text: str) -> list[int]:
    """The cells of each character of a text, a character joined to the one before taking none."""
    widths: list[int] = []
    joined = False
    flag = False
    last = -1
    for character in text:
        width = _width(character)
        is_flag = "\U0001f1e6" <= character <= "\U0001f1ff"
        if joined or (
            "\U0001f3fb" <= character <= "\U0001f3ff" and last >= 0 and widths[last] == 2
        ):
            width = 0
        elif character == "\ufe0f" and last >= 0:
            # The emoji presentation makes a narrow symbol wide.
            if widths[last] == 1 and not text[last].isascii():
                widths[last] = 2
        elif is_flag:
            width = 0 if flag else 2
        flag = is_flag and not flag
        joined = character == "\u200d"
        if width:
            last = len(widths)
        widths.append(width)
    return widths


def _width(character: str) -> int:
    if character.isascii():
        return 1
    category = unicodedata.category(character)
    if category in ("Mn", "Me", "Cf"):
        return 0 if character != "\xad" else 1
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def crop(text: str, width: int) -> str:
    """A text cut to a number of cells, ending in an ellipsis where something is missing."""
    if len(text) <= width and display_width(text) <= width:
        return text
    room = max(width - 1, 0)
    kept = 0
    for character, size in zip(text, cells(text[: 4 * width + 8]), strict=False):
        room -= size
        if room < 0:
            break
        kept += len(character)
    return text[:kept] + ELLIPSIS


def expand_tabs(text: str) -> str:
    """A line with every tab replaced by the blanks up to the next stop, in cells."""
    if "\t" not in text:
        return text
    parts: list[str] = []
    column = 0
    for piece in text.split("\t"):
        if parts:
            blanks = TAB - column % TAB
            parts.append(" " * blanks)
            column += blanks
        parts.append(piece)
        column += display_width(piece)
    return "".join(parts)


def visible(text: str) -> str:
    """A text whose control characters are shown as pictures, so that none reaches the terminal."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or character in "\u200d\ufe0f\t"
        else _picture(character)
        for character in text
    )


def _picture(character: str) -> str:
    number = ord(character)
    if number < 0x20:
        return chr(0x2400 + number)
    if number == 0x7F:
        return "␡"
    return "\ufffd" if number < 0xA0 or 0xD800 <= number < 0xE000 else character
