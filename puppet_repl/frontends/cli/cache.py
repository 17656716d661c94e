"""``puppet-repl cache status|path|clear``: the compiled files that later runs take up.

Exit status: 0 when all went well, 1 when nothing can be kept or removed, 2 for wrong usage.
"""

from __future__ import annotations

import os
import sys

from puppet_repl.base.private_store import PrivateStore
from puppet_repl.base.safe_text import visible, visible_lines
from puppet_repl.base.wording import failure_with_file
from puppet_repl.host.argument_parser import ArgumentParser
from puppet_repl.language.compiler.cache import MAX_BYTES, NO_CACHE, store

FAILED = 1


def make_parser(name: str = "cache") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Show or clear the cache of compiled manifests, functions, types and "
        "templates, and of replies of Ruby. It can be cleared at any time.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("status", help="print its directory, its size, and problems")
    actions.add_parser("path", help="print its directory")
    actions.add_parser("clear", help="remove all of it")
    return parser


def main(argv: list[str]) -> int:
    """Run the subcommand; return the exit status."""
    given = make_parser().parse_args(argv)
    files = store(even_if_off=True)
    if files is None:
        return _failed("there is no cache directory: the user has no home directory")
    if given.action == "path":
        print(visible(files.directory))
        return 0
    if given.action == "clear":
        return _clear(files)
    return _status(files)


def _status(files: PrivateStore) -> int:
    found = list(files.files())
    size = sum([status.st_size for _, status in found])
    print(f"directory  {visible(files.directory)}")
    print(f"files      {len(found):,} ({_megabytes(size)} of about {MAX_BYTES >> 20} MB)")
    problem = files.problem()
    if os.environ.get(NO_CACHE):
        problem = f"{NO_CACHE} is set"
    print("in use     " + ("yes" if problem is None else f"no: {problem}"))
    return 0 if problem is None else FAILED


def _clear(files: PrivateStore) -> int:
    problem = files.problem()
    if problem is not None:
        return _failed(f"{files.directory}: {problem}")
    try:
        count, size = files.remove_all()
    except OSError as error:
        return _failed(failure_with_file(error))
    print(f"removed {count:,} file{'' if count == 1 else 's'} ({_megabytes(size)})")
    return 0


def _megabytes(size: int) -> str:
    return f"{size / (1 << 20):.1f} MB"


def _failed(message: str) -> int:
    print(f"puppet-repl: {visible_lines(message)}", file=sys.stderr)
    return FAILED
