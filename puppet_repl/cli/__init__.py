"""The command line, ``puppet-repl``: its entry point and its subcommands."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main(argv: list[str] | None = None) -> int:
    """Run the command line, that of the process if none is given; return the exit status.

    Until the command line is read, an interrupt ends such a process as the system does it: Python
    would print a traceback, or lose the interrupt in a callback of its imports.
    """
    if argv is None:
        _let_interrupts_end_the_process()
    from puppet_repl.cli.command_line import main as run

    return run(argv)


def _let_interrupts_end_the_process() -> None:
    # The module signal would take as long to import as the rest of the command line.
    signals = sys.modules["_signal"]
    # Where interrupts are ignored (nohup, a job in the background), they stay so.
    if signals.getsignal(signals.SIGINT) is signals.default_int_handler:
        signals.signal(signals.SIGINT, signals.SIG_DFL)
