"""The files of ``parse`` and ``validate``: which ones, their findings, the exit status."""

from __future__ import annotations

import os
import sys
from collections import Counter

from puppet_repl.base.profiles import DEFAULT_LANGUAGE
from puppet_repl.base.reach import Reach
from puppet_repl.base.safe_text import visible_lines
from puppet_repl.frontends.cli.finding_lines import finding_lines
from puppet_repl.frontends.shared.revisions import Changed
from puppet_repl.host.session_options import add_options
from puppet_repl.language.runtime.options import OPTIONS
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.validation.diagnostic import NO_RUBY, UNREADABLE, diagnostics
from puppet_repl.tools.validation.file import Choices, File
from puppet_repl.tools.validation.kinds import CODE
from puppet_repl.tools.validation.walk import Walk
from puppet_repl.tools.validation.workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from puppet_repl.host.argument_parser import ArgumentParser
    from puppet_repl.tools.validation.diagnostic import Finding
    from puppet_repl.tools.validation.kinds import Kind

REFUSED = 1
"""The exit status where a file is not good."""
UNREADABLE_FILE = 2
"""The exit status where one cannot be read."""
_BAR = 30


def add_file_options(parser: ArgumentParser, *, about_strict: str) -> None:
    """Add the arguments about the files and how they are read."""
    parser.add_argument(
        "--strict", choices=OPTIONS["strict"].choices, default="error", help=about_strict
    )
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument(
        "--tasks", action="store_true", help="allow plans everywhere, as Puppet's --tasks"
    )
    add_options(parser, "language")
    parser.set_defaults(language=DEFAULT_LANGUAGE)
    parser.add_argument(
        "--hermetic",
        action="store_true",
        help="refuse links below a directory that lead out of it; nothing else is read anyway",
    )


class CheckedFiles:
    """The files of a command, with a progress bar where the error output is a terminal.

    ``status`` is the exit status that the findings so far demand. Raises GitError where git cannot
    tell what differs from the revision ``since``.
    """

    def __init__(
        self,
        choices: Choices,
        names: Sequence[str],
        kinds: Container[Kind],
        *,
        hermetic: bool,
        since: str | None = None,
    ) -> None:
        self.status = 0
        self.found: Counter[str] = Counter()
        self._shown = ""
        self.workspace = Workspace(choices, Reach(names) if hermetic else None)
        self.has_directory = any(map(os.path.isdir, names))
        chosen = None if since is None else Changed([*names], since)
        self.walk = Walk(self.workspace, kinds, chosen)
        for name in names:
            self.walk.add(name, Reach([name]) if hermetic else None)

    def __iter__(self) -> Iterator[File]:
        has_bar = self.many and sys.stderr.isatty()
        for number, file in enumerate(self.walk.files):
            if has_bar:
                self._progress(number)
            yield file
        self.clear()

    @property
    def many(self) -> bool:
        """Whether there are several files."""
        return len(self.walk.files) > 1

    def add_code(self, code: str) -> None:
        """Add code from the command line."""
        self.walk.files.append(File(None, CODE, None, self.workspace, Source(code)))

    def say(self, *lines: str) -> None:
        """Print to the error output."""
        if lines:
            self.clear()
            print(*map(visible_lines, lines), sep="\n", file=sys.stderr)

    def show(self, found: Finding, file: File | None = None) -> None:
        """Print a finding with the lines of code, and count it."""
        self.count(found)
        self.say(*finding_lines(found, file))

    def count(self, found: Finding) -> None:
        """Count a finding, and remember the exit status that it demands."""
        for each in diagnostics(found):
            self.found[each.severity] += 1
            if each.severity != "warning":
                unread = each.code in (UNREADABLE, NO_RUBY)
                self.status = max(self.status, UNREADABLE_FILE if unread else REFUSED)

    def clear(self) -> None:
        """Remove the progress bar."""
        if self._shown:
            print("\r" + " " * len(self._shown) + "\r", end="", file=sys.stderr, flush=True)
            self._shown = ""

    def _progress(self, number: int) -> None:
        total = len(self.walk.files)
        done = _BAR * number // total
        shown = f"[{'#' * done}{' ' * (_BAR - done)}] {number}/{total}"
        if shown != self._shown:
            print("\r" + shown, end="", file=sys.stderr, flush=True)
            self._shown = shown
