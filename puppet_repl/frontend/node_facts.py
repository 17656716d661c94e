"""Directories with the facts of many nodes, a file for each, as Puppet's own cache has them."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase

from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.facts import ENDINGS, FactsError, load_facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.environment.local_facts import Facts

# Where Puppet keeps the facts of nodes below its vardir.
_CACHE = os.path.join("yaml", "facts")


class FactsDirectories:
    """The files ``NODE.yaml``, ``NODE.yml`` and ``NODE.json`` of directories.

    A directory may also be Puppet's vardir. Where several have facts of a node, the last one wins.
    Raises FactsError for a directory that cannot be read, or has no such file.
    """

    def __init__(self, directories: Iterable[str]) -> None:
        self.paths: dict[str, str] = {}
        for directory in directories:
            found = _files(directory) or _files(os.path.join(directory, _CACHE))
            if not found:
                raise FactsError(f"{directory}: no facts of nodes (NODE.yaml, NODE.json) in there")
            self.paths.update(found)

    def names(self) -> list[str]:
        """Return the names of the nodes."""
        return sorted(self.paths)

    def matching(self, pattern: str) -> list[str]:
        """Return the names that a pattern with ``*``, ``?`` and ``[...]`` matches."""
        return [name for name in self.names() if fnmatchcase(name, pattern.lower())]

    def facts_of(self, name: str) -> tuple[Facts, str] | None:
        """Return the facts of a node and the path of their file, None if there is none."""
        path = self.paths.get(name.lower())
        return None if path is None else (load_facts(path), path)


def is_pattern(name: str) -> bool:
    """Tell whether the name of a node is a pattern for several."""
    return any(mark in name for mark in "*?[")


def _files(directory: str) -> dict[str, str]:
    """Return the paths of the fact files of a directory by the name of the node."""
    try:
        names = sorted(os.listdir(directory))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise FactsError(f"{directory}: {why_unusable(error)}") from None
    return {
        os.path.splitext(name)[0].lower(): os.path.join(directory, name)
        for name in names
        if name.endswith(ENDINGS) and not name.startswith(".")
    }
