"""Deferred values: calls that are written down, to be made later."""

from __future__ import annotations

from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.context import Context


def resolve_deferred(deferred: Any, context: Context) -> Any:
    """Make the call; Deferred values among the arguments are resolved first."""
    arguments = deferred.attribute("arguments")
    return _resolve(deferred.attribute("name"), () if arguments is None else arguments, context)


def _resolve(name: str, arguments: tuple[Any, ...], context: Context) -> Any:
    resolved = tuple([_resolved(argument, context) for argument in arguments])
    if not name.startswith("$"):
        return context.call_function(name, resolved)
    variable = name[1:]
    scope = context.scope
    value = scope.lookup(variable) if scope.exists(variable) else None
    return context.call_function("dig", (value, *resolved))


def _resolved(value: Any, context: Context) -> Any:
    kind = type(value)
    if kind is tuple:
        return tuple([_resolved(item, context) for item in value])
    if kind is PuppetHash:
        return PuppetHash(
            [(_resolved(key, context), _resolved(item, context)) for key, item in value.items()]
        )
    made = getattr(value, "puppet_type", None)
    if made is not None and made.name == "Deferred":
        return resolve_deferred(value, context)
    return value
