"""Functions of stdlib that make and change arrays."""

from __future__ import annotations

from puppet_repl.functions.stdlib.declaring import stdlib_legacy_function
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.values.protocols import Value


@stdlib_legacy_function(
    "any2array",
    "Any *$values",
    examples=(
        "any2array('a')  # => ['a']",
        "any2array({a => 1})  # => ['a', 1]",
        "any2array()  # => []",
    ),
)
def any2array(values: tuple[Value, ...]) -> Value:
    """Return an array of what is given.

    An array stays as it is, a hash becomes its keys and values in turn, nothing or an empty string
    becomes an empty array, and several arguments become their list.
    """
    if len(values) != 1:
        return values
    value = values[0]
    if type(value) is tuple:
        return value
    if type(value) is PuppetHash:
        return tuple([part for pair in value.items() for part in pair])
    return () if value == "" else (value,)
