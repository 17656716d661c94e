"""The terminal front end. Its parts are imported when a terminal is really opened."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontend.host import Host


def run_terminal(host: Host, *, plain: bool = False, color: bool = True) -> int:
    """Open the prompt and stay until the user leaves; return the exit status.

    A dumb terminal, or an output that is no terminal, gets the line mode.
    """
    if plain or os.environ.get("TERM", "") in ("", "dumb") or not sys.stdout.isatty():
        from puppet_repl.terminal.line_mode import LineMode

        return LineMode(host, sys.stdin, sys.stdout).run()
    from puppet_repl.terminal.app import run_app

    return run_app(host, color=color)
