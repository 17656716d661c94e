"""How values of several levels of data become one: Puppet's merge strategies.

The strategies take the values from the most to the least important one. Deep merges follow the
rules of the deep_merge library that Puppet uses: what is more important wins where the two do
not fit together, and arrays become the union, the less important elements first.
"""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.data_files import lookup_error
from puppet_repl.functions.ordering import natural_sort
from puppet_repl.types.making.parse import parse_type
from puppet_repl.types.text.mismatch import value_mismatch
from puppet_repl.values.array import flatten
from puppet_repl.values.default import UNSET
from puppet_repl.values.hash import PuppetHash, hash_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

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


class Merge:
    """One way to merge: a strategy with its options."""

    def __init__(self, name: str, options: PuppetHash = PuppetHash.EMPTY) -> None:
        self.name = name
        prefix = options.get("knockout_prefix")
        if prefix == "":
            raise RuntimeFailure("knockout_prefix cannot be an empty string in deep_merge!")
        self.knockout: str | None = prefix if type(prefix) is str else None
        self.sorts = options.get("sort_merged_arrays") is True
        self.merges_hashes = options.get("merge_hash_arrays") is True

    @property
    def takes_first(self) -> bool:
        """Whether the first value that is found is the only one that counts."""
        return self.name in ("first", "default")

    def over(self, variants: Iterable[Callable[[], Any]]) -> Any:
        """The merged value of all variants that have one, UNSET where none has.

        A variant answers UNSET for "nothing here"; none is asked that does not count.
        """
        asked = list(variants)
        result: Any = UNSET
        for variant in asked:
            value = variant()
            if value is UNSET:
                continue
            if self.takes_first:
                return value
            if len(asked) == 1:
                return self._single(value)
            result = self._converted(value) if result is UNSET else self.two(result, value)
        return result

    def two(self, first: Any, second: Any) -> Any:
        """The first, more important value merged with the second."""
        if self.name == "hash":
            _check("first", "Hash[String,Data]", first)
            _check("second", "Hash[String,Data]", second)
            merged: PuppetHash = second.merge(first)
            return merged
        if self.name == "unique":
            _check("first", "Variant[Scalar,Array[Data]]", first)
            _check("second", "Variant[Scalar,Array[Data]]", second)
            return _union(self._converted(first), self._converted(second))
        if self.name == "reverse_deep":
            return self._deep(second, first)
        return self._deep(first, second)

    def _single(self, value: Any) -> Any:
        if self.name == "unique" and type(value) is tuple:
            return _union(value, ())
        return value

    def _converted(self, value: Any) -> Any:
        if self.name != "unique":
            return value
        return flatten((value,))

    def _deep(self, source: Any, target: Any) -> Any:
        if source is None:
            return target
        if target is None or target is False:
            return source
        if type(source) is PuppetHash:
            if type(target) is not PuppetHash:
                return self._overwritten(source)
            return self._deep_hashes(source, target)
        if type(source) is tuple and type(target) is tuple:
            return self._deep_arrays(source, target)
        return self._overwritten(source)

    def _deep_hashes(self, source: PuppetHash, target: PuppetHash) -> PuppetHash:
        merged = target
        for key, value in source.items():
            known = merged.get(key)
            if known is None or known is False:
                known = value
            merged = merged.with_item(key, self._deep(value, known))
        return merged

    def _deep_arrays(self, source: tuple[Any, ...], target: tuple[Any, ...]) -> Any:
        if self.knockout is not None:
            source, target = self._knocked_out(self.knockout, source, target)
        pairs_up = self.merges_hashes and all(type(one) is PuppetHash for one in (*source, *target))
        if pairs_up:
            places = [
                self._deep(source[index] if index < len(source) else PuppetHash.EMPTY, one)
                for index, one in enumerate(target)
            ]
            merged = (*places, *source[len(target) :])
        else:
            merged = _union(target, source)
        if self.sorts:
            merged = tuple(natural_sort(merged))
        return merged

    def _knocked_out(
        self, prefix: str, source: tuple[Any, ...], target: tuple[Any, ...]
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        if prefix in [one for one in source if type(one) is str]:
            source = tuple([one for one in source if one != prefix or type(one) is not str])
            target = ()
        kept: list[Any] = []
        gone: set[Any] = set()
        for one in source:
            if type(one) is str and one.startswith(prefix):
                gone.update((hash_key(one), hash_key(one.removeprefix(prefix))))
            else:
                kept.append(one)
        return tuple(kept), tuple([one for one in target if hash_key(one) not in gone])

    def _overwritten(self, source: Any) -> Any:
        prefix = self.knockout
        if prefix is None:
            return source
        if type(source) is str:
            return "" if source.startswith(prefix) else source
        if type(source) is tuple:
            knocked = any(type(one) is str and one.startswith(prefix) for one in source)
            return "" if knocked else source
        return source


FIRST = Merge("first")
HASH = Merge("hash")


def merge_of(wanted: Any) -> Merge:
    """The strategy that a name, or a Hash with ``strategy`` and options, asks for."""
    if wanted is None:
        return FIRST
    options = PuppetHash.EMPTY
    name = wanted
    if type(wanted) is PuppetHash:
        options = wanted
        name = wanted.get("strategy")
        if name is None:
            raise RuntimeFailure(
                "The hash given as 'merge' must contain the name of a strategy in string form "
                "for the key 'strategy'"
            )
    if name not in _OPTIONS:
        raise RuntimeFailure(f"Unknown merge strategy: '{name}'")
    if len(options) > 1:
        text = _mismatch("The merge options", _OPTIONS[name], options)
        if text is not None:
            raise RuntimeFailure(text)
    return Merge(name, options)


def _union(first: Iterable[Any], second: Iterable[Any]) -> tuple[Any, ...]:
    seen: dict[Any, Any] = {}
    for value in (*first, *second):
        seen.setdefault(hash_key(value), value)
    return tuple(seen.values())


def _check(place: str, type_text: str, value: Any) -> None:
    text = _mismatch(f"The {place} element of the merge", type_text, value)
    if text is not None:
        raise lookup_error(text)


def _mismatch(subject: str, type_text: str, value: Any) -> str | None:
    """What is wrong with a value; None where nothing is."""
    expected = parse_type(type_text)
    if expected.accepts_value(value):
        return None
    return value_mismatch(subject, expected, value)
