"""Iteration with a block: each, map, filter, reduce, all, any, index.

A block with two parameters is called with the key and value of the entries of a Hash, and with
index and element of other values; a block with one parameter with the pair or the element. A
block that accepts both one and two arguments gets two (the signatures are tried in that order).
"""

from __future__ import annotations

from puppet_repl.language.functions.iterables import (
    ENDLESS,
    bounded,
    caller,
    numbered,
    one_by_one,
    swallows_break,
)
from puppet_repl.language.functions.registry import function
from puppet_repl.language.runtime import loops
from puppet_repl.language.runtime.signals import BreakSignal
from puppet_repl.language.values.compare import exact_equals
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.language.values.regex import Regexp


@function(
    "each",
    "Hash $hash, Callable[2,2] &$block",
    examples=(
        "[1, 2].each |$x| { notice($x) }  # => [1, 2]",
        '{a => 1}.each |$key, $value| { notice("${key} is ${value}") }  # notice: a is 1',
        "['x', 'y'].each |$index, $value| { $index }  # => ['x', 'y']",
    ),
)
def each(hash_: PuppetHash, *, block: Closure) -> Value:
    """Call a block for each element and return the value that was iterated over.

    break() ends the iteration.

    @param hash the entries
    @param block called with an element, or with index and value, or key and value
    @param enumerable the elements
    @return [Iterable] the value that was iterated over
    """
    loops.each_pair(caller(block), hash_.items())
    return hash_


@each.dispatch("Hash $hash, Callable[1,1] &$block")
def _each_pair(hash_: PuppetHash, *, block: Closure) -> Value:
    return _each_element(hash_, block=block)


@each.dispatch("Iterable $enumerable, Callable[2,2] &$block")
def _each_indexed(enumerable: Value, *, block: Closure) -> Value:
    loops.each_pair(caller(block), numbered(enumerable))
    return enumerable


@each.dispatch("Iterable $enumerable, Callable[1,1] &$block")
def _each_element(enumerable: Value, *, block: Closure) -> Value:
    loops.each(caller(block), one_by_one(enumerable))
    return enumerable


@function(
    "map",
    "Hash $hash, Callable[2,2] &$block",
    examples=(
        "[1, 2, 3].map |$x| { $x * 10 }  # => [10, 20, 30]",
        "{a => 1, b => 2}.map |$key, $value| { \"${key}=${value}\" }  # => ['a=1', 'b=2']",
        "Integer[3, 5].map |$index, $x| { $index * $x }  # => [0, 4, 10]",
    ),
)
def map_(hash_: PuppetHash, *, block: Closure) -> Value:
    """Call a block for each element and return an Array of its results.

    break() ends the iteration; the result is then an Array of the results before it.

    @param hash the entries
    @param block called with an element, or with index and value, or key and value
    @param enumerable the elements
    @return [Array] the results of the block
    """
    return loops.pair_results(caller(block), hash_.items())


@map_.dispatch("Hash $hash, Callable[1,1] &$block")
def _map_pairs(hash_: PuppetHash, *, block: Closure) -> Value:
    return _map_elements(hash_, block=block)


@map_.dispatch("Iterable $enumerable, Callable[2,2] &$block")
def _map_indexed(enumerable: Value, *, block: Closure) -> Value:
    return loops.pair_results(caller(block), bounded(enumerable, numbered(enumerable), block))


@map_.dispatch("Iterable $enumerable, Callable[1,1] &$block")
def _map_elements(enumerable: Value, *, block: Closure) -> Value:
    return loops.results(caller(block), bounded(enumerable, one_by_one(enumerable), block))


@function(
    "filter",
    "Hash $hash, Callable[2,2] &$block",
    returns="Hash",
    examples=(
        "[1, 2, 3, 4].filter |$x| { $x % 2 == 0 }  # => [2, 4]",
        "{a => 1, b => 2}.filter |$key, $value| { $value > 1 }  # => {'b' => 2}",
        "'banana'.filter |$c| { $c != 'a' }  # => ['b', 'n', 'n']",
    ),
)
def filter_(hash_: PuppetHash, *, block: Closure) -> Value:
    """Return the elements for which a block returns a true value.

    All values except false and undef are true. The result for a Hash is a Hash, for other values
    an Array.

    @param hash the entries
    @param block called with an element, or with index and value, or key and value; tells which
      stay
    @param enumerable the elements
    """
    return loops.chosen_entries(caller(block), hash_, apart=True)


