"""Whole collections: flatten, join, sort, unique."""

from __future__ import annotations

from puppet_repl.functions.iterables import caller, swallows_break
from puppet_repl.functions.limits import check_elements, check_text
from puppet_repl.functions.ordering import block_order, merge_sort, natural_sort
from puppet_repl.functions.registry import Function, by_name
from puppet_repl.runtime.signals import BreakSignal
from puppet_repl.values import array
from puppet_repl.values.hash import PuppetHash, hash_key
from puppet_repl.values.iterator import elements
from puppet_repl.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from puppet_repl.runtime.closure import Closure
    from puppet_repl.runtime.context import Context

flatten = Function(
    "flatten",
    theme="collections",
    doc="""Make one flat Array of the arguments: arrays in them give their elements, at any depth.

    Hashes are not taken apart; a single value gives an Array of one element.
    """,
    examples=(
        "[1, [2, [3]]].flatten  # => [1, 2, 3]",
        "flatten('a', ['b', {c => [1]}])  # => ['a', 'b', {'c' => [1]}]",
    ),
)


@flatten.dispatch("Any *$args", returns="Array")
def _flatten(*args: Any, context: Context) -> Any:
    flat = array.flatten(args)
    check_elements(len(flat), "flatten", context)
    return flat


join = Function(
    "join",
    theme="collections",
    doc="""Join the elements of an Array into one String, with a delimiter between them.

    Without a delimiter nothing comes between. Arrays inside are joined in the same way, undef
    is an empty text, and what is no String is written as Ruby does.
    """,
    examples=(
        "['a', 'b', 'c'].join(', ')  # => 'a, b, c'",
        "join([1, [2, [3]]], '-')  # => '1-2-3'",
        "join(['a', undef])  # => 'a'",
    ),
)


@join.dispatch("Array $arg, String $delimiter?", returns="String")
def _join(array: Any, delimiter: str = "", *, context: Context) -> str:
    parts = [_joined(item, delimiter) for item in array]
    if len(parts) > 1:
        length = sum(map(len, parts)) + len(delimiter) * (len(parts) - 1)
        check_text(length, "join", context)
    return delimiter.join(parts)


def _joined(item: Any, delimiter: str) -> str:
    kind = type(item)
    if kind is str:
        plain: str = item
        return plain
    if kind is tuple:
        return delimiter.join([_joined(one, delimiter) for one in item])
    return ruby_text(item)


sort = Function(
    "sort",
    theme="collections",
    doc="""Sort the elements of an Array, or the characters of a String.

    Numbers go by value, strings by their code points (so upper case comes before lower case),
    arrays by their elements. Anything else needs a block, which gets two elements and answers a
    number below, at or above zero; compare() makes such numbers.
    """,
    examples=(
        "sort([3, 1, 2])  # => [1, 2, 3]",
        "sort(['b', 'C', 'a'])  # => ['C', 'a', 'b']",
        "['b', 'C', 'a'].sort |$a, $b| { compare($a, $b) }  # => ['a', 'b', 'C']",
        "'hello'.sort  # => 'ehllo'",
    ),
)


@sort.dispatch("String $string_value, Callable[2,2] &$block?", returns="String")
def _sort_text(text: str, *, block: Closure | None = None) -> str:
    return "".join(_sorted(text, block))


@sort.dispatch("Array $array_value, Callable[2,2] &$block?", returns="Array")
def _sort_array(array: Any, *, block: Closure | None = None) -> Any:
    return tuple(_sorted(array, block))


def _sorted(values: Any, block: Closure | None) -> list[Any]:
    if block is None:
        return natural_sort(values)
    return merge_sort(values, block_order(caller(block)))


unique = Function(
    "unique",
    theme="collections",
    doc="""Drop all repetitions; what came first stays.

    Values are told apart as hash keys are: upper and lower case differ, and so do 1 and 1.0.
    With a block, its results are compared instead of the values. A Hash gives a Hash from all
    keys with the same value to their distinct values.
    """,
    examples=(
        "unique([1, 2, 1, 3, 2])  # => [1, 2, 3]",
        "unique('mississippi')  # => 'misp'",
        "unique({a => 1, b => 2, c => 1})  # => {['a', 'c'] => [1], ['b'] => [2]}",
        "[1, 2, 3, 4].unique |$x| { $x % 2 }  # => [1, 2]",
    ),
)


@unique.dispatch("String $string, Callable[String] &$block?", returns="String")
def _unique_text(text: str, *, block: Closure | None = None) -> str:
    return "".join(_distinct(text, block))


@unique.dispatch("Hash $hash, Callable[Any] &$block?", returns="Hash")
def _unique_hash(hash_: PuppetHash, *, block: Closure | None = None) -> PuppetHash:
    groups: dict[Any, tuple[list[Any], list[Any]]] = {}
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
def _unique_array(array: Any, *, block: Closure | None = None) -> Any:
    return tuple(_distinct(array, block))


@unique.dispatch("Iterable $iterable, Callable[Any] &$block?", returns="Array")
def _unique_iterable(iterable: Any, *, block: Closure | None = None) -> Any:
    seen: dict[Any, Any] = {}
    try:
        _note(elements(iterable), block, seen)
    except BreakSignal:
        if not swallows_break(iterable):
            raise
    return tuple(seen.values())


def _distinct(values: Iterable[Any], block: Closure | None) -> Iterable[Any]:
    seen: dict[Any, Any] = {}
    _note(values, block, seen)
    return seen.values()


def _note(values: Iterable[Any], block: Closure | None, seen: dict[Any, Any]) -> None:
    for value in values:
        seen.setdefault(hash_key(value if block is None else block(value)), value)


FUNCTIONS = by_name(flatten, join, sort, unique)
