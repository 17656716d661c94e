"""``puppet-repl ruby install|status|remove``: the Ruby that runs what modules have in Ruby.

Exit status: 0 when all went well, 1 when something failed or Ruby is not there, 2 for wrong usage.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from puppet_repl.base.safe_text import visible_lines
from puppet_repl.base.wording import failure_with_file
from puppet_repl.environment.ruby import engines
from puppet_repl.environment.ruby.sandbox import installation, libraries, store
from puppet_repl.host.argument_parser import ArgumentParser

FAILED = 1


def make_parser(name: str = "ruby") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Install the Ruby that runs functions and templates of modules in a sandbox.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    adding = actions.add_parser("install", help="download Ruby with npm and compile it, once")
    adding.add_argument(
        "--from",
        dest="source",
        metavar="FILE",
        type=Path,
        help=f"take FILE instead: the package {store.PACKAGE} {store.VERSION} (.tgz), or its "
        "ruby+stdlib.wasm",
    )
    actions.add_parser("status", help="print which Ruby is installed, and which one a session uses")
    actions.add_parser("remove", help="remove the installed Ruby")
    return parser


def main(argv: list[str]) -> int:
    """Run the subcommand; return the exit status."""
    given = make_parser().parse_args(argv)
    try:
        if given.action == "install":
            return _install(given.source)
        if given.action == "remove":
            return _remove()
        return _status()
    except OSError as error:
        return _failed(failure_with_file(error))


def _install(source: Path | None) -> int:
    progress = _Progress()
    try:
        where = installation.install(source, progress.say, progress.tick)
    except installation.InstallationError as error:
        progress.clear()
        return _failed(str(error))
    finally:
        progress.clear()
    print(f"installed in {where} ({_size()})")
    return 0


def _remove() -> int:
    files = store.files()
    problem = files.problem()
    if problem is not None:
        return _failed(f"{files.directory}: {problem}")
    count, _ = files.remove_all()
    print(f"{'removed' if count else 'nothing to remove in'} {files.directory}")
    return 0


def _status() -> int:
    version = store.wasmtime_version()
    print(f"wasmtime  {version or 'not installed'}")
    name = store.compiled()
    print(f"sandbox   {f'{store.root()} ({_size()})' if name else 'not installed'}")
    print(f"with      {', '.join(libraries.names())}")
    print(f"system    {shutil.which('ruby') or 'no ruby'} (only with --ruby system)")
    reason = engines.missing()
    is_whole = True
    if reason is None and name is not None:
        if store.is_damaged(name):
            reason = f"{store.files().path(name)} is damaged{store.REMEDY}"
        else:
            is_whole = _repair_libraries()
    print("in use    " + (f"nothing: {reason}" if reason else "sandbox"))
    return 0 if is_whole and not reason else FAILED


def _repair_libraries() -> bool:
    """Unpack damaged libraries again; return whether all are whole now."""
    try:
        if libraries.repair():
            print("libraries unpacked again, as some were missing or damaged")
    except OSError as error:
        print(visible_lines(f"libraries cannot be unpacked: {failure_with_file(error)}"))
        return False
    return True


def _size() -> str:
    return f"{sum([status.st_size for _, status in store.files().files()]) / 1e6:.0f} MB"


def _failed(message: str) -> int:
    print(f"puppet-repl: {visible_lines(message)}", file=sys.stderr)
    return FAILED


class _Progress:
    """Steps on the error output; on a terminal with the seconds of the present step."""

    def __init__(self) -> None:
        self._step = ""
        self._shown = ""

    def say(self, step: str) -> None:
        """Begin a step."""
        self.clear()
        self._step = step
        print(f"{step} ...", file=sys.stderr, flush=True)

    def tick(self, text: str) -> None:
        """Show how the step goes on."""
        if sys.stderr.isatty() and text != self._shown:
            print(f"\r{text}", end="", file=sys.stderr, flush=True)
            self._shown = text

    def clear(self) -> None:
        """Remove what ``tick`` has shown."""
        if self._shown:
            print("\r" + " " * len(self._shown) + "\r", end="", file=sys.stderr, flush=True)
            self._shown = ""
