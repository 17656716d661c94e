"""The terminal front-end. Its parts are imported when a terminal is really opened."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.session import Options


def run_terminal(
    options: Options,
    *,
    facts: dict[str, Any] | None = None,
    plain: bool = False,
    color: bool = True,
) -> int:
    """Open the prompt and stay until the user leaves; returns the exit status.

    A dumb terminal, and one that is not there for output, gets the plain line mode.
    """
    import os
    import sys

    if plain or os.environ.get("TERM", "") in ("", "dumb") or not sys.stdout.isatty():
        from puppet_repl.terminal.line_mode import run_line_mode

        return run_line_mode(options, facts)
    from puppet_repl.terminal.app import run_app

    return run_app(options, facts, color=color)
