"""Functions that put elements into groups: slice, group_by, partition."""

from __future__ import annotations

import sys
from itertools import islice, starmap

from puppet_repl.base.differences import warn_of_difference
from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.iterables import caller
from puppet_repl.language.functions.registry import function
from puppet_repl.language.runtime.signals import BreakSignal
from puppet_repl.language.values.hash import PuppetHash, hash_key
from puppet_repl.language.values.integers import check_long
from puppet_repl.language.values.iterator import PuppetIterator, countable, elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.values.protocols import Value

    Array = tuple[Value, ...]
    Groups = dict[Hashable, tuple[Value, list[Value]]]


@function(
    "slice",
    "Hash $hash, Integer[1] $slice_size, Callable &$block?",
    examples=(
        "[1, 2, 3, 4, 5].slice(2)  # => [[1, 2], [3, 4], [5]]",
        "{a => 1, b => 2}.slice(1)  # => [[['a', 1]], [['b', 2]]]",
        '[1, 2, 3].slice(2) |$a, $b| { notice("${a}-${b}") }  # notice: 1-2',
    ),
)
def slice_(hash_: PuppetHash, size: int, *, block: Closure | None = None) -> Value:
    """Split an Iterable into arrays of a given size; the last one may be shorter.

    A block is called for each of them, and the result is then the original value. A block with
    one parameter is called with the array, a block with as many parameters as the size with its
    elements, padded with undef.

    @param hash the entries
    @param slice_size how many elements each array has
    @param block called with each array, or with its elements
    @param enumerable the elements
    @return [Any] an Array of arrays; with a block, the value that was split
    """
    return _slice(hash_, size, (), block)


@slice_.dispatch("Iterable $enumerable, Integer[1] $slice_size, Callable &$block?")
def _slice_iterable(enumerable: Value, size: int, *, block: Closure | None = None) -> Value:
    return _slice(enumerable, size, None, block)


def _slice(value: Value, size: int, filler: Value, block: Closure | None) -> Value:
    check_long(size)
    items = elements(value) if block else countable(value)
    size_of_slice = _width(value, items, size)
    if block is None:
        return tuple(_slices(items, size_of_slice))
    served = _served(block, size)
    try:
        for part in _slices(items, size_of_slice):
            if served == 1:
                block(part)
            else:
                block(*part, *[filler] * (served - len(part)))
    except BreakSignal:
        pass
    return value


def _width(value: Value, items: Iterable[Value], size: int) -> int:
    """Return how long slices are: no longer than Ruby takes the iterator to be.

    The size of an iterator may be less than the number of its values; at 0 nothing is cut.
    """
    most: int | None = None
    if type(items) is range and type(value) is not tuple:
        most = max(len(items) - 1, 0)
    elif type(value) is PuppetIterator:
        most = value.ruby_size
        if most is None and not value.restarts:
            warn_of_difference("slice_of_tree")
    return size if most is None else min(size, most) or sys.maxsize


def _served(block: Closure, size: int) -> int:
    """Return how many values a block is called with: its number of parameters, or the size."""
    served = size if block.max_arity != block.min_arity else block.min_arity
    if served == 0:
        raise RuntimeFailure("slice(): block must define at least one parameter. Block has 0.")
    if served not in (1, size):
        names = ", ".join(block.parameter_names)
        raise RuntimeFailure(
            "slice(): block must define one parameter, or the same number of parameters as the "
            f"given size of the slice ({size}). Block has {served}; {names}"
        )
    return served


def _slices(values: Iterable[Value], size: int) -> Iterator[Array]:
    iterator = iter(values)
    while part := tuple(islice(iterator, size)):
        yield part


@function(
    "group_by",
    "Collection $collection, Callable[1,1] &$block",
    returns="Hash",
    examples=(
        "['a', 'bb', 'cc'].group_by |$s| { $s.length }  # => {1 => ['a'], 2 => ['bb', 'cc']}",
        "['x', 'y', 'z'].group_by |$i, $v| { $i % 2 }  # => {0 => ['x', 'z'], 1 => ['y']}",
        "{a => 1, b => 1}.group_by |$k, $v| { $v }  # => {1 => [['a', 1], ['b', 1]]}",
    ),
)
def group_by(collection: Array | PuppetHash, *, block: Closure) -> PuppetHash:
    """Group elements by the results of a block: a Hash from each result to its elements.

    A block with two parameters is called with index and value of an Array, or key and value of a
    Hash. The groups of a Hash contain its entries as pairs.

    @param collection the elements or entries
    @param block called with an element, or with index and value, or key and value; returns the
      group
    @param array the elements
    """
    run = caller(block)
    # A group has the pair itself that the block is called with, which may be its label.
    items = tuple(elements(collection))
    return _grouped(zip(map(run, items), items, strict=True))


@group_by.dispatch("Array $array, Callable[2,2] &$block", returns="Hash")
def _group_indexed(array: Array, *, block: Closure) -> PuppetHash:
    run = caller(block)
    return _grouped(zip(starmap(run, enumerate(array)), array, strict=True))


@group_by.dispatch("Collection $collection, Callable[2,2] &$block", returns="Hash")
def _group_entries(collection: Array | PuppetHash, *, block: Closure) -> PuppetHash:
    run = caller(block)
    items = elements(collection)
    return _grouped(zip(starmap(run, items), items, strict=True))


def _grouped(labelled: Iterator[tuple[Value, Value]]) -> PuppetHash:
    groups: Groups = {}
    for label, item in labelled:
        key = label if type(label) is str else hash_key(label)
        group = groups.get(key)
        if group is None:
            groups[key] = group = label, []
        group[1].append(item)
    return PuppetHash([(label, tuple(items)) for label, items in groups.values()])


@function(
    "partition",
    "Collection $collection, Callable[1,1] &$block",
    returns="Tuple[Array, Array]",
    examples=(
        "[1, 2, 3].partition |$x| { $x > 1 }  # => [[2, 3], [1]]",
        "{a => 1, b => 2}.partition |$k, $v| { $v == 1 }  # => [[['a', 1]], [['b', 2]]]",
    ),
)
def partition(collection: Array | PuppetHash, *, block: Closure) -> tuple[Array, Array]:
    """Split a collection in two: the elements for which a block returns true, and the others.

    A block with two parameters is called with index and value of an Array, or key and value of a
    Hash. The parts of a Hash are arrays of its entries as pairs.

    @param collection the elements or entries
    @param block called with an element, or with index and value, or key and value; tells which
      are in the first part
    @param array the elements
    """
    run = caller(block)
    items = elements(collection)
    return _parted(zip(map(run, items), items, strict=True))


@partition.dispatch("Array $array, Callable[2,2] &$block", returns="Tuple[Array, Array]")
def _part_indexed(array: Array, *, block: Closure) -> tuple[Array, Array]:
    run = caller(block)
    return _parted(zip(starmap(run, enumerate(array)), array, strict=True))


@partition.dispatch("Collection $collection, Callable[2,2] &$block", returns="Tuple[Array, Array]")
def _part_entries(collection: Array | PuppetHash, *, block: Closure) -> tuple[Array, Array]:
    run = caller(block)
    items = elements(collection)
    return _parted(zip(starmap(run, items), items, strict=True))


def _parted(judged: Iterator[tuple[Value, Value]]) -> tuple[Array, Array]:
    chosen: list[Value] = []
    others: list[Value] = []
    for verdict, item in judged:
        (others if verdict is None or verdict is False else chosen).append(item)
    return tuple(chosen), tuple(others)
