"""Commands: inputs that begin with ``:name`` or ``%name`` and address the session itself."""

from __future__ import annotations

from puppet_repl.commands.model import Call
from puppet_repl.commands.results import Report
from puppet_repl.commands.syntax import is_command, meant_input, parse_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontend.host import Host
    from puppet_repl.session import Session

__all__ = ["Call", "Report", "is_command", "meant_input", "parse_command", "run"]


def run(session: Session, text: str, host: Host | None = None) -> Report:
    """Run an input that is a command; errors are part of the report, nothing is raised.

    Without a ``host`` the command runs with default settings and without a history.
    """
    # The prompt opens without the code of the commands.
    from puppet_repl.commands.dispatch import run as dispatch

    return dispatch(session, text, host)
