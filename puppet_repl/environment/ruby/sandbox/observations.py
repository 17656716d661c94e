"""The files that Ruby in the sandbox has looked at, to find out later whether they have changed.

An outcome has all attributes of a file that Ruby gets, except for the time of the last access.
"""

from __future__ import annotations

import os
import stat

from puppet_repl.environment.ruby.sandbox.files import Hidden

# Importing hashlib loads the libraries of OpenSSL.
try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from puppet_repl.environment.ruby.sandbox.files import VisibleFiles

    Outcome: TypeAlias = tuple[str | int | bytes, ...]
    # Whether a link is followed, and the path; with None, the content of the file.
    Look: TypeAlias = tuple[bool | None, str]

_DIGEST_SIZE = 20


class Observations:
    """The outcomes of one request; ``are_whole`` is whether the reply follows from them.

    It does not before the first request, and not if Ruby has read the clock or random numbers,
    written or listed anything.
    """

    __slots__ = ("are_whole", "outcomes")

    def __init__(self) -> None:
        self.are_whole = False
        self.outcomes: dict[Look, Outcome] = {}

    def begin(self) -> None:
        """Forget the request before."""
        self.are_whole = True
        self.outcomes = {}

    def see(self, files: VisibleFiles, path: str, *, follow: bool) -> None:
        """Note the outcome of a look at a path."""
        if self.are_whole:
            self._note((follow, path), outcome_of(files, path, follow=follow))

    def read(self, path: str, data: bytes) -> None:
        """Note the content of a file."""
        if self.are_whole:
            self._note((None, path), _content(data))

    def _note(self, look: Look, outcome: Outcome) -> None:
        if self.outcomes.setdefault(look, outcome) != outcome:
            self.are_whole = False  # the file has changed meanwhile

    def needed(self) -> dict[Look, Outcome]:
        """Return the outcomes, without those that follow from others.

        Ruby looks at each directory that leads to a path. It is there if the path is still visible
        and has the same real path.
        """
        above: set[str] = set()
        for (_, path), outcome in self.outcomes.items():
            if type(outcome[0]) is int:
                while (parent := os.path.dirname(path)) != path and parent not in above:
                    above.add(parent)
                    path = parent
        return {
            look: outcome
            for look, outcome in self.outcomes.items()
            if look[0] is not False or look[1] not in above
        }


def still_hold(outcomes: dict[Look, Outcome], files: VisibleFiles) -> bool:
    """Tell whether looks at the same paths have the same outcomes."""
    return all(
        (_content_of(files, path) if follow is None else outcome_of(files, path, follow=follow))
        == outcome
        for (follow, path), outcome in outcomes.items()
    )


def outcome_of(files: VisibleFiles, path: str, *, follow: bool) -> Outcome:
    """Return the outcome of a look at a path."""
    try:
        real = files.locate(path)
        status = os.stat(real) if follow else os.lstat(path)
    except Hidden:
        return "hidden", files.is_above(path)
    except OSError as error:
        return "missing", error.errno or 0
    kind = stat.S_IFMT(status.st_mode)
    if stat.S_ISDIR(kind) and not follow:
        return kind, real  # it changes with each file in it
    return (
        kind,
        real,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        status.st_size,
        status.st_nlink,
    )


def _content_of(files: VisibleFiles, path: str) -> Outcome:
    try:
        with open(files.locate(path), "rb") as file:
            return _content(file.read())
    except (OSError, Hidden):
        return ("missing",)


def _content(data: bytes) -> Outcome:
    return (blake2b(data, digest_size=_DIGEST_SIZE).digest(),)
