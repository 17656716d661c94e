"""What inputs change in a context, layer over layer, and the states of that to go back to."""

from __future__ import annotations

from puppet_repl.language.runtime.user_types import UserTypes
from puppet_repl.language.values.default import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.environment.modules.environment import Environment
    from puppet_repl.environment.modules.ruby_functions import UnavailableFunction
    from puppet_repl.language.functions.registry import Function
    from puppet_repl.language.runtime.call_names import CallNames
    from puppet_repl.language.runtime.closure import UserFunction
    from puppet_repl.language.runtime.options import Options
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.runtime.shared import Shared
    from puppet_repl.language.types.model.object import ObjectType
    from puppet_repl.language.values.protocols import Value

    AnyFunction: TypeAlias = Function | UserFunction | UnavailableFunction

# Where the catalog is in a snapshot.
_CATALOG = 5


class Layers:
    """The part of a context that inputs change. Each input begins a layer, and may be rolled back.

    ``top`` is the top scope, ``scope`` the one whose code runs now.
    """

    options: Options
    shared: Shared
    top: Scope
    scope: Scope
    call_names: CallNames

    def __init__(self) -> None:
        self.functions: dict[str, UserFunction] = {}
        # Functions in Ruby, and of stdlib, that the current input has called.
        self._found: dict[str, AnyFunction] = {}
        self.types = UserTypes()
        # What programs have attached to values, by identity. The value is kept so that no other
        # one gets its identity. Entries are replaced, never changed: snapshots have them, too.
        self.annotations: dict[object, tuple[Value, dict[ObjectType, object]]] = {}
        self.types_version = 0
        self.fixed: set[str] = set()
        self._defined: set[str] = set()
        self._warned: set[str] = set()
        self._environment: Environment | None = None
        self._catalog: Catalog | None = None

    def begin_input(self) -> None:
        """Start an input: within it every name can be bound once."""
        self.top.assigned = None if self.options.bind_once else set()
        self._defined = set()
        self.types.begin_input()
        self._found = {}
        self.call_names.unbind_direct()
        self.scope = self.top
        self.shared.begin_input()
        if self._environment is not None:
            self._environment.refresh()
        if self._catalog is not None:
            self._catalog.begin_input()

    def end_input(self, *, is_last: bool = False) -> None:
        """Evaluate what is deferred to the end of an input."""
        if self._catalog is not None:
            self._catalog.end_input(is_last=is_last)

    def snapshot(self) -> object:
        """Return the state, for restore()."""
        return self._snapshot(None if self._catalog is None else self._catalog.snapshot())

    def _snapshot(self, catalog: object) -> tuple[Any, ...]:
        return (
            dict(self.top.variables),
            self.top.match,
            dict(self.functions),
            self.types.snapshot(),
            set(self._warned),
            catalog,
            {} if self._environment is None else self._environment.snapshot(),
            dict(self.annotations),
        )

    def has_changed(self, state: Any) -> bool:
        """Tell whether variables, the last match, annotations or the catalog have changed.

        A variable that was given the value that it had counts, too.

        Facts and settings are bound when they are first read, which is no change.
        """
        variables, match, _, _, _, catalog, _, annotations = state
        if self.top.match is not match or self.top.assigned:
            return True
        for name, value in self.top.variables.items():
            if name != "_" and name not in self.fixed and variables.get(name, UNSET) is not value:
                return True
        if len(self.annotations) != len(annotations) or any(
            annotations.get(key) is not entry for key, entry in self.annotations.items()
        ):
            return True
        return self._catalog is not None and self._catalog.has_changed(catalog)

    def restore(self, state: Any) -> None:
        """Roll back to a snapshot."""
        self._restore(state)
        catalog = state[_CATALOG]
        if catalog is None:
            self._catalog = None
        elif self._catalog is not None:
            self._catalog.restore(catalog)

    def _restore(self, state: Any) -> None:
        """Roll back everything but the catalog."""
        variables, match, functions, types, warned, _, loaded, annotations = state
        self.top.variables.clear()
        self.top.variables.update(variables)
        self.top.match = match
        self.functions = dict(functions)
        self.types.restore(types)
        self.types_version += 1
        self._found = {}
        self._warned = set(warned)
        self.annotations = dict(annotations)
        self.scope = self.top
        self.call_names.bind_all()
        if self._environment is not None:
            self._environment.restore(loaded)

    def hold(self) -> object:
        """Return the state in the middle of an input, for go_on()."""
        held = None if self._catalog is None else self._catalog.hold()
        assigned = None if self.top.assigned is None else set(self.top.assigned)
        of_input = self.scope, assigned, set(self._defined), self.types.defined
        return self._snapshot(held), of_input

    def go_on(self, held: Any) -> None:
        """Undo what has happened since hold(), so that the input can go on; may be repeated."""
        state, of_input = held
        self._restore(state)
        self.scope, assigned, defined, self.types.defined = of_input
        self.top.assigned = None if assigned is None else set(assigned)
        self._defined = set(defined)
        if state[_CATALOG] is None:
            self._catalog = None
        elif self._catalog is not None:
            self._catalog.go_on(state[_CATALOG])

    def savepoint(self, earlier: Any) -> object:
        """Return the state, for ``return_to`` after a roll-back to a snapshot or anything since."""
        catalog, before = self._catalog, earlier[_CATALOG]
        # What is rolled back to a time before the catalog leaves that as it is.
        reached = None if catalog is None or before is None else catalog.savepoint(before)
        return self.snapshot(), catalog, reached

    def return_to(self, savepoint: Any) -> None:
        """Bring back the state of a savepoint; may be called again."""
        state, catalog, reached = savepoint
        self._catalog = catalog
        if reached is not None:
            catalog.reach_again(reached)
        self.restore(state)
