"""The command line, ``puppet-repl``: its entry points and its subcommands."""

from __future__ import annotations

import sys

__all__ = ["main", "main_of_process"]


def main(argv: list[str] | None = None) -> int:
    """Run the command line, that of the process if none is given; return the exit status."""
    from puppet_repl.frontends.cli.command_line import main as run

    return run(argv)


def main_of_process() -> int:
    """Run the command line in a process that has nothing else to do; return the exit status.

    The process may end here, without what Python does at its end: programs call ``main``.

    Until the command line is read, an interrupt ends the process as the system does it: Python
    would print a traceback, or lose the interrupt in a callback of its imports.
    """
    _let_interrupts_end_the_process()
    from puppet_repl.frontends.cli.command_line import main_of_process as run

    return run()


def _let_interrupts_end_the_process() -> None:
    # The module signal would take as long to import as the rest of the command line.
    signals = sys.modules["_signal"]
    # Ignored interrupts (nohup, a job in the background) stay ignored.
    if signals.getsignal(signals.SIGINT) is signals.default_int_handler:
        signals.signal(signals.SIGINT, signals.SIG_DFL)
