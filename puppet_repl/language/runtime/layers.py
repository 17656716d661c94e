"""The changes of inputs to a context, layer over layer, and the return to earlier states."""

from __future__ import annotations

from puppet_repl.language.runtime.user_types import UserTypes
from puppet_repl.language.values.default import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from puppet_repl.base.stamp import Look
    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.environment.modules.environment import Environment
    from puppet_repl.environment.modules.ruby_functions import SharedName, UnavailableFunction
    from puppet_repl.language.functions.registry import Function
    from puppet_repl.language.runtime.call_names import CallNames
    from puppet_repl.language.runtime.closure import UserFunction
    from puppet_repl.language.runtime.options import Options
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.runtime.shared import Shared
    from puppet_repl.language.types.model.object import ObjectType
    from puppet_repl.language.values.protocols import Value

    AnyFunction: TypeAlias = Function | UserFunction | UnavailableFunction | SharedName
    Mark: TypeAlias = tuple[Any, ...]


class Layers:
    """The part of a context that inputs change. Each input begins a layer, and may be rolled back.

    ``mark`` and ``return_to`` are the only way back, between inputs and in the middle of one. They
    call the two methods of the same names of each part with a state of its own, as the catalog is.
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
        # Annotations that programs have attached to values, by identity. The value is kept so that
        # its identity is not used again. Entries are replaced, never changed: marks share them.
        self.annotations: dict[object, tuple[Value, dict[ObjectType, object]]] = {}
        self.types_version = 0
        self.fixed: set[str] = set()
        self._defined: set[str] = set()
        self._warned: set[str] = set()
        self._look: Look | None = None
        self._environment: Environment | None = None
        self._catalog: Catalog | None = None

    @property
    def look(self) -> Look:
        """The stamps of files for the input that runs."""
        look = self._look
        if look is None:
            look = self._look = self.shared.new_look()
        return look

    def begin_input(self) -> None:
        """Start an input: within it every name can be bound once."""
        self.top.assigned = None if self.options.bind_once else set()
        self._defined = set()
        self.types.begin_input()
        self._found = {}
        self.call_names.unbind_direct()
        self.scope = self.top
        if self._look is not None:
            self._look.renew()
        if self._catalog is not None:
            self._catalog.begin_input()
        if self._environment is not None:
            self._environment.refresh()  # which may drop definitions from the catalog

    def end_input(self, *, is_last: bool = False) -> None:
        """Evaluate the code that was deferred to the end of an input."""
        if self._catalog is not None:
            self._catalog.end_input(is_last=is_last)

    def mark(self) -> Mark:
        """Return the state, for ``return_to``; an input may be running."""
        catalog, environment = self._catalog, self._environment
        assigned = self.top.assigned
        return (
            dict(self.top.variables),
            self.top.match,
            None if assigned is None else set(assigned),
            self.scope,
            dict(self.functions),
            set(self._defined),
            self.types.mark(),
            dict(self.annotations),
            set(self._warned),
            {} if environment is None else environment.autoloader.mark(),
            None if catalog is None else (catalog, catalog.mark()),
        )

    def has_changed(self, mark: Mark) -> bool:
        """Tell whether variables, the last match, annotations or the catalog have changed.

        A variable that was given the value that it had counts, too.

        Facts and settings are bound when they are first read, which is not a change.
        """
        variables, match, *_, annotations, _, _, catalog = mark
        if self.top.match is not match or self.top.assigned:
            return True
        for name, value in self.top.variables.items():
            if name != "_" and name not in self.fixed and variables.get(name, UNSET) is not value:
                return True
        if len(self.annotations) != len(annotations) or any(
            annotations.get(key) is not entry for key, entry in self.annotations.items()
        ):
            return True
        if self._catalog is None:
            return False
        return self._catalog.has_changed(None if catalog is None else catalog[1])

    def return_to(self, mark: Mark) -> None:
        """Return to a mark, earlier or later; call it again after an interrupt."""
        variables, match, assigned, scope, functions, defined, types, *others = mark
        annotations, warned, loaded, catalog = others
        self.top.variables.clear()
        self.top.variables.update(variables)
        self.top.match = match
        self.top.assigned = None if assigned is None else set(assigned)
        self.scope = scope
        self.functions = dict(functions)
        self._defined = set(defined)
        self._found = {}
        self.types.return_to(types)
        self.types_version += 1
        self.annotations = dict(annotations)
        self._warned = set(warned)
        self.call_names.bind_all()
        if self._environment is not None:
            self._environment.autoloader.return_to(loaded)
        if catalog is None:
            self._catalog = None
        else:
            self._catalog, state = catalog
            self._catalog.return_to(state)
