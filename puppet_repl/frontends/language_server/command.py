"""The subcommand ``puppet-repl language-server``.

Exit status: 0 after ``shutdown`` and ``exit``, 1 if the client goes without them, 2 for wrong
usage.
"""

from __future__ import annotations

import gc
import sys

from puppet_repl.base.recursion import allow_deep_calls
from puppet_repl.frontends.language_server.loop import serve
from puppet_repl.host.argument_parser import ArgumentParser

EPILOG = """\
Editors start it and talk to it on the standard input and output, in the Language Server Protocol.
It reads only files of the directories that are open there, and of the setting modulePath. It
evaluates nothing and starts no program, unless a command of the editor asks for it.
"""


def make_parser(name: str = "language-server") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Serve an editor: diagnostics, completion, documentation, formatting.",
        epilog=EPILOG,
    )
    parser.add_argument(
        "--stdio", action="store_true", help="what it does anyway; some editors say it"
    )
    return parser


def main(argv: list[str]) -> int:
    """Run the subcommand; return the exit status."""
    parser = make_parser()
    parser.parse_args(argv)
    if sys.stdin.isatty():
        parser.error("an editor starts it: it reads messages of JSON-RPC from the standard input")
    gc.enable()  # it runs for hours, not as a program of the command line
    allow_deep_calls()
    serve()
