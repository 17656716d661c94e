"""Ask git about revisions without running a program that a repository names.

Git itself compares and writes files by running the filters that the configuration and
.gitattributes name. So it is only asked for names, hashes and contents of a revision; files are
hashed and written here.
"""

from __future__ import annotations

import os
import subprocess
from hashlib import new as new_hash

from puppet_repl.base.programs import find_program, program_directories

# Neither hooks nor monitors run, the index is not written, and nothing is fetched.
_OPTIONS = ("-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false")
_ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
# Hooks get these (git rev-parse --local-env-vars), and they replace the repository of a directory.
# Configuration is not among them: CI allows a directory of another owner that way.
_OF_A_REPOSITORY = frozenset(
    (
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    )
)
_LINK = "120000"
_PIECE = 1 << 20


class GitError(Exception):
    """A question that git cannot answer; the message says why."""


class Changed:
    """The real paths of files that differ from a revision, or that it does not have.

    A file differs where its bytes do, whatever a filter would make of them. Untracked files
    are among these unless git ignores them. Raises GitError without git, a repository or the
    revision.
    """

    def __init__(self, names: list[str], revision: str) -> None:
        self._hashes: dict[str, tuple[str, str]] = {}
        self._known: set[str] = set()
        places = (name if os.path.isdir(name) else os.path.dirname(name) for name in names)
        for place in dict.fromkeys(place or os.curdir for place in places):
            if os.path.isdir(place):
                self._add(place, revision)

    def __contains__(self, path: object) -> bool:
        if path not in self._known or not isinstance(path, str):
            return False
        mode, wanted = self._hashes.get(path, ("", ""))
        if not wanted or (mode == _LINK) != os.path.islink(path):
            return True
        try:
            return _hash_of(path, "sha1" if len(wanted) == 40 else "sha256") != wanted
        except OSError:
            return True  # the check says that it cannot be read

    def _add(self, directory: str, revision: str) -> None:
        """Add the files below a directory."""
        ask_git(directory, "rev-parse", "--is-inside-work-tree")
        commit = commit_of(directory, revision)
        whole = os.path.realpath(directory)
        names = ask_git(directory, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
        self._known.update(os.path.join(whole, name) for name in names if name)
        for entry in filter(None, ask_git(directory, "ls-tree", "-r", "-z", commit)):
            about, _, name = entry.partition("\t")
            mode, _, wanted = about.split(" ")
            self._hashes[os.path.join(whole, name)] = mode, wanted


def _hash_of(path: str, algorithm: str) -> str:
    """Return the hash that git gives a file as it is, or the target of a link."""
    made = new_hash(algorithm, usedforsecurity=False)
    if os.path.islink(path):
        target = os.fsencode(os.readlink(path))
        made.update(b"blob %d\0" % len(target) + target)
        return made.hexdigest()
    with open(path, "rb") as file:
        made.update(b"blob %d\0" % os.fstat(file.fileno()).st_size)
        while piece := file.read(_PIECE):
            made.update(piece)
    return made.hexdigest()


def git_command(*arguments: str) -> list[str]:
    """Return the command that asks git. Raises FileNotFoundError without git."""
    return [find_program("git"), *_OPTIONS, *arguments]


def git_environ() -> dict[str, str]:
    """Return the environment variables for git, which finds the repository by the directory."""
    kept = {name: text for name, text in os.environ.items() if name not in _OF_A_REPOSITORY}
    return {**kept, **_ENVIRONMENT, "PATH": program_directories()}


def commit_of(directory: str, revision: str) -> str:
    """Return the hash of the commit that a revision names. Raises GitError."""
    wanted = f"{revision}^{{commit}}"
    try:
        known = ask_git(directory, "rev-parse", "--verify", "--end-of-options", wanted)
    except GitError:
        raise GitError(f"git knows no revision '{revision}' in {directory}") from None
    return known[0].strip()


def ask_git(directory: str, *arguments: str) -> list[str]:
    """Return the parts of what git prints, between null bytes. Raises GitError."""
    try:
        done = subprocess.run(
            git_command(*arguments),
            cwd=directory,
            env=git_environ(),
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise GitError("git is not installed") from None
    except OSError as error:
        raise GitError(f"{directory}: {error.strerror}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(said[0].removeprefix("fatal: ") if said else f"git {arguments[0]} fails")
    return [os.fsdecode(part) for part in done.stdout.split(b"\0")]
