"""The command line ``puppet-repl``: dispatch to its subcommands, a program or the prompt.

Exit status: 0 when all went well, 1 when Puppet code was refused or failed, 2 when the command
line or a file could not be used. Where nobody reads the output any more (``| head -1``) it is 0.
"""

from __future__ import annotations

import sys
from contextlib import suppress

from puppet_repl.base.recursion import allow_long_integers
from puppet_repl.base.safe_text import visible_lines
from puppet_repl.base.wording import failure_with_file
from puppet_repl.cli.streams import OutputError, drop_output, prepare_streams

# Subcommands that end with 1 for what they have found out, and with 2 in trouble.
_STATUS_2 = ("compile", "diff", "doctest", "parse", "validate")


def main(argv: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    if argv is None:
        return _main_of_process(sys.argv[1:])
    try:
        return _dispatch(argv)
    except KeyboardInterrupt:
        return 130


def _main_of_process(arguments: list[str]) -> int:
    """Run the command line in a process that ends with it."""
    import gc

    prepare_streams()
    allow_long_integers()
    # A run of one program is short: collecting garbage would cost more than it frees.
    gc.disable()
    try:
        try:
            return main(arguments)
        finally:
            sys.stdout.flush()
    except OutputError as error:
        return _without_output(str(error), error.error, arguments)
    except OSError as error:  # of the error output, or of a terminal that is gone
        return _without_output(failure_with_file(error), error, arguments)
    finally:
        gc.freeze()


def _without_output(message: str, error: OSError, arguments: list[str]) -> int:
    """Say that the output cannot be written, unless nobody reads it; return the exit status."""
    unread = isinstance(error, BrokenPipeError)
    if not unread:
        with suppress(OSError):
            print(f"puppet-repl: {visible_lines(message)}", file=sys.stderr)
    drop_output()
    if unread:
        return 0
    return 2 if arguments and arguments[0] in _STATUS_2 else 1


def _dispatch(arguments: list[str]) -> int:
    if len(arguments) == 2 and arguments[0] == "-e":
        # The fast path: no argument parser is imported for two words. The engine is imported here
        # and not above, when the collection of garbage is off.
        from puppet_repl.cli.program import host_of_program, run_program

        return run_program(arguments[1], None, host_of_program())
    from puppet_repl.cli.arguments import SUBCOMMANDS, make_parser

    if arguments and arguments[0] in SUBCOMMANDS:
        from importlib import import_module

        module = import_module(SUBCOMMANDS[arguments[0]][0])
        given = arguments if arguments[0] in ("parse", "validate") else arguments[1:]
        status: int = module.main(given)
        return status
    from puppet_repl.cli.invocation import run

    return run(make_parser().parse_args(arguments))
