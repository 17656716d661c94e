"""A command line without a subcommand: its options, and whether a program or the prompt is run."""

from __future__ import annotations

import sys

from puppet_repl.cli.program import open_prompt, run_program
from puppet_repl.frontend.session_options import UsageError, host_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from puppet_repl.frontend.host import Host

USAGE = 2


def run(given: Namespace) -> int:
    """Run what the arguments ask for; return the exit status."""
    try:
        host = host_of(given)
    except UsageError as error:
        return _usage(str(error))
    if given.code is not None and given.file is not None:
        return _usage("give either -e CODE or a file, not both")
    if given.code is None and given.file is None and sys.stdin.isatty():
        return open_prompt(host, plain=given.plain, color=not given.no_color)
    return _run_text(given, host)


def _run_text(given: Namespace, host: Host) -> int:
    """Run the program that the options name, or the one that is piped in."""
    name = None
    if given.code is not None:
        text = given.code
    elif given.file is not None and given.file != "-":
        name = given.file
        text = _read_file(name)
    else:
        text = _decode(sys.stdin.buffer.read(), "standard input")
    if text is None:
        return USAGE
    return run_program(text, name, host, color=not given.no_color)


def _usage(message: str) -> int:
    print(f"puppet-repl: {message}", file=sys.stderr)
    return USAGE


def _read_file(path: str) -> str | None:
    """Return the text of a file; None after printing why it cannot be read."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        _usage(f"cannot read {path}: {error.strerror or error}")
        return None
    return _decode(data, path)


def _decode(data: bytes, path: str) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        start = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[start : error.start].decode("utf-8")) + 1
        _usage(f"invalid UTF-8 (file: {path}, line: {line}, column: {column})")
        return None
