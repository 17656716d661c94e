"""Puppet's Hash: ordered, immutable, with Ruby's equality of keys.

Ruby compares keys with ``eql?``: 1, 1.0, true and '1' are four keys, and case counts. Strings,
Integers and undef are used as keys of a dict directly, so that the usual hash is one plain dict;
other keys are converted by hash_key, and a second dict holds the original keys.
"""

from __future__ import annotations

# collections would be one more module at every start.
from _collections_abc import ItemsView, Iterable, KeysView, Mapping

from puppet_repl.base.sharing import once, once_for_both
from puppet_repl.language.values.protocols import Instance, PuppetValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, ValuesView
    from typing import Any, ClassVar, TypeAlias

    from puppet_repl.language.values.protocols import Value

    _Base: TypeAlias = Mapping[Any, Any]
    _ItemsView: TypeAlias = ItemsView[Any, Any]
    _Dict: TypeAlias = dict[Any, Any]
else:
    _Base = object  # it is registered below: Mapping's own methods would be slower
    _ItemsView = ItemsView
    _Dict = dict

_NATIVE_KEYS = frozenset((str, int, type(None)))
# The classes of values without parts.
FLAT = frozenset((str, int, type(None), bool, float))
# A key of more items, or with more paths to items than about this, is hashed once only.
_FEW = 100
_FEW_PATHS = 300
# The steps that a large key takes, which is tried as a small one first.
_ATTEMPT = 300


def are_keys(values: Iterable[Any]) -> bool:
    """Tell whether each of the values is its own ``hash_key``."""
    return _NATIVE_KEYS.issuperset(map(type, values))


def hash_key(value: Any) -> Hashable:
    """Return a hashable that is equal for two values exactly if Ruby's ``eql?`` holds."""
    kind = type(value)
    if kind in _NATIVE_KEYS:
        native: Hashable = value
        return native
    if kind is bool or kind is float:
        return (kind, value)
    if kind is tuple:
        keys = _small_keys(value, _FEW_PATHS) if len(value) <= _FEW else None
        return once(_array_key, value, _ATTEMPT) if keys is None else (tuple, tuple(keys))
    if kind is PuppetHash:
        key = _small_hash_key(value, _FEW_PATHS) if len(value._values) <= _FEW else None
        return once(_hash_key, value, _ATTEMPT) if key is None else key
    if isinstance(value, Instance):
        return once(_instance_key, value)
    if isinstance(value, PuppetValue):
        return (kind, value.puppet_key())
    return (kind, value)


def _small_keys(items: Collection[Any], paths: int) -> list[Hashable] | None:
    """Return the keys of items, None if there may be more than so many paths to their parts.

    Each item may have an equal part of them, so that this depends on nothing but the items, and
    equal values have equal keys. Values with parts that are not arrays and hashes count as large.
    """
    paths = (paths - 1) // (len(items) or 1)
    keys: list[Hashable] = []
    for item in items:
        kind = type(item)
        if kind is str or kind is int or item is None:
            keys.append(item)
        elif kind is tuple:
            if len(item) > paths:
                return None
            inner = _small_keys(item, paths)
            if inner is None:
                return None
            keys.append((tuple, tuple(inner)))
        elif kind is bool or kind is float:
            keys.append((kind, item))
        else:
            key = _small_hash_key(item, paths) if kind is PuppetHash else None
            if key is None:
                return None
            keys.append(key)
    return keys


def _small_hash_key(value: PuppetHash, paths: int) -> Hashable | None:
    """Return the key of a hash as _small_keys() does those of items; the order does not count."""
    values = value._values
    if len(values) > paths or not (value._originals is None or are_keys(values)):
        return None
    items = values.values()
    if _NATIVE_KEYS.issuperset(map(type, items)):
        return (PuppetHash, frozenset(values.items()))
    keys = _small_keys(items, paths)
    # To ask for equal lengths would take as long as the rest.
    return None if keys is None else (PuppetHash, frozenset(zip(values, keys)))  # noqa: B905


