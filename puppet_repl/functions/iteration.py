"""Iteration with a block: each, map, filter, reduce, all, any, index.

A Hash offers its entries to a block of two parameters as key and value, and to a block of one
as the pair; anything else offers index and element, or the element alone. A block that takes
both one and two arguments gets two (the signatures are tried in that order).
"""

from __future__ import annotations

from puppet_repl.functions.iterables import (
    caller,
    numbered,
    one_by_one,
    swallows_break,
)
from puppet_repl.functions.registry import Function, by_name
from puppet_repl.runtime import loops
from puppet_repl.runtime.signals import BreakSignal
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.iterator import elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.closure import Closure

each = Function(
    "each",
    theme="iteration",
    doc="""Call a block for each element, for the sake of its effects.

    The result is the value that was iterated over. break() ends the iteration.
    """,
    examples=(
        "[1, 2].each |$x| { notice($x) }  # => [1, 2]",
        '{a => 1}.each |$key, $value| { notice("${key} is ${value}") }  # notice: a is 1',
        "['x', 'y'].each |$index, $value| { $index }  # => ['x', 'y']",
    ),
)


@each.dispatch("Hash $hash, Callable[2,2] &$block")
def _each_entry(hash_: PuppetHash, *, block: Closure) -> Any:
    loops.each_pair(caller(block), hash_.items())
    return hash_


@each.dispatch("Hash $hash, Callable[1,1] &$block")
def _each_pair(hash_: PuppetHash, *, block: Closure) -> Any:
    return _each_element(hash_, block=block)


@each.dispatch("Iterable $enumerable, Callable[2,2] &$block")
def _each_indexed(enumerable: Any, *, block: Closure) -> Any:
    loops.each_pair(caller(block), numbered(enumerable))
    return enumerable


@each.dispatch("Iterable $enumerable, Callable[1,1] &$block")
def _each_element(enumerable: Any, *, block: Closure) -> Any:
    loops.each(caller(block), one_by_one(enumerable))
    return enumerable


map_ = Function(
    "map",
    theme="iteration",
    doc="""Make an Array of the results of a block, called for each element.

    break() ends the iteration; what was made so far is the result.
    """,
    examples=(
        "[1, 2, 3].map |$x| { $x * 10 }  # => [10, 20, 30]",
        "{a => 1, b => 2}.map |$key, $value| { \"${key}=${value}\" }  # => ['a=1', 'b=2']",
        "Integer[3, 5].map |$index, $x| { $index * $x }  # => [0, 4, 10]",
    ),
)


@map_.dispatch("Hash $hash, Callable[2,2] &$block")
def _map_entries(hash_: PuppetHash, *, block: Closure) -> Any:
    return loops.pair_results(caller(block), hash_.items())


@map_.dispatch("Hash $hash, Callable[1,1] &$block")
def _map_pairs(hash_: PuppetHash, *, block: Closure) -> Any:
    return _map_elements(hash_, block=block)


@map_.dispatch("Iterable $enumerable, Callable[2,2] &$block")
def _map_indexed(enumerable: Any, *, block: Closure) -> Any:
    return loops.pair_results(caller(block), numbered(enumerable))


@map_.dispatch("Iterable $enumerable, Callable[1,1] &$block")
def _map_elements(enumerable: Any, *, block: Closure) -> Any:
    return loops.results(caller(block), one_by_one(enumerable))


filter_ = Function(
    "filter",
    theme="iteration",
    doc="""Keep the elements for which a block answers something true.

    Everything is true but false and undef. A Hash gives a Hash, everything else an Array.
    """,
    examples=(
        "[1, 2, 3, 4].filter |$x| { $x % 2 == 0 }  # => [2, 4]",
        "{a => 1, b => 2}.filter |$key, $value| { $value > 1 }  # => {'b' => 2}",
        "'banana'.filter |$c| { $c != 'a' }  # => ['b', 'n', 'n']",
    ),
)


@filter_.dispatch("Hash $hash, Callable[2,2] &$block")
def _filter_entries(hash_: PuppetHash, *, block: Closure) -> Any:
    return loops.chosen_entries(caller(block), hash_, apart=True)


@filter_.dispatch("Hash $hash, Callable[1,1] &$block")
def _filter_pairs(hash_: PuppetHash, *, block: Closure) -> Any:
    return loops.chosen_entries(caller(block), hash_)


@filter_.dispatch("Iterable $enumerable, Callable[2,2] &$block")
def _filter_indexed(enumerable: Any, *, block: Closure) -> Any:
    return loops.chosen_of_pairs(caller(block), numbered(enumerable))


@filter_.dispatch("Iterable $enumerable, Callable[1,1] &$block")
def _filter_elements(enumerable: Any, *, block: Closure) -> Any:
    return loops.chosen(caller(block), one_by_one(enumerable))


reduce = Function(
    "reduce",
    theme="iteration",
    doc="""Combine all elements into one value.

    The block gets what was made so far and an element, and answers the next such value. It
    begins with the second argument, or with the first element. Without any element and without
    a start the result is undef. break() ends with what was made so far.
    """,
    examples=(
        "[1, 2, 3].reduce |$sum, $x| { $sum + $x }  # => 6",
        "{a => 1, b => 2}.reduce(0) |$sum, $pair| { $sum + $pair[1] }  # => 3",
        "[].reduce |$a, $b| { $a }  # => undef",
    ),
)


@reduce.dispatch("Iterable $enumerable, Callable[2,2] &$block")
def _reduce(enumerable: Any, *, block: Closure) -> Any:
    items = iter(elements(enumerable))
    return loops.folded(caller(block), next(items, None), items)


