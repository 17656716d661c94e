"""The function of stdlib that opens what is Sensitive, and hides the result again."""

from __future__ import annotations

from puppet_repl.functions.stdlib.declaring import stdlib_function
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.runtime.closure import Closure
    from puppet_repl.runtime.context import Context
    from puppet_repl.values.protocols import Value

NAME = "stdlib::rewrap_sensitive_data"


@stdlib_function(
    NAME,
    "Any $data, Callable[Any] &$block?",
    examples=(
        "stdlib::rewrap_sensitive_data({a => Sensitive('b')}).unwrap  # => {'a' => 'b'}",
        "stdlib::rewrap_sensitive_data(['a']) |$data| { $data[0] }  # => 'a'",
    ),
    versions=(9,),
)
def rewrap_sensitive_data(data: Value, *, block: Closure | None = None) -> Value:
    """Return data with everything Sensitive in it opened, as one Sensitive if there was any.

    A block is called with the opened data, and its result counts instead.
    """
    opened, had_secrets = _opened(data)
    if block is not None:
        opened = block(opened)
    return Sensitive(opened) if had_secrets else opened


def write_openly(data: Value, write: Callable[[Value], str], context: Context) -> Value:
    """Return what a function makes of data, by way of rewrap_sensitive_data where that exists.

    The first releases of stdlib 9, like those before them, write a Sensitive as they are.
    """
    if context.lookup_function(NAME) is None:
        return write(data)
    opened, had_secrets = _opened(data)
    return Sensitive(write(opened)) if had_secrets else write(opened)


def _opened(data: Value) -> tuple[Value, bool]:
    """Return data without Sensitives, and whether there were any."""
    if type(data) is Sensitive:
        return _opened(data.value)[0], True
    if type(data) is tuple:
        items = [_opened(item) for item in data]
        return tuple([item for item, _ in items]), any(secret for _, secret in items)
    if type(data) is PuppetHash:
        had_secrets = False
        entries: list[tuple[Value, Value]] = []
        for key, value in data.items():
            opened, secret = _opened(value)
            is_secret_key = type(key) is Sensitive
            had_secrets = had_secrets or secret or is_secret_key
            entries.append((key.value if is_secret_key else key, opened))
        return PuppetHash(entries), had_secrets
    return data, False