class NestedKey:
    """A key made of others, hashed once and compared once: parts of a key may be shared."""

    __slots__ = ("_hash", "parts")

    def __init__(self, parts: Hashable) -> None:
        self.parts = parts
        self._hash = hash(parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not NestedKey or self._hash != other._hash:
            return False
        return once_for_both(_same_parts, self, other)


def _same_parts(left: NestedKey, right: NestedKey) -> bool:
    return left.parts == right.parts


def _array_key(value: tuple[Any, ...]) -> Hashable:
    return NestedKey((tuple, tuple(map(hash_key, value))))


def _hash_key(value: PuppetHash) -> Hashable:
    entries = [(native, hash_key(item)) for native, item in value._values.items()]
    return NestedKey((PuppetHash, frozenset(entries)))


def _instance_key(value: Instance) -> Hashable:
    return NestedKey((type(value), value.puppet_key()))


_new = object.__new__


class _Growing(_Dict):
    """The entries of a hash that nobody but the next grow() sees."""

    __slots__ = ()


class PuppetHash(_Base):
    """An immutable ordered mapping of Puppet values, with everything that a Mapping has.

    Keys are distinguished as Puppet does it: ``1``, ``1.0``, ``True`` and ``'1'`` are four, so that
    ``1.0 in h`` is False where ``1`` is a key. An empty one is true, as in Puppet: ask for its
    ``len()``. It equals a dict that makes the same hash, with lists in it or tuples; 1 and 1.0
    are not equal then either.
    """

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
        """Wrap a dict whose keys are all str, and take ownership of it."""
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
        """Return True: in Puppet only undef and false are false. len() tells an empty one."""
        return True

    @property
    def keys_are_native(self) -> bool:
        """Tell whether all keys are strings, Integers or undef."""
        return self._originals is None

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the keys in order."""
        originals = self._originals
        return iter(self._values if originals is None else originals.values())

    def __reversed__(self) -> Iterator[Any]:
        originals = self._originals
        return reversed(self._values if originals is None else originals.values())

    def keys(self) -> KeysView[Any]:
        """Return the keys in order."""
        return self._values.keys() if self._originals is None else KeysView(self)

    def values(self) -> ValuesView[Any]:
        """Return the values in order."""
        return self._values.values()

    def items(self) -> ItemsView[Any, Any]:
        """Return the pairs in order; the view can be iterated over repeatedly."""
        return self._values.items() if self._originals is None else _Items(self)

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, or the given default."""
        return self._values.get(key if type(key) is str else hash_key(key), default)

    def has(self, key: Any) -> bool:
        """Tell whether there is such a key, even one with the value undef."""
        return (key if type(key) is str else hash_key(key)) in self._values

    def __contains__(self, key: object) -> bool:
        return (key if type(key) is str else hash_key(key)) in self._values

    def to_python(self) -> Mapping[Any, Any]:
        """Return a dict, with keys and values converted: see ``values.python.to_python``."""
        from puppet_repl.language.values.python import to_python

        converted: Mapping[Any, Any] = to_python(self)
        return converted

    def __getitem__(self, key: Value) -> Any:
        return self._values[key if type(key) is str else hash_key(key)]

    def paired_values(self, other: PuppetHash) -> tuple[Iterable[Any], Iterable[Any]]:
        """Return the values, and those of another hash at the same keys (undef without one)."""
        return self._values.values(), map(other._values.get, self._values)

    def has_keys_of(self, other: PuppetHash) -> bool:
        """Tell whether both hashes have the same keys."""
        return self._values.keys() == other._values.keys()

    def merge(self, other: PuppetHash) -> PuppetHash:
        """Return self updated with the entries of other; existing keys keep their position."""
        originals = self._originals
        if originals is not None or other._originals is not None:
            mine = originals if originals is not None else {key: key for key in self._values}
            theirs = other._originals
            if theirs is None:
                theirs = {key: key for key in other._values}
            originals = {**mine, **theirs, **mine}
        return self._wrap({**self._values, **other._values}, originals)

    def grow(self, other: PuppetHash) -> PuppetHash:
        """Merge as `merge` does, into a hash that the next call changes itself: see settled()."""
        if other._originals is not None:
            return self.merge(other)
        return self.grow_entries(other._values)

    def grow_entries(self, entries: dict[Any, Any]) -> PuppetHash:
        """Merge as `grow` does the entries of a hash whose keys are native."""
        values = self._values
        if type(values) is _Growing:
            values.update(entries)
            return self
        if self._originals is not None:
            return self.merge(self._wrap(entries, None))
        values = _Growing(values)
        values.update(entries)
        return self._wrap(values, None)

    def settled(self) -> PuppetHash:
        """Return self, or an unchanging copy of a hash that grow() has made."""
        values = self._values
        return self._wrap(dict(values), None) if type(values) is _Growing else self

    def with_item(self, key: Value, value: Value) -> PuppetHash:
        """Return self with one entry set."""
        native = key if type(key) is str else hash_key(key)
        originals = self._originals
        if originals is not None or native is not key:
            originals = dict(originals) if originals is not None else {k: k for k in self._values}
            originals.setdefault(native, key)
        return self._wrap({**self._values, native: value}, originals)

    def compact(self) -> PuppetHash:
        """Return self without the entries whose value is undef."""
        if self._originals is not None:
            return self.without([key for key, value in self.items() if value is None])
        kept = {key: value for key, value in self._values.items() if value is not None}
        return self._wrap(kept, None)

    def without(self, keys: Iterable[Any]) -> PuppetHash:
        """Return self without the given keys; missing keys are not an error."""
        values = dict(self._values)
        originals = None if self._originals is None else dict(self._originals)
        for key in keys:
            native = key if type(key) is str else hash_key(key)
            if native in values:
                del values[native]
                if originals is not None:
                    del originals[native]
        return self._wrap(values, originals)

    def __eq__(self, other: object) -> bool:
        """Compare strictly, as keys are; Puppet's ``==`` is compare.equals."""
        if isinstance(other, dict):
            other = from_data(dict(other))
        return type(other) is PuppetHash and hash_key(self) == hash_key(other)

    def __hash__(self) -> int:
        return hash(hash_key(self))

    def __repr__(self) -> str:
        return f"PuppetHash({list(self.items())!r})"


class _Items(_ItemsView):
    """The pairs of a hash whose keys are not all strings, Integers or undef."""

    __slots__ = ()
    _mapping: PuppetHash

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return zip(self._mapping, self._mapping.values(), strict=True)


Mapping.register(PuppetHash)
PuppetHash.EMPTY = PuppetHash()


_STRINGS = frozenset((str,))


def from_data(value: Any) -> Value:
    """Convert JSON-like data to a Puppet value: dicts to hashes, lists to arrays."""
    kind = type(value)
    if kind is dict:
        values = {key: from_data(item) for key, item in value.items()}
        if set(map(type, values)) <= _STRINGS:
            return PuppetHash.of_strings(values)
        return PuppetHash(values.items())
    if kind is list or kind is tuple:
        return tuple([from_data(item) for item in value])
    return value
