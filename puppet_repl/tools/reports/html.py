"""Values and the results of commands as HTML for notebooks.

Colours are Pygments' class names, for which notebooks and their exports bring the rules of the
theme: untrusted notebooks keep classes, but not styles that refer to the theme. The markup is
readable without them.
"""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape

from puppet_repl.base.safe_text import visible_lines
from puppet_repl.base.wording import counted
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.tools.rendering.fragments import Fragment
from puppet_repl.tools.rendering.highlight import highlight
from puppet_repl.tools.rendering.values import opened, render_value, short_text
from puppet_repl.tools.reports.parts import Cell, CodeCell, ValueCell
from puppet_repl.tools.reports.tables import table_cells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from puppet_repl.language.values.protocols import Value
    from puppet_repl.tools.reports.parts import Table

WIDTH = 100
MAX_ROWS = 100
MAX_COLUMNS = 20
# Longer arrays and hashes are folded at first.
UNFOLDED_LINES = 25
CELL_WIDTH = 80
# Quoted and regular expressions as one, brackets and commas by themselves, the rest in between.
_TYPE_PIECE = re.compile(r"""'(?:\\.|[^'])*'|/(?:\\.|[^/])*/|[\[\]{}]|,\ |[^'/\[\]{},]+|,""")

# Role -> attribute of its element: Pygments' name of the class, or where notebooks have no rules
# for a class, a shade that has as much contrast with the rows of light tables as of dark ones.
_ATTRIBUTES = {
    "string": 'class="s1"',
    "number": 'class="mi"',
    "keyword": 'class="k"',
    "type": 'class="kt"',
    "regex": 'class="sr"',
    "variable": 'class="nv"',
    "function": 'class="nf"',
    "attribute": 'class="na"',
    "operator": 'class="o"',
    "comment": 'class="c1"',
    "error": 'style="color:#dc454c"',
    "caret": 'style="color:#dc454c"',
    "bad": 'style="color:#dc454c"',
    "ok": 'style="color:#1b8f3c"',
    "warning": 'style="color:#ae6e00"',
    "hint": 'style="color:#218798"',
    "dim": 'style="color:#7c7c7c"',
}
# Roles of what is code also where it is alone.
_CODE_ROLES = frozenset(("string", "number", "type", "variable", "function", "operator"))
# The end of a line of blanks, or of nothing.
_BLANK_LINE = re.compile(r"(?<=\n)([ \t]*)\n")
_LEFT = ' style="text-align:left"'
# Notebooks give code a background, which would make chequers of tables whose rows have one, and
# within a line a padding, by which its first line would be indented.
_CLEAR = ' style="background-color:transparent"'
_BARE = ' style="background-color:transparent;padding:0"'
# Notebooks break lines of a block in the middle of words, and make the columns of tables as narrow
# as that allows.
_WHOLE_WORDS = ' style="background-color:transparent;word-break:normal;overflow-wrap:break-word"'
# What MathJax 3 is not to read, in JupyterLab, and MathJax 2, in what nbconvert writes.
_NO_FORMULAS = "mathjax_ignore tex2jax_ignore"


def html_text(text: str) -> str:
    """Return a text as HTML, in which every character can be seen."""
    return escape(visible_lines(text))


def output_html(body: str) -> str:
    """Return the HTML of an output around its parts; it begins where plain text does.

    Notebooks take the text between two dollar signs for a formula, unless they are told not to. In
    what is exported to Markdown, HTML ends at the first blank line, so that it has none.
    """
    style = 'style="background-color:transparent;padding-left:8px"'
    return f'<div class="highlight {_NO_FORMULAS}" {style}>{_without_blank_lines(body)}</div>'


def output_markdown(markdown: str) -> str:
    """Return the Markdown of an output, which begins where plain text does, and has no formulas."""
    return f'<div class="{_NO_FORMULAS}" style="padding-left:8px">\n\n{markdown}\n\n</div>'


def _without_blank_lines(html: str) -> str:
    return _BLANK_LINE.sub(r"\1&#10;", html)


def styled_html(role: str, text: str) -> str:
    """Return text in a role as HTML."""
    shown, attribute = html_text(text), _ATTRIBUTES.get(role)
    return f"<span {attribute}>{shown}</span>" if attribute and shown else shown


