"""A command line without a subcommand: its options, and whether a program or the prompt is run."""

from __future__ import annotations

import sys

from puppet_repl.base.safe_text import visible
from puppet_repl.frontends.cli.arguments import meant_subcommand
from puppet_repl.frontends.cli.program import open_prompt, run_before_prompt, run_program
from puppet_repl.frontends.cli.program_source import UnreadableError, read_file, read_input
from puppet_repl.host.session_options import UsageError, host_of
from puppet_repl.host.surroundings import take_surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from puppet_repl.host.host import Host

USAGE = 2


def run(given: Namespace) -> int:
    """Run what the arguments ask for; return the exit status."""
    try:
        take_surroundings(given)
        host = host_of(given)
    except UsageError as error:
        return refuse(str(error))
    if given.code is not None and given.file is not None:
        return refuse("give either -e CODE or a file, not both")
    has_program = given.code is not None or given.file not in (None, "-")
    if not has_program and (given.stays or (given.file is None and sys.stdin.isatty())):
        if given.format is not None:
            return refuse("--format needs code: -e CODE, a file or a pipe")
        return open_prompt(host, plain=given.plain, color=not given.no_color)
    return _run_text(given, host)


def _run_text(given: Namespace, host: Host) -> int:
    """Run the program that the options name, or the one that is piped in."""
    name = None
    piped = False
    text: str | list[str]
    try:
        if given.code is not None:
            text = given.code
        elif given.file is not None and given.file != "-":
            name = given.file
            text = _read_manifest(name)
        else:
            text = read_input()
            piped = True
    except UnreadableError as error:
        return refuse(str(error))
    color = not given.no_color
    if not given.stays:
        return run_program(text, name, host, color=color, piped=piped, form=given.format)
    if given.format is not None:
        return refuse("give either --format or -i, not both")
    run_before_prompt(text, name, host, color=color)
    return open_prompt(host, plain=given.plain, color=color)


def _read_manifest(name: str) -> str:
    """Return the text of a manifest. Raises UnreadableError, with what a misspelt word may mean."""
    try:
        return read_file(name)
    except UnreadableError as error:
        meant = meant_subcommand(name)
        if meant is None:
            raise
        raise UnreadableError(f"{error}; {meant}") from None


def refuse(message: str) -> int:
    """Print an error about the use of the command line; return the exit status."""
    print(f"puppet-repl: {visible(message)}", file=sys.stderr)
    return USAGE
