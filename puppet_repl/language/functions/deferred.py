"""Deferred values: calls that are stored as values and executed later."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure, Subject
from puppet_repl.base.sharing import once
from puppet_repl.language.types.making.puppet_object import PuppetObject
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import is_deferred
from puppet_repl.language.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


def resolve_deferred(deferred: PuppetObject, context: Context) -> Value:
    """Execute the call of a Deferred; Deferred values in its arguments are resolved first."""
    values = deferred.values
    return _resolve(values["name"], values.get("arguments") or (), context)


def _resolve(name: str, arguments: tuple[Value, ...], context: Context) -> Value:
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


def _resolved(value: Value, context: Context) -> Value:
    if not _has_calls(value):
        return value
    if type(value) is tuple:
        return tuple([_resolved(item, context) for item in value])
    if type(value) is PuppetHash:
        return PuppetHash(
            [(_resolved(key, context), _resolved(item, context)) for key, item in value.items()]
        )
    if isinstance(value, PuppetObject) and is_deferred(value):
        return resolve_deferred(value, context)
    if type(value) is Sensitive:
        inner = _resolved(value.value, context)
        return inner if type(inner) is Sensitive else Sensitive(inner)
    return value


def _has_calls(value: Value) -> bool:
    """Tell whether a value has parts that are resolved; the parts of others may be shared."""
    if type(value) is tuple or type(value) is PuppetHash:
        return once(_any_has_calls, value, len(value))
    return type(value) is Sensitive or is_deferred(value)


def _any_has_calls(container: tuple[Value, ...] | PuppetHash) -> bool:
    if isinstance(container, PuppetHash):
        return any(map(_has_calls, (*container.keys(), *container.values())))
    return any(map(_has_calls, container))
