"""Strings that follow each other as in Ruby: ``String#succ`` and ranges of strings."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# The kinds of characters that are counted up: first and last one, and what a carry inserts.
_KINDS = (("0", "9", "1"), ("a", "z", "a"), ("A", "Z", "A"))


def successor(text: str) -> str:
    """Return the next string: its last letter or digit is counted up, with carries to the left.

    A string without letters and digits counts by its characters, and so do letters that are not
    ASCII.
    """
    characters = list(text)
    position = _last_countable(characters, len(characters))
    if position is None:
        return _next_by_code(characters, len(characters) - 1)
    while True:
        kind = _kind(characters[position])
        if kind is None:
            return _next_by_code(characters, position)
        first, last, inserted = kind
        if characters[position] != last:
            characters[position] = chr(ord(characters[position]) + 1)
            return "".join(characters)
        characters[position] = first
        left = _last_countable(characters, position)
        if left is None or not _carries(characters, left, position):
            characters.insert(position, inserted)
            return "".join(characters)
        position = left


def _kind(character: str) -> tuple[str, str, str] | None:
    for kind in _KINDS:
        if kind[0] <= character <= kind[1]:
            return kind
    return None


def _last_countable(characters: list[str], end: int) -> int | None:
    for position in range(end - 1, -1, -1):
        character = characters[position]
        if _kind(character) is not None or (not character.isascii() and character.isalnum()):
            return position
    return None


def _carries(characters: list[str], left: int, position: int) -> bool:
    """Tell whether a carry goes on to the left, across characters that are not alphanumeric.

    It does so between characters of the same kind, as in 1.9: 2.0, but not from digits to letters.
    """
    if left == position - 1:
        return True
    return characters[left].isdigit() == characters[position].isdigit()


def _next_by_code(characters: list[str], end: int) -> str:
    """Return the string with the character at a position, or one to its left, counted up."""
    for position in range(end, -1, -1):
        code = ord(characters[position])
        if code < 0x10FFFF:
            characters[position] = chr(0xE000 if code == 0xD7FF else code + 1)
            break
        characters[position] = "\x00"
    return "".join(characters)


def strings_between(start: str, end: str, excludes_end: bool, step: int) -> Iterator[str]:
    """Yield every ``step``-th string from one to another, as Ruby's Range does."""
    for number, text in enumerate(_successors(start, end, excludes_end)):
        if number % step == 0:
            yield text


def _successors(start: str, end: str, excludes_end: bool) -> Iterator[str]:
    if len(start) == len(end) == 1 and start.isascii() and end.isascii():
        last = ord(end) - (1 if excludes_end else 0)
        yield from map(chr, range(ord(start), last + 1))
        return
    if start > end or (excludes_end and start == end):
        return
    after = successor(end)
    current = start
    while current != after:
        if excludes_end and current == end:
            return
        yield current
        if current == end:
            return
        current = successor(current)
        if len(current) > len(end) or not current:
            return
