"""Functions of stdlib that delete from arrays, hashes and strings: delete, delete_at..."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.checks import wrong_count
from puppet_repl.language.functions.stdlib.declaring import stdlib_legacy_function
from puppet_repl.language.functions.stdlib.ruby_values import as_array, to_i
from puppet_repl.language.values.compare import exact_equals
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.ruby import ruby_class, ruby_kind, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

_DIGITS = Regexp(r"^\d+$")


@stdlib_legacy_function(
    "delete",
    "Variant[Array, Hash, String] $collection, Any $item",
    returns="Variant[Array, Hash, String]",
    examples=(
        "delete(['a', 'b', 'c', 'b'], 'b')  # => ['a', 'c']",
        "delete({a => 1, b => 2, c => 3}, ['a', 'c'])  # => {'b' => 2}",
        "delete('banana', 'an')  # => 'ba'",
    ),
    counts=False,
)
def delete(values: tuple[Value, ...]) -> Value:
    """Remove an element from an array, a key from a hash or a substring from a string.

    All occurrences are removed. An array as second argument lists several things to remove.

    @param collection an array, a hash or a string
    @param item the thing to remove, or an array of such things
    """
    if len(values) != 2:
        raise RuntimeFailure(f"delete(): Wrong number of arguments given {len(values)} for 2")
    collection = values[0]
    unwanted = as_array(values[1])
    if type(collection) is tuple:
        return _without(collection, unwanted)
    if type(collection) is PuppetHash:
        return collection.without(unwanted)
    if type(collection) is not str:
        if not unwanted:
            return collection
        raise RuntimeFailure(
            "delete(): First argument must be an Array, String, or Hash. "
            f"Given an argument of class {ruby_class(collection)}."
        )
    for item in unwanted:
        if type(item) is not str:
            raise RuntimeFailure(f"wrong argument type {ruby_kind(item)} (expected Regexp)")
        collection = collection.replace(item, "")
    return collection


def _without(array: tuple[Value, ...], unwanted: tuple[Value, ...]) -> tuple[Value, ...]:
    kinds = set(map(type, unwanted))
    if kinds <= {str}:
        # Strings equal strings only, so that a set may decide.
        strings = set(unwanted)
        return tuple([item for item in array if type(item) is not str or item not in strings])
    return tuple([item for item in array if not any(exact_equals(item, each) for each in unwanted)])


@stdlib_legacy_function(
    "delete_at",
    "Array $array, Integer $index",
    returns="Array",
    examples=(
        "delete_at(['a', 'b', 'c'], 1)  # => ['a', 'c']",
        "delete_at(['a', 'b', 'c'], -1)  # => ['a', 'b']",
    ),
    counts=False,
)
def delete_at(values: tuple[Value, ...]) -> Value:
    """Remove the element at an index from an array; a negative index counts from the end.

    @param array the array
    @param index the index; a negative one counts from the end
    """
    if len(values) < 2:
        raise wrong_count("delete_at", len(values), "2")
    array, index = values[:2]
    if type(array) is not tuple:
        raise RuntimeFailure("delete_at(): Requires array to work with")
    if type(index) is str and not _DIGITS.matches(index):
        raise RuntimeFailure("delete_at(): You must provide non-negative numeric index")
    position = to_i(index)
    if position >= len(array):
        raise RuntimeFailure("delete_at(): Given index exceeds size of array given")
    if position < 0:
        position += len(array)
    return array if position < 0 else array[:position] + array[position + 1 :]


@stdlib_legacy_function(
    "delete_undef_values",
    "Variant[Array, Hash] $collection",
    returns="Variant[Array, Hash]",
    examples=(
        "delete_undef_values({a => 1, b => undef, c => ''})  # => {'a' => 1, 'c' => ''}",
        "delete_undef_values(['a', undef, false])  # => ['a', false]",
    ),
    counts=False,
)
def delete_undef_values(values: tuple[Value, ...]) -> Value:
    """Remove the elements of an array, or the entries of a hash, whose value is undef.

    Nested collections stay as they are.

    @param collection an array or a hash
    """
    if not values:
        raise RuntimeFailure("delete_undef_values(): Wrong number of arguments given (0)")
    collection = values[0]
    if type(collection) is tuple:
        return tuple([item for item in collection if item is not None])
    if type(collection) is PuppetHash:
        return collection.compact()
    raise RuntimeFailure(
        f"delete_undef_values(): expected an array or hash, got {ruby_text(collection)} "
        f"type  {ruby_class(collection)} "
    )


@stdlib_legacy_function(
    "delete_values",
    "Hash $hash, Any $value",
    returns="Hash",
    examples=("delete_values({a => 'A', b => 'B', c => 'B'}, 'B')  # => {'a' => 'A'}",),
    counts=False,
)
def delete_values(values: tuple[Value, ...]) -> Value:
    """Remove all entries with a certain value from a hash.

    @param hash the hash
    @param value the value whose entries are removed
    """
    if len(values) != 2:
        raise RuntimeFailure(
            f"delete_values(): Wrong number of arguments given ({len(values)} of 2)"
        )
    entries, unwanted = values
    if type(entries) is not PuppetHash:
        raise RuntimeFailure(
            "delete_values(): First argument must be a Hash. "
            f"Given an argument of class {ruby_class(entries)}."
        )
    return entries.without([key for key, value in entries.items() if exact_equals(unwanted, value)])
