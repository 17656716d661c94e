"""Earlier inputs by number: those of this session from 1, those from before it from -1 down."""

from __future__ import annotations

import re

from puppet_repl.base.wording import counted
from puppet_repl.tools.reports.parts import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.host.host import Host

# 3, -1, 3-5, -5--1
_RANGE = re.compile(r"(?P<first>-?\d{1,9})(?:-(?P<last>-?\d{1,9}))?")
# Inputs that one command takes at most: more would be a slip of the keyboard.
MAX_TAKEN = 1000


def is_range(word: str) -> bool:
    """Tell whether a word is a number of an input, or a range of numbers."""
    return _RANGE.fullmatch(word) is not None


def numbers_of(words: list[str]) -> list[int]:
    """Return the numbers that ranges stand for, in the order given. Raises CommandError."""
    numbers: list[int] = []
    for word in words:
        match = _RANGE.fullmatch(word)
        if match is None:
            raise CommandError(
                f"'{word}' is neither the number of an input nor a range",
                "for example 3, 3-5, -1 (the last one before this session) or -5--1",
            )
        first = int(match["first"])
        last = first if match["last"] is None else int(match["last"])
        if last < first or (first < 0) != (last < 0) or 0 in (first, last):
            raise CommandError(f"{word} is not a range", _why_no_range(first, last))
        if last - first >= MAX_TAKEN:
            raise CommandError(f"{word} has more than {counted(MAX_TAKEN, 'input')}", "")
        numbers += range(first, last + 1)
    return numbers


def _why_no_range(first: int, last: int) -> str:
    if 0 in (first, last):
        return "inputs count from 1, those from before this session from -1 down"
    if first < 0 < last:
        return "inputs of this session and those from before it are two ranges"
    return f"the lower number comes first: {last}-{first}"


def inputs_of(host: Host, words: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the number and the text, as typed, of the inputs in ranges.

    Numbers without an input, such as a failed one, are skipped, but each range needs at least one
    input. Raises CommandError.
    """
    own: dict[int, list[str]] = {}
    for number, text, _ in host.entries():
        own.setdefault(number, []).append(text)
    for word in words:
        numbers = numbers_of([word])
        found = False
        for number in numbers:
            earlier = host.history.earlier(number) if number < 0 else None
            texts = own.get(number, []) if earlier is None else [earlier]
            for text in texts:
                found = True
                yield number, text
        if not found:
            what = f"there is no input {word}"
            if len(numbers) > 1:
                what = f"there are no inputs {word}"
            raise CommandError(what, ":history lists them")
