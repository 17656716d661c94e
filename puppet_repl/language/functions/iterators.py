"""Functions that return iterators: step, reverse_each, tree_each.

An iterator computes its elements one at a time, when they are needed.
"""

from __future__ import annotations

from puppet_repl.language.functions.iterables import caller
from puppet_repl.language.functions.registry import function
from puppet_repl.language.functions.sequences import backwards, stepped
from puppet_repl.language.functions.tree import TreeWalk
from puppet_repl.language.runtime.signals import BreakSignal
from puppet_repl.language.values.extent import extent
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import PuppetIterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.functions.tree import Item
    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.values.protocols import Value


@function(
    "step",
    "Iterable $iterable, Integer[1] $step",
    returns="Iterator",
    examples=(
        "Array([1, 2, 3, 4, 5].step(2))  # => [1, 3, 5]",
        "Integer[0, 10].step(5).map |$x| { $x }  # => [0, 5, 10]",
    ),
)
def step(iterable: Value, width: int) -> PuppetIterator:
    """Return every n-th element, beginning with the first.

    The result is an Iterator, which other functions take as argument. With a block, it is called
    for each element, and the result is undef.

    @param iterable the elements
    @param step which ones: every n-th
    @param block called with each of them
    """
    return stepped(iterable, width)


@step.dispatch("Iterable $iterable, Integer[1] $step, Callable[1,1] &$block", returns="Undef")
def _step_each(iterable: Value, width: int, *, block: Closure) -> None:
    _run(stepped(iterable, width), block)


@function(
    "reverse_each",
    "Iterable $iterable",
    returns="Iterator",
    examples=(
        "Array([1, 2, 3].reverse_each)  # => [3, 2, 1]",
        "'abc'.reverse_each.map |$c| { $c }  # => ['c', 'b', 'a']",
    ),
)
def reverse_each(iterable: Value) -> PuppetIterator:
    """Return the elements in reverse order.

    The result is an Iterator, which other functions take as argument. With a block, it is called
    for each element, and the result is undef.

    @param iterable the elements
    @param block called with each element
    """
    return backwards(iterable)


@reverse_each.dispatch("Iterable $iterable, Callable[1,1] &$block", returns="Undef")
def _reverse_each(iterable: Value, *, block: Closure) -> None:
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


@function(
    "tree_each",
    f"{_TREE}, Callable[2,2] &$block",
    aliases=_OPTIONS,
    examples=(
        "Array([1, [2]].tree_each)  # => [[[], [1, [2]]], [[0], 1], [[1], [2]], [[1, 0], 2]]",
        "{a => {b => 1}}.tree_each({include_containers => false}) |$path, $value| "
        '{ notice("${path} ${value}") }  # notice: [a, b] 1',
    ),
)
def tree_each(tree: Value, options: PuppetHash = PuppetHash.EMPTY, *, block: Closure) -> Value:
    """Visit all values in nested arrays, hashes and objects.

    A block with two parameters is called with the path (an Array of keys and indexes, empty for
    the root) and the value, a block with one parameter with the value; the result is then the
    tree itself. Without a block the result is an Iterator of such pairs.

    Options are order (depth_first by default, or breadth_first), include_root, include_containers
    and include_values (all true by default), container_type (the type of the values that are
    entered), and include_refs (false by default: attributes of objects that are references are
    skipped).

    @param tree the Array, Hash or object to begin with
    @param options which values are visited, and in which order: include_containers,
      include_values, include_root, container_type, order, include_refs
    @param block called with the value, or with its path and the value
    @return [Any] an Iterator; with a block, the value that was visited
    """
    run = caller(block)
    try:
        for path, value in _walk(tree, options):
            run(path, value)
    except BreakSignal:
        pass
    return tree


@tree_each.dispatch(f"{_TREE}, Callable[1,1] &$block")
def _tree_values(tree: Value, options: PuppetHash = PuppetHash.EMPTY, *, block: Closure) -> Value:
    run = caller(block)
    try:
        for _path, value in _walk(tree, options):
            run(value)
    except BreakSignal:
        pass
    return tree


@tree_each.dispatch(_TREE)
def _tree_iterator(tree: Value, options: PuppetHash = PuppetHash.EMPTY) -> PuppetIterator:
    walk = _walk(tree, options)
    enters_all = options.get("container_type") is None
    order = "Breadth" if options.get("order") == "breadth_first" else "Depth"
    return PuppetIterator(
        lambda: walk,
        find_count=(lambda: extent(tree)) if enters_all else None,
        runtime_class=f"Puppet::Pops::Types::Iterable::{order}FirstTreeIterator",
    )


def _walk(tree: Value, options: PuppetHash) -> Iterator[Item]:
    return TreeWalk(options).walk(tree)