@filter_.dispatch("Hash $hash, Callable[1,1] &$block", returns="Hash")
def _filter_pairs(hash_: PuppetHash, *, block: Closure) -> Value:
    return loops.chosen_entries(caller(block), hash_)


@filter_.dispatch("Iterable $enumerable, Callable[2,2] &$block", returns="Array")
def _filter_indexed(enumerable: Value, *, block: Closure) -> Value:
    return loops.chosen_of_pairs(
        caller(block), bounded(enumerable, numbered(enumerable), block, ENDLESS)
    )


@filter_.dispatch("Iterable $enumerable, Callable[1,1] &$block", returns="Array")
def _filter_elements(enumerable: Value, *, block: Closure) -> Value:
    return loops.chosen(caller(block), bounded(enumerable, one_by_one(enumerable), block, ENDLESS))


@function(
    "reduce",
    "Iterable $enumerable, Callable[2,2] &$block",
    examples=(
        "[1, 2, 3].reduce |$sum, $x| { $sum + $x }  # => 6",
        "{a => 1, b => 2}.reduce(0) |$sum, $pair| { $sum + $pair[1] }  # => 3",
        "[].reduce |$a, $b| { $a }  # => undef",
    ),
)
def reduce(enumerable: Value, *, block: Closure) -> Value:
    """Combine all elements into one value.

    The block is called with the accumulated value and an element, and returns the next
    accumulated value. The second argument is the initial value; without it, the first element is.
    Without any of them the result is undef. break() ends the iteration with the accumulated value.

    @param enumerable the elements or entries
    @param block called with the accumulated value and an element; returns the next accumulated
      value
    @param memo the accumulated value to begin with
    @return [Any] the last accumulated value
    """
    items = iter(elements(enumerable))
    return loops.folded(caller(block), next(items, None), items)


@reduce.dispatch("Iterable $enumerable, Any $memo, Callable[2,2] &$block")
def _reduce_from(enumerable: Value, memo: Value, *, block: Closure) -> Value:
    return loops.folded(caller(block), memo, elements(enumerable))


@function(
    "all",
    "Hash $hash, Callable[2,2] &$block",
    examples=(
        "[2, 4].all |$x| { $x % 2 == 0 }  # => true",
        "{a => 1}.all |$key, $value| { $value > 1 }  # => false",
        "[].all |$x| { false }  # => true",
    ),
)
def all_(hash_: PuppetHash, *, block: Closure) -> bool:
    """Tell whether a block returns a true value for every element.

    The iteration stops at the first element for which it does not. The result is true for an
    empty collection.

    @param hash the entries that are tested
    @param block called with an element, or with index and value, or key and value
    @param enumerable the elements that are tested
    @return [Boolean]
    """
    return loops.all_pairs(caller(block), hash_.items(), False)


@all_.dispatch("Hash $hash, Callable[1,1] &$block")
def _all_pairs(hash_: PuppetHash, *, block: Closure) -> bool:
    return loops.all_elements(caller(block), hash_.items(), False)


@all_.dispatch("Iterable $enumerable, Callable[2,2] &$block")
def _all_indexed(enumerable: Value, *, block: Closure) -> bool:
    return loops.all_pairs(caller(block), numbered(enumerable), swallows_break(enumerable))


@all_.dispatch("Iterable $enumerable, Callable[1,1] &$block")
def _all_elements(enumerable: Value, *, block: Closure) -> bool:
    return loops.all_elements(caller(block), elements(enumerable), swallows_break(enumerable))


@function(
    "any",
    "Hash $hash, Callable[2,2] &$block",
    examples=(
        "[1, 2].any |$x| { $x > 1 }  # => true",
        "{a => 1}.any |$key, $value| { $key == 'b' }  # => false",
        "[].any |$x| { true }  # => false",
    ),
)
def any_(hash_: PuppetHash, *, block: Closure) -> bool:
    """Tell whether a block returns a true value for at least one element.

    The iteration stops at the first such element. The result is false for an empty collection.

    @param hash the entries that are tested
    @param block called with an element, or with index and value, or key and value
    @param enumerable the elements that are tested
    @return [Boolean]
    """
    return loops.any_pair(caller(block), hash_.items(), False)


