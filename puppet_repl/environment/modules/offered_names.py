"""The names that the modules of an environment could provide, for completion and for hints."""

from __future__ import annotations

import time

from puppet_repl.environment.modules.manifest_kinds import ManifestKinds
from puppet_repl.environment.modules.modules import names_in, own_names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.reach import Reach
    from puppet_repl.environment.modules.environment import Environment
    from puppet_repl.environment.modules.modules import NameKind

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
        return found

    def clear(self) -> None:
        """Forget them."""
        self._known.clear()
