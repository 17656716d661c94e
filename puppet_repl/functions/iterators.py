"""Functions that make iterators: step, reverse_each, tree_each.

An iterator makes its elements when they are asked for, one at a time.
"""

from __future__ import annotations

from puppet_repl.functions.iterables import caller
from puppet_repl.functions.registry import Function, by_name
from puppet_repl.functions.sequences import backwards, stepped
from puppet_repl.runtime.signals import BreakSignal
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.iterator import PuppetIterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from puppet_repl.runtime.closure import Closure

step = Function(
    "step",
    theme="iterators",
    doc="""Take every n-th element, beginning with the first.

    The result is an Iterator, to be handed to another function; with a block, that is called
    for each element and the result is undef.
    """,
    examples=(
        "Array([1, 2, 3, 4, 5].step(2))  # => [1, 3, 5]",
        "Integer[0, 10].step(5).map |$x| { $x }  # => [0, 5, 10]",
    ),
)


@step.dispatch("Iterable $iterable, Integer[1] $step")
def _step(iterable: Any, width: int) -> Any:
    return stepped(iterable, width)


@step.dispatch("Iterable $iterable, Integer[1] $step, Callable[1,1] &$block")
def _step_each(iterable: Any, width: int, *, block: Closure) -> None:
    _run(stepped(iterable, width), block)


reverse_each = Function(
    "reverse_each",
    theme="iterators",
    doc="""Go through the elements from the last to the first.

    The result is an Iterator, to be handed to another function; with a block, that is called
    for each element and the result is undef.
    """,
    examples=(
        "Array([1, 2, 3].reverse_each)  # => [3, 2, 1]",
        "'abc'.reverse_each.map |$c| { $c }  # => ['c', 'b', 'a']",
    ),
)


@reverse_each.dispatch("Iterable $iterable")
def _reverse(iterable: Any) -> Any:
    return backwards(iterable)


@reverse_each.dispatch("Iterable $iterable, Callable[1,1] &$block")
def _reverse_each(iterable: Any, *, block: Closure) -> None:
    _run(backwards(iterable), block)


def _run(values: PuppetIterator, block: Closure) -> None:
    run = caller(block)
    try:
        for value in values.one_by_one:
            run(value)
    except BreakSignal:
        pass


_OPTIONS = {
    "OptionsType": (
        "Struct[{container_type => Optional[Type], include_root => Optional[Boolean], "
        "include_containers => Optional[Boolean], include_values => Optional[Boolean], "
        "order => Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}]"
    )
}
_TREE = "Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options?"

tree_each = Function(
    "tree_each",
    theme="iterators",
    aliases=_OPTIONS,
    doc="""Go through everything in nested arrays, hashes and objects.

    A block of two parameters gets the path (an Array of keys and indexes, empty for the root)
    and the value, a block of one the value; the tree itself is the result. Without a block the
    result is an Iterator of such pairs.

    Options: ``order`` (depth_first, or breadth_first), ``include_root``, ``include_containers``
    and ``include_values`` (all true), ``container_type`` (which types are walked into), and
    ``include_refs`` (false: attributes of objects that are references are skipped).
    """,
    examples=(
        "Array([1, [2]].tree_each)  # => [[[], [1, [2]]], [[0], 1], [[1], [2]], [[1, 0], 2]]",
        "{a => {b => 1}}.tree_each({include_containers => false}) |$path, $value| "
        '{ notice("${path} ${value}") }  # notice: [a, b] 1',
    ),
)


@tree_each.dispatch(f"{_TREE}, Callable[2,2] &$block")
def _tree_pairs(tree: Any, options: Any = PuppetHash.EMPTY, *, block: Closure) -> Any:
    run = caller(block)
    try:
        for path, value in _walk(tree, options):
            run(path, value)
    except BreakSignal:
        pass
    return tree


@tree_each.dispatch(f"{_TREE}, Callable[1,1] &$block")
def _tree_values(tree: Any, options: Any = PuppetHash.EMPTY, *, block: Closure) -> Any:
    run = caller(block)
    try:
        for _path, value in _walk(tree, options):
            run(value)
    except BreakSignal:
        pass
    return tree


@tree_each.dispatch(_TREE)
def _tree_iterator(tree: Any, options: Any = PuppetHash.EMPTY) -> Any:
    walk = _walk(tree, options)
    return PuppetIterator(lambda: walk)


def _walk(tree: Any, options: PuppetHash) -> Iterator[Any]:
    from puppet_repl.functions.tree import TreeWalk

    return TreeWalk(options).walk(tree)


FUNCTIONS = by_name(step, reverse_each, tree_each)
