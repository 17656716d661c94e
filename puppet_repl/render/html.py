"""Values and the results of commands as HTML for notebooks.

Colours come from CSS variables of the notebook's theme, so dark themes work. Untrusted notebooks
lose styles and scripts; the markup is readable without them.
"""

from __future__ import annotations

import re
from html import escape

from puppet_repl.base.safe_text import visible_lines
from puppet_repl.base.wording import counted
from puppet_repl.commands.results import Cell, ValueCell
from puppet_repl.render.fragments import Fragment
from puppet_repl.render.highlight import highlight
from puppet_repl.render.tables import table_cells
from puppet_repl.render.values import render_value, short_text
from puppet_repl.syntax.brackets import closing_bracket
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.commands.results import Table
    from puppet_repl.values.protocols import Value

WIDTH = 100
MAX_ROWS = 100
MAX_COLUMNS = 20
# Longer arrays and hashes are folded at first.
UNFOLDED_LINES = 25
CELL_WIDTH = 80
# Quoted and regular expressions as one, brackets and commas by themselves, the rest in between.
_TYPE_PIECE = re.compile(r"""'(?:\\.|[^'])*'|/(?:\\.|[^/])*/|[\[\]{}]|,\ |[^'/\[\]{},]+|,""")

COLOURS = {
    "string": "var(--jp-mirror-editor-string-color, #ba2121)",
    "number": "var(--jp-mirror-editor-number-color, #080)",
    "keyword": "var(--jp-mirror-editor-keyword-color, #008000)",
    "type": "var(--jp-mirror-editor-def-color, #00f)",
    "regex": "var(--jp-mirror-editor-string-2-color, #b60)",
    "variable": "var(--jp-mirror-editor-variable-2-color, #055)",
    "function": "var(--jp-mirror-editor-builtin-color, #008000)",
    "comment": "var(--jp-mirror-editor-comment-color, #408080)",
    "dim": "var(--jp-ui-font-color2, #777)",
    "error": "var(--jp-error-color1, #d32f2f)",
    "warning": "var(--jp-warn-color1, #f57c00)",
    "ok": "var(--jp-success-color1, #388e3c)",
    "bad": "var(--jp-error-color1, #d32f2f)",
}


def html_text(text: str) -> str:
    """Return a text as HTML, in which every character can be seen."""
    return escape(visible_lines(text))


def fragments_html(fragments: Iterable[Fragment]) -> str:
    """Return styled text as spans."""
    parts = []
    for style, text in fragments:
        colour = COLOURS.get(style)
        shown = html_text(text)
        parts.append(f'<span style="color:{colour}">{shown}</span>' if colour else shown)
    return "".join(parts)


def value_html(value: Value, *, full: bool = False) -> str:
    """Return a value as HTML: an array of hashes as a table, anything else as coloured text.

    Long values are folded, and cut unless ``full`` is set.
    """
    if type(value) is tuple and value and all(type(item) is PuppetHash for item in value):
        columns = _columns(value)
        if len(columns) <= MAX_COLUMNS:
            return _records(value, columns, full=full)
    fragments = _fragments(value, full=full)
    body = f"<pre>{fragments_html(fragments)}</pre>"
    lines = sum(text.count("\n") for _, text in fragments)
    if full or lines <= UNFOLDED_LINES:
        return body
    return folded(f"<code>{fragments_html(short_text(value, CELL_WIDTH))}</code>", body)


def folded(summary: str, body: str) -> str:
    """Return HTML that shows ``summary``, and the body on a click."""
    return f"<details><summary>{summary}</summary>{body}</details>"


def code_html(code: str, language: str = "puppet") -> str:
    """Return highlighted code."""
    return f"<pre>{fragments_html(highlight(code, language))}</pre>"


def _fragments(value: Value, *, full: bool) -> list[Fragment]:
    fragments = render_value(value, WIDTH, full=full)
    if len(fragments) == 1 and fragments[0][0] == "type":
        return highlight(type_layout(fragments[0][1], WIDTH))
    return fragments


def type_layout(text: str, width: int) -> str:
    """Lay out the text of a type with one parameter a line, where it is longer than a line."""
    pieces: list[str] = []
    # Of each open bracket: whether its contents have lines of their own.
    broken: list[bool] = []
    for match in _TYPE_PIECE.finditer(text):
        piece = match.group()
        if piece in "[{":
            rest = _to_the_end(text, match.start())
            is_alone = not text.startswith("[{", match.start())
            broken.append(is_alone and rest > width - 2 * len(broken))
            piece += "\n" + "  " * sum(broken) if broken[-1] else ""
        elif piece in "]}" and broken:
            if broken.pop():
                piece = "\n" + "  " * sum(broken) + piece
        elif piece == ", " and broken and broken[-1]:
            piece = ",\n" + "  " * sum(broken)
        pieces.append(piece)
    return "".join(pieces)


def _to_the_end(text: str, start: int) -> int:
    """Return the length of a bracket with its contents."""
    matches = list(_TYPE_PIECE.finditer(text, start))
    closing = closing_bracket(match.group() for match in matches[1:])
    return (len(text) if closing is None else matches[closing + 1].end()) - start


def _columns(rows: tuple[PuppetHash, ...]) -> list[Value]:
    """Return the keys of all rows, in the order of their first appearance."""
    seen = PuppetHash((key, None) for row in rows for key in row.keys())
    return list(seen.keys())


def _records(rows: tuple[PuppetHash, ...], columns: list[Value], *, full: bool) -> str:
    limit = len(rows) if full else MAX_ROWS
    head = "".join(f"<th>{_cell(key)}</th>" for key in columns)
    body = "".join(
        "<tr>"
        + "".join(f"<td>{_cell(row.get(key)) if row.has(key) else ''}</td>" for key in columns)
        + "</tr>"
        for row in rows[:limit]
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    if len(rows) > limit:
        table += f"<p>the first {limit} of {len(rows)} rows; <code>:full</code> shows all</p>"
    if len(rows) > UNFOLDED_LINES and not full:
        return folded(f"{len(rows)} rows, {counted(len(columns), 'column')}", table)
    return table


def _cell(value: Value) -> str:
    if type(value) is str:
        return html_text(value if len(value) <= CELL_WIDTH else value[: CELL_WIDTH - 1] + "…")
    return f"<code>{fragments_html(short_text(value, CELL_WIDTH))}</code>"


def table_html(table: Table) -> str:
    """Return a table of a command's result as HTML."""
    if not table.rows:
        return f"<p>{html_text(table.empty)}</p>"

    def shown(cell: str | Cell | ValueCell, fragments: list[Fragment]) -> str:
        if isinstance(cell, ValueCell):
            return f"<code>{fragments_html(fragments)}</code>"
        return fragments_html(fragments)

    title = f"<caption>{html_text(table.title)}</caption>" if table.title else ""
    head = "".join(f"<th>{html_text(heading)}</th>" for heading in table.headings)
    body = "".join(
        "<tr>" + "".join(f"<td>{shown(*pair)}</td>" for pair in zip(*rows, strict=True)) + "</tr>"
        for rows in zip(table.rows, table_cells(table, CELL_WIDTH), strict=True)
    )
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
