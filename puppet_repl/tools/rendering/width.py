"""How many terminal cells a string takes, and cutting it to a number of cells."""

from __future__ import annotations

ELLIPSIS = "…"
TAB = 4


def display_width(text: str) -> int:
    """Return the number of terminal cells of a string without line ends.

    Wide East Asian characters and emoji take two, combining marks none, an emoji sequence or a
    flag two altogether.
    """
    if text.isascii():
        return len(text)
    return sum(cells(text))


def cells(text: str) -> list[int]:
    """Return the number of cells of each character; those that continue a cluster take none."""
    if text.isascii():
        return [1] * len(text)
    # Its tables take longer to import than most values take to show.
    from wcwidth import iter_graphemes, wcswidth

    widths: list[int] = []
    for cluster in iter_graphemes(text):
        # Control characters have no width of their own: -1.
        widths.append(1 if cluster.isascii() else max(wcswidth(cluster), 0))
        widths.extend([0] * (len(cluster) - 1))
    return widths


def crop(text: str, width: int) -> str:
    """Return a string cut to a number of cells, with an ellipsis where something was cut off."""
    if text.isascii():
        return text if len(text) <= width else text[: max(width - 1, 0)] + ELLIPSIS
    # Of a long text only as much is measured as could fit.
    sizes = cells(text[: 4 * width + 8])
    kept = taken = 0
    for position, size in enumerate(sizes, 1):
        taken += size
        if taken > width:
            break
        if taken < width:
            kept = position
    else:
        if len(sizes) == len(text):
            return text
    return text[:kept] + ELLIPSIS


def expand_tabs(text: str) -> str:
    """Replace each tab of a line by spaces up to the next tab stop."""
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
