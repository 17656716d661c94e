"""``puppet-repl modules install|list|outdated``: the modules that a Puppetfile names.

Exit status: 0 when all went well, 2 for wrong usage or a Puppetfile that cannot be read, else 1:
when a module could not be installed, or the Forge not be asked for it; for ``list`` when a module
is missing, hidden, refused, of another version, or needs one that is missing or of another version.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from puppet_repl.base.safe_text import visible, visible_lines
from puppet_repl.base.wording import counted, failure_with_file, listed
from puppet_repl.environment.installation.downloads import Downloads
from puppet_repl.environment.installation.git import branch_of
from puppet_repl.environment.installation.install import Installation
from puppet_repl.environment.installation.survey import newer_than, rows_of
from puppet_repl.environment.installation.wanted import (
    ModuleError,
    PuppetfileError,
    forge_address,
    read_wanted,
)
from puppet_repl.environment.modules.layout import Layout
from puppet_repl.environment.modules.puppetfile import NAME
from puppet_repl.frontends.cli.fleets import progress
from puppet_repl.host.argument_parser import ArgumentParser, count_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence

    from puppet_repl.environment.installation.install import Outcome
    from puppet_repl.environment.installation.survey import Newer, Row
    from puppet_repl.environment.installation.wanted import Asked
    from puppet_repl.environment.modules.modules import Module

FAILED = 1
USAGE = 2
_JOBS = 8


def make_parser(name: str = "modules") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Install the modules that a Puppetfile names, as r10k does, from the Forge, "
        "from git and as archives. Nothing of them is run.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    installing = actions.add_parser("install", help="install the missing modules")
    installing.add_argument(
        "--force",
        action="store_true",
        help="also replace changed directories, and those installed otherwise",
    )
    installing.add_argument(
        "--update",
        action="store_true",
        help="take the newest versions and commits that the Puppetfile allows",
    )
    installing.add_argument(
        "--jobs",
        type=partial(count_of, "modules"),
        default=_JOBS,
        metavar="N",
        help=f"modules to install at a time (default: {_JOBS})",
    )
    listing = actions.add_parser(
        "list", help="list the modules, their versions, and missing dependencies"
    )
    newer = actions.add_parser("outdated", help="list modules with newer releases at the Forge")
    for each in (listing, newer):
        each.add_argument(
            "--format", choices=("text", "json"), default="text", help="the form of the list (text)"
        )
    for each in (installing, newer):
        each.add_argument(
            "--forge", metavar="URL", help="the Forge (default: that of the Puppetfile)"
        )
    for each in (installing, listing, newer):
        each.add_argument(
            "directory",
            nargs="?",
            metavar="DIR",
            help=f"the directory of the {NAME} (default: this one, or the nearest above with one)",
        )
    return parser


def main(argv: list[str]) -> int:
    """Run the subcommand; return the exit status."""
    parser = make_parser()
    given = parser.parse_args(argv)
    try:
        directory = _directory_of(given.directory)
        forge = getattr(given, "forge", None)
        asked = read_wanted(directory, forge and forge_address(forge), branch_of)
        if given.action == "install":
            return _install(directory, asked, given)
        modules = {
            each.name: each for found in Layout(directory).modules.values() for each in found
        }
        if given.action == "list":
            return _list(directory, asked, modules, given.format)
        return _outdated(asked, modules, given.format)
    except PuppetfileError as error:
        _tell(str(error))
        return USAGE
    except ModuleError as error:
        _tell(str(error))
    except OSError as error:
        _tell(failure_with_file(error))
    return FAILED


def _directory_of(given: str | None) -> str:
    """Return the directory of the Puppetfile; raise PuppetfileError without one."""
    if given is not None:
        return os.path.dirname(given) or os.curdir if os.path.basename(given) == NAME else given
    directory = os.getcwd()
    while not os.path.isfile(os.path.join(directory, NAME)):
        above = os.path.dirname(directory)
        if above == directory or os.path.exists(os.path.join(directory, ".git")):
            raise PuppetfileError(f"there is no {NAME} here: name its directory")
        directory = above
    return directory


def _install(directory: str, asked: Asked, given: Namespace) -> int:
    installation = Installation(directory, force=given.force, update=given.update)
    outcomes: list[Outcome] = []
    with progress("modules", len(asked.wanted)) as bar:

        def report(outcome: Outcome) -> None:
            outcomes.append(outcome)
            if bar is None:
                _show(outcome)
            elif outcome.state == "failed":
                bar.fail()
            if bar is not None:
                bar.step()

        installation.run(asked, given.jobs, report)
    if bar is not None:
        for outcome in sorted(outcomes):
            _show(outcome)
    for each in asked.refused:
        _tell(each.text)
    failed = sum(each.state == "failed" for each in outcomes) + len(asked.refused)
    new = sum(each.state == "installed" for each in outcomes)
    there = sum(each.state == "there" for each in outcomes)
    if not new and not failed:
        print(f"nothing to do: {counted(there, 'module')} of the {NAME} {_are(there)} there")
        return 0
    parts = [f"{counted(new, 'module')} installed"]
    parts += [f"{there} there already"] if there else []
    parts += [f"{failed} failed"] if failed else []
    print(", ".join(parts))
    return FAILED if failed else 0


def _show(outcome: Outcome) -> None:
    """Print what became of a module, unless it was there."""
    if outcome.state == "failed":
        _tell(f"{outcome.name}: {outcome.text}")
    elif outcome.state == "installed":
        print(visible(f"{outcome.name} {outcome.text}"), flush=True)
    if outcome.left_out:
        names = listed(sorted(outcome.left_out)[:5])
        what = counted(len(outcome.left_out), "name")
        why = "links out of the module, devices, and files of git itself"
        _tell(f"{outcome.name}: {what} left out ({why} are not installed): {names}")


def _list(directory: str, asked: Asked, modules: dict[str, Module], form: str) -> int:
    rows = list(rows_of(directory, asked.wanted, modules))
    is_good = all(row.is_good for row in rows) and not asked.refused
    if form == "json":
        data = {
            "modules": [
                row._asdict() | {"unmet": [each._asdict() for each in row.unmet]} for row in rows
            ],
            "local": asked.local,
            "refused": [each._asdict() for each in asked.refused],
        }
        print(json.dumps(data, indent=2))
        return 0 if is_good else FAILED
    table = [("module", "wanted", "installed", "directory")]
    for row in rows:
        wanted = f"{row.wanted} ({row.commit[:12]})" if row.commit else row.wanted or "any"
        table.append((row.name, wanted, _installed_text(row), row.directory))
    table += [(name, "local", "", "") for name in asked.local]
    _print_table(table)
    for row in rows:
        if row.hidden_by:
            print(visible(f"{row.name} in {row.directory} is hidden by {row.hidden_by}"))
        for need in row.unmet:
            state = "is missing" if need.installed is None else f"is {need.installed}"
            wanted = f"{need.name} {need.asked}".strip()
            print(visible(f"{row.name} needs {wanted}, which {state}"))
    for each in asked.refused:
        print(visible(each.text))
    return 0 if is_good else FAILED


def _installed_text(row: Row) -> str:
    return "missing" if row.installed is None else row.installed or "yes"


def _outdated(asked: Asked, modules: dict[str, Module], form: str) -> int:
    of_forge = [each for each in asked.wanted if each.kind == "forge"]
    found: list[Newer] = []
    failed: list[tuple[str, str]] = []
    downloads = Downloads(threading.Event())
    pool = ThreadPoolExecutor(_JOBS)
    try:
        answers = [pool.submit(newer_than, each, modules, downloads) for each in of_forge]
        with progress("modules", len(of_forge)) as bar:
            for each, answer in zip(of_forge, answers, strict=True):
                try:
                    newer = answer.result()
                except ModuleError as error:
                    failed.append((each.title, str(error)))
                else:
                    found += [] if newer is None else [newer]
                if bar is not None:
                    bar.step()
    finally:
        downloads.stop.set()
        pool.shutdown(cancel_futures=True)
    if form == "json":
        data = {
            "newer": [each._asdict() for each in found],
            "failed": [{"name": name, "reason": reason} for name, reason in failed],
            "refused": [each._asdict() for each in asked.refused],
        }
        print(json.dumps(data, indent=2))
    else:
        for name, reason in failed:
            _tell(f"{name}: {reason}")
        for refused in asked.refused:
            _tell(refused.text)
        if found:
            _print_table([("module", "installed", "allowed", "newest"), *found])
        elif not failed and (of_forge or not asked.refused):
            print(f"nothing is newer than the {counted(len(of_forge), 'module')} of the Forge")
    return FAILED if failed or asked.refused else 0


def _print_table(rows: Iterable[Sequence[str]]) -> None:
    shown = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        print("  ".join(cells).rstrip())


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _tell(message: str) -> None:
    print(f"puppet-repl: {visible_lines(message)}", file=sys.stderr, flush=True)
