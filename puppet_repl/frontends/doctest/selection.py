"""Which documents a directory has."""

from __future__ import annotations

import os

from puppet_repl.frontends.doctest.documents import ENDINGS

__all__ = ["documents_of"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# What is written by programs, or tells of times when other code was right.
_LEFT_OUT = ("REFERENCE.md", "CHANGELOG.md", "HISTORY.md")
# What is there for tests, or is somebody else's.
_NOT_SEARCHED = ("spec", "vendor", "node_modules", "pkg")
# The Ruby of a module that documents what Puppet code can use.
_RUBY = os.path.join("lib", "puppet", "")


def documents_of(path: str) -> list[str]:
    """Return a file, or the documents below a directory: texts, manifests, Ruby of modules."""
    return sorted(_below(path)) if os.path.isdir(path) else [path]


def _below(directory: str) -> Iterator[str]:
    for where, directories, names in os.walk(directory):
        directories[:] = [
            name for name in directories if name[0] not in "._" and name not in _NOT_SEARCHED
        ]
        for name in names:
            if name in _LEFT_OUT or not name.endswith(ENDINGS):
                continue
            path = os.path.join(where, name)
            if not name.endswith(".rb") or _RUBY in os.path.abspath(path):
                yield path
