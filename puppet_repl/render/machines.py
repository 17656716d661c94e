"""What code did on several machines: as styled text, and as an HTML table."""

from __future__ import annotations

from html import escape

from puppet_repl.render.diagnostics import render_error
from puppet_repl.render.fragments import Fragment, joined, lines
from puppet_repl.render.html import fragments_html
from puppet_repl.render.logs import render_log
from puppet_repl.render.values import render_value
from puppet_repl.render.width import crop, display_width, visible
from puppet_repl.values.quote import source_quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.commands.results import MachineRow, OnMachines

GAP = "  "
# The column of names takes at most a third of the line, and is never cut below this.
MIN_NAME = 12
MAX_LINES = 15
MAX_RESOURCES = 30
HTML_WIDTH = 80


def render_machines(result: OnMachines, width: int) -> list[Fragment]:
    """Render one block for each machine: its name, and beside it what the code did."""
    if not result.rows:
        return [("dim", "no machine")]
    names = [visible(row.name) for row in result.rows]
    column = min(max(map(display_width, names)), max(width // 3, MIN_NAME))
    room = width - column - len(GAP)
    blocks: list[list[Fragment]] = []
    for name, row in zip(names, result.rows, strict=True):
        shown = crop(name, column)
        margin: Fragment = ("heading", shown + " " * (column - display_width(shown)) + GAP)
        for line in _wrapped(_content(row, room), room):
            blocks.append([margin, *line])
            margin = ("", " " * (column + len(GAP)))
    return joined(blocks)


def machines_html(result: OnMachines) -> str:
    """Return a table with a row for each machine."""
    if not result.rows:
        return "<p>no machine</p>"
    head = "<tr><th>Machine</th><th>Result</th></tr>"
    body = "".join(
        f"<tr><td>{escape(row.name)}</td>"
        f"<td><pre>{fragments_html(_content(row, HTML_WIDTH))}</pre></td></tr>"
        for row in result.rows
    )
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _content(row: MachineRow, width: int) -> list[Fragment]:
    """Return the logs of a machine, and then its error, the resources or the value."""
    parts = [render_log(level, text) for level, text in row.logs]
    if row.problem is not None:
        parts.append([("error", "Error: "), ("", visible(row.problem))])
    elif row.error is not None:
        parts.append(render_error(row.error, None, width))
        if row.is_earlier:
            parts.append([("dim", "before the code, in the site or in an earlier input")])
    elif row.resources:
        parts.append(_resources(row.resources, width))
    else:
        parts.append(render_value(row.value, width, full=False, max_lines=MAX_LINES))
    return joined(parts)


def _resources(resources: Sequence[tuple[str, str]], width: int) -> list[Fragment]:
    """Return references, as many on a line as fit."""
    fragments: list[Fragment] = []
    used = 0
    shown = resources[:MAX_RESOURCES]
    for number, (type_name, title) in enumerate(shown):
        title = title.lower() if type_name == "Class" else title
        reference = f"{type_name}[{source_quote(title)}]"
        comma = "," if number < len(shown) - 1 or len(resources) > len(shown) else ""
        size = display_width(reference) + len(comma)
        if used and used + 1 + size > width:
            fragments.append(("", "\n"))
            used = 0
        elif used:
            fragments.append(("", " "))
            used += 1
        fragments += [("type", type_name), ("", reference[len(type_name) :] + comma)]
        used += size
    if len(resources) > len(shown):
        fragments.append(("dim", f"\nand {len(resources) - len(shown)} more"))
    return fragments


def _wrapped(fragments: list[Fragment], width: int) -> list[list[Fragment]]:
    """Return lines of at most ``width`` cells."""
    wrapped: list[list[Fragment]] = []
    for line in lines(fragments):
        row: list[Fragment] = []
        left = width
        for style, text in line:
            while display_width(text) > left:
                end = _cut(text, left, is_first=left == width)
                row.append((style, text[:end]))
                text = text[end:].lstrip(" ")
                wrapped.append(row)
                row, left = [], width
            row.append((style, text))
            left -= display_width(text)
        wrapped.append(row)
    return wrapped


def _cut(text: str, width: int, *, is_first: bool) -> int:
    """Return where a text is cut for a line: behind a blank, or else where the room ends."""
    end = max(len(crop(text, width + 1)) - 1, 0)
    blank = text.rfind(" ", 0, end + 1)
    if blank > 0:
        return blank
    return max(end, 1) if is_first else 0
