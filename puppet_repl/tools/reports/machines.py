"""What code did on several machines: as styled text, and as an HTML table."""

from __future__ import annotations

from itertools import groupby

from puppet_repl.base.safe_text import visible
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import Fragment, joined, plain
from puppet_repl.tools.rendering.logs import render_log
from puppet_repl.tools.rendering.values import render_value, short_text
from puppet_repl.tools.rendering.width import display_width
from puppet_repl.tools.rendering.wrapping import wrapped
from puppet_repl.tools.reports.html import (
    block_html,
    cell_html,
    fragments_html,
    heading_html,
    html_text,
    name_cell_html,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.language.values.hash import PuppetHash
    from puppet_repl.tools.reports.parts import MachineRow, OnMachines

GAP = "  "
# The column of names takes at most a third of the line, or this: longer ones are wrapped.
MIN_NAME = 12
MAX_LINES = 15
MAX_RESOURCES = 30
# Of one attribute.
MAX_ATTRIBUTE_LINES = 8
INDENT = "  "
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
        margins = wrapped([("heading", name)], column)
        content = wrapped(_content(row, room), room)
        for number in range(max(len(margins), len(content))):
            margin = margins[number] if number < len(margins) else []
            line = content[number] if number < len(content) else []
            gap = column + len(GAP) - display_width(plain(margin)) if line else 0
            blocks.append([*margin, ("", " " * gap), *line])
    return joined(blocks)


def machines_html(result: OnMachines) -> str:
    """Return a table with a row for each machine."""
    if not result.rows:
        return "<p>no machine</p>"
    has_values = any(row.has_both for row in result.rows)
    head = heading_html("Machine", "Result", *(["Value"] if has_values else []))
    body = ""
    for row in result.rows:
        cells = [_result(row, HTML_WIDTH), _value(row, HTML_WIDTH)]
        columns = cells if has_values else [joined([cell for cell in cells if cell])]
        shown = [cell_html(block_html(fragments_html(cell)) if cell else "") for cell in columns]
        body += f"<tr>{name_cell_html(html_text(row.name))}{''.join(shown)}</tr>"
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _content(row: MachineRow, width: int) -> list[Fragment]:
    """Return the result of a machine, and its value, which has a label below resources."""
    value = _value(row, width)
    if row.has_both:
        value = [("dim", "Value: "), *value]
    return joined([part for part in (_result(row, width), value) if part])


def _result(row: MachineRow, width: int) -> list[Fragment]:
    """Return the logs of a machine, and then its error or the resources."""
    parts = [render_log(level, text) for level, text in row.logs]
    if row.problem is not None:
        parts.append([("error", "Error: "), ("", visible(row.problem))])
    elif row.error is not None:
        parts.append(render_error(row.error, None, width))
        if row.is_earlier:
            parts.append([("dim", "before the code, in the site or in an earlier input")])
    elif row.resources:
        parts.append(_resources(row.resources, width))
    return joined(parts)


def _value(row: MachineRow, width: int) -> list[Fragment]:
    """Return the value of a machine; nothing after an error, or if resources stand for it."""
    if row.problem is not None or row.error is not None or (row.resources and not row.has_both):
        return []
    return render_value(row.value, width, full=False, max_lines=MAX_LINES)


def _resources(resources: Sequence[tuple[str, PuppetHash]], width: int) -> list[Fragment]:
    """Return references: those with attributes on lines of their own, the others side by side."""
    shown = resources[:MAX_RESOURCES]
    rows: list[list[Fragment]] = []
    for has_attributes, group in groupby(shown, lambda resource: len(resource[1]) > 0):
        if has_attributes:
            rows += [row for each in group for row in _with_attributes(*each, width)]
        else:
            references = [_colored(reference) for reference, _ in group]
            for before in references[:-1]:
                before.append(("punctuation", ","))
            rows += _packed(references, width)
    if len(resources) > len(shown):
        rows.append([("dim", f"and {len(resources) - len(shown)} more")])
    return joined(rows)


def _with_attributes(reference: str, attributes: PuppetHash, width: int) -> list[list[Fragment]]:
    """Return the lines of a resource; what does not fit beside its reference is indented."""
    room = width - len(INDENT)
    groups = [_colored(reference)]
    for number, (name, value) in enumerate(attributes.items()):
        group: list[Fragment] = [("punctuation", "" if number else "{"), *short_text(name, room)]
        group += [("operator", " => "), *short_text(value, MAX_ATTRIBUTE_LINES * room)]
        groups.append([*group, ("punctuation", "," if number < len(attributes) - 1 else "}")])
    rows = [line for row in _packed(groups, room) for line in wrapped(row, room)]
    return [rows[0], *([("", INDENT), *row] for row in rows[1:])]


def _packed(groups: Sequence[list[Fragment]], width: int) -> list[list[Fragment]]:
    """Return lines with as many groups on each as fit, at least one."""
    rows: list[list[Fragment]] = []
    left = 0
    for group in groups:
        size = sum(display_width(text) for _, text in group)
        if not rows or size + 1 > left:
            rows.append(list(group))
            left = width - size
        else:
            rows[-1] += [("", " "), *group]
            left -= size + 1
    return rows


def _colored(reference: str) -> list[Fragment]:
    return [("type", visible(reference))]
