"""Defaults of attributes by type (``File { mode => '0644' }``), which scopes inherit."""

from __future__ import annotations

from puppet_repl.catalog import issues
from puppet_repl.language.values.compare import equals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.resource import Parameter, Resource
    from puppet_repl.catalog.state import ChangeDefaults, State
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.scope import Scope


class Defaults:
    """The defaults of all scopes. A default can be set once an input."""

    def __init__(self, context: Context, state: State) -> None:
        self.context = context
        self.state = state
        self._set_in: dict[Parameter, int] = {}

    def add(self, scope: Scope, type_name: str, parameters: dict[str, Parameter]) -> None:
        """Set defaults for resources that are declared in a scope or inside of it."""
        tables = self.state.writable()
        by_type = dict(tables.defaults.get(scope, {}))
        by_name = dict(by_type.get(type_name, {}))
        for name, parameter in parameters.items():
            old = by_name.get(name)
            if old is not None and self._is_final(old):
                raise issues.default_already_defined(
                    type_name, name, parameter.source, parameter.line
                )
            by_name[name] = parameter
            self._set_in[parameter] = self.state.input
        by_type[type_name] = by_name
        tables.defaults[scope] = by_type

    def _is_final(self, parameter: Parameter) -> bool:
        return self.context.options.bind_once or self._set_in.get(parameter) == self.state.input

    def change(self, scope: Scope, change: ChangeDefaults) -> None:
        """Let a function change the defaults that hold in a scope, those of outer ones included."""
        self.state.writable().changed_defaults[scope] = change

    @property
    def are_none(self) -> bool:
        """Whether no scope has any."""
        tables = self.state.tables
        return not tables.defaults and not tables.changed_defaults

    def for_type(self, scope: Scope | None, type_name: str) -> dict[str, Parameter]:
        """Return the defaults that hold in a scope for a type: inner ones over outer ones."""
        effective: dict[str, Parameter] = {}
        if self.are_none:
            return effective
        tables = self.state.tables
        chain = []
        while scope is not None:
            if scope in tables.defaults or scope in tables.changed_defaults:
                chain.append(scope)
            scope = scope.parent
        for scope in reversed(chain):
            effective.update(tables.defaults.get(scope, {}).get(type_name, {}))
            if scope in tables.changed_defaults:
                effective = tables.changed_defaults[scope](type_name, effective)
        return effective

    def is_default(self, resource: Resource, parameter: Parameter) -> bool:
        """Tell whether an attribute of a resource has the value of a default in its scope."""
        scope: Scope | None = resource.scope
        by_scope = self.state.tables.defaults
        while scope is not None and by_scope:
            default = by_scope.get(scope, {}).get(resource.type, {}).get(parameter.name)
            if default is not None and equals(default.value, parameter.value):
                return True
            scope = scope.parent
        return False
