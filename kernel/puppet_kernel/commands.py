"""Session commands in a cell: their reports as messages of the Jupyter protocol."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from puppet_kernel.answers import Answer, Content
from puppet_kernel.cell_magics import usage_of
from puppet_kernel.outputs import WIDTH, Bundle, bundle_of, documentation_bundle, error_content
from puppet_repl.frontends.commands import run
from puppet_repl.frontends.commands.redirection import is_listing
from puppet_repl.host.cell_magics import CELL_MAGICS
from puppet_repl.host.host import Host
from puppet_repl.session import NOTHING, Session
from puppet_repl.tools.graph.svg import description, graph_svg, summary
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.notebook_text import notebook_ansi
from puppet_repl.tools.reports.differences_html import difference_html
from puppet_repl.tools.reports.html import (
    MAX_ROWS,
    code_html,
    code_span,
    details_html,
    html_text,
    output_html,
    picture_html,
    table_html,
)
from puppet_repl.tools.reports.machines import machines_html
from puppet_repl.tools.reports.parts import (
    Cell,
    Code,
    Differences,
    Document,
    Drawing,
    Excerpt,
    Logged,
    Message,
    OnMachines,
    Part,
    Ran,
    Report,
    Shown,
    Table,
)
from puppet_repl.tools.reports.report import render_part, render_report

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from puppet_repl.tools.graph.model import Graph

_LEAVING = re.compile(r"\s*(exit|quit)\s*(?:\(\s*\d*\s*\))?\s*")
_NO_NAME = re.compile(r"\s*[:%](?:help|h|\?)(?:\s+all)?\s*")
_OF_MAGIC = re.compile(r"\s*[:%](?:help|h|\?|doc)\s+%%(\w+)\s*")
# Rows or lines of lists, which a notebook keeps in its file; a list with a few more is whole.
MAX_LISTED = MAX_ROWS
A_FEW = 50
_LISTED = ("puppet", "json", "yaml")
MERMAID = "text/vnd.mermaid"
SVG = "image/svg+xml"


def means_quit(session: Session, code: str) -> bool:
    """Tell whether a cell is one word of other consoles for leaving, as ``exit`` or ``quit()``."""
    found = _LEAVING.fullmatch(code)
    return found is not None and found[1] not in session.names.functions()


def run_command(host: Host, code: str) -> Answer:
    """Run a command; everything that it reports is in the answer."""
    of_magic = _OF_MAGIC.fullmatch(code)
    if of_magic is not None and of_magic[1] in CELL_MAGICS:
        answer = Answer()
        answer.print(usage_of(of_magic[1]))
        return answer
    report = run(host.session, code, host)
    if is_listing(code):
        report.parts = [_within_limit(part, code) for part in report.parts]
    if _NO_NAME.fullmatch(code):
        report.parts.append(_cell_magics())
    answer = answer_of(report, host.session)
    if answer.error is not None:
        return answer
    action = report.action
    if action is not None and action.kind == "edit":
        answer.payload.append({"source": "set_next_input", "text": action.text, "replace": False})
    elif action is not None and action.kind == "run":
        answer.reruns = [(text, text) for text in action.texts]
    elif action is not None and action.kind == "quit":
        # A console leaves then; JupyterLab passes over it.
        answer.payload.append({"source": "ask_exit", "keepkernel": False})
    return answer


def answer_of(report: Report, session: Session) -> Answer:
    """Return the parts of a report as messages, up to and including its error.

    The parts before a failure are shown: the command may already have replaced the session.
    """
    answer = Answer()
    for part in takewhile(lambda part: not part.failed, report.parts):
        _show(part, answer, session)
        answer.value = part.value_after(answer.value)
    if report.failed:
        answer.error = _error(report)
    return answer


class _LongList(Part):
    """The beginning of a list: ``size`` says how much of it there is, ``command`` lists it."""

    __slots__ = ("beginning", "command", "size")

    def __init__(self, beginning: Table | Code, size: str, command: str) -> None:
        self.beginning = beginning
        self.size = size
        self.command = command


def _within_limit(part: Part, command: str) -> Part:
    """Return a part of a list, or its beginning if it is long."""
    if isinstance(part, Table) and len(part.rows) > MAX_LISTED + A_FEW:
        size = f"the first {MAX_LISTED} of {len(part.rows)} rows"
        rows = part.rows[:MAX_LISTED]
        beginning = Table(part.headings, rows, title=part.title, kept=part.kept, whole=part.whole)
        return _LongList(beginning, size, command)
    if isinstance(part, Code) and part.language in _LISTED:
        lines = part.text.split("\n")
        if len(lines) > MAX_LISTED + A_FEW:
            size = f"the first {MAX_LISTED} of {len(lines)} lines"
            return _LongList(Code("\n".join(lines[:MAX_LISTED]), part.language), size, command)
    return part


def _cell_magics() -> Table:
    """Return the cell magics, which ``:help`` shows below the commands."""
    rows = [(Cell(magic.usage, "function"), magic.help) for magic in CELL_MAGICS.values()]
    return Table(("", ""), rows, title="Cell magics")


def _error(report: Report) -> Content:
    for part in report.parts:
        if part.error is not None:
            return error_content(part.error)
    fragments = render_report(Report(*(part for part in report.parts if part.failed)))
    return {
        "ename": "CommandError",
        "evalue": plain(fragments),
        "traceback": notebook_ansi(fragments).split("\n"),
    }


def _show(part: Part, answer: Answer, session: Session) -> None:
    if isinstance(part, Message):
        answer.print(plain(render_part(part, WIDTH)) + "\n")
        return
    bundle = _BUNDLES[type(part)](part, session)
    if bundle:
        answer.display(bundle)


def _text_bundle(part: Part, session: Session) -> Bundle:
    return _beside_text(part)


def _beside_text(part: Part, html: str = "") -> Bundle:
    """Return a part as plain text, and the HTML of the same."""
    bundle = {"text/plain": plain(render_part(part, WIDTH))}
    if html:
        bundle["text/html"] = output_html(html)
    return bundle


def _ran_bundle(part: Ran, session: Session) -> Bundle:
    value = part.outcome.value
    return {} if value is NOTHING or value is None else bundle_of(value, session)


def _drawing_bundle(part: Drawing, session: Session) -> Bundle:
    return _beside_text(part, "" if part.as_text else _picture(part.graph, graph_svg(part.graph)))


def _code_bundle(part: Code, session: Session) -> Bundle:
    """Return code, or the picture that it describes with a text to read in place of the code."""
    readable = _beside_text(part if part.readable is None else part.readable)
    if part.graph is not None:
        svg = graph_svg(part.graph)
        return readable | {"text/html": output_html(_picture(part.graph, svg)), SVG: svg}
    if part.language == "mermaid":
        # Beside text/html a notebook would not draw it.
        return readable | {MERMAID: part.text}
    return readable | {"text/html": output_html(code_html(part.text, part.language))}


def _long_list_bundle(part: _LongList, session: Session) -> Bundle:
    start = part.beginning
    whole = f":show full :{part.command.strip()[1:]}"
    text = f"{plain(render_part(start, WIDTH))}\n{part.size}; {whole} shows everything"
    if isinstance(start, Table):
        shown = table_html(start)
    else:
        shown = code_html(start.text, start.language)
    hint = f"<p>{code_span(html_text(whole))} shows everything</p>"
    return {"text/plain": text, "text/html": output_html(details_html(part.size, shown + hint))}


def _picture(graph: Graph, svg: str) -> str:
    """Return the picture of a graph as HTML.

    JupyterLab draws no SVG in notebooks that are not trusted, and nbconvert needs Inkscape to put
    SVG into LaTeX: only ``:graph svg`` has that form too.
    """
    return picture_html(svg, f"{summary(graph)}: {description(graph)}")


_BUNDLES: Mapping[type[Part], Callable[[Any, Session], Bundle]] = {
    Cell: _text_bundle,
    Code: _code_bundle,
    Differences: lambda part, _: _beside_text(part, difference_html(part.difference)),
    Document: lambda part, _: documentation_bundle(part.documentation, is_output=True),
    Drawing: _drawing_bundle,
    Excerpt: _text_bundle,
    Logged: _text_bundle,
    OnMachines: lambda part, _: _beside_text(part, machines_html(part)),
    Ran: _ran_bundle,
    Shown: lambda part, session: bundle_of(part.value, session, full=part.full),
    _LongList: _long_list_bundle,
    Table: lambda part, _: _beside_text(part, table_html(part)),
}
"""The functions that make bundles of parts, by class. Messages and failures are not outputs."""
