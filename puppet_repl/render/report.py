"""The results of commands as styled text."""

from __future__ import annotations

from puppet_repl.commands.results import (
    Cell,
    Code,
    Complaint,
    Differences,
    Document,
    Failure,
    Message,
    OnMachines,
    Ran,
    Report,
    Shown,
    Table,
    ValueCell,
)
from puppet_repl.render.diagnostics import render_error
from puppet_repl.render.differences import render_difference
from puppet_repl.render.fragments import Fragment, joined
from puppet_repl.render.help import render_documentation
from puppet_repl.render.highlight import highlight
from puppet_repl.render.machines import render_machines
from puppet_repl.render.values import DEFAULT_WIDTH, render_value, short_text
from puppet_repl.render.width import crop, display_width, visible
from puppet_repl.session import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.commands.results import Part

GAP = "  "
# Columns are never narrower.
MIN_COLUMN = 8
MAX_VALUE = 200


def render_report(report: Report, width: int = DEFAULT_WIDTH) -> list[Fragment]:
    """Render all parts of a report, one below the other, without a final line end."""
    rendered = [render_part(part, width) for part in report.parts]
    return joined([part for part in rendered if part])


def render_part(part: Part, width: int) -> list[Fragment]:
    """Render one part of a report."""
    if isinstance(part, Message):
        return [(part.style, part.text)]
    if isinstance(part, Complaint):
        fragments: list[Fragment] = [("error", "Error: "), ("", part.message)]
        if part.hint:
            fragments += [("hint", "\n  hint: "), ("", part.hint)]
        return fragments
    if isinstance(part, Table):
        return render_table(part, width)
    if isinstance(part, Code):
        return highlight(part.text, part.language)
    if isinstance(part, Shown):
        return render_value(part.value, width, full=part.full)
    if isinstance(part, Failure):
        return render_error(part.error, part.label, width)
    if isinstance(part, Document):
        return render_documentation(part.documentation, width)
    if isinstance(part, Differences):
        return render_difference(part.difference, width)
    if isinstance(part, OnMachines):
        return render_machines(part, width)
    if isinstance(part, Ran):
        return _render_ran(part, width)
    return [(part.style, part.text)]


def _render_ran(part: Ran, width: int) -> list[Fragment]:
    if part.outcome.error is not None:
        return render_error(part.outcome.error, part.label, width)
    if part.outcome.value is NOTHING or part.outcome.value is None:
        return []
    return render_value(part.outcome.value, width, full=False)


def render_table(table: Table, width: int) -> list[Fragment]:
    """Render a table; if it is too wide, its widest columns are cut."""
    parts: list[list[Fragment]] = []
    if table.title:
        parts.append([("heading", table.title)])
    if not table.rows:
        parts.append([("dim", table.empty)])
        return joined(parts)
    rows = [[_cell(cell) for cell in row] for row in table.rows]
    sizes = _column_sizes([_row_of(table.headings), *rows], width, table.kept)
    if any(table.headings):
        heads = [[("dim", heading)] for heading in table.headings]
        parts.append(_table_row(heads, sizes))
    parts.extend(_table_row(row, sizes) for row in rows)
    return joined(parts)


def _row_of(texts: tuple[str, ...]) -> list[list[Fragment]]:
    return [[("", text)] for text in texts]


def _cell(cell: str | Cell | ValueCell) -> list[Fragment]:
    if isinstance(cell, ValueCell):
        return short_text(cell.value, MAX_VALUE)
    if isinstance(cell, Cell):
        return [(cell.style, _one_line(cell.text))]
    return [("", _one_line(cell))]


def _one_line(text: str) -> str:
    return visible(text.replace("\n", " "))


def _size(cell: list[Fragment]) -> int:
    return sum(display_width(text) for _, text in cell)


def _column_sizes(rows: list[list[list[Fragment]]], width: int, kept: Sequence[int]) -> list[int]:
    """Return the width of each column: what it needs, but less for the widest if needed.

    Those that are to be kept are cut when all others are as narrow as they may be.
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
