"""Find the files to check below directories, and count the others."""

from __future__ import annotations

import os
from collections import Counter
from stat import S_ISREG

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.wording import why_unusable
from puppet_repl.tools.validation.diagnostic import NO_FILES, Diagnostic, of_file, unreadable
from puppet_repl.tools.validation.file import File
from puppet_repl.tools.validation.kinds import CODE, Kind, kind_of, kind_of_given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from puppet_repl.base.reach import Reach
    from puppet_repl.tools.validation.diagnostic import Finding
    from puppet_repl.tools.validation.workspace import Workspace

STANDARD_INPUT = "standard input"
# What version control keeps for itself.
_REPOSITORIES = (".git", ".hg", ".svn")


class Walk:
    """The files at the paths that a user gives.

    ``files`` are those to check, in order; ``findings`` those about the paths themselves. ``left``
    counts the files that are not read, by the ending of their names.
    """

    def __init__(self, workspace: Workspace, kinds: Container[Kind]) -> None:
        self.workspace = workspace
        self.kinds = kinds
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
        else:
            self._add(path, kind_of_given(path, self.workspace.roots.of(path)))

    def _add(self, path: str, kind: Kind) -> None:
        self.files.append(File(path, kind, self.workspace.roots.of(path), self.workspace))
        self.workspace.files.await_tree(path)

    def _add_directory(self, directory: str, reach: Reach | None) -> None:
        before = len(self.files) + len(self.findings)
        for path in sorted(_below(directory)):
            kind = kind_of(path, self.workspace.roots.of(path))
            if kind is None or kind not in self.kinds:
                self.left[os.path.splitext(path)[1]] += 1
            elif reach is not None and not reach.allows(path):
                self.findings.append(unreadable(path, f"a link that leads out of {directory}"))
            elif not _is_other(path):
                self._add(path, kind)
        if before == len(self.files) + len(self.findings):
            self.findings.append(of_file("warning", NO_FILES, "no .pp or .epp files", directory))


def _below(directory: str) -> Iterator[str]:
    """Yield the paths of all files below a directory, and of links, in any order."""
    start = os.path.join(os.curdir, "")
    for where, directories, names in os.walk(os.path.join(directory, "")):
        links = [name for name in directories if os.path.islink(os.path.join(where, name))]
        directories[:] = [name for name in directories if name not in _REPOSITORIES]
        for name in (*names, *links):
            yield os.path.join(where, name).removeprefix(start)


def _is_other(path: str) -> bool:
    """Tell whether a path is that of a directory or device, and not of a broken link."""
    try:
        return not S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def findings_of(file: File) -> Iterator[Finding]:
    """Yield the findings in a file; no error of the file is raised."""
    try:
        yield from file.kind.findings(file)
    except OSError as error:
        yield unreadable(file.path or STANDARD_INPUT, why_unusable(error))
    except PuppetError as error:
        yield error
