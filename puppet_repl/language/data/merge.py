"""Puppet's merge strategies, which merge the values of several levels of data.

The values are ordered from the highest to the lowest priority. Deep merges follow the rules of
the deep_merge library that Puppet uses: of two values that cannot be merged, the one with the
higher priority is kept; arrays are merged to their union, elements of lower priority first.
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.data.files import lookup_error
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash, hash_key
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from typing import Any

    from puppet_repl.language.values.protocols import Value

    Array = tuple[Value, ...]

_PLAIN_OPTIONS = "Struct[{strategy => Optional[String]}]"
_ANY_OPTIONS = "Hash[String[1], Any]"
_OPTIONS = {
    "first": _PLAIN_OPTIONS,
    "default": _PLAIN_OPTIONS,
    "unique": _PLAIN_OPTIONS,
    "hash": _PLAIN_OPTIONS,
    "deep": (
        "Struct[{strategy => Optional[String], knockout_prefix => Optional[String], "
        "merge_debug => Optional[Boolean], merge_hash_arrays => Optional[Boolean], "
        "sort_merged_arrays => Optional[Boolean]}]"
    ),
    "unconstrained_deep": _ANY_OPTIONS,
    "reverse_deep": _ANY_OPTIONS,
}


# How the two sides of a deep merge are related: not at all; one is a shallow copy of the other, as
# Ruby's dup makes it; both are one object.
_APART, _COPY, _SAME = range(3)


class Merge:
    """A merge strategy; ``options`` is the Hash that it was chosen with, empty for a name alone."""

    def __init__(self, name: str, options: PuppetHash = PuppetHash.EMPTY) -> None:
        self.name = name
        self.options = options
        prefix = options.get("knockout_prefix")
        if prefix == "":
            raise RuntimeFailure("knockout_prefix cannot be an empty string in deep_merge!")
        self.knockout: str | None = prefix if type(prefix) is str else None
        self.sorts = options.get("sort_merged_arrays") is True
        self.merges_hashes = options.get("merge_hash_arrays") is True

    @property
    def takes_first(self) -> bool:
        """Tell whether only the first value that is found is used."""
        return self.name in ("first", "default")

    def added(self, result: Value, value: Value) -> Value:
        """Return the result of higher levels, UNSET if there is none yet, merged with a value."""
        if result is not UNSET:
            return self.two(result, value)
        return flatten((value,)) if self.name == "unique" else value

    def alone(self, value: Value) -> Value:
        """Return the result of the only level."""
        return _union(value, ()) if self.name == "unique" and type(value) is tuple else value

    def two(self, first: Value, second: Value) -> Value:
        """Merge two values, the first of which has the higher priority."""
        if self.name == "hash":
            _check("first", "Hash[String,Data]", first)
            _check("second", "Hash[String,Data]", second)
            assert isinstance(first, PuppetHash) and isinstance(second, PuppetHash)
            return second.merge(first)
        if self.name == "unique":
            _check("first", "Variant[Scalar,Array[Data]]", first)
            _check("second", "Variant[Scalar,Array[Data]]", second)
            return _union(flatten((first,)), flatten((second,)))
        if self.name == "reverse_deep":
            return self._deep(second, first)
        return self._deep(first, second)

    def _deep(self, source: Value, target: Value, kinship: int = _APART) -> Value:
        if source is None:
            return target
        if target is None or target is False:
            return source
        if type(source) is PuppetHash:
            if type(target) is not PuppetHash:
                return self._in_place_of(source, target)
            return self._deep_hashes(source, target, kinship)
        if type(source) is tuple and type(target) is tuple:
            return self._deep_arrays(source, target, kinship)
        return self._overwritten(source)

    def _deep_hashes(self, source: PuppetHash, target: PuppetHash, kinship: int) -> PuppetHash:
        inner = _SAME if kinship else _APART
        merged = target
        for key, value in source.items():
            existing = merged.get(key)
            if existing is None or existing is False:
                merged = merged.with_item(key, self._deep(value, value, _COPY))
            else:
                merged = merged.with_item(key, self._deep(value, existing, inner))
        return merged

    def _in_place_of(self, source: PuppetHash, target: Value) -> Value:
        """Return a hash in place of another value: its first key overwrites that, the others merge.

        They merge with themselves, because the value is the hash itself by then.
        """
        merged: Value = target
        for position, (key, value) in enumerate(source.items()):
            if position == 0:
                merged = source
            elif value is not None and value is not False:
                assert isinstance(merged, PuppetHash)
                merged = merged.with_item(key, self._deep(value, value, _SAME))
        return merged

    def _deep_arrays(self, source: Array, target: Array, kinship: int) -> Array:
        if self.knockout is not None:
            if kinship == _SAME:
                source = target = _knocked_out_of_itself(self.knockout, source)
            else:
                source, target = self._knocked_out(self.knockout, source, target)
        only_hashes = all(type(item) is PuppetHash for item in (*source, *target))
        if self.merges_hashes and only_hashes:
            inner = _SAME if kinship else _APART
            merged_hashes = [
                self._deep(source[index], item, inner)
                if index < len(source)
                else self._deep(PuppetHash.EMPTY, item)
                for index, item in enumerate(target)
            ]
            merged = (*merged_hashes, *source[len(target) :])
        else:
            merged = _union(target, source)
        if self.sorts:
            from puppet_repl.language.ruby_library.ordering import natural_sort

            merged = tuple(natural_sort(merged))
        return merged

    def _knocked_out(self, prefix: str, source: Array, target: Array) -> tuple[Array, Array]:
        """Remove the elements with the knockout prefix, and those that they name."""
        if prefix in [item for item in source if type(item) is str]:
            source = tuple([item for item in source if item != prefix or type(item) is not str])
            target = ()
        kept: list[Value] = []
        removed: set[Hashable] = set()
        for item in source:
            if type(item) is str and item.startswith(prefix):
                removed.update((hash_key(item), hash_key(item.removeprefix(prefix))))
            else:
                kept.append(item)
        return tuple(kept), tuple([item for item in target if hash_key(item) not in removed])

    def _overwritten(self, source: Value) -> Value:
        prefix = self.knockout
        if prefix is None:
            return source
        if type(source) is str:
            return "" if source.startswith(prefix) else source
        if type(source) is tuple:
            return tuple(
                [item for item in source if type(item) is not str or not item.startswith(prefix)]
            )
        return source


def _knocked_out_of_itself(prefix: str, items: Array) -> Array:
    """Return what Ruby leaves of an array from which elements are knocked out while it is merged.

    The library merges a hash that has no counterpart with a shallow copy of itself. An array inside
    of it is then both sides of the merge: elements are deleted from it while delete_if walks over
    it by position, and what delete_if had kept is cut off by as much as the array has shrunk.
    """
    left = [item for item in items if type(item) is not str or item != prefix]
    if len(left) < len(items):
        return ()
    read = written = 0
    while read < len(left):
        item = left[read]
        read += 1
        if type(item) is str and item.startswith(prefix):
            gone = (item, item.removeprefix(prefix))
            left = [other for other in left if type(other) is not str or other not in gone]
        else:
            if written < read - 1:
                left[written] = item
            written += 1
    if written < min(read, len(left)):
        left[written:] = left[read:]
    return tuple(left)


FIRST = Merge("first")
HASH = Merge("hash")
HIERA_HASH = Merge("hash")
"""That of hiera_hash(), in whose place a hiera.yaml of version 3 may put another one."""


def merge_of(strategy: Value | Merge) -> Merge:
    """Return the strategy of a name, or of a Hash with the key ``strategy`` and options.

    A Merge is returned unchanged.
    """
    if isinstance(strategy, Merge):
        return strategy
    if strategy is None:
        return FIRST
    options = PuppetHash.EMPTY
    name: Any = strategy
    if type(strategy) is PuppetHash:
        options = strategy
        name = strategy.get("strategy")
        if name is None:
            raise RuntimeFailure(
                "The hash given as 'merge' must contain the name of a strategy in string form "
                "for the key 'strategy'"
            )
    if type(name) is not str or name not in _OPTIONS:
        raise RuntimeFailure(f"Unknown merge strategy: '{ruby_text(name)}'")
    if len(options) > 1:
        text = _mismatch("The merge options", _OPTIONS[name], options)
        if text is not None:
            raise RuntimeFailure(text)
    return Merge(name, options if len(options) > 1 else PuppetHash.EMPTY)


def _union(first: Iterable[Value], second: Iterable[Value]) -> Array:
    seen: dict[Hashable, Value] = {}
    for value in (*first, *second):
        seen.setdefault(hash_key(value), value)
    return tuple(seen.values())


def _check(position: str, type_text: str, value: Value) -> None:
    text = _mismatch(f"The {position} element of the merge", type_text, value)
    if text is not None:
        raise lookup_error(text)


def _mismatch(subject: str, type_text: str, value: Value) -> str | None:
    """Return the error text for a value of a wrong type, else None."""
    from puppet_repl.language.types.making.parse import parse_type

    expected = parse_type(type_text)
    if expected.accepts_value(value):
        return None
    from puppet_repl.language.types.text.mismatch import value_mismatch

    return value_mismatch(subject, expected, value)