def fragments_html(fragments: Iterable[Fragment]) -> str:
    """Return styled text as spans."""
    return "".join([styled_html(style, text) for style, text in fragments])


def block_html(content: str) -> str:
    """Return lines of HTML as they are, in the font of code."""
    return f"<pre{_CLEAR}><code{_CLEAR}>{content}</code></pre>"


def _cell_block(content: str) -> str:
    """Return lines of HTML as they are for a cell of a table: long ones end between words."""
    return f"<pre{_WHOLE_WORDS}><code{_CLEAR}>{content}</code></pre>"


def _aligned(block: str) -> str:
    """Return a block that looks as plain text does: on the line of the prompt, and as high."""
    return f'<div style="padding:5px 8px 0 0;font-size:93%;line-height:1.3">{block}</div>'


def code_span(content: str) -> str:
    """Return HTML in a line as it is, in the font of code."""
    return f"<code{_BARE}>{content}</code>"


def heading_html(*headings: str) -> str:
    """Return the first row of a table, of HTML.

    Above a column without a heading is a plain cell: screen readers announce headings.
    """
    cells = [f"<th{_LEFT}>{heading}</th>" if heading else "<td></td>" for heading in headings]
    return f"<tr>{''.join(cells)}</tr>"


def caption_html(caption: str) -> str:
    """Return the caption of a table, of HTML."""
    return f"<caption{_LEFT}>{caption}</caption>"


def cell_html(content: str, *, columns: int = 1, is_number: bool = False) -> str:
    """Return a cell of a table, of HTML; what is not a number begins at the left, as text does."""
    span = f' colspan="{columns}"' if columns > 1 else ""
    return f"<td{span}{'' if is_number else _LEFT}>{content}</td>"


def name_cell_html(name: str) -> str:
    """Return a cell of a table that names its row: it stays on one line, where the page allows."""
    return f'<td style="text-align:left;white-space:nowrap">{name}</td>'


def picture_html(svg: str, text: str) -> str:
    """Return a picture as an image, with the text for those who do not see it.

    It is a part of the address: what is not trusted may show images, but no elements of SVG.
    """
    data = b64encode(svg.encode()).decode()
    return f'<img alt="{html_text(text)}" src="data:image/svg+xml;base64,{data}">'


def value_html(value: Value, *, full: bool = False) -> str:
    """Return a value as HTML: an array of hashes as a table, anything else as coloured text.

    Long values are folded, and cut unless ``full`` is set. See ``render_value`` for iterators.
    """
    value = opened(value)
    if type(value) is tuple and value and all(type(item) is PuppetHash for item in value):
        columns = _columns(value)
        if len(columns) <= MAX_COLUMNS:
            return _records(value, columns, full=full)
    fragments = _fragments(value, full=full)
    body = _aligned(block_html(fragments_html(fragments)))
    lines = sum(text.count("\n") for _, text in fragments)
    if full or lines <= UNFOLDED_LINES:
        return body
    return details_html(f"<code>{fragments_html(short_text(value, CELL_WIDTH))}</code>", body)


def line_html(fragments: Iterable[Fragment]) -> str:
    """Return styled text as a line by itself."""
    return _aligned(block_html(fragments_html(fragments)))


def details_html(summary: str, body: str) -> str:
    """Return HTML that shows ``summary``, and the body on a click."""
    return f"<details><summary>{summary}</summary>{body}</details>"


def code_html(code: str, language: str = "puppet") -> str:
    """Return highlighted code."""
    return line_html(highlight(code, language))


def markdown_code(code: str, language: str) -> str:
    """Return highlighted code for Markdown that is shown with this module's HTML.

    Blocks in fences have other colours, and in exports no monospaced font. Dollar signs and
    backticks are written so that JupyterLab, which looks for formulas first, finds none. It gives
    code within other elements no margin.
    """
    content = fragments_html(highlight(code, language))
    for sign in "$`":
        content = content.replace(sign, f"&#{ord(sign)};")
    style = 'style="background-color:transparent;padding:0 0 10px"'
    return f'<pre class="highlight {_NO_FORMULAS}" {style}><code{_CLEAR}>{content}</code></pre>'


