"""The files of a revision of git in a temporary directory, as an environment to compile with.

They are written from the objects of the repository: no hook, filter or export rule changes them.
A revision lacks the files that git ignores (installed modules, keys). They and the modules of the
Puppetfile are linked from the checkout.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections import deque
from itertools import chain

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.reach import Reach
from puppet_repl.base.wording import counted, some_of
from puppet_repl.environment.installation.wanted import is_of_git
from puppet_repl.environment.modules.layout import Layout
from puppet_repl.environment.modules.puppetfile import NAME, read_puppetfile
from puppet_repl.environment.reference.ruby.tokens import RubyError
from puppet_repl.frontends.shared.revision_plans import RevisionFiles
from puppet_repl.frontends.shared.revisions import (
    GitError,
    ask_git,
    commit_of,
    git_command,
    git_environ,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from puppet_repl.environment.modules.puppetfile import ModuleEntry

_LINK, _PROGRAM, _SUBMODULE = "120000", "100755", "160000"
_MAX_NAMED = 5
_PIECE = 1 << 20
_BLOCK = 1 << 12  # bytes on the disk that a file needs beside its own, or nearly
_MAX_LINKS = 40  # as many as Linux follows for a path


class RevisionTree:
    """A revision of the repository of an environment, below the directory ``room``.

    ``root`` has its files, ``checkout`` is the work tree that these ``files`` replace,
    ``directory`` is the environment. ``notes`` tell about modules that are not those of the
    revision. With a ``reach`` nothing else in the work tree is looked at, by Python; git reads its
    repository. More than ``max_size`` bytes are not written. Raises GitError, and OSError for files
    that cannot be written.
    """

    def __init__(
        self,
        environment: str,
        revision: str,
        room: str,
        reach: Reach | None = None,
        *,
        max_size: int | None = None,
    ) -> None:
        self.revision = revision
        self._max_size = max_size
        self.notes: list[str] = []
        self._reach = reach
        self._links: list[str] = []
        top = ask_git(environment, "rev-parse", "--show-toplevel")
        self.checkout = os.path.realpath(top[0].removesuffix("\n"))
        commit = commit_of(environment, revision)
        inner = os.path.relpath(os.path.realpath(environment), self.checkout)
        if inner.partition(os.sep)[0] == os.pardir:  # core.worktree names another directory
            raise GitError(f"{environment} is not in the work tree {self.checkout}")
        # The last part is the name of the environment, which code may ask for.
        self.root = os.path.join(room, os.path.basename(self.checkout) or "repository")
        self.directory = os.path.normpath(os.path.join(self.root, inner))
        self._inner = inner
        self.files = RevisionFiles(revision, self.root, self.checkout)
        os.makedirs(self.root)
        self._write(commit)
        if not os.path.isdir(self.directory):
            raise GitError(f"{revision} has no directory {inner}")
        self._link_ignored()
        self._link_modules(os.path.realpath(environment))

    def shown(self, text: str) -> str:
        """Return a text with the names of files as git writes them: ``REVISION:PATH``.

        Those of files that are linked are the names in the checkout.
        """
        if self.root not in text:
            return text
        for inner in self._links:
            linked = os.path.join(inner, "")
            text = text.replace(
                os.path.join(self.root, linked), os.path.join(self.checkout, linked)
            )
        return text.replace(self.root + os.sep, f"{self.revision}:").replace(
            self.root, f"{self.revision}:"
        )

    def _write(self, commit: str) -> None:
        """Write the files of a commit, links last: nothing is written through a link."""
        files: list[tuple[str, str, str]] = []
        submodules = []
        wanted = ("-r", "-z") if self._max_size is None else ("-r", "-z", "-l")
        needed = 0
        for entry in filter(None, ask_git(self.checkout, "ls-tree", *wanted, commit)):
            about, _, name = entry.partition("\t")
            mode, _, identifier, *sizes = about.split()
            needed += _BLOCK + sum(int(size) for size in sizes if size.isdecimal())
            if any(
                part in ("", os.curdir, os.pardir) or is_of_git(part) for part in name.split("/")
            ):
                raise GitError(f"{self.revision} has a file with the name {name!r}")
            if mode == _SUBMODULE:
                submodules.append((name, identifier))
            else:
                files.append((mode, identifier, os.path.join(self.root, name)))
        if self._max_size is not None and needed > self._max_size:
            raise GitError(
                f"the files of {self.revision} need {needed >> 20} MB, and at most"
                f" {self._max_size >> 20} MB are written"
            )
        files.sort(key=lambda file: file[0] == _LINK)
        _write_files(self.checkout, files)
        for mode, _, path in files:
            if mode == _LINK:
                self._keep_meaning(path)
        self._link_submodules(submodules)

    def _keep_meaning(self, link: str) -> None:
        """Replace a relative link that leaves the files by an absolute one from the checkout.

        The directories above the files are others here, and one may be open to all users.
        """
        outside = _way_out(link, self.root)
        if outside is None:
            return
        target = os.path.join(os.path.dirname(self.checkout), outside)
        inner = os.path.relpath(os.path.normpath(target), self.checkout)
        if inner.partition(os.sep)[0] != os.pardir:  # it comes back
            target = os.path.join(self.root, inner)
        os.unlink(link)
        os.symlink(target, link)

    def _allows(self, place: str) -> bool:
        return self._reach is None or self._reach.allows(place)

    def _link_submodules(self, submodules: list[tuple[str, str]]) -> None:
        others = []
        for name, wanted in submodules:
            place = os.path.join(self.checkout, name)
            try:
                seen = self._allows(place) and os.listdir(place)
                present = commit_of(place, "HEAD") if seen else ""
            except (GitError, OSError):
                present = ""
            if present:
                self._link(name)
            if present not in ("", wanted):
                others.append(name)
        if others:
            self.notes.append(
                f"{self.revision} has other commits of {counted(len(others), 'submodule')}"
                f" ({some_of(others, _MAX_NAMED)}), which are as in the checkout"
            )

    def _link_ignored(self) -> None:
        """Link what git ignores in the checkout, where the revision has nothing."""
        wanted = ("--others", "--ignored", "--exclude-standard", "--directory", "-z")
        for name in filter(None, ask_git(self.checkout, "ls-files", *wanted)):
            self._link(name.rstrip("/"))

    def _link_modules(self, environment: str) -> None:
        """Link the modules of the Puppetfile that the revision lacks, and note differences."""
        here = _modules_of(environment, self._reach)
        if here is not None:
            # A module path may lead anywhere, and modules elsewhere are not linked.
            around = Reach([self.checkout]) if self._reach is None else self._reach
            installed = Layout(environment, around).modules.values()
            for module in chain.from_iterable(installed):
                inner = os.path.relpath(module.path, self.checkout)
                if module.name in here and not inner.startswith(os.pardir):
                    self._link(inner)
        there = _modules_of(self.directory)
        if here is None or there is None:
            if here is not there:
                self.notes.append(f"only one side has a {NAME} that can be read")
            return
        differing = [
            _change(here.get(name), there.get(name))
            for name in sorted({*here, *there})
            if _key(here.get(name)) != _key(there.get(name))
        ]
        if differing:
            self.notes.append(
                f"the {NAME} of {self.revision} has other modules, and those installed here are"
                f" used: {some_of(differing, _MAX_NAMED)}"
            )

    def _link(self, inner: str) -> None:
        """Link a path of the checkout; its entries one by one if the revision has the directory."""
        path, place = os.path.join(self.root, inner), os.path.join(self.checkout, inner)
        if not self._allows(place):
            return
        parent = os.path.dirname(path)
        if os.path.realpath(parent) != parent:
            return  # a file or a link there is that of the revision
        if not os.path.lexists(path):
            os.makedirs(parent, exist_ok=True)
            os.symlink(place, path)
            self._links.append(inner)
        elif os.path.isdir(path) and not os.path.islink(path) and os.path.isdir(place):
            for name in os.listdir(place):
                self._link(os.path.join(inner, name))


def _write_files(repository: str, files: list[tuple[str, str, str]]) -> None:
    """Write files of the mode, the hash and the path. Raises GitError or OSError."""
    with tempfile.TemporaryFile() as asked:
        asked.write("".join(f"{identifier}\n" for _, identifier, _ in files).encode())
        asked.seek(0)
        with subprocess.Popen(
            git_command("cat-file", "--batch", "--buffer"),
            cwd=repository,
            env=git_environ(),
            stdin=asked,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as git:
            assert git.stdout is not None
            made = ""
            for mode, identifier, path in files:
                words = git.stdout.readline().split()
                if len(words) != 3 or words[1] != b"blob":
                    git.kill()
                    raise GitError(f"git does not have the object {identifier}")
                parent = os.path.dirname(path)
                if parent != made:
                    os.makedirs(parent, exist_ok=True)
                    made = parent
                _write_file(mode, path, git.stdout, int(words[2]))
                git.stdout.read(1)  # the end of a line


def _write_file(mode: str, path: str, source: IO[bytes], size: int) -> None:
    if mode == _LINK:
        os.symlink(source.read(size), os.fsencode(path))
        return
    allowed = 0o755 if mode == _PROGRAM else 0o644
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, allowed)
    with os.fdopen(handle, "wb") as file:
        while size:
            piece = source.read(min(size, _PIECE))
            if not piece:
                raise GitError("git ended before the last file")
            file.write(piece)
            size -= len(piece)


def _way_out(link: str, root: str) -> str | None:
    """Return the path by which a link leaves the directory ``root``, from the one above it.

    None for a link that stays inside, and for an absolute one. What a link in it leads to is
    followed step by step, as the system does it.
    """
    place, parts = os.path.dirname(link), deque(os.readlink(link).split(os.sep))
    if parts[0] == "":
        return None
    links = 0
    while parts:
        part = parts.popleft()
        path = os.path.join(place, part)
        if part == os.pardir:
            if place == root:
                return os.path.join(os.curdir, *parts)
            place = os.path.dirname(place)
        elif part in ("", os.curdir):
            continue
        elif os.path.islink(path):
            links += 1
            target = os.readlink(path)
            if links > _MAX_LINKS:
                return None  # the system follows no more either
            if target.startswith(root + os.sep):
                place, target = root, target[len(root) + 1 :]
            elif target.startswith(os.sep):
                return None
            parts.extendleft(reversed(target.split(os.sep)))
        else:
            place = path
    return None


def _modules_of(environment: str, reach: Reach | None = None) -> dict[str, ModuleEntry] | None:
    """Return the modules of the Puppetfile by name; None without a file that can be read."""
    path = os.path.join(environment, NAME)
    try:
        if reach is not None:
            reach.check(path)
        content = read_puppetfile(read_text(path))
    except (OSError, UnicodeDecodeError, RubyError):
        return None
    return {each.short_name: each for each in content.modules if each.short_name is not None}


def _key(entry: ModuleEntry | None) -> object:
    """Return what makes two entries ask for the same module."""
    if entry is None:
        return None
    options = {name: value.text for name, value in entry.options.items()}
    return entry.text, sorted(options.items())


def _change(here: ModuleEntry | None, there: ModuleEntry | None) -> str:
    if here is None or there is None:
        known = here or there
        assert known is not None
        return f"{known.text} ({'only there' if here is None else 'only here'})"
    if here.text == there.text:
        return f"{here.text} (from elsewhere)"
    return f"{here.text} (there {there.text.partition(' ')[2] or 'the latest'})"
