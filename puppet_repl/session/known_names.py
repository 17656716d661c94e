"""What a session knows by name, for tools: completion, inspection, commands, debuggers.

Tables are copies, because code may be running in another thread.
"""

from __future__ import annotations

from contextlib import suppress

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.compiler.frames import match_values
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session.top_scope import LOCAL_FACTS, SERVER_VARIABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.closure import UserFunction
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value


class KnownNames:
    """The names of one context, and what they stand for."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def belong_to(self, context: Context) -> bool:
        """Tell whether these are the names of a context; a reset creates a new context."""
        return context is self._context

    # Variables and facts

    def variables(self) -> dict[str, Value]:
        """Return the variables of the top scope that have a value so far, by name."""
        return dict(self._context.top.variables)

    def given_variables(self) -> set[str]:
        """Return the names of the variables that have a value which no code has assigned."""
        return set(self._context.fixed)

    def match_variables(self) -> dict[str, Value]:
        """Return ``0``, ``1`` ... of the last match in the top scope, with their values."""
        return match_values(self._context.top.match)

    def has_variable(self, name: str) -> bool:
        """Tell whether the top scope has a variable; computes those of the node, such as facts."""
        return self._context.top.exists(name)

    def setting(self, name: str) -> Value:
        """Return one of Puppet's settings, or all: undef where environment.conf is refused."""
        settings = self._context.catalog.bodies.settings()
        with suppress(ValueError):
            return (
                PuppetHash.of_strings(settings.all())
                if name == "all_local"
                else settings.value(name)
            )
        return None

    def fact_names(self) -> frozenset[str]:
        """Return the names of facts that are variables, of those of a server and a classifier, too.

        Nothing is collected for it: before the facts of this machine are collected, these are the
        names that it may have.
        """
        facts = self._context.facts
        names = LOCAL_FACTS if facts is None else frozenset(facts)
        with suppress(PuppetError):
            classification = self._context.classification
            names |= frozenset(() if classification is None else classification.parameters)
        return names | SERVER_VARIABLES if self._context.has_server else names

    # Functions and types

    def functions(self) -> dict[str, UserFunction]:
        """Return the functions that were defined or loaded from modules, by name."""
        return dict(self._context.functions)

    def unused_functions(self) -> list[str]:
        """Return the names of the functions of Python that nothing has called."""
        given = self._context.given.items()
        return [name for name, each in given if not getattr(each, "is_used", True)]

    def types(self) -> dict[str, PuppetType]:
        """Return the types that were defined or loaded from modules, by name in lower case."""
        return dict(self._context.types.known)
