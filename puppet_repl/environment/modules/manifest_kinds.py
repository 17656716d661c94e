"""Which manifests of modules define a class, and which a type, by what stands in them.

Nothing is parsed: names for completion and hints are asked for at each key.
"""

from __future__ import annotations

import os

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.patterns import LatePattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal, TypeAlias

    from puppet_repl.base.reach import Reach
    from puppet_repl.environment.modules.modules import Module

    ManifestKind: TypeAlias = Literal["class", "define", ""]

_DEFINITION = LatePattern(r"(?m)^[ \t]*(class|define)\s+(?:::)?([a-z]\w*(?:::\w+)*)")


class ManifestKinds:
    """The kinds of manifests, remembered as long as the files do not change."""

    __slots__ = ("_known", "_reach")

    def __init__(self, reach: Reach | None = None) -> None:
        self._reach = reach
        self._known: dict[str, tuple[int, ManifestKind]] = {}

    def names(self, modules: Iterable[Module], kind: ManifestKind) -> set[str]:
        """Return the names of the classes, or of the defined types, that modules could load."""
        found: set[str] = set()
        for module in modules:
            for path in module.files("manifests", ".pp"):
                name = f"{module.name}::{path.replace('/', '::')}"
                if path == "init":
                    name = module.name
                if self.kind_of(module.file("manifests", f"{path}.pp"), name) == kind:
                    found.add(name)
        return found

    def kind_of(self, path: str, name: str) -> ManifestKind:
        """Return what the file defines under the name that it is loaded for, '' for nothing."""
        try:
            if self._reach is not None:
                self._reach.check(path)
            changed = os.stat(path).st_mtime_ns
            known = self._known.get(path)
            if known is None or known[0] != changed:
                known = self._known[path] = (
                    changed,
                    _kind_in(read_text(path, errors="replace"), name),
                )
        except OSError:
            return ""
        return known[1]


def _kind_in(text: str, name: str) -> ManifestKind:
    for found in _DEFINITION.finditer(text):
        if found[2] == name:
            return "class" if found[1] == "class" else "define"
    return ""
