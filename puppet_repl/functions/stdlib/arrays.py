"""Functions of stdlib that make and change arrays."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.stdlib.checks import wrong_count
from puppet_repl.functions.stdlib.declaring import stdlib_legacy_function
from puppet_repl.values.hash import PuppetHash, hash_key
from puppet_repl.values.ruby import ruby_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

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


@stdlib_legacy_function(
    "concat",
    "Array $array, Any +$values",
    returns="Array",
    examples=(
        "concat(['a'], 'b', ['c', 'd'])  # => ['a', 'b', 'c', 'd']",
        "concat([1], [[2]])  # => [1, [2]]",
    ),
    counts=False,
)
def concat(values: tuple[Value, ...]) -> Value:
    """Append values to an array; of an array that is appended, its elements."""
    if len(values) < 2:
        raise wrong_count("concat", len(values), "< 2")
    if type(values[0]) is not tuple:
        raise RuntimeFailure("concat(): Requires array to work with")
    result: list[Value] = []
    for value in values:
        if type(value) is tuple:
            result += value
        else:
            result.append(value)
    return tuple(result)


@stdlib_legacy_function(
    "union",
    "Array +$arrays",
    returns="Array",
    examples=("union(['a', 'b'], ['b', 'c'], ['a'])  # => ['a', 'b', 'c']",),
    counts=False,
)
def union(values: tuple[Value, ...]) -> Value:
    """Return the elements of all arrays, each of them once."""
    if len(values) < 2:
        raise wrong_count("union", len(values), "< 2")
    distinct: dict[Hashable, Value] = {}
    for array in values:
        if type(array) is not tuple:
            raise RuntimeFailure("union(): Every parameter must be an array")
        for item in array:
            distinct.setdefault(hash_key(item), item)
    return tuple(distinct.values())


@stdlib_legacy_function(
    "difference",
    "Array $array, Array $unwanted",
    returns="Array",
    examples=("difference(['a', 'b', 'c'], ['b', 'd'])  # => ['a', 'c']",),
    counts=False,
)
def difference(values: tuple[Value, ...]) -> Value:
    """Return the elements of an array that are not in another one."""
    if len(values) != 2:
        raise wrong_count("difference", len(values), "2")
    array, unwanted = values
    if type(array) is not tuple or type(unwanted) is not tuple:
        raise RuntimeFailure("difference(): Requires 2 arrays")
    keys = set(map(hash_key, unwanted))
    return tuple([item for item in array if hash_key(item) not in keys])


@stdlib_legacy_function(
    "intersection",
    "Array $array, Array $other",
    returns="Array",
    examples=("intersection(['a', 'b', 'c'], ['c', 'd', 'a'])  # => ['a', 'c']",),
    counts=False,
)
def intersection(values: tuple[Value, ...]) -> Value:
    """Return the elements that two arrays have in common, each of them once."""
    if len(values) != 2:
        raise wrong_count("intersection", len(values), "2")
    array, other = values
    if type(array) is not tuple or type(other) is not tuple:
        raise RuntimeFailure(
            f"intersection(): Requires 2 arrays, got {ruby_class(array)} and {ruby_class(other)}"
        )
    keys = set(map(hash_key, other))
    common: dict[Hashable, Value] = {}
    for item in array:
        key = hash_key(item)
        if key in keys:
            common.setdefault(key, item)
    return tuple(common.values())


@stdlib_legacy_function(
    "member",
    "Array $array, Variant[String, Integer, Array] $items",
    returns="Boolean",
    examples=(
        "member(['a', 'b'], 'b')  # => true",
        "member(['a', 'b'], ['a', 'c'])  # => false",
    ),
    counts=False,
)
def member(values: tuple[Value, ...]) -> Value:
    """Tell whether an array contains a value, or all elements of a second array."""
    if len(values) < 2:
        raise wrong_count("member", len(values), "2")
    array, wanted = values[:2]
    if type(array) is not tuple:
        raise RuntimeFailure("member(): Requires array to work with")
    if type(wanted) is str or type(wanted) is int:
        wanted = (wanted,)
    elif type(wanted) is not tuple:
        raise RuntimeFailure("member(): Item to search for must be a string, fixnum, or array")
    if not wanted:
        raise RuntimeFailure("member(): You must provide item to search for within array given")
    keys = set(map(hash_key, array))
    return all(hash_key(item) in keys for item in wanted)
