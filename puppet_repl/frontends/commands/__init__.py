"""Commands: inputs that begin with ``:name`` or ``%name`` and address the session itself."""

from __future__ import annotations

from puppet_repl.host.command_model import Call
from puppet_repl.host.command_syntax import is_command, meant_input, parse_command
from puppet_repl.tools.reports.parts import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.host import Host
    from puppet_repl.session import Session

__all__ = ["Call", "Report", "is_command", "meant_input", "parse_command", "run"]


def run(session: Session, text: str, host: Host | None = None) -> Report:
    """Run an input that is a command; errors are part of the report, nothing is raised.

    Without a ``host`` the command runs with default settings and without a history.
    """
    # The prompt opens without the code of the commands.
    from puppet_repl.frontends.commands.dispatch import run as dispatch

    return dispatch(session, text, host)
