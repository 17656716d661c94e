"""What commands do that reset the session: the site is run again, and code below the command."""

from __future__ import annotations

from puppet_repl.commands.results import Ran, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.commands.model import Call
    from puppet_repl.commands.results import Part


def begin_anew(call: Call, parts: Iterable[Part], code: str = "") -> Report:
    """Reset the session, run the manifests of the environment, then code below the command."""
    call.session.reset()
    return after_reset(call, parts, code)


def after_reset(call: Call, parts: Iterable[Part], code: str = "") -> Report:
    """Return the report of a command that has reset the session: the site runs, then the code."""
    report = Report(*parts)
    site = call.session.run_site()
    if site is not None:
        report.parts.append(Ran(site))
        return report
    return followed_by(call, report, code)


def followed_by(call: Call, report: Report, code: str) -> Report:
    """Add to a report the outcome of the code in the lines below the command."""
    if code.strip():
        # Errors have the lines of the whole input.
        report.parts.append(Ran(call.session.execute(f"\n{code}")))
    return report
