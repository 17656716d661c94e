"""Functions on whole collections: flatten, join, sort, unique."""

from __future__ import annotations

from puppet_repl.base.sharing import once
from puppet_repl.language.functions.iterables import ENDLESS, bounded, caller, swallows_break
from puppet_repl.language.functions.registry import function
from puppet_repl.language.functions.size_limits import check_elements, check_length
from puppet_repl.language.ruby_library.ordering import block_order, merge_sort, natural_sort
from puppet_repl.language.runtime.signals import BreakSignal
from puppet_repl.language.values import array
from puppet_repl.language.values.extent import flat_length
from puppet_repl.language.values.hash import PuppetHash, are_keys, hash_key
from puppet_repl.language.values.iterator import countable, elements
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Sequence
    from typing import TypeVar

    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

    Item = TypeVar("Item")


# Classes whose values Ruby writes as Python does.
_WRITTEN_ALIKE = frozenset((str, int))


@function(
    "flatten",
    "Any *$args",
    returns="Array",
    examples=(
        "[1, [2, [3]]].flatten  # => [1, 2, 3]",
        "flatten('a', ['b', {c => [1]}])  # => ['a', 'b', {'c' => [1]}]",
    ),
)
def flatten(*args: Value, context: Context) -> tuple[Value, ...]:
    """Return one flat Array of the arguments, with the elements of all nested arrays.

    Hashes are kept as they are; a single value becomes an Array of one element.

    @param args values and nested arrays
    """
    values = args[0] if len(args) == 1 and type(args[0]) is tuple else args
    check_elements(flat_length(values), "flatten", context)
    flat = array.flatten(values)
    # The result is an object of its own: YAML writes an alias where the same one comes again.
    return (*flat,) if flat is values else flat


@function(
    "join",
    "Array $arg, String $delimiter?",
    returns="String",
    examples=(
        "['a', 'b', 'c'].join(', ')  # => 'a, b, c'",
        "join([1, [2, [3]]], '-')  # => '1-2-3'",
        "join(['a', undef])  # => 'a'",
    ),
)
def join(array: tuple[Value, ...], delimiter: str = "", *, context: Context) -> str:
    """Join the elements of an Array into one String, with a delimiter between them.

    The delimiter is empty unless given. Nested arrays are joined in the same way, undef becomes an
    empty string, and values that are not strings are written as Ruby writes them.

    @param arg the elements
    @param delimiter the text between them ('')
    """
    parts = (
        [*map(str, array)]
        if _WRITTEN_ALIKE.issuperset(map(type, array))
        else _texts(array, delimiter)
    )
    if len(parts) > 1:
        length = sum(map(len, parts)) + len(delimiter) * (len(parts) - 1)
        check_length(length, "join", context)
    return delimiter.join(parts)


def _texts(array: tuple[Value, ...], delimiter: str) -> list[str]:
    """Return the elements as texts; nested arrays are joined."""

    def joined(item: Value) -> str:
        if type(item) is str:
            return item
        return once(all_joined, item, len(item)) if type(item) is tuple else ruby_text(item)

    def all_joined(items: tuple[Value, ...]) -> str:
        return delimiter.join([joined(item) for item in items])

    return [joined(item) for item in array]


@function(
    "sort",
    "String $string_value, Callable[2,2] &$block?",
    returns="String",
    examples=(
        "sort([3, 1, 2])  # => [1, 2, 3]",
        "sort(['b', 'C', 'a'])  # => ['C', 'a', 'b']",
        "['b', 'C', 'a'].sort |$a, $b| { compare($a, $b) }  # => ['a', 'b', 'C']",
        "'hello'.sort  # => 'ehllo'",
    ),
)
def sort(text: str, *, block: Closure | None = None) -> str:
    """Sort the elements of an Array, or the characters of a String.

    Numbers are ordered by value, strings by their code points (upper case before lower case),
    arrays by their elements. Other values need a block, which is called with two elements and
    returns a number below, equal to or above zero, as compare() does.

    @param string_value the string whose characters are sorted
    @param block compares two elements; returns a number below, equal to or above 0
    @param array_value the elements that are sorted
    """
    return "".join(_sorted(text, block))


@sort.dispatch("Array $array_value, Callable[2,2] &$block?", returns="Array")
def _sort_array(array: tuple[Value, ...], *, block: Closure | None = None) -> tuple[Value, ...]:
    return tuple(_sorted(array, block))


def _sorted(values: Sequence[Item], block: Closure | None) -> list[Item]:
    if block is None:
        return natural_sort(values)
    return merge_sort(values, block_order(caller(block)))


@function(
    "unique",
    "String $string, Callable[String] &$block?",
    returns="String",
    examples=(
        "unique([1, 2, 1, 3, 2])  # => [1, 2, 3]",
        "unique('mississippi')  # => 'misp'",
        "unique({a => 1, b => 2, c => 1})  # => {['a', 'c'] => [1], ['b'] => [2]}",
        "[1, 2, 3, 4].unique |$x| { $x % 2 }  # => [1, 2]",
    ),
)
def unique(text: str, *, block: Closure | None = None) -> str:
    """Remove all repetitions and keep the first occurrence of each value.

    Values are compared like hash keys: upper and lower case differ, and so do 1 and 1.0. With a
    block, its results are compared instead of the values. The result for a Hash is a Hash whose
    keys are arrays of the keys with the same value, and whose values are arrays of that value.

    @param string the string whose characters are compared
    @param block returns a key, which is compared in place of the value
    @param hash the entries, whose values are compared
    @param array the elements
    @param iterable the elements
    """
    return "".join(_distinct(text, block))


@unique.dispatch("Hash $hash, Callable[Any] &$block?", returns="Hash")
def _unique_hash(hash_: PuppetHash, *, block: Closure | None = None) -> PuppetHash:
    groups: dict[Hashable, tuple[list[Value], list[Value]]] = {}
    for key, value in hash_.items():
        keys, values = groups.setdefault(
            hash_key(value if block is None else block(value)), ([], [])
        )
        keys.append(key)
        values.append(value)
    return PuppetHash(
        [(tuple(keys), tuple(_distinct(values, None))) for keys, values in groups.values()]
    )


@unique.dispatch("Array $array, Callable[Any] &$block?", returns="Array")
def _unique_array(array: tuple[Value, ...], *, block: Closure | None = None) -> tuple[Value, ...]:
    return tuple(_distinct(array, block))


@unique.dispatch("Iterable $iterable, Callable[Any] &$block?", returns="Array")
def _unique_iterable(iterable: Value, *, block: Closure | None = None) -> tuple[Value, ...]:
    seen: dict[Hashable, Value] = {}
    try:
        if block is None:
            _note(countable(iterable), None, seen)
        else:
            _note(bounded(iterable, elements(iterable), block, ENDLESS), block, seen)
    except BreakSignal:
        if not swallows_break(iterable):
            raise
    return tuple(seen.values())


def _distinct(values: Collection[Item], block: Closure | None) -> Iterable[Item]:
    if block is None and are_keys(values):
        return dict.fromkeys(values)
    seen: dict[Hashable, Item] = {}
    _note(values, block, seen)
    return seen.values()


def _note(values: Iterable[Item], block: Closure | None, seen: dict[Hashable, Item]) -> None:
    """Add each value to those seen, by its key or that of the result of the block."""
    if block is None:
        for value in values:
            seen.setdefault(value if type(value) is str else hash_key(value), value)
    else:
        for value in values:
            seen.setdefault(hash_key(block(value)), value)
