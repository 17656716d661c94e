"""Scopes: the variables that can be reached by name.

The top scope and those of nodes, classes and defines are Scope objects; parameters and locals of
functions and lambdas are Python locals of compiled code, and appear in a scope only for functions
that read variables by name (``defined('$x')``, ``inline_epp``), as a scope made for that call.

Lookup goes from a scope to the one it inherits from (``class a inherits b``), else to the scope
around it: the node's or the top scope. Reading is a plain subscript of ``scope.variables``, whose
``__missing__`` continues the lookup.
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.runtime import issues

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any, Literal, TypeAlias

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.values.protocols import Value

    ScopeKind: TypeAlias = Literal["top", "node", "class", "define", "local"]

RESERVED = frozenset(("trusted", "facts"))
"""Names that cannot be bound again in the scope that has them."""

_REFUSED = RESERVED | {"server_facts"}
_MAY_BE_UNSET = frozenset(("module_name", "caller_module_name"))


class Variables(dict[str, "Any"]):
    """The variables of one scope; an unbound name is looked up in outer scopes."""

    __slots__ = ("scope",)
    scope: Scope

    def __missing__(self, name: str) -> Value:
        return self.scope.find_outside(name)


class Scope:
    """One scope.

    ``parent`` is the scope that declared this one, ``outer`` where lookup continues, ``inherited``
    the scope of the parent class. ``source`` is the Definition that is being evaluated,
    ``resource`` its resource in the catalog. ``match`` provides ``$0 .. $n`` for code that begins
    to run in the scope. ``parameters`` holds the parameters of a class while their defaults are
    evaluated, because these may name each other by their full names (``$a::b``).
    """

    __slots__ = (
        "assigned",
        "context",
        "inherited",
        "kind",
        "match",
        "outer",
        "parameters",
        "parent",
        "resource",
        "source",
        "variables",
    )

    def __init__(
        self,
        context: Context,
        kind: ScopeKind,
        parent: Scope | None = None,
        resource: Resource | None = None,
        source: Definition | None = None,
    ) -> None:
        self.context = context
        self.kind: ScopeKind = kind
        self.parent = parent
        self.resource = resource
        self.source = source
        self.inherited: Scope | None = None
        self.outer: Scope | None = parent
        if parent is not None and kind != "local" and parent.kind != "top":
            self.outer = _outer_of(parent)
        self.variables = variables = Variables()
        variables.scope = self
        self.assigned: set[str] | None = None
        self.match: re.Match[str] | None = None
        self.parameters: ParameterScope | None = None

    def bound(self, name: str) -> bool:
        """Tell whether this scope itself has the variable."""
        return name in self.variables

    def is_parameter(self, name: str) -> bool:
        """Tell whether the default of a parameter of this name is evaluated here."""
        return False

    def exists(self, name: str) -> bool:
        """Tell whether ``name`` (perhaps qualified) can be read from here."""
        if "::" in name:
            return _exists_qualified(self.context, name)
        scope: Scope | None = self
        while scope is not None:
            if name in scope.variables or scope.is_parameter(name):
                return True
            scope = scope.inherited or scope.outer
        return self.context.bind_known(name)

    def lookup(self, name: str) -> Value:
        """Return the value of a variable; raise UNKNOWN_VARIABLE without one."""
        if "::" in name:
            return read_qualified(self.context, name)
        return self.variables[name]

    def find_outside(self, name: str) -> Value:
        """Return the value of a name that this scope does not bind."""
        scope = self.inherited or self.outer
        while scope is not None:
            if name in scope.variables:
                return scope.variables[name]
            scope = scope.inherited or scope.outer
        context = self.context
        if context.bind_known(name):
            return context.top.variables[name]
        return unknown_variable(context, name, self)

    def assign(self, name: str, value: Value) -> Value:
        """Bind a variable, once, and return the value."""
        variables = self.variables
        if name in variables or name == "server_facts" or self.kind == "top":
            self._check_rebinding(name)
        elif name in RESERVED:
            raise issues.reserved_name(name)
        variables[name] = value
        if self.assigned is not None:
            self.assigned.add(name)
        return value

    def assign_all(self, values: dict[str, Any]) -> None:
        """Bind variables as ``assign`` does."""
        variables = self.variables
        if (
            self.kind == "top"
            or not _REFUSED.isdisjoint(values)
            or not variables.keys().isdisjoint(values)
        ):
            for name, value in values.items():
                self.assign(name, value)
        else:
            variables.update(values)

    def _check_rebinding(self, name: str) -> None:
        if name == "server_facts":
            raise issues.illegal_reserved_assignment(name)
        if self.kind == "top":
            if name not in self.variables and not self.context.bind_known(name):
                return
            if self.assigned is not None and name not in self.assigned:
                if name not in self.context.fixed:
                    return
        if name in RESERVED:
            raise issues.illegal_reserved_assignment(name)
        raise issues.illegal_reassignment(name)

    def bind(self, name: str, value: Value) -> None:
        """Bind a variable without any check: parameters, facts, ``$title``."""
        self.variables[name] = value

    def local(self, values: dict[str, Any]) -> Scope:
        """Return an inner scope with ``values``, for code that reads them by name."""
        scope = Scope(self.context, "local", self, self.resource, self.source)
        scope.variables.update(values)
        return scope


class ParameterScope(Scope):
    """The scope for defaults of parameters: only preceding parameters can be read."""

    __slots__ = ("callee", "current", "names")

    def __init__(self, scope: Scope, callee: str, names: tuple[str, ...]) -> None:
        Scope.__init__(self, scope.context, "local", scope, scope.resource, scope.source)
        self.callee = callee
        self.names = names
        self.current: str | None = None

    def find_outside(self, name: str) -> Value:
        """Refuse parameters without a value yet; look other names up outside."""
        if name in self.names:
            raise too_early(self.callee, self.names, self.current, name)
        return super().find_outside(name)

    def is_parameter(self, name: str) -> bool:
        """Tell whether a name is one of the parameters, with a value or without."""
        return name in self.names

    def evaluate(self, name: str, default: Any) -> Value:
        """Run the default of ``name`` here; its match variables are nobody else's."""
        self.current = name
        self.match = None
        return default(self)

    def assign(self, name: str, value: Value) -> Value:
        """Refuse: a default binds nothing."""
        raise RuntimeFailure(f"Attempt to assign variable {name} when evaluating parameters")


