"""Scopes, and the variables that Ruby code sees as a whole: ``scope.to_hash``, ``@name``.

Puppet leaves out those that are undef. It does not show the parameters of a class or function
while their defaults are evaluated, and a parent class hides a variable of the top scope only
where it has a value.
"""

from __future__ import annotations

import sys

from puppet_repl.environment.ruby.numbers import next_number
from puppet_repl.language.compiler.locations import local_variables
from puppet_repl.language.runtime.scope import ParameterScope
from puppet_repl.language.values.default import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.values.protocols import Value

_AFTER_FACTS = (
    "environment",
    "trusted",
    "server_facts",
    "facts",
    "module_name",
    "title",
    "name",
)
"""Predefined variables of the top scope, in Puppet's order; facts precede them."""


def visible_variables(scope: Scope, *, with_undef: bool = False) -> dict[str, Value]:
    """Return the variables in reach of a scope by name, in the order in which Puppet has them.

    ``with_undef`` adds those of the scope itself that are undef.
    """
    outer = scope.outer
    if outer is None:
        found = _predefined(scope.context)
    else:
        found = visible_variables(outer, with_undef=with_undef and scope.kind == "local")
    if scope.inherited is not None:
        found.update(visible_variables(scope.inherited))
    _add_own(found, scope, with_undef=with_undef)
    return found


def own_variables(scope: Scope, *, with_undef: bool = False) -> dict[str, Value]:
    """Return the variables of a scope itself; a lambda includes the scope around it."""
    found: dict[str, Value] = {}
    if scope.kind == "local" and scope.outer is not None:
        found = own_variables(scope.outer, with_undef=with_undef)
    _add_own(found, scope, with_undef=with_undef)
    return found


def _add_own(found: dict[str, Value], scope: Scope, *, with_undef: bool) -> None:
    if isinstance(scope, ParameterScope):
        return
    for name, value in scope.variables.items():
        if value is None and not with_undef:
            found.pop(name, None)
        else:
            found[name] = value


def visible_value(scope: Scope, name: str) -> tuple[Value, Scope | None]:
    """Return the value of one of them and the scope that has it; (None, None) without one."""
    at: Scope | None = scope
    while at is not None:
        if name in at.variables and not isinstance(at, ParameterScope):
            return at.variables[name], at
        if at.inherited is not None:
            value, where = visible_value(at.inherited, name)
            if value is not None:
                return value, where
        if at.outer is None and at.context.bind_known(name):
            return at.variables[name], at
        at = at.outer
    return None, None


def _predefined(context: Context) -> dict[str, Value]:
    """Return the variables of the top scope that need no assignment; collects the facts.

    Those of a classifier precede the facts.
    """
    facts = context.top.variables["facts"]
    classification = context.classification
    names = [] if classification is None else list(classification.parameters)
    names += facts.keys()
    if context.has_server:
        names += context.top.variables["server_facts"].keys()
    found: dict[str, Value] = {}
    for name in (*[name for name in names if name != "environment"], *_AFTER_FACTS):
        if name in context.top.variables or context.bind_known(name):
            found[name] = context.top.variables[name]
    return found


class Scopes:
    """Numbers scopes while a call of Ruby lasts."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._scopes: dict[int, Scope] = {}

    def calling(self) -> int:
        """Return the number of the scope whose code calls, with its local variables."""
        return self.number(self.calling_scope())

    def calling_scope(self) -> Scope:
        """Return the scope whose code calls; lambdas and functions get one for their locals."""
        scope = self.context.scope
        values = _locals_of_caller()
        return scope.local(values) if values else scope

    def number(self, scope: Scope) -> int:
        """Return a number for a scope."""
        if scope is self.context.top:
            return 0
        number = next_number()
        self._scopes[number] = scope
        return number

    def get(self, number: int) -> Scope:
        """Return the scope of a number; the top scope for one that is gone."""
        return self._scopes.get(number, self.context.top)

    def clear(self) -> None:
        """Forget all, when the outermost call has ended."""
        self._scopes.clear()


def _locals_of_caller() -> dict[str, object]:
    """Return the variables of the lambda or function that runs, those around it included.

    Their frames are on the stack; which frame is around which is in their qualified names.
    """
    frame: FrameType | None = sys._getframe(2)
    wanted: str | None = None
    found: dict[str, object] = {}
    while frame is not None:
        if "__puppet__" in frame.f_globals:
            name = frame.f_code.co_qualname
            if wanted is None or name == wanted:
                if "scope" in frame.f_code.co_varnames and "." not in name:
                    break  # the variables of this code are in its scope
                for variable, value in local_variables(frame).items():
                    if value is not UNSET:
                        found.setdefault(variable, value)
                wanted = name.rpartition(".<locals>.")[0]
                if not wanted:
                    break
        frame = frame.f_back
    return found
