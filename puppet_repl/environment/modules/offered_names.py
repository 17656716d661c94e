"""The names that the modules of an environment could provide, for completion and for hints."""

from __future__ import annotations

import os
import time

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.patterns import LatePattern
from puppet_repl.environment.modules.modules import name_in_file, names_in, own_names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal, TypeAlias

    from puppet_repl.base.reach import Reach
    from puppet_repl.environment.modules.environment import Environment
    from puppet_repl.environment.modules.modules import Module, NameKind

    ManifestKind: TypeAlias = Literal["class", "define", ""]

_DEFINITION = LatePattern(r"(?m)^[ \t]*(class|define)\s+(?:::)?([a-z]\w*(?:::\w+)*)")
_DATA_TYPE = LatePattern(r"create_type\(?\s*['\":]+([A-Z]\w*(?:::[A-Z]\w*)*)")


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


# Names are looked for again after so many times the time that it takes: it is done at each key.
_PAUSE = 30


class OfferedNames:
    """Names by their kind, each with the time until which they count.

    Files come and go while somebody types.
    """

    def __init__(self, reach: Reach | None) -> None:
        self._reach = reach
        self._manifests = ManifestKinds(reach)
        self._known: dict[str, tuple[float, list[str]]] = {}

    def of(self, kind: NameKind, environment: Environment) -> list[str]:
        """Return the names of one kind."""
        known = self._known.get(kind)
        begun = time.monotonic()
        if known is None or known[0] < begun:
            names = sorted(self._found(kind, environment))
            ended = time.monotonic()
            known = self._known[kind] = ended + _PAUSE * (ended - begun), names
        return known[1]

    def _found(self, kind: NameKind, environment: Environment) -> set[str]:
        modules = environment.modules.values()
        if kind == "classes":
            found = self._manifests.names(modules, "class")
        elif kind == "defined_types":
            found = self._manifests.names(modules, "define")
        else:
            found = names_in(modules, kind)
        if environment.directory is not None:
            found |= own_names_in(environment.directory, kind, self._reach)
        if kind == "functions":
            found.update(environment.ruby_functions)
            if environment.stdlib is not None:
                found.update(environment.stdlib.names())
        if kind == "types":
            files = environment.data_types.items()
            found.update(name_in_file(path, _DATA_TYPE, name, self._reach) for name, path in files)
        return found

    def clear(self) -> None:
        """Forget them."""
        self._known.clear()
