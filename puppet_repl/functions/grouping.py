"""Elements put together: slice, group_by, partition."""

from __future__ import annotations

from itertools import islice

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.iterables import caller
from puppet_repl.functions.registry import Function, by_name
from puppet_repl.runtime.signals import BreakSignal
from puppet_repl.values.hash import PuppetHash, hash_key
from puppet_repl.values.iterator import elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from puppet_repl.runtime.closure import Closure

slice_ = Function(
    "slice",
    theme="grouping",
    doc="""Cut an Iterable into arrays of a given size; the last may be shorter.

    With a block, that is called for each of them and the original value is the result. A block
    with one parameter gets the array; one with as many as the size gets the elements, filled up
    with undef at the end.
    """,
    examples=(
        "[1, 2, 3, 4, 5].slice(2)  # => [[1, 2], [3, 4], [5]]",
        "{a => 1, b => 2}.slice(1)  # => [[['a', 1]], [['b', 2]]]",
        '[1, 2, 3].slice(2) |$a, $b| { notice("${a}-${b}") }  # notice: 1-2',
    ),
)


@slice_.dispatch("Hash $hash, Integer[1] $slice_size, Callable &$block?")
def _slice_hash(hash_: PuppetHash, size: int, *, block: Closure | None = None) -> Any:
    return _slice(hash_, size, (), block)


@slice_.dispatch("Iterable $enumerable, Integer[1] $slice_size, Callable &$block?")
def _slice_iterable(enumerable: Any, size: int, *, block: Closure | None = None) -> Any:
    return _slice(enumerable, size, None, block)


def _slice(value: Any, size: int, filler: Any, block: Closure | None) -> Any:
    if block is None:
        return tuple(_slices(elements(value), size))
    served = _served(block, size)
    try:
        for part in _slices(elements(value), size):
            if served == 1:
                block(part)
            else:
                block(*part, *[filler] * (served - len(part)))
    except BreakSignal:
        pass
    return value


def _served(block: Closure, size: int) -> int:
    """How many values at a time a block is to get: its number of parameters, or the size."""
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


def _slices(values: Iterable[Any], size: int) -> Iterator[tuple[Any, ...]]:
    iterator = iter(values)
    while part := tuple(islice(iterator, size)):
        yield part


group_by = Function(
    "group_by",
    theme="grouping",
    doc="""Sort elements into groups: a Hash from each result of a block to the elements with it.

    A block of two parameters gets index and value of an Array, or key and value of a Hash.
    The groups of a Hash hold pairs.
    """,
    examples=(
        "['a', 'bb', 'cc'].group_by |$s| { $s.length }  # => {1 => ['a'], 2 => ['bb', 'cc']}",
        "['x', 'y', 'z'].group_by |$i, $v| { $i % 2 }  # => {0 => ['x', 'z'], 1 => ['y']}",
        "{a => 1, b => 1}.group_by |$k, $v| { $v }  # => {1 => [['a', 1], ['b', 1]]}",
    ),
)


@group_by.dispatch("Collection $collection, Callable[1,1] &$block", returns="Hash")
def _group_elements(collection: Any, *, block: Closure) -> PuppetHash:
    run = caller(block)
    return _grouped((run(item), item) for item in elements(collection))


@group_by.dispatch("Array $array, Callable[2,2] &$block", returns="Hash")
def _group_indexed(array: Any, *, block: Closure) -> PuppetHash:
    run = caller(block)
    return _grouped((run(index, item), item) for index, item in enumerate(array))


@group_by.dispatch("Collection $collection, Callable[2,2] &$block", returns="Hash")
def _group_entries(collection: Any, *, block: Closure) -> PuppetHash:
    run = caller(block)
    return _grouped((run(*pair), pair) for pair in elements(collection))


def _grouped(labelled: Iterator[tuple[Any, Any]]) -> PuppetHash:
    groups: dict[Any, tuple[Any, list[Any]]] = {}
    for label, item in labelled:
        groups.setdefault(hash_key(label), (label, []))[1].append(item)
    return PuppetHash([(label, tuple(items)) for label, items in groups.values()])


partition = Function(
    "partition",
    theme="grouping",
    doc="""Split a collection in two: what a block answers true for, and the rest.

    A block of two parameters gets index and value of an Array, or key and value of a Hash.
    The parts of a Hash are arrays of pairs.
    """,
    examples=(
        "[1, 2, 3].partition |$x| { $x > 1 }  # => [[2, 3], [1]]",
        "{a => 1, b => 2}.partition |$k, $v| { $v == 1 }  # => [[['a', 1]], [['b', 2]]]",
    ),
)


@partition.dispatch("Collection $collection, Callable[1,1] &$block", returns="Tuple[Array, Array]")
def _part_elements(collection: Any, *, block: Closure) -> Any:
    run = caller(block)
    return _parted((run(item), item) for item in elements(collection))


@partition.dispatch("Array $array, Callable[2,2] &$block", returns="Tuple[Array, Array]")
def _part_indexed(array: Any, *, block: Closure) -> Any:
    run = caller(block)
    return _parted((run(index, item), item) for index, item in enumerate(array))


@partition.dispatch("Collection $collection, Callable[2,2] &$block", returns="Tuple[Array, Array]")
def _part_entries(collection: Any, *, block: Closure) -> Any:
    run = caller(block)
    return _parted((run(*pair), pair) for pair in elements(collection))


def _parted(answered: Iterator[tuple[Any, Any]]) -> Any:
    chosen: list[Any] = []
    others: list[Any] = []
    for answer, item in answered:
        (others if answer is None or answer is False else chosen).append(item)
    return tuple(chosen), tuple(others)


FUNCTIONS = by_name(slice_, group_by, partition)
