"""Tables of the results of commands as styled text, with cells for HTML as well."""

from __future__ import annotations

from puppet_repl.base.safe_text import visible, visible_lines
from puppet_repl.tools.rendering.fragments import Fragment, joined, lines, plain
from puppet_repl.tools.rendering.highlight import highlight
from puppet_repl.tools.rendering.values import short_text, whole_text
from puppet_repl.tools.rendering.width import crop, display_width
from puppet_repl.tools.rendering.wrapping import distinct_excerpts, hard_wrapped, wrapped
from puppet_repl.tools.reports.parts import Cell, CodeCell, ValueCell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.tools.reports.parts import Table

GAP = "  "
# Columns are never narrower.
MIN_COLUMN = 8
MAX_VALUE = 200
# Of a cell that is not cut at its end: what is longer is shown as far as it tells cells apart.
MAX_WHOLE = 400


def render_table(table: Table, width: int) -> list[Fragment]:
    """Render a table; if it is too wide, its widest columns are cut, or wrapped.

    One whose columns do not fit side by side has a line for each cell.
    """
    parts: list[list[Fragment]] = []
    if table.title:
        parts.append([("heading", table.title)])
    if not table.rows:
        parts += wrapped([("dim", table.empty)], width)
        return joined(parts)
    rows = table_cells(table, MAX_VALUE)
    sizes = _column_sizes([_row_of(table.headings), *rows], width, table.kept)
    if sum(sizes) + len(GAP) * (len(sizes) - 1) > width and any(table.headings):
        return joined([*parts, *_records(table.headings, rows, width)])
    if any(table.headings):
        heads = [[("dim", heading)] for heading in table.headings]
        parts.append(_table_row(heads, sizes))
    columns = {
        index: _wrapped_column([row[index] for row in rows], sizes[index])
        for index in table.whole
        if index < len(sizes)
    }
    for number, row in enumerate(rows):
        high = max([len(column[number]) for column in columns.values()], default=1)
        for line in range(high):
            cells = []
            for index, cell in enumerate(row):
                shown = [cell] if index not in columns else columns[index][number]
                cells.append(shown[line] if line < len(shown) else [])
            parts.append(_table_row(_without_empty_end(cells) if line else cells, sizes))
    return joined(parts)


def _records(
    headings: Sequence[str], rows: list[list[list[Fragment]]], width: int
) -> list[list[Fragment]]:
    """Return a table with its rows one below the other, and a line for each cell in them."""
    room = max(width - 2 * len(GAP) - MIN_COLUMN, 1)
    size = min(max(map(display_width, headings)), room)
    parts: list[list[Fragment]] = []
    for row in rows:
        parts += [[]] if parts else []
        for heading, cell in zip(headings, row, strict=False):
            if not heading:  # what the row is about
                parts += wrapped(cell, width)
            elif plain(cell):
                first, *others = wrapped(cell, max(width - size - 2 * len(GAP), MIN_COLUMN))
                label = _fitted([("dim", heading)], size, fill=True)
                parts.append([("", GAP), *label, ("", GAP), *first])
                parts += [[("", " " * (size + 2 * len(GAP))), *line] for line in others]
    return parts


def table_cells(table: Table, width: int) -> list[list[list[Fragment]]]:
    """Return the cells of a table, each on one line.

    Values have at most ``width`` cells, but in the columns that are not to be cut.
    """
    rows = [
        [_cell(cell, width, whole=index in table.whole) for index, cell in enumerate(row)]
        for row in table.rows
    ]
    for index in table.whole:
        column = distinct_excerpts([row[index] for row in rows], MAX_WHOLE)
        for row, cell in zip(rows, column, strict=True):
            row[index] = cell
    return rows


def _cell(cell: str | Cell | ValueCell | CodeCell, width: int, *, whole: bool) -> list[Fragment]:
    if isinstance(cell, ValueCell):
        return whole_text(cell.value) if whole else short_text(cell.value, width)
    if isinstance(cell, CodeCell):
        if whole:
            return [(style, visible_lines(text)) for style, text in highlight(cell.text)]
        return [(style, _one_line(text)) for style, text in highlight(cell.text)]
    if isinstance(cell, Cell):
        return [(cell.style, _one_line(cell.text))]
    return [("", _one_line(cell))]


def _wrapped_column(cells: Sequence[list[Fragment]], width: int) -> list[list[list[Fragment]]]:
    """Return the lines of each cell, indented as its first one.

    Wrapping drops blanks: it must not make cells the same.
    """
    found = [wrapped(cell, width, _indent(plain(cell), width)) for cell in cells]
    texts = {plain(cell).rstrip() for cell in cells}
    if len({tuple([plain(line).rstrip() for line in rows]) for rows in found}) < len(texts):
        return [hard_wrapped(cell, width) for cell in cells]
    return found


def _indent(text: str, width: int) -> str:
    indent = text[: len(text) - len(text.lstrip(" "))]
    return indent if len(indent) < width // 2 else ""


def _without_empty_end(cells: list[list[Fragment]]) -> list[list[Fragment]]:
    """Return the cells up to the last one that has something."""
    count = max(index for index, cell in enumerate(cells) if cell) + 1
    return cells[:count]


def _row_of(texts: tuple[str, ...]) -> list[list[Fragment]]:
    return [[("", text)] for text in texts]


def _one_line(text: str) -> str:
    return visible(text.replace("\n", " "))


def _size(cell: list[Fragment]) -> int:
    """Return the cells of the longest line."""
    return max(sum(display_width(text) for _, text in line) for line in lines(cell))


def _column_sizes(rows: list[list[list[Fragment]]], width: int, kept: Sequence[int]) -> list[int]:
    """Return the width of each column: what it needs, but less for the widest if needed.

    Protected columns are cut last, when all others have their minimal width.
    """
    count = max(len(row) for row in rows)
    sizes = [
        max((_size(row[index]) for row in rows if index < len(row)), default=0)
        for index in range(count)
    ]
    room = max(width - len(GAP) * (count - 1), count * MIN_COLUMN)
    while sum(sizes) > room:
        free = [n for n in range(count) if n not in kept and sizes[n] > MIN_COLUMN]
        choice = free or range(count)
        widest = max(choice, key=lambda index: (sizes[index], index))
        if sizes[widest] <= MIN_COLUMN:
            break
        others = [size for index, size in enumerate(sizes) if index != widest]
        least = max(max([sizes[n] for n in choice if n != widest], default=0), MIN_COLUMN)
        wanted = room - sum(others)
        sizes[widest] = max(wanted, min(least, sizes[widest] - 1), MIN_COLUMN)
    return sizes


def _table_row(row: list[list[Fragment]], sizes: list[int]) -> list[Fragment]:
    fragments: list[Fragment] = []
    for index, cell in enumerate(row):
        is_last = index == len(row) - 1
        fragments += _fitted(cell, sizes[index], fill=not is_last)
        if not is_last:
            fragments.append(("", GAP))
    return fragments


def _fitted(cell: list[Fragment], size: int, *, fill: bool) -> list[Fragment]:
    fragments: list[Fragment] = []
    left = size
    too_long = _size(cell) > size
    for style, text in cell:
        taken = display_width(text)
        if too_long and taken >= left:
            cut = crop(text + " ", left)
            fragments.append((style, cut))
            left -= display_width(cut)
            break
        fragments.append((style, text))
        left -= taken
    if fill and left > 0:
        fragments.append(("", " " * left))
    return fragments
