"""The command line ``puppet-repl``: dispatch to its subcommands, a program or the prompt.

Exit status: 0 when all went well, 1 when Puppet code was refused or failed, 2 when the command
line or a file could not be used.
"""

from __future__ import annotations

import os
import sys


def main(argv: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    if argv is None:
        return _main_of_process()
    try:
        return _dispatch(argv)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _main_of_process() -> int:
    """Run the command line in a process that ends with it."""
    import gc

    # Python has None for what the caller has closed (puppet-repl <&-).
    for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, stream) is None:
            null = os.open(os.devnull, os.O_RDWR)
            setattr(sys, stream, os.fdopen(null, mode, encoding="utf-8"))
    # A run of one program is short: collecting garbage would cost more than it frees.
    gc.disable()
    try:
        return main(sys.argv[1:])
    finally:
        gc.freeze()


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
