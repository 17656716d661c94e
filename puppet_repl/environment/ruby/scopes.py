"""The scopes that Ruby code may read, by number; 0 is the top scope."""

from __future__ import annotations

import sys

from puppet_repl.environment.ruby.numbers import next_number
from puppet_repl.language.compiler.locations import local_variables
from puppet_repl.language.values.default import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.scope import Scope


class Scopes:
    """Numbers scopes and variables while a call of Ruby lasts."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._scopes: dict[int, Scope] = {}
        self._variables: dict[tuple[int, str], tuple[Scope, int]] = {}

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

    def number_of_variable(self, scope: Scope, name: str) -> int:
        """Return the number of a variable, the same whenever it is read.

        Ruby code may change a hash that it has read, for other code that reads it: a template for
        those that it renders. The hash itself does not tell: equal literals may be one object here.
        """
        key = id(scope), name
        known = self._variables.get(key)
        if known is None:
            known = self._variables[key] = (scope, next_number())
        return known[1]

    def clear(self) -> None:
        """Forget all, when the outermost call has ended."""
        self._scopes.clear()
        self._variables.clear()


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
