"""The results of commands as styled text."""

from __future__ import annotations

from puppet_repl.session import NOTHING
from puppet_repl.tools.graph.tree import graph_tree
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.excerpts import render_excerpt
from puppet_repl.tools.rendering.fragments import Fragment, joined
from puppet_repl.tools.rendering.highlight import highlight
from puppet_repl.tools.rendering.logs import render_log
from puppet_repl.tools.rendering.values import DEFAULT_WIDTH, render_value
from puppet_repl.tools.rendering.wrapping import wrapped
from puppet_repl.tools.reports.differences import render_difference
from puppet_repl.tools.reports.help import render_documentation
from puppet_repl.tools.reports.machines import render_machines
from puppet_repl.tools.reports.parts import (
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
    Ran,
    Report,
    Shown,
    Table,
)
from puppet_repl.tools.reports.tables import render_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.reports.parts import Part


def render_report(report: Report, width: int = DEFAULT_WIDTH) -> list[Fragment]:
    """Render all parts of a report, one below the other, without a final line end."""
    rendered = [render_part(part, width) for part in report.parts]
    return joined([part for part in rendered if part])


def render_part(part: Part, width: int) -> list[Fragment]:
    """Render one part of a report."""
    if isinstance(part, Message):
        return joined(wrapped([(part.style, part.text)], width))
    if isinstance(part, Complaint):
        fragments: list[Fragment] = [("error", "Error: "), ("", part.message)]
        if part.hint:
            fragments += [("hint", "\n  hint: "), ("", part.hint)]
        return fragments
    if isinstance(part, Table):
        return render_table(part, width)
    if isinstance(part, Code):
        return highlight(part.text, part.language)
    if isinstance(part, Drawing):
        return graph_tree(part.graph, width)
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
    if isinstance(part, Excerpt):
        return render_excerpt(part, width)
    if isinstance(part, Logged):
        return render_log(part.level, part.message)
    return [(part.style, part.text)]


def _render_ran(part: Ran, width: int) -> list[Fragment]:
    if part.outcome.error is not None:
        return render_error(part.outcome.error, part.label, width)
    if part.outcome.value is NOTHING or part.outcome.value is None:
        return []
    return render_value(part.outcome.value, width, full=False)