def _fragments(value: Value, *, full: bool) -> list[Fragment]:
    fragments = render_value(value, WIDTH, full=full)
    if len(fragments) == 1 and fragments[0][0] == "type":
        return highlight(type_layout(fragments[0][1], WIDTH))
    return fragments


def type_layout(text: str, width: int) -> str:
    """Lay out the text of a type with one parameter a line, where it is longer than a line."""
    lengths = _bracket_lengths(text)
    pieces: list[str] = []
    # Of each open bracket: whether its contents have lines of their own.
    broken: list[bool] = []
    for match in _TYPE_PIECE.finditer(text):
        piece = match.group()
        if piece in "[{":
            start = match.start()
            is_alone = not text.startswith("[{", start)
            broken.append(is_alone and lengths[start] > width - 2 * len(broken))
            piece += "\n" + "  " * sum(broken) if broken[-1] else ""
        elif piece in "]}" and broken:
            if broken.pop():
                piece = "\n" + "  " * sum(broken) + piece
        elif piece == ", " and broken and broken[-1]:
            piece = ",\n" + "  " * sum(broken)
        pieces.append(piece)
    return "".join(pieces)


def _bracket_lengths(text: str) -> dict[int, int]:
    """Return the length of each bracket with its contents, by its offset in the text of a type."""
    lengths: dict[int, int] = {}
    opened: list[int] = []
    for match in _TYPE_PIECE.finditer(text):
        if match.group() in "[{":
            opened.append(match.start())
        elif match.group() in "]}" and opened:
            start = opened.pop()
            lengths[start] = match.end() - start
    return {start: len(text) - start for start in opened} | lengths


def _columns(rows: tuple[PuppetHash, ...]) -> list[Value]:
    """Return the keys of all rows, in the order of their first appearance."""
    seen = PuppetHash((key, None) for row in rows for key in row.keys())
    return list(seen.keys())


def _records(rows: tuple[PuppetHash, ...], columns: list[Value], *, full: bool) -> str:
    limit = len(rows) if full else MAX_ROWS
    head = heading_html(*[_cell(key) for key in columns])
    body = "".join([f"<tr>{''.join(_record(row, columns))}</tr>" for row in rows[:limit]])
    table = f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"
    if len(rows) > limit:
        table += f"<p>the first {limit} of {len(rows)} rows; <code>:show</code> shows all</p>"
    if len(rows) > UNFOLDED_LINES and not full:
        return details_html(f"{len(rows)} rows, {counted(len(columns), 'column')}", table)
    return table


def _record(row: PuppetHash, columns: list[Value]) -> Iterator[str]:
    for key in columns:
        value = row.get(key)
        shown = _cell(value) if row.has(key) else ""
        yield cell_html(shown, is_number=type(value) in (int, float))


def _cell(value: Value) -> str:
    if type(value) is str:
        shown = html_text(value if len(value) <= CELL_WIDTH else value[: CELL_WIDTH - 1] + "…")
        return code_span(shown)
    return code_span(fragments_html(short_text(value, CELL_WIDTH)))


def table_html(table: Table) -> str:
    """Return a table of a command's result as HTML."""
    if not table.rows:
        return f"<p>{html_text(table.empty)}</p>"

    title = caption_html(html_text(table.title)) if table.title else ""
    head = heading_html(*map(html_text, table.headings)) if any(table.headings) else ""
    body = "".join(
        f"<tr>{''.join([cell_html(_shown(*pair)) for pair in zip(*rows, strict=True)])}</tr>"
        for rows in zip(table.rows, table_cells(table, CELL_WIDTH), strict=True)
    )
    return f"<table>{title}<thead>{head}</thead><tbody>{body}</tbody></table>"


def _shown(cell: str | Cell | ValueCell | CodeCell, fragments: list[Fragment]) -> str:
    """Return the content of a cell, of which ``fragments`` are the text on one line."""
    if isinstance(cell, CodeCell):
        return _cell_block(fragments_html(highlight(cell.text)))
    is_code = isinstance(cell, ValueCell) or (isinstance(cell, Cell) and cell.style in _CODE_ROLES)
    html = fragments_html(fragments)
    return code_span(html) if is_code else html
