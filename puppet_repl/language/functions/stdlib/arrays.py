"""Functions of stdlib that make and change arrays."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.legacy import ResourceArgument
from puppet_repl.language.functions.stdlib.booleans import string_to_boolean
from puppet_repl.language.functions.stdlib.checks import wrong_count
from puppet_repl.language.functions.stdlib.declaring import stdlib_legacy_function
from puppet_repl.language.ruby_library.character_sets import counted
from puppet_repl.language.ruby_library.number import leading_integer
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.compare import exact_equals
from puppet_repl.language.values.hash import PuppetHash, hash_key
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.ruby import no_method, ruby_class, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

    from puppet_repl.language.values.protocols import Value

# In Ruby's notation, where ^ and $ are the ends of a line.
_INDEX = Regexp(r"^\d+$")
_INDEXES = Regexp(r"^(\d+)(\.\.\.?|-)(\d+)$")


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
    """Convert the arguments to an array.

    An array is unchanged, a hash becomes its keys and values in turn, no argument or an empty
    string becomes an empty array, and several arguments become their list.

    @param values one value, or several
    @return [Array]
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
    """Append values to an array; of an array that is appended, its elements.

    @param array the array to begin with
    @param values arrays, whose elements are appended, and other values
    """
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
    """Return the elements of all arrays, each of them once.

    @param arrays the arrays
    """
    if len(values) < 2:
        raise wrong_count("union", len(values), "< 2")
    distinct: dict[Hashable, Value] = {}
    for array in values:
        if type(array) is not tuple:
            raise RuntimeFailure("union(): Every parameter must be an array")
        for item in array:
            kind = type(item)
            distinct.setdefault(item if kind is str or kind is int else hash_key(item), item)
    return tuple(distinct.values())


@stdlib_legacy_function(
    "difference",
    "Array $array, Array $unwanted",
    returns="Array",
    examples=("difference(['a', 'b', 'c'], ['b', 'd'])  # => ['a', 'c']",),
    counts=False,
)
def difference(values: tuple[Value, ...]) -> Value:
    """Return the elements of an array that are not in another one.

    @param array the array
    @param unwanted the elements that are left out
    """
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
    """Return the elements that two arrays have in common, each of them once.

    @param array the first array
    @param other the second array
    """
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
    """Tell whether an array contains a value, or all elements of a second array.

    @param array the array
    @param items the value that it contains, or an array of them
    """
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


@stdlib_legacy_function(
    "count",
    "Variant[Array, Hash, String] $collection, Any $item?",
    returns="Integer",
    examples=(
        "count(['a', 'b', 'a'], 'a')  # => 2",
        "count(['a', undef, ''])  # => 1",
        "count('banana', 'an')  # => 5",
    ),
)
def count(values: tuple[Value, ...]) -> Value:
    """Count the elements that equal an item, or without an item those that are not empty.

    Empty are undef and ''. In a string the characters of a set are counted, as by Ruby's count.

    @param collection an array, a hash or a string
    @param item what the counted elements equal
    """
    if len(values) > 2:
        raise RuntimeFailure(f"count(): Wrong number of arguments given {len(values)} for 1 or 2.")
    collection, item = (*values, None)[:2]
    has_item = item is not None and item is not False
    if type(collection) is str:
        if not has_item:
            raise RuntimeFailure("wrong number of arguments (given 0, expected 1+)")
        return counted(collection, item)
    if type(collection) is tuple:
        elements = collection
    elif type(collection) is PuppetHash:
        elements = tuple(collection.items())
    elif isinstance(collection, ResourceArgument):
        elements = ()  # the attributes of a reference
    else:
        raise no_method("count", collection)
    if has_item:
        return sum([exact_equals(element, item) for element in elements])
    return sum([element is not None and element != "" for element in elements])


@stdlib_legacy_function(
    "values_at",
    "Array $array, Variant[Integer, String, Array] $indexes",
    returns="Array",
    examples=(
        "values_at(['a', 'b', 'c'], 2)  # => ['c']",
        "values_at(['a', 'b', 'c', 'd'], [0, '2-3'])  # => ['a', 'c', 'd']",
    ),
    counts=False,
)
def values_at(values: tuple[Value, ...]) -> Value:
    """Return the elements at indexes and ranges of indexes; those that are undef are left out.

    A range is a string: '0-2' or '0..2', or '0...2' without its end.

    @param array the array
    @param indexes indexes, and ranges such as '0-2'
    """
    if len(values) < 2:
        raise wrong_count("values_at", len(values), "2")
    array = values[0]
    if type(array) is not tuple:
        raise RuntimeFailure("values_at(): Requires array to work with")
    given = flatten((values[1],))
    if not given:
        raise RuntimeFailure("values_at(): You must provide at least one positive index to collect")
    indexes: list[int] = []
    for part in given:
        indexes += _indexes(ruby_text(part), len(array))
    return tuple([array[index] for index in indexes if array[index] is not None])


def _indexes(text: str, size: int) -> range:
    found = _INDEXES.search(text)
    if found is not None:
        start, end = int(found[1]), int(found[3])
        if start > end:
            raise RuntimeFailure(
                "values_at(): Stop index in given indices range is smaller than the start index"
            )
        if end >= size:
            raise RuntimeFailure(
                "values_at(): Stop index in given indices range exceeds array size"
            )
        return range(start, end if found[2] == "..." else end + 1)
    if not _INDEX.matches(text):
        raise RuntimeFailure("values_at(): Unknown format of given index")
    index = leading_integer(text)
    if index >= size:
        raise RuntimeFailure("values_at(): Given index exceeds array size")
    return range(index, index + 1)


@stdlib_legacy_function(
    "zip",
    "Array $array, Array $other, Variant[Boolean, String] $flat?",
    returns="Array",
    examples=(
        "zip([1, 2], ['a', 'b'])  # => [[1, 'a'], [2, 'b']]",
        "zip([1, 2], ['a', 'b'], true)  # => [1, 'a', 2, 'b']",
    ),
    counts=False,
)
def zip_(values: tuple[Value, ...]) -> Value:
    """Return an array of pairs: each element of an array with that at its index in another one.

    If the third argument is true, as str2bool() reads it, the result is flat.

    @param array the first array
    @param other the second array
    @param flat whether the result is one array and not pairs (false)
    """
    if len(values) < 2:
        raise wrong_count("zip", len(values), "2")
    array, other = values[:2]
    if type(array) is not tuple or type(other) is not tuple:
        raise RuntimeFailure("zip(): Requires array to work with")
    flat = values[2] if len(values) > 2 else False
    is_flat = flat is not None and flat is not False and string_to_boolean(flat)
    missing = (None,) * (len(array) - len(other))
    pairs = tuple(zip(array, other + missing, strict=False))
    return flatten(pairs) if is_flat else pairs
