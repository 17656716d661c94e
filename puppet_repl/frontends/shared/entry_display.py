"""Run an entry and show its result, in the terminal and in its line mode.

The result is rendered within the limit of time; showing it, perhaps in a pager, may take any time.
The hints below a result have their own limit: the result is shown in any case.
"""

from __future__ import annotations

from puppet_repl.base.safe_text import visible
from puppet_repl.frontends.commands import run
from puppet_repl.frontends.commands.tour import reaction
from puppet_repl.frontends.shared.entry_run import run_entry
from puppet_repl.frontends.shared.result_hints import hint_on_result, shows_undef
from puppet_repl.frontends.shared.results import declared_line, render_outcome, type_of
from puppet_repl.frontends.tour.entry import Entry
from puppet_repl.host.command_registry import find_command
from puppet_repl.host.command_syntax import parse_command
from puppet_repl.session import NOTHING
from puppet_repl.tools.rendering.diagnostics import render_advice
from puppet_repl.tools.rendering.fragments import joined
from puppet_repl.tools.rendering.logs import definition_line
from puppet_repl.tools.reports.report import render_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.shared.display import Display
    from puppet_repl.frontends.shared.entry_run import Run
    from puppet_repl.host.host import Host
    from puppet_repl.session import Session
    from puppet_repl.tools.rendering.fragments import Fragment
    from puppet_repl.tools.reports.parts import Report


def show_entry(host: Host, text: str, display: Display) -> bool:
    """Run code, show its result, hints and advice; return whether it succeeded."""
    session = host.session
    with session.deadline():
        with host.stopping():
            entry = run_entry(session, text, show_assignments=host.settings["show_assignments"])
        result = [] if entry.quiet else _result(host, entry, display)
        declared = [] if entry.quiet else _declared(host, entry, display)
    display.show(result)
    display.show(declared)
    with session.deadline():
        hint = [] if entry.quiet else _hint(host, entry, display)
        advice = render_advice_on(session, entry, display.width) if host.settings["advice"] else []
        tour = tour_after_code(host, entry, display.width)
    display.show(hint)
    display.show(advice)
    _show_tour(tour, display)
    return entry.outcome.error is None


def show_command(host: Host, text: str, display: Display) -> Report:
    """Run a command, and show its report; return it for its requests to the front end."""
    with host.session.deadline():
        report = run(host.session, text, host)
        fragments = render_report(report, display.width)
        if report.failed or report.wraps:
            fragments = display.wrapped(fragments)
        tour = tour_after_command(host, text, report, display.width)
    display.show(fragments, at_end=report.newest_last)
    _show_tour(tour, display)
    return report


def _result(host: Host, entry: Run, display: Display) -> list[Fragment]:
    """Return what an entry has defined, its value, or its error; empty where it has none."""
    outcome = entry.outcome
    defined = definition_line(outcome)
    if defined is not None:
        return [("dim", defined)]
    if outcome.error is None and outcome.value is None and shows_undef(entry):
        return [("dim", "undef")]
    fragments = render_outcome(
        host.session,
        outcome,
        entry.label,
        display.width,
        show_type=display.shows_types,
        rows=display.rows,
    )
    return fragments if outcome.error is None else display.wrapped(fragments)


def _declared(host: Host, entry: Run, display: Display) -> list[Fragment]:
    """Return what an entry has added to the catalog; empty if its result shows it.

    Programs that read a pipe of results get none of it.
    """
    outcome = entry.outcome
    if outcome.error is not None or not host.has_screen:
        return []
    line = declared_line(host.session, outcome.value, pointer=" (:resources)")
    return [] if line is None else display.wrapped([("dim", visible(line))])


def _hint(host: Host, entry: Run, display: Display) -> list[Fragment]:
    """Return a hint for an entry whose result was probably not intended; empty for most."""
    hint = hint_on_result(host.session, entry, with_advice=bool(host.settings["advice"]))
    return [] if hint is None else display.wrapped([("dim", f"  hint: {visible(hint)}")])


def _show_tour(fragments: list[Fragment], display: Display) -> None:
    if fragments:
        display.print([("", "\n"), *fragments, ("", "\n")])


MAX_SHOWN = 5


def render_advice_on(session: Session, entry: Run, width: int) -> list[Fragment]:
    """Return the warnings about an entry, dim; empty if it failed or has no warnings."""
    found = entry.advice(session)
    parts = [render_advice(advice, width) for advice in found[:MAX_SHOWN]]
    if len(found) > MAX_SHOWN:
        parts.append([("dim", f"{len(found) - MAX_SHOWN} more warnings")])
    return joined(parts)


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
