"""Long lines as several ones, and excerpts of long texts in which what differs is seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from puppet_repl.tools.rendering.fragments import Fragment, joined, lines, raw, shown
from puppet_repl.tools.rendering.width import ELLIPSIS, cells

# Where a line may end apart from blanks, the best first: after parts of paths, then of names.
_ENDS = ("/", "-._:,")
# Of a line, before which such a sign is not a place to end it.
_LEAST = 0.4
# Characters that are shown on both sides of a difference.
_AROUND = 25


def wrapped(fragments: Iterable[Fragment], width: int, indent: str = "") -> list[list[Fragment]]:
    """Return lines of at most ``width`` cells; ``indent`` is before those that go on.

    They end at blanks, after signs that part paths and names, or else where the room ends.
    """
    rows: list[list[Fragment]] = []
    for line in lines(shown(fragments)):
        text = raw(line)
        sizes = cells(text)
        start = 0
        room = max(width, 1)
        while True:
            end = _fitting(sizes, start, room)
            margin: list[Fragment] = [("", indent)] if start and indent else []
            if end >= len(text):
                rows.append([*margin, *excerpt(line, start, end)])
                break
            stop, following = _end_of_line(text, start, end)
            rows.append([*margin, *excerpt(line, start, stop)])
            start = following
            room = max(width - len(indent), 1)
    return rows


def wrapped_text(fragments: Iterable[Fragment], width: int) -> list[Fragment]:
    """Return lines of at most ``width`` cells, those that go on indented two more than the first.

    For messages; what is laid out to the width already stays as it is.
    """
    rows: list[list[Fragment]] = []
    for line in lines(shown(fragments)):
        text = raw(line)
        indent = " " * (len(text) - len(text.lstrip(" ")) + 2)
        rows += wrapped(line, width, indent if len(indent) < width // 2 else "")
    return joined(rows)


def hard_wrapped(fragments: Iterable[Fragment], width: int) -> list[list[Fragment]]:
    """Return lines that are full but for the last one: different texts have different lines."""
    rows: list[list[Fragment]] = []
    for line in lines(shown(fragments)):
        sizes = cells(raw(line))
        start = 0
        while True:
            end = _fitting(sizes, start, max(width, 1))
            rows.append(excerpt(line, start, end))
            start = end
            if start >= len(sizes):
                break
    return rows


def _fitting(sizes: Sequence[int], start: int, width: int) -> int:
    """Return where the characters end that fit after ``start``; one always does."""
    for index in range(start, len(sizes)):
        width -= sizes[index]
        if width < 0:
            return max(index, start + 1)
    return len(sizes)


def _end_of_line(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where a line ends, ``end`` at most, and where the next one begins."""
    blank = text.rfind(" ", start, end + 1)
    if blank > start and text[start:blank].strip():
        return blank, blank + 1
    least = start + int(_LEAST * (end - start))
    for signs in _ENDS:
        found = max(text.rfind(sign, least, end) for sign in signs)
        if found > start:
            return found + 1, found + 1
    return end, end


def excerpt(line: Iterable[Fragment], start: int, end: int) -> list[Fragment]:
    """Return the characters from ``start`` to ``end`` of a line, with their styles."""
    cut: list[Fragment] = []
    position = 0
    for style, text in line:
        piece = text[max(start - position, 0) : max(end - position, 0)]
        if piece:
            cut.append((style, piece))
        position += len(text)
    return cut


def distinct_excerpts(lines_: Sequence[list[Fragment]], room: int) -> list[list[Fragment]]:
    """Return lines with their first ``room`` characters, and more of those that differ after.

    Where the beginnings of different texts are the same, what is around their first difference
    follows: different texts never become the same.
    """
    lines_ = [shown(line) for line in lines_]
    texts = [raw(line) for line in lines_]
    parts = [[(0, min(len(text), room))] for text in texts]
    pending = _alike(range(len(texts)), texts, room)
    while pending:
        group = pending.pop()
        first = _common_start([texts[index] for index in group])
        last = parts[group[0]][-1][1]
        start, end = max(first - _AROUND, last), first + _AROUND
        for index in group:
            parts[index].append((start, min(end, len(texts[index]))))
        pending += _alike(group, texts, end)
    return [
        _with_ellipses(line, ranges, len(text))
        for line, ranges, text in zip(lines_, parts, texts, strict=True)
    ]


def _alike(indices: Iterable[int], texts: Sequence[str], end: int) -> list[list[int]]:
    """Return those of the texts that begin alike up to ``end`` and differ after it, by groups."""
    groups: dict[str, list[int]] = {}
    for index in indices:
        groups.setdefault(texts[index][:end], []).append(index)
    return [group for group in groups.values() if len({texts[index] for index in group}) > 1]


def _common_start(texts: Sequence[str]) -> int:
    """Return how many characters texts begin with in common."""
    first, last = min(texts), max(texts)
    shortest = min(len(first), len(last))
    return next((at for at in range(shortest) if first[at] != last[at]), shortest)


def _with_ellipses(
    line: list[Fragment], ranges: Iterable[tuple[int, int]], length: int
) -> list[Fragment]:
    parts: list[Fragment] = []
    last = 0
    for start, end in ranges:
        if start > last:
            parts.append(("dim", ELLIPSIS))
        parts += excerpt(line, start, end)
        last = max(last, end)
    if last < length:
        parts.append(("dim", ELLIPSIS))
    return parts
