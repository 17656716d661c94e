"""Functions of stdlib that merge hashes and collect their keys and values: merge, deep_merge..."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.sharing import once_for_both
from puppet_repl.language.functions.iterables import numbered
from puppet_repl.language.functions.size_limits import check_elements
from puppet_repl.language.functions.stdlib.declaring import (
    moved_function,
    stdlib_function,
    stdlib_legacy_function,
)
from puppet_repl.language.values.extent import values_length
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import elements
from puppet_repl.language.values.ruby import ruby_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


@moved_function(
    "merge",
    "Variant[Hash[Scalar,Any], Undef, String[0,0]] *$args",
    returns="Hash[Scalar,Any]",
    examples=(
        "merge({a => 1, b => 2}, {b => 3}, undef)  # => {'a' => 1, 'b' => 3}",
        "merge(['x', 'y']) |$merged, $name| { {$name => $merged.size} }  # => {'x' => 0, 'y' => 1}",
        "merge({a => 1}) |$merged, $key, $value| { {$value => $key} }  # => {1 => 'a'}",
    ),
)
def merge(*hashes: Value) -> PuppetHash:
    """Merge hashes into one, or the hashes that a block returns for the elements of a value.

    If a key is in several hashes, the value of the last one is taken. A block is called with the
    merged hash so far and an element, or with that hash, index or key, and value; results of other
    types are left out.

    @param args the hashes, later ones take precedence; or the value that the block is called for
    @param block returns a hash for an element
    """
    merged = PuppetHash.EMPTY
    for each in hashes:
        if type(each) is PuppetHash:
            merged = merged.merge(each)
    return merged


@merge.dispatch("Iterable *$args, Callable[3,3] &$block", returns="Hash")
def _merge_indexed(*iterables: Value, block: Closure) -> PuppetHash:
    merged = PuppetHash.EMPTY
    iterable = _only(iterables)
    pairs = iterable.items() if type(iterable) is PuppetHash else numbered(iterable)
    for index, value in pairs:
        result = block(merged, index, value)
        if type(result) is PuppetHash:
            merged = merged.merge(result)
    return merged


@merge.dispatch("Iterable *$args, Callable[2,2] &$block", returns="Hash")
def _merge_elements(*iterables: Value, block: Closure) -> PuppetHash:
    merged = PuppetHash.EMPTY
    for value in elements(_only(iterables)):
        result = block(merged, value)
        if type(result) is PuppetHash:
            merged = merged.merge(result)
    return merged


def _only(iterables: tuple[Value, ...]) -> Value:
    if len(iterables) != 1:
        raise RuntimeFailure(f"wrong number of arguments (given {len(iterables)}, expected 1)")
    return iterables[0]


@stdlib_legacy_function(
    "deep_merge",
    "Hash $hash, Hash +$hashes",
    returns="Hash",
    examples=(
        "deep_merge({a => {b => 1}}, {a => {c => 2}})  # => {'a' => {'b' => 1, 'c' => 2}}",
        "deep_merge({a => [1]}, {a => [2]})  # => {'a' => [2]}",
    ),
    counts=False,
)
def deep_merge(values: tuple[Value, ...]) -> Value:
    """Merge hashes, and the hashes in them under the same key, at any depth.

    All other values of a later hash replace those of an earlier one. Empty strings are ignored.

    @param hash the first hash
    @param hashes the others, of which the later takes precedence
    """
    if len(values) < 2:
        raise RuntimeFailure(
            f"deep_merge(): wrong number of arguments ({len(values)}; must be at least 2)"
        )
    merged = PuppetHash.EMPTY
    for value in values:
        if type(value) is PuppetHash:
            merged = _deeply_merged(merged, value)
        elif value != "":
            raise RuntimeFailure(
                f"deep_merge: unexpected argument type {ruby_class(value)}, "
                "only expects hash arguments"
            )
    return merged


def _deeply_merged(left: PuppetHash, right: PuppetHash) -> PuppetHash:
    both = [
        (key, once_for_both(_deeply_merged, left[key], value))
        for key, value in right.items()
        if type(value) is PuppetHash and type(left.get(key)) is PuppetHash
    ]
    merged = left.merge(right)
    return merged.merge(PuppetHash(both)) if both else merged


@stdlib_function(
    "stdlib::nested_values",
    "Hash $hash",
    returns="Array",
    examples=("stdlib::nested_values({a => 1, b => {c => 2, d => {e => 3}}})  # => [1, 2, 3]",),
    versions=(9,),
)
def nested_values(entries: PuppetHash, *, context: Context) -> Value:
    """Return the values of a hash and of all hashes in it, as one array.

    @param hash the hash
    """
    check_elements(values_length(entries), "stdlib::nested_values", context)
    return tuple(_values(entries))


def _values(entries: PuppetHash) -> Iterator[Value]:
    for value in entries.values():
        if type(value) is PuppetHash:
            yield from _values(value)
        else:
            yield value
