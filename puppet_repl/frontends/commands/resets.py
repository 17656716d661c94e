"""Helpers for commands that reset the session: run the site and the start-up file again."""

from __future__ import annotations

from puppet_repl.host.host import advice_after_site
from puppet_repl.tools.reports.parts import Message, Ran, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.host.command_model import Call
    from puppet_repl.tools.reports.parts import Part


def begin_anew(call: Call, parts: Iterable[Part], code: str = "") -> Report:
    """Reset the session, run the site and the start-up file, then code below the command."""
    call.session.reset()
    return after_reset(call, parts, code)


def after_reset(call: Call, parts: Iterable[Part], code: str = "") -> Report:
    """Return the report of a command that has reset the session.

    The site runs, then the start-up file, then the code.
    """
    report = Report(*parts)
    # A failure of the site does not keep the start-up file from running, as at the start.
    with call.host.stopping():
        site, prelude = call.session.run_site(), call.session.run_prelude()
    failed = [each for each in (site, prelude) if each]
    if failed:
        report.parts += [Ran(outcome) for outcome in failed]
        if site is not None:
            report.parts.append(Message(advice_after_site(call.session), "dim"))
        return report
    return followed_by(call, report, code)


def followed_by(call: Call, report: Report, code: str) -> Report:
    """Add to a report the outcome of the code in the lines below the command."""
    if code.strip():
        # Errors have the lines of the whole input.
        report.parts.append(Ran(call.session.execute(f"\n{code}")))
    return report
