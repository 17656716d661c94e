"""Directories with the facts of many nodes, a file for each, as Puppet's own cache has them."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase

from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.facts.facts import ENDINGS, FactsError, load_facts, overlaid, override

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Puppet's directory of the facts of nodes, below its vardir.
_CACHE = os.path.join("yaml", "facts")


class NodeFacts:
    """A node and the file with the facts of its own, None if it has none.

    '' is the name of the node that the facts of all are of. The file is read where the node is
    worked for: the facts of thousands of nodes need no room at a time. ``others`` are files with
    facts of the node that do not count.
    """

    __slots__ = ("name", "others", "path")

    def __init__(self, name: str, path: str | None = None, others: tuple[str, ...] = ()) -> None:
        self.name = name
        self.path = path
        self.others = others

    def on_top_of(
        self, facts: Mapping[str, object] | None, assignments: Iterable[str]
    ) -> Mapping[str, object] | None:
        """Return facts with those of the node on top, and on top of all single ones.

        Without a file the assignments are in the facts already. Raises FactsError.
        """
        if self.path is None:
            return facts
        own = overlaid(facts, load_facts(self.path))
        for assignment in assignments:
            own = override(own, assignment)
        return own


class FactsDirectories:
    """The files ``NODE.yaml``, ``NODE.yml`` and ``NODE.json`` of directories.

    A directory may also be Puppet's vardir. Where several have facts of a node, the last one wins.
    Raises FactsError for a directory that cannot be read, or has no such file.
    """

    def __init__(self, directories: Iterable[str]) -> None:
        self._paths: dict[str, list[str]] = {}
        self.directories = list(directories)
        for directory in self.directories:
            found = _files(directory) or _files(os.path.join(directory, _CACHE))
            if not found:
                raise FactsError(f"{directory}: no facts of nodes (NODE.yaml, NODE.json) in there")
            for name, path in found:
                self._paths.setdefault(name, []).append(path)

    def names(self) -> list[str]:
        """Return the names of the nodes."""
        return sorted(self._paths)

    def check(self, nodes: Iterable[NodeFacts], facts: Mapping[str, object] | None) -> None:
        """Raise FactsError for a node without facts, unless there are ``facts`` for all nodes."""
        missing = next((node.name for node in nodes if node.path is None), None)
        if missing is not None and facts is None:
            where = ", ".join(self.directories)
            raise FactsError(f"--facts: there are no facts of {missing} in {where}")

    def matching(self, pattern: str) -> list[str]:
        """Return the names that a pattern with ``*``, ``?`` and ``[...]`` matches."""
        return [name for name in self.names() if fnmatchcase(name, pattern.lower())]

    def of(self, name: str) -> NodeFacts:
        """Return where the facts of a node are."""
        *others, path = self._paths.get(name.lower()) or (None,)
        return NodeFacts(name, path, tuple(each for each in others if each is not None))


def is_pattern(name: str) -> bool:
    """Tell whether the name of a node is a pattern for several."""
    return any(mark in name for mark in "*?[")


def _files(directory: str) -> list[tuple[str, str]]:
    """Return the names of nodes in a directory, and their fact files."""
    try:
        names = sorted(os.listdir(directory))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise FactsError(f"{directory}: {why_unusable(error)}") from None
    return [
        (os.path.splitext(name)[0].lower(), os.path.join(directory, name))
        for name in names
        if name.endswith(ENDINGS) and not name.startswith(".")
    ]
