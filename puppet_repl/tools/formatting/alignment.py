"""Tables: columns of rows, aligned when the lines of the rows are known."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.formatting.layout import OutputLine


class Table:
    """Rows with columns; ``is_run`` where only rows on consecutive lines belong together."""

    __slots__ = ("is_run", "marks")

    def __init__(self, *, is_run: bool = False) -> None:
        self.is_run = is_run
        self.marks: list[tuple[OutputLine, int, int]] = []
        """Line, number of the column, index of the part of the line that begins there."""


def align(tables: list[Table], numbers: dict[int, int]) -> None:
    """Pad the lines of tables; ``numbers`` says which line of the output each one is, by id."""
    for table in tables:
        for rows in _runs(table, numbers):
            for column in sorted({column for _, column, _ in rows}):
                _pad([(line, part) for line, each, part in rows if each == column])


def _runs(table: Table, numbers: dict[int, int]) -> list[list[tuple[OutputLine, int, int]]]:
    if not table.is_run:
        return [table.marks]
    runs: list[list[tuple[OutputLine, int, int]]] = []
    last = -2
    for mark in table.marks:
        number = numbers[id(mark[0])]
        if number == last + 1:
            runs[-1].append(mark)
        else:
            runs.append([mark])
        last = number
    return runs


def _pad(places: list[tuple[OutputLine, int]]) -> None:
    widths = [sum(map(len, line.parts[:part])) for line, part in places]
    widest = max(widths)
    for (line, part), width in zip(places, widths, strict=True):
        line.parts[part] = " " * (widest - width) + line.parts[part]
