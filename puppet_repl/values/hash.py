"""Puppet's Hash: ordered, immutable, with Ruby's idea of equal keys.

Ruby tells keys apart with ``eql?``: 1, 1.0, true and '1' are four keys, and no case is folded.
Strings, Integers and undef are their own dict keys, so that the usual hash is one plain dict;
other keys go through hash_key, and a second dict remembers what they were.
"""

from __future__ import annotations

from collections.abc import Iterable

from puppet_repl.values.protocols import PuppetValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Hashable
    from typing import Any, ClassVar

    from puppet_repl.values.protocols import Value

_NATIVE_KEYS = frozenset((str, int, type(None)))


def hash_key(value: Any) -> Hashable:
    """Answer something hashable that is equal for two values exactly if Ruby's ``eql?`` holds."""
    kind = type(value)
    if kind in _NATIVE_KEYS:
        native: Hashable = value
        return native
    if kind is bool or kind is float:
        return (kind, value)
    if kind is tuple:
        return (tuple, tuple([hash_key(item) for item in value]))
    if isinstance(value, PuppetValue) or kind is PuppetHash:
        return (kind, value.puppet_key())
    return (kind, value)


_new = object.__new__


class PuppetHash:
    """An immutable ordered mapping of Puppet values."""

    __slots__ = ("_originals", "_values")

    EMPTY: ClassVar[PuppetHash]

    _values: dict[Any, Any]
    _originals: dict[Any, Any] | None

    def __init__(self, pairs: Iterable[tuple[Value, Value]] = ()) -> None:
        values: dict[Any, Any] = {}
        originals: dict[Any, Any] | None = None
        native: Hashable
        for key, value in pairs:
            if type(key) is str:
                native = key
            else:
                native = hash_key(key)
                if native is not key and originals is None:
                    originals = {known: known for known in values}
            if originals is not None and native not in originals:
                originals[native] = key
            values[native] = value
        self._values = values
        self._originals = originals

    @staticmethod
    def of_strings(values: dict[str, Any]) -> PuppetHash:
        """Wrap a dict whose keys are all str; the caller gives it away."""
        made = _new(PuppetHash)
        made._values = values
        made._originals = None
        return made

    @staticmethod
    def _wrap(values: dict[Any, Any], originals: dict[Any, Any] | None) -> PuppetHash:
        made = _new(PuppetHash)
        made._values = values
        made._originals = originals
        return made

    def __len__(self) -> int:
        return len(self._values)

    def __bool__(self) -> bool:
        """Puppet has no truth of hashes but "not undef"; len() says whether one is empty."""
        return True

    def keys(self) -> Collection[Any]:
        """Answer the keys in order."""
        originals = self._originals
        return self._values.keys() if originals is None else originals.values()

    def values(self) -> Collection[Any]:
        """Answer the values in order."""
        return self._values.values()

    def items(self) -> Collection[tuple[Any, Any]]:
        """Answer the pairs in order; they can be gone through again."""
        originals = self._originals
        if originals is None:
            return self._values.items()
        return tuple(zip(originals.values(), self._values.values(), strict=True))

    def get(self, key: Any, default: Any = None) -> Any:
        """Answer the value of a key, or the given default."""
        return self._values.get(key if type(key) is str else hash_key(key), default)

    def has(self, key: Any) -> bool:
        """Say whether there is such a key, even one with the value undef."""
        return (key if type(key) is str else hash_key(key)) in self._values

    def __getitem__(self, key: Value) -> Any:
        return self._values[key if type(key) is str else hash_key(key)]

    def paired_values(self, other: PuppetHash) -> tuple[Iterable[Any], Iterable[Any]]:
        """Answer the values, and what another hash has at the same keys: undef if nothing."""
        return self._values.values(), map(other._values.get, self._values)

    def merge(self, other: PuppetHash) -> PuppetHash:
        """Answer self with the entries of other over it; known keys keep their place."""
        if not other._values:
            return self
        if not self._values:
            return other
        originals = self._originals
        if originals is not None or other._originals is not None:
            mine = originals if originals is not None else {key: key for key in self._values}
            theirs = other._originals
            if theirs is None:
                theirs = {key: key for key in other._values}
            originals = {**mine, **theirs, **mine}
        return self._wrap({**self._values, **other._values}, originals)

    def with_item(self, key: Value, value: Value) -> PuppetHash:
        """Answer self with one entry set."""
        native = key if type(key) is str else hash_key(key)
        originals = self._originals
        if originals is not None or native is not key:
            originals = dict(originals) if originals is not None else {k: k for k in self._values}
            originals.setdefault(native, key)
        return self._wrap({**self._values, native: value}, originals)

    def without(self, keys: Iterable[Any]) -> PuppetHash:
        """Answer self less the given keys; keys that it does not have are no error."""
        values = dict(self._values)
        originals = None if self._originals is None else dict(self._originals)
        for key in keys:
            native = key if type(key) is str else hash_key(key)
            if native in values:
                del values[native]
                if originals is not None:
                    del originals[native]
        return self._wrap(values, originals)

    def puppet_key(self) -> Hashable:
        """Order does not count in Ruby's ``eql?`` of hashes."""
        return frozenset([(native, hash_key(value)) for native, value in self._values.items()])

    def __eq__(self, other: object) -> bool:
        """Compare strictly, as keys are; Puppet's ``==`` is compare.equals."""
        return type(other) is PuppetHash and self.puppet_key() == other.puppet_key()

    def __hash__(self) -> int:
        return hash(self.puppet_key())

    def __repr__(self) -> str:
        return f"PuppetHash({list(self.items())!r})"


PuppetHash.EMPTY = PuppetHash()
