"""Find the files to check below directories, and count the others."""

from __future__ import annotations

import os
from collections import Counter
from stat import S_ISDIR, S_ISREG

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import kind_of as file_kind_of
from puppet_repl.base.stops import TOO_DEEP
from puppet_repl.base.wording import why_unusable
from puppet_repl.tools.validation.comments import FileComments
from puppet_repl.tools.validation.diagnostic import NO_FILES, Diagnostic, of_file, unreadable
from puppet_repl.tools.validation.file import File, ending_of
from puppet_repl.tools.validation.further_errors import further_errors
from puppet_repl.tools.validation.kinds import CODE, KINDS, Kind, kind_of, kind_of_given
from puppet_repl.tools.validation.placement import is_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from puppet_repl.base.reach import Reach
    from puppet_repl.tools.validation.diagnostic import Finding
    from puppet_repl.tools.validation.workspace import Workspace

STANDARD_INPUT = "standard input"
BROKEN = "a broken link"
# What version control keeps for itself.
_REPOSITORIES = (".git", ".hg", ".svn")


class Walk:
    """The files at the paths that a user gives.

    ``files`` are those to check, in order; ``findings`` those about the paths themselves. ``left``
    counts the files that are not read: ``*.rb``, or the path of a link or device. With ``chosen``
    only files with these real paths are looked at, and given paths to nothing.
    """

    def __init__(
        self, workspace: Workspace, kinds: Container[Kind], chosen: Container[str] | None = None
    ) -> None:
        self.workspace = workspace
        self.kinds = kinds
        self.chosen = chosen
        self.files: list[File] = []
        self.findings: list[Diagnostic] = []
        self.left: Counter[str] = Counter()

    def add(self, path: str, reach: Reach | None = None) -> None:
        """Add a file, ``-`` for the input, or all below a directory.

        Of links that lead out of ``reach`` the targets are not looked at.
        """
        if path == "-":
            self.files.append(File(None, CODE, None, self.workspace))
        elif os.path.isdir(path):
            self._add_directory(path, reach)
        elif self._is_chosen(path) or not os.path.exists(path):
            kind = kind_of_given(path, self.workspace.roots.of(path))
            if kind is CODE and self.kinds is KINDS and not path.endswith(".pp"):
                self._add_unknown(path)
            else:
                self._add(path, kind if kind in self.kinds else CODE)

    def _add_unknown(self, path: str) -> None:
        """Add a file of no kind if it can only be code: a pipe of the shell, or an error."""
        try:
            is_file = S_ISREG(os.stat(path).st_mode)
        except (OSError, ValueError):
            is_file = False
        if is_file:
            self.left[path] += 1
        else:
            self._add(path, CODE)

    def _add(self, path: str, kind: Kind) -> None:
        self.files.append(File(path, kind, self.workspace.roots.of(path), self.workspace))
        self.workspace.files.await_tree(path)

    def _is_chosen(self, path: str) -> bool:
        if self.chosen is None:
            return True
        directory, name = os.path.split(path)
        return os.path.join(os.path.realpath(directory), name) in self.chosen

    def _add_directory(self, directory: str, reach: Reach | None) -> None:
        before = len(self.files) + len(self.findings)
        for path in filter(self._is_chosen, sorted(self._below(directory))):
            kind = kind_of(path, self.workspace.roots.of(path))
            is_link_out = reach is not None and not reach.allows(path)
            if kind is None or kind not in self.kinds:
                self._leave(path, "a link" if is_link_out else _other(path))
            elif is_link_out:
                self.findings.append(unreadable(path, f"a link that leads out of {directory}"))
            elif (other := _other(path)) and other != BROKEN:
                self._leave(path, other)
            else:
                self._add(path, kind)
        if self.chosen is None and before == len(self.files) + len(self.findings):
            self.findings.append(of_file("warning", NO_FILES, "no files to check", directory))

    def _leave(self, path: str, other: str) -> None:
        name = os.path.basename(path)
        self.left[f"{path} ({other})" if other else ending_of(name)] += 1

    def _below(self, directory: str) -> Iterator[str]:
        """Yield the paths of all files below a directory, and of links, in any order."""
        start = os.path.join(os.curdir, "")

        def refuse(error: OSError) -> None:
            path = str(error.filename).removeprefix(start)
            self.findings.append(unreadable(path, why_unusable(error)))

        for where, directories, names in os.walk(os.path.join(directory, ""), onerror=refuse):
            links = [name for name in directories if os.path.islink(os.path.join(where, name))]
            directories[:] = [name for name in directories if name not in _REPOSITORIES]
            for name in (*names, *links):
                yield os.path.join(where, name).removeprefix(start)


def _other(path: str) -> str:
    """Return a phrase for a path that is not that of a regular file, "" for a regular one."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return BROKEN
    if S_ISREG(mode):
        return ""
    return "a link to a directory" if S_ISDIR(mode) else file_kind_of(mode)


def findings_of(file: File) -> Iterator[Finding]:
    """Yield the findings in a file that options and comments leave; no error is raised."""
    comments = FileComments(file)
    for each in _findings(file):
        if each.code not in file.options.ignore and not comments.cover(each):
            yield each
    if file.options.advice and "unknown_rule" not in file.options.ignore:
        yield from comments.misspelt()


def _further_errors(file: File, error: PuppetError) -> Iterator[PuppetError]:
    if file.kind is not CODE or error.start is None:
        return
    try:
        source = file.source
    except PuppetError:  # the error is about its bytes
        return
    tasks = file.options.tasks or is_plan(file.path)
    yield from further_errors(source, error, tasks=tasks)


def _findings(file: File) -> Iterator[Finding]:
    try:
        yield from file.kind.findings(file)
    except OSError as error:
        yield unreadable(file.path or STANDARD_INPUT, why_unusable(error))
    except PuppetError as error:
        for each in (error, *_further_errors(file, error)):
            file.workspace.add_hint(each)
            yield each
    except RecursionError:
        yield PuppetError(TOO_DEEP, source=file.source)
