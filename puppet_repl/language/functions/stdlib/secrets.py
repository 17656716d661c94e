"""The function of stdlib that unwraps Sensitive values in data, and wraps the result again."""

from __future__ import annotations

from puppet_repl.base.sharing import once
from puppet_repl.language.functions.stdlib.declaring import stdlib_function
from puppet_repl.language.values.extent import check_extent
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

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
    """Unwrap all Sensitive values in data; wrap the result again if any was found.

    A block is called with the unwrapped data, and its result replaces them.

    @param data the data
    @param block called with the unwrapped data; returns the data to wrap again
    @return [Any] the data, wrapped in Sensitive if they contained one
    """
    check_extent(data)
    opened = _opened(data)
    if block is not None:
        opened = block(opened)
    return Sensitive(opened) if _has_secrets(data) else opened


def write_openly(data: Value, write: Callable[[Value], str], context: Context) -> Value:
    """Return the result of a function for data, as rewrap_sensitive_data() does if it exists.

    Without it, as in the first releases of stdlib 9 and before, the function gets Sensitive values.
    """
    check_extent(data)
    if context.lookup_function(NAME) is None:
        return write(data)
    written = write(_opened(data))
    return Sensitive(written) if _has_secrets(data) else written


def _has_secrets(data: Value) -> bool:
    """Tell whether data is Sensitive, or has something Sensitive in it."""
    if type(data) is tuple:
        return once(_array_has_secrets, data, len(data))
    if type(data) is PuppetHash:
        return once(_hash_has_secrets, data, len(data))
    return type(data) is Sensitive


def _array_has_secrets(data: tuple[Value, ...]) -> bool:
    return any(map(_has_secrets, data))


def _hash_has_secrets(data: PuppetHash) -> bool:
    return Sensitive in map(type, data.keys()) or any(map(_has_secrets, data.values()))


def _opened(data: Value) -> Value:
    """Return data without Sensitives, as a copy in which nothing is shared."""
    if type(data) is Sensitive:
        return _opened(data.value)
    if type(data) is tuple:
        return tuple([_opened(item) for item in data])
    if type(data) is PuppetHash:
        return PuppetHash(
            [
                (key.value if type(key) is Sensitive else key, _opened(item))
                for key, item in data.items()
            ]
        )
    return data
