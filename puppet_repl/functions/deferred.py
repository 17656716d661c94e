"""Deferred values: calls that are written down, to be made later."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure, Subject
from puppet_repl.types.making.puppet_object import is_deferred
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.context import Context


def resolve_deferred(deferred: Any, context: Context) -> Any:
    """Make the call; Deferred values among the arguments are resolved first."""
    values = deferred.values
    return _resolve(values["name"], values.get("arguments") or (), context)


def _resolve(name: str, arguments: tuple[Any, ...], context: Context) -> Any:
    resolved = tuple([_resolved(argument, context) for argument in arguments])
    if not name.startswith("$"):
        if context.lookup_function(name) is None:
            raise RuntimeFailure(f"Unknown function '{name}'", subject=Subject("function", name))
        return context.call_function(name, resolved)
    variable = name[1:]
    scope = context.scope
    if not scope.exists(variable):
        raise RuntimeFailure(f"Undefined variable '{variable}'; ")
    value = scope.lookup(variable)
    return context.call_function("dig", (value, *resolved))


def _resolved(value: Any, context: Context) -> Any:
    kind = type(value)
    if kind is tuple:
        return tuple([_resolved(item, context) for item in value])
    if kind is PuppetHash:
        return PuppetHash(
            [(_resolved(key, context), _resolved(item, context)) for key, item in value.items()]
        )
    if is_deferred(value):
        return resolve_deferred(value, context)
    return value
