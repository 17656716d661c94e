"""Functions of stdlib that order: stdlib::sort_by, shuffle."""

from __future__ import annotations

import random

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.iterables import caller
from puppet_repl.language.functions.stdlib.checks import wrong_count
from puppet_repl.language.functions.stdlib.declaring import stdlib_function, stdlib_legacy_function
from puppet_repl.language.ruby_library.ordering import merge_sort, required_order
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.values.protocols import Value

    Item = TypeVar("Item")


@stdlib_function(
    "stdlib::sort_by",
    "Array $ary, Callable[1,1] &$block",
    examples=(
        "stdlib::sort_by(['ccc', 'a', 'bb']) |$word| { $word.length }  # => ['a', 'bb', 'ccc']",
        "stdlib::sort_by('hello') |$c| { $c }  # => 'ehllo'",
        "stdlib::sort_by({a => 2, b => 1}) |$pair| { $pair[1] }  # => {'b' => 1, 'a' => 2}",
    ),
    versions=(9,),
)
def sort_by(array: tuple[Value, ...], *, block: Closure) -> Value:
    """Sort the elements of an array, the characters of a string or the entries of a hash.

    The order is that of the results of a block, which is called once for each.

    @param ary the elements
    @param block called with an element, or with key and value; returns the key to sort by
    @param str the string whose characters are sorted
    @param hsh the entries
    @return [Variant[Array, String, Hash]] a value of the kind that is sorted
    """
    return tuple(_sorted(array, caller(block)))


@sort_by.dispatch("String $str, Callable[1,1] &$block")
def _sort_characters(text: str, *, block: Closure) -> Value:
    return "".join(_sorted(text, caller(block)))


@sort_by.dispatch("Hash $hsh, Variant[Callable[1,1], Callable[2,2]] &$block")
def _sort_entries(entries: PuppetHash, *, block: Closure) -> Value:
    # One with two parameters is accepted, but gets the entry as one argument.
    return PuppetHash(_sorted(entries.items(), block))


def _sorted(items: Iterable[Item], call: Callable[..., Value]) -> list[Item]:
    keyed = [(call(item), item) for item in items]
    ordered = merge_sort(keyed, lambda left, right: required_order(left[0], right[0]))
    return [item for _, item in ordered]


@stdlib_legacy_function(
    "shuffle",
    "Variant[String, Array] $value",
    returns="Variant[String, Array]",
    examples=("shuffle(['a', 'b', 'c']).sort  # => ['a', 'b', 'c']",),
    counts=False,
)
def shuffle(values: tuple[Value, ...]) -> Value:
    """Put the characters of a string or the elements of an array into a random order.

    @param value a string or an array
    """
    if not values:
        raise wrong_count("shuffle", 0, "1")
    value = values[0]
    if type(value) is str:
        return "".join(random.sample(value, len(value)))
    if type(value) is tuple:
        return tuple(random.sample(value, len(value)))
    raise RuntimeFailure("shuffle(): Requires either array or string to work with")