class TooEarlyError(RuntimeFailure):
    """A default reads a parameter without a value."""


def too_early(callee: str, names: tuple[str, ...], current: str | None, name: str) -> TooEarlyError:
    """Return the error for a default that reads a parameter without a value."""
    if current is not None and names.index(name) < names.index(current):
        return TooEarlyError(f"{callee}: expects a value for parameter ${name}")
    return TooEarlyError(
        f"{callee}: default expression for ${current} tries to illegally access "
        f"not yet evaluated ${name}"
    )


def _outer_of(parent: Scope) -> Scope | None:
    """Return where lookup continues: a class or define never sees the scope that declared it."""
    scope: Scope | None = parent
    while scope is not None and scope.kind not in ("top", "node"):
        scope = scope.parent
    return scope


def set_match(scope: Scope, match: re.Match[str] | None) -> re.Match[str] | None:
    """Make a match visible to code that is evaluated from a scope, and return it."""
    scope.match = match
    return match


def visible_match(scope: Scope) -> re.Match[str] | None:
    """Return the match that code starts with in a scope: of this scope or an outer one."""
    outer: Scope | None = scope
    while outer is not None:
        if outer.match is not None:
            return outer.match
        outer = outer.outer
    return None


def unknown_variable(context: Context, name: str, scope: Scope | None = None) -> Value:
    """Return the value of an unbound name; raise UNKNOWN_VARIABLE if the settings say so.

    ``scope`` is where the name was read: its variables are suggestions in the error.
    """
    if name in _MAY_BE_UNSET or name.isdecimal():
        return None
    options = context.options
    if options.strict_variables or options.strict == "error":
        raise issues.unknown_variable(name, _names_in_reach(scope))
    if options.strict == "warning":
        context.log("warning", f"Unknown variable: '{name}'.")
    return None


def _names_in_reach(scope: Scope | None) -> list[str]:
    names: list[str] = []
    while scope is not None:
        names.extend(scope.variables)
        scope = scope.inherited or scope.outer
    return names


def find_qualified(context: Context, name: str) -> tuple[Value] | None:
    """Return the value of ``a::b`` or ``::a`` as a 1-tuple, None for an unknown variable."""
    name = name.removeprefix("::")
    class_name, colons, leaf = name.rpartition("::")
    if not colons:
        variables = context.top.variables
        if leaf in variables or context.bind_known(leaf):
            return (variables[leaf],)
        return None
    scope = context.catalog.bodies.class_scope(class_name)
    while scope is not None:
        parameters = scope.parameters
        if parameters is not None and leaf in parameters.names:
            return (parameters.variables[leaf],)
        if leaf in scope.variables:
            return (scope.variables[leaf],)
        scope = scope.inherited
    return None


def _exists_qualified(context: Context, name: str) -> bool:
    class_name, _, leaf = name.removeprefix("::").rpartition("::")
    scope = context.catalog.bodies.class_scope(class_name) if class_name else None
    if scope is not None and scope.parameters is not None and leaf in scope.parameters.names:
        return True  # found without reading it: it may have no value yet
    return find_qualified(context, name) is not None


def read_qualified(context: Context, written: str) -> Value:
    """Return the value of a variable with ``::`` in its name."""
    name = written.removeprefix("::")
    found = find_qualified(context, name)
    if found is None:
        class_name, _, leaf = name.rpartition("::")
        if leaf in _MAY_BE_UNSET and context.catalog.bodies.class_scope(class_name) is not None:
            return None
        return unknown_variable(context, written)
    return found[0]
