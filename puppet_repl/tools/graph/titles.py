"""Titles of resources in a box: lines of a limited width, whatever the title is."""

from __future__ import annotations

from puppet_repl.tools.rendering.width import cells, crop, display_width

WIDTH = 30
_MOST_LINES = 3
# A line ends after one of these if it can, one of the first group if there is one.
_BREAKS = (frozenset("/\\: "), frozenset("._-,;=&?"))


def title_lines(title: str, width: int = WIDTH, most: int = _MOST_LINES) -> list[str]:
    """Return a line of text in at most ``most`` lines; of a longer one the middle is left out.

    An empty text has no lines.
    """
    lines: list[str] = []
    rest = title
    while rest:
        if display_width(rest) <= width:
            lines.append(rest)
            break
        if len(lines) == most - 1:
            lines.append(shortened(rest, width))
            break
        end = _end_of_line(rest, width)
        lines.append(rest[:end])
        rest = rest[end:]
    return lines


def _end_of_line(text: str, width: int) -> int:
    """Return how many characters are in the first line of a text that has more."""
    taken = end = 0
    ends = [0, 0]
    for index, size in enumerate(cells(text[: 4 * width])):
        taken += size
        if taken > width:
            break
        end = index + 1
        if taken > width // 2:
            for group, breaks in enumerate(_BREAKS):
                if text[index] in breaks:
                    ends[group] = end
    return ends[0] or ends[1] or max(end, 1)


def shortened(text: str, width: int) -> str:
    """Return a text, but only its beginning and its end where it is wider than a line."""
    if display_width(text) <= width:
        return text
    head = crop(text, width // 2)
    left = width - display_width(head)
    tail = text[-4 * width :]
    sizes = cells(tail)
    start = len(tail)
    for index in range(len(tail) - 1, -1, -1):
        left -= sizes[index]
        if left < 0:
            break
        # What has no width continues the character before it.
        start = index if sizes[index] else start
    return head + tail[start:]
