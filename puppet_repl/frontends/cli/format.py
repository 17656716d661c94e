"""``puppet-repl format``: manifests and templates in the one form there is.

Exit status: 0 when every file has the form, or has got it; 1 when one cannot be parsed, or with
--check has another form; 2 when one cannot be read or written.
"""

from __future__ import annotations

import os
import sys
from functools import partial

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_replacement import replace_file
from puppet_repl.base.reach import Reach
from puppet_repl.base.safe_text import visible, visible_lines
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.frontends.cli.changed_lines import changed_lines
from puppet_repl.frontends.cli.finding_lines import error_lines
from puppet_repl.frontends.shared.revisions import Changed, GitError
from puppet_repl.host.argument_parser import ArgumentParser, count_of
from puppet_repl.language.syntax.source_files import read_source
from puppet_repl.tools.formatting import WIDTH, format_text
from puppet_repl.tools.validation.file import Choices
from puppet_repl.tools.validation.kinds import PUPPET_CODE
from puppet_repl.tools.validation.placement import is_plan
from puppet_repl.tools.validation.walk import STANDARD_INPUT, Walk
from puppet_repl.tools.validation.workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Container

REFUSED = 1
UNUSABLE = 2
_ENDINGS = (".pp", ".epp")


def main(argv: list[str]) -> int:
    """Run the command; return the exit status."""
    parser = make_parser("format")
    options = parser.parse_args(argv)
    names = options.files or ["-" if options.since is None else os.curdir]
    if options.since is not None and options.hermetic:
        parser.error("--since asks git, which --hermetic does not allow")
    if options.stdin_filename is not None:
        if "-" not in names:
            parser.error("--stdin-filename is for the standard input, and there is a FILE")
        if not options.stdin_filename.endswith(_ENDINGS):
            parser.error("--stdin-filename is for manifests (.pp) and EPP templates (.epp)")
    try:
        changed = None if options.since is None else Changed(names, options.since)
    except GitError as error:
        parser.error(str(error))
    formatter = _Formatter(options, changed)
    for name in names:
        if os.path.isfile(name) and not name.endswith(_ENDINGS):
            formatter.say(f"{visible(name)}: not read")
        else:
            formatter.walk.add(name, Reach([name]) if options.hermetic else None)
    for finding in formatter.walk.findings:
        formatter.say(str(finding))
        formatter.status = UNUSABLE if finding.severity == "error" else formatter.status
    for file in formatter.walk.files:
        formatter.format(file.path)
    if len(formatter.walk.files) > 1:
        formatter.summarize()
    return formatter.status


def make_parser(name: str) -> ArgumentParser:
    """Return the parser of the arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Format manifests and EPP templates.",
        epilog="FILE may be a directory, for all .pp and .epp files below it. Files are changed in "
        "place; without FILE, or for -, the input is read and the result is printed.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; name files that would change, exit with 1",
    )
    parser.add_argument("--diff", action="store_true", help="write nothing; print the changes")
    parser.add_argument(
        "--width",
        type=partial(count_of, "columns"),
        default=WIDTH,
        metavar="N",
        help=f"columns of a line where its brackets can break (default: {WIDTH})",
    )
    parser.add_argument(
        "--since",
        metavar="REV",
        help="only files that differ from a revision of git, below FILE or the working directory",
    )
    parser.add_argument(
        "--stdin-filename",
        metavar="NAME",
        help="the name of the input: x.epp is a template, plans/x.pp a plan",
    )
    parser.add_argument(
        "--hermetic",
        action="store_true",
        help="refuse links below a directory that lead out of it",
    )
    return parser


class _Formatter:
    """What the command does with each file, and what it counts."""

    def __init__(self, options: Namespace, changed: Container[str] | None) -> None:
        self.options = options
        self.status = 0
        self.changed = 0
        self.unchanged = 0
        workspace = Workspace(Choices(), Reach(options.files) if options.hermetic else None)
        self.walk = Walk(workspace, PUPPET_CODE, changed)

    def say(self, *lines: str) -> None:
        """Print to the error output."""
        print(*map(visible_lines, lines), sep="\n", file=sys.stderr)

    def format(self, path: str | None) -> None:
        """Format a file, or the input."""
        name = self.options.stdin_filename if path is None else path
        try:
            source = read_source(path or "-")
        except OSError as error:
            self._fail(
                UNUSABLE, f"Error: cannot read {visible(name or 'it')}: {why_unusable(error)}"
            )
            return
        except PuppetError as error:
            self._fail(REFUSED, *error_lines(error))
            return
        source.name = name
        try:
            result = format_text(
                source.text,
                name=name,
                width=self.options.width,
                tasks=is_plan(name),
                is_template=name is not None and name.endswith(".epp"),
            )
        except PuppetError as error:
            self._fail(REFUSED, *error_lines(error))
        else:
            self._write(path, name, source.text, result)

    def _fail(self, status: int, *lines: str) -> None:
        self.status = max(self.status, status)
        self.say(*lines)

    def _write(self, path: str | None, name: str | None, text: str, result: str) -> None:
        is_same = result == text
        self.unchanged += is_same
        self.changed += not is_same
        shown = visible(name or STANDARD_INPUT)
        if self.options.diff and not is_same:
            sys.stdout.writelines(changed_lines(text, result, shown))
        if self.options.check and not is_same:
            self._fail(REFUSED, f"{shown} has another form")
        if self.options.check or self.options.diff:
            return
        if path is None:
            sys.stdout.write(result)
        elif not is_same:
            try:
                replace_file(path, result, sync=False)
            except OSError as error:
                self._fail(UNUSABLE, f"Error: cannot write {shown}: {why_unusable(error)}")

    def summarize(self) -> None:
        """Say how many files were changed."""
        changes = self.options.check or self.options.diff
        verb = "would be formatted" if changes else "formatted"
        self.say(f"{counted(self.changed, 'file')} {verb}, {self.unchanged} unchanged")
