"""What the tour says below the result of an entry, in the terminal and in the line mode."""

from __future__ import annotations

from puppet_repl.frontends.commands.tour import reaction
from puppet_repl.frontends.shared.results import type_of
from puppet_repl.frontends.tour.entry import Entry
from puppet_repl.host.command_registry import find_command
from puppet_repl.host.command_syntax import parse_command
from puppet_repl.session import NOTHING
from puppet_repl.tools.reports.report import render_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.shared.entry_run import Run
    from puppet_repl.host.host import Host
    from puppet_repl.tools.rendering.fragments import Fragment
    from puppet_repl.tools.reports.parts import Report


def tour_after_code(host: Host, run: Run, width: int) -> list[Fragment]:
    """Return what the tour says about code that was run; empty if it says nothing."""
    if not _is_on(host):
        return []
    outcome = run.outcome
    failed = outcome.error is not None
    shown = "" if failed or outcome.value is NOTHING else type_of(outcome.value)
    entry = Entry(
        host.session,
        run.text,
        outcome=outcome,
        program=run.program,
        shown_type=shown,
        failed=failed,
    )
    return _said(host, entry, width)


def tour_after_command(host: Host, text: str, report: Report, width: int) -> list[Fragment]:
    """Return what the tour says about a command; empty if it says nothing."""
    if not _is_on(host):
        return []
    parsed = parse_command(text)
    command = None if parsed is None else find_command(parsed[0])
    if command is None or command.name == "tour":
        return []
    return _said(host, Entry(host.session, text, command=command.name, failed=report.failed), width)


def _is_on(host: Host) -> bool:
    return host.tour is not None and host.tour.is_on


def _said(host: Host, entry: Entry, width: int) -> list[Fragment]:
    assert host.tour is not None
    report = reaction(host.tour, entry)
    return [] if report is None else render_report(report, width)
