"""The results of commands as styled text."""

from __future__ import annotations

from puppet_repl.base.safe_text import visible
from puppet_repl.session import NOTHING
from puppet_repl.tools.graph.tree import graph_tree
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import Fragment, joined, lines
from puppet_repl.tools.rendering.highlight import highlight
from puppet_repl.tools.rendering.logs import render_log
from puppet_repl.tools.rendering.values import DEFAULT_WIDTH, NO_WIDTH, render_value
from puppet_repl.tools.rendering.width import crop, expand_tabs
from puppet_repl.tools.rendering.wrapping import wrapped
from puppet_repl.tools.reports.differences import render_difference
from puppet_repl.tools.reports.help import render_documentation
from puppet_repl.tools.reports.machines import render_machines
from puppet_repl.tools.reports.parts import (
    Cell,
    Code,
    Complaint,
    Differences,
    Document,
    Drawing,
    Excerpt,
    Failure,
    Logged,
    Message,
    OnMachines,
    Part,
    Ran,
    Report,
    Shown,
    Table,
)
from puppet_repl.tools.reports.tables import render_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def render_report(report: Report, width: int = DEFAULT_WIDTH) -> list[Fragment]:
    """Render all parts of a report, one below the other, without a final line end."""
    rendered = [render_part(part, width) for part in report.parts]
    return joined([part for part in rendered if part])


# Values and prose take several lines at any width; on one they could not be read.
_LAID_OUT = (Document, Failure, Ran, Shown)


def render_part(part: Part, width: int) -> list[Fragment]:
    """Render one part of a report; with NO_WIDTH tables, lists and messages keep their lines."""
    if width == NO_WIDTH and isinstance(part, _LAID_OUT):
        width = DEFAULT_WIDTH
    return _RENDERERS[type(part)](part, width)


def _render_message(part: Message, width: int) -> list[Fragment]:
    text = part.text
    blanks = " " * (len(text) - len(text.lstrip(" ")))
    indent = f"{blanks}  " if blanks and len(blanks) < width // 4 else ""
    # One without a text is an empty line, as opposed to a part that shows nothing.
    return joined(wrapped([(part.style, text)], width, indent)) or [("", "")]


def _render_complaint(part: Complaint, width: int) -> list[Fragment]:
    fragments: list[Fragment] = [("error", "Error: "), ("", part.message)]
    if part.hint:
        fragments += [("hint", "\n  hint: "), ("", part.hint)]
    return fragments


def _render_ran(part: Ran, width: int) -> list[Fragment]:
    if part.error is not None:
        return render_error(part.error, part.label, width)
    if part.outcome.value is NOTHING or part.outcome.value is None:
        return []
    return render_value(part.outcome.value, width, full=False)


MARK = "=>"


def render_excerpt(part: Excerpt, width: int) -> list[Fragment]:
    """Render an excerpt; lines that are too long for the width are cut."""
    source, last = part.source, len(part.source.line_starts)
    if last > 1 and not source.line(last):
        last -= 1
    numbers = range(max(1, part.line - part.context), min(last, part.line + part.context) + 1)
    digits = len(str(numbers[-1]))
    room = max(width - digits - 6, 20)
    texts = [crop(visible(expand_tabs(source.line(number))), room) for number in numbers]
    # Together, because a string or a comment may have begun above.
    rendered: list[Fragment] = []
    for number, row in zip(numbers, lines(highlight("\n".join(texts))), strict=False):
        is_marked = number == part.line
        gutter = f"{number:>{digits}} | "
        rendered += [
            ("", "\n" if rendered else ""),
            ("caret" if is_marked else "", MARK if is_marked else " " * len(MARK)),
            ("dim", f" {gutter}"),
            *row,
        ]
    return rendered


_RENDERERS: Mapping[type[Part], Callable[[Any, int], list[Fragment]]] = {
    Cell: lambda part, width: [(part.style, part.text)],
    Code: lambda part, width: highlight(part.text, part.language),
    Complaint: _render_complaint,
    Differences: lambda part, width: render_difference(part.difference, width),
    Document: lambda part, width: render_documentation(part.documentation, width),
    Drawing: lambda part, width: graph_tree(part.graph, width),
    Excerpt: render_excerpt,
    Failure: lambda part, width: render_error(part.error, part.label, width),
    Logged: lambda part, width: render_log(part.level, part.message),
    Message: _render_message,
    OnMachines: render_machines,
    Ran: _render_ran,
    Shown: lambda part, width: render_value(part.value, width, full=part.full),
    Table: render_table,
}
"""The function that renders the parts of each class."""