@reduce.dispatch("Iterable $enumerable, Any $memo, Callable[2,2] &$block")
def _reduce_from(enumerable: Any, memo: Any, *, block: Closure) -> Any:
    return loops.folded(caller(block), memo, elements(enumerable))


all_ = Function(
    "all",
    theme="iteration",
    doc="""Tell whether a block answers something true for every element.

    Stops at the first that is not. Without any element the answer is true.
    """,
    examples=(
        "[2, 4].all |$x| { $x % 2 == 0 }  # => true",
        "{a => 1}.all |$key, $value| { $value > 1 }  # => false",
        "[].all |$x| { false }  # => true",
    ),
)

any_ = Function(
    "any",
    theme="iteration",
    doc="""Tell whether a block answers something true for at least one element.

    Stops at the first that is. Without any element the answer is false.
    """,
    examples=(
        "[1, 2].any |$x| { $x > 1 }  # => true",
        "{a => 1}.any |$key, $value| { $key == 'b' }  # => false",
        "[].any |$x| { true }  # => false",
    ),
)


@all_.dispatch("Hash $hash, Callable[2,2] &$block")
def _all_entries(hash_: PuppetHash, *, block: Closure) -> bool:
    return loops.all_pairs(caller(block), hash_.items(), False)


@all_.dispatch("Hash $hash, Callable[1,1] &$block")
def _all_pairs(hash_: PuppetHash, *, block: Closure) -> bool:
    return loops.all_elements(caller(block), hash_.items(), False)


@all_.dispatch("Iterable $enumerable, Callable[2,2] &$block")
def _all_indexed(enumerable: Any, *, block: Closure) -> bool:
    return loops.all_pairs(caller(block), numbered(enumerable), swallows_break(enumerable))


@all_.dispatch("Iterable $enumerable, Callable[1,1] &$block")
def _all_elements(enumerable: Any, *, block: Closure) -> bool:
    return loops.all_elements(caller(block), elements(enumerable), swallows_break(enumerable))


@any_.dispatch("Hash $hash, Callable[2,2] &$block")
def _any_entry(hash_: PuppetHash, *, block: Closure) -> bool:
    return loops.any_pair(caller(block), hash_.items(), False)


@any_.dispatch("Hash $hash, Callable[1,1] &$block")
def _any_pair(hash_: PuppetHash, *, block: Closure) -> bool:
    return loops.any_element(caller(block), hash_.items(), False)


@any_.dispatch("Iterable $enumerable, Callable[2,2] &$block")
def _any_indexed(enumerable: Any, *, block: Closure) -> bool:
    return loops.any_pair(caller(block), numbered(enumerable), swallows_break(enumerable))


@any_.dispatch("Iterable $enumerable, Callable[1,1] &$block")
def _any_element(enumerable: Any, *, block: Closure) -> bool:
    return loops.any_element(caller(block), elements(enumerable), swallows_break(enumerable))


index = Function(
    "index",
    theme="iteration",
    doc="""Find where something is: the first index, or the first key of a Hash.

    With a block, the first place for which it answers something true; a block of one parameter
    gets the value, also for a Hash. With a value, the first place of an equal one, where upper
    and lower case count and 1 equals 1.0. In a String, the place of a part of it or of the
    first match of a pattern. The result is undef where nothing is found.
    """,
    examples=(
        "['a', 'b'].index('b')  # => 1",
        "{a => 1, b => 2}.index(2)  # => 'b'",
        "'abc123'.index(/[0-9]/)  # => 3",
        "[1, 5, 8].index |$x| { $x > 3 }  # => 1",
        "[1].index(7)  # => undef",
    ),
)


@index.dispatch("Hash $hash, Callable[2,2] &$block")
def _index_entry(hash_: PuppetHash, *, block: Closure) -> Any:
    run = caller(block)
    for key, value in hash_.items():
        answer = run(key, value)
        if answer is not None and answer is not False:
            return key
    return None


@index.dispatch("Hash $hash, Callable[1,1] &$block")
def _index_of_value(hash_: PuppetHash, *, block: Closure) -> Any:
    run = caller(block)
    for key, value in hash_.items():
        answer = run(value)
        if answer is not None and answer is not False:
            return key
    return None


@index.dispatch("Iterable $enumerable, Callable[2,2] &$block")
def _index_indexed(enumerable: Any, *, block: Closure) -> Any:
    run = caller(block)
    try:
        for place, value in numbered(enumerable):
            answer = run(place, value)
            if answer is not None and answer is not False:
                return place
    except BreakSignal:
        if not swallows_break(enumerable):
            raise
    return None


@index.dispatch("Iterable $enumerable, Callable[1,1] &$block")
def _index_element(enumerable: Any, *, block: Closure) -> Any:
    run = caller(block)
    try:
        for place, value in enumerate(elements(enumerable)):
            answer = run(value)
            if answer is not None and answer is not False:
                return place
    except BreakSignal:
        if not swallows_break(enumerable):
            raise
    return None


@index.dispatch("String $str, Variant[String, Regexp] $match")
def _index_in_text(text: str, match: Any) -> Any:
    if type(match) is str:
        place = text.find(match)
        return place if place >= 0 else None
    found = match.search(text)
    return found.start() if found is not None else None


@index.dispatch("Iterable $enumerable, Any $match")
def _index_equal(enumerable: Any, match: Any) -> Any:
    from puppet_repl.values.compare import exact_equals

    if type(enumerable) is PuppetHash:
        for key, value in enumerable.items():
            if exact_equals(value, match):
                return key
        return None
    for place, value in enumerate(elements(enumerable)):
        if exact_equals(value, match):
            return place
    return None


FUNCTIONS = by_name(each, map_, filter_, reduce, all_, any_, index)
