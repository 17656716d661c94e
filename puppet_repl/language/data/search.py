"""The sources of lookup(), in their order: overrides, data, default values, block, default."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.language.data.dotted_keys import split_segments
from puppet_repl.language.data.files import KEY_SYNTAX, NOT_FOUND
from puppet_repl.language.data.merge import merge_of
from puppet_repl.language.runtime.placeholders import notes_on
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value

    # One name to look up, or several.
    Names = str | tuple[str, ...]
    # Context, key, merge, overrides and default values; the result is UNSET for a missing key.
    Find = Callable[[Context, str, Value, PuppetHash, PuppetHash], Value]


def search(
    context: Context,
    name: Names,
    options: dict[str, Any],
    block: Closure | None = None,
    find: Find | None = None,
) -> Value:
    """Return the value of the first of the names that has one, checked against its type.

    ``find`` looks in the data, by default in those of the environment and its modules.
    """
    names = (name,) if isinstance(name, str) else name
    expected = options.get("value_type")
    overrides = options.get("override") or PuppetHash.EMPTY
    defaults = options.get("default_values_hash") or PuppetHash.EMPTY
    for key in names:
        if overrides.has(key):
            subject = f"Value found for key '{key}' in override hash"
            return _checked("Found value", expected, _checked(subject, expected, overrides[key]))
        value = (find or _in_data)(context, key, options.get("merge"), overrides, defaults)
        if value is not UNSET:
            return _checked("Found value", expected, value)
    for key in names:
        if defaults.has(key):
            subject = f"Value found for key '{key}' in default values hash"
            return _checked(subject, expected, defaults[key])
    if block is not None:
        return _checked("Value returned from default block", expected, block(name))
    if "default_value" in options:
        return _checked("Default value", expected, options["default_value"])
    environment = context.environment
    if names and environment is not None:
        secret = environment.placeholder(names[0], context.scope, expected)
        if secret is not UNSET:
            return _checked("Found value", expected, secret)
    raise _not_found(names)


def _not_found(names: tuple[str, ...]) -> PuppetError:
    if len(names) == 1:
        text = f"the name '{names[0]}'"
    else:
        listed = ", ".join([f"'{name}'" for name in names])
        text = f"any of the names [{listed}]"
    return PuppetError(f"Function lookup() did not find a value for {text}", NOT_FOUND)


def _checked(subject: str, expected: PuppetType | None, value: Value) -> Value:
    if expected is None or expected.accepts_value(value):
        return value
    from puppet_repl.language.types.text.mismatch import value_mismatch

    raise RuntimeFailure(value_mismatch(subject, expected, value), notes=notes_on(value))


def _in_data(
    context: Context, key: str, merge: Value, overrides: PuppetHash, defaults: PuppetHash
) -> Value:
    """Return the value in the data of the environment and its modules, UNSET if there is none."""
    if merge is not None:
        merge_of(merge)
    _check_key(key)
    environment = context.environment
    if environment is None or not environment.has_data:
        return UNSET
    return environment.hiera.search(context, context.scope, key, merge, overrides, defaults)


def _check_key(key: str) -> None:
    if any(sign in key for sign in "'\".") and split_segments(key) is None:
        raise PuppetError(f"Syntax error in key: '{key}'", KEY_SYNTAX)