@any_.dispatch("Hash $hash, Callable[1,1] &$block")
def _any_pair(hash_: PuppetHash, *, block: Closure) -> bool:
    return loops.any_element(caller(block), hash_.items(), False)


@any_.dispatch("Iterable $enumerable, Callable[2,2] &$block")
def _any_indexed(enumerable: Value, *, block: Closure) -> bool:
    return loops.any_pair(caller(block), numbered(enumerable), swallows_break(enumerable))


@any_.dispatch("Iterable $enumerable, Callable[1,1] &$block")
def _any_element(enumerable: Value, *, block: Closure) -> bool:
    return loops.any_element(caller(block), elements(enumerable), swallows_break(enumerable))


@function(
    "index",
    "Hash $hash, Callable[2,2] &$block",
    examples=(
        "['a', 'b'].index('b')  # => 1",
        "{a => 1, b => 2}.index(2)  # => 'b'",
        "'abc123'.index(/[0-9]/)  # => 3",
        "[1, 5, 8].index |$x| { $x > 3 }  # => 1",
        "[1].index(7)  # => undef",
    ),
)
def index(hash_: PuppetHash, *, block: Closure) -> Value:
    """Return the first index, or the first key of a Hash, of a searched value.

    A block returns a true value for the searched element; with one parameter it is called with the
    value, also for a Hash. Values are compared by equality: upper and lower case differ, and 1
    equals 1.0. In a String, a substring or the first match of a pattern is searched. The result is
    undef if nothing is found.

    @param hash the entries
    @param block called with an element, or with index and value, or key and value
    @param enumerable the elements
    @param str the string that is searched
    @param match the value, the substring or the pattern to search
    @return [Any] the index or the key; undef where nothing is found
    """
    run = caller(block)
    for key, value in hash_.items():
        verdict = run(key, value)
        if verdict is not None and verdict is not False:
            return key
    return None


@index.dispatch("Hash $hash, Callable[1,1] &$block")
def _index_of_value(hash_: PuppetHash, *, block: Closure) -> Value:
    run = caller(block)
    for key, value in hash_.items():
        verdict = run(value)
        if verdict is not None and verdict is not False:
            return key
    return None


@index.dispatch("Iterable $enumerable, Callable[2,2] &$block")
def _index_indexed(enumerable: Value, *, block: Closure) -> Value:
    run = caller(block)
    try:
        for position, value in numbered(enumerable):
            verdict = run(position, value)
            if verdict is not None and verdict is not False:
                return position
    except BreakSignal:
        if not swallows_break(enumerable):
            raise
    return None


@index.dispatch("Iterable $enumerable, Callable[1,1] &$block")
def _index_element(enumerable: Value, *, block: Closure) -> Value:
    run = caller(block)
    try:
        for position, value in enumerate(elements(enumerable)):
            verdict = run(value)
            if verdict is not None and verdict is not False:
                return position
    except BreakSignal:
        if not swallows_break(enumerable):
            raise
    return None


@index.dispatch("String $str, Variant[String, Regexp] $match", returns="Optional[Integer]")
def _index_in_text(text: str, match: str | Regexp) -> int | None:
    if isinstance(match, str):
        position = text.find(match)
        return position if position >= 0 else None
    found = match.search(text)
    return found.start() if found is not None else None


@index.dispatch("Iterable $enumerable, Any $match")
def _index_equal(enumerable: Value, match: Value) -> Value:
    if type(enumerable) is PuppetHash:
        for key, value in enumerable.items():
            if exact_equals(value, match):
                return key
        return None
    found = elements(enumerable)
    if isinstance(found, range):
        number = _whole(match)
        return None if number is None or number not in found else found.index(number)
    for position, value in enumerate(found):
        if exact_equals(value, match):
            return position
    return None


def _whole(value: Value) -> int | None:
    """Return the Integer that equals a value."""
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None
