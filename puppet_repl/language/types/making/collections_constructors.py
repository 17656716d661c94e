"""The constructors of Array and Hash."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.algebra.infer import infer
from puppet_repl.language.types.making.constructor import Constructor, Way
from puppet_repl.language.types.model.wrapper import ITERABLE
from puppet_repl.language.values.binary import Binary
from puppet_repl.language.values.hash import PuppetHash, hash_key
from puppet_repl.language.values.iterator import countable
from puppet_repl.language.values.ruby import no_conversion, ruby_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value


def _elements(value: Value) -> tuple[Any, ...]:
    """Return the elements of anything that can be iterated over, and the bytes of a Binary."""
    return tuple(value.data if type(value) is Binary else countable(value))


def _array(value: Value, _wrap: bool = False) -> tuple[Any, ...]:
    return _elements(value)


def _wrapped(value: Value, _wrap: bool) -> tuple[Any, ...]:
    return value if type(value) is tuple else (value,)


def _refuse_array(value: Value, _wrap: bool = False) -> str:
    return f"Value of type {infer(value).generalize()} cannot be converted to Array"


def _hash(value: Value) -> PuppetHash:
    """Make a Hash of keys and values in turn."""
    if type(value) is PuppetHash:
        return value
    if type(value) is not tuple:
        if not ITERABLE.accepts_value(value):
            raise RuntimeFailure(
                f"Value of type {infer(value).generalize()} cannot be converted to Hash"
            )
        value = _elements(value)
        if len(value) == 1 and isinstance(value[0], (tuple, PuppetHash)):
            return _hash_of_one(value[0])
    if len(value) % 2:
        raise RuntimeFailure("odd number of arguments for Hash")
    return PuppetHash(zip(value[::2], value[1::2], strict=True))


def _hash_of_one(value: tuple[Any, ...] | PuppetHash) -> PuppetHash:
    """Make a Hash of the only element of an iterable: what Ruby's Hash[] makes of it."""
    if isinstance(value, PuppetHash):
        return value
    for index, pair in enumerate(value):
        if type(pair) is not tuple:
            found = ruby_class(pair)
            raise RuntimeFailure(f"wrong element type {found} at {index} (expected array)")
        if not 1 <= len(pair) <= 2:
            raise RuntimeFailure(f"invalid number of elements ({len(pair)} for 1..2)")
    return PuppetHash([(pair[0], pair[1] if len(pair) == 2 else None) for pair in value])


class _Branch:
    """A Hash under construction: keys as Ruby tells them apart, to key and value."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: dict[Any, tuple[Any, Any]] = {}

    def set(self, key: Any, value: Any) -> None:
        native = hash_key(key)
        known = self.entries.get(native)
        self.entries[native] = (key if known is None else known[0], value)

    def child(self, key: Value) -> Any:
        """Return the child at a key, ready to be changed; a new branch if the key is missing."""
        found = self.entries.get(hash_key(key))
        child = _Branch() if found is None else _open(found[1])
        self.set(key, child)
        return child


def _open(value: Value) -> Any:
    """Make a copy of a container that can be changed."""
    if type(value) is tuple:
        return list(value)
    if type(value) is PuppetHash:
        branch = _Branch()
        for key, item in value.items():
            branch.set(key, item)
        return branch
    return value


def _close(value: Any) -> Any:
    if isinstance(value, _Branch):
        return PuppetHash([(key, _close(item)) for key, item in value.entries.values()])
    if isinstance(value, list):
        return tuple([_close(item) for item in value])
    return value


def _array_as_hash(value: Any) -> Any:
    if type(value) is not tuple:
        return value
    return PuppetHash([(index, _array_as_hash(item)) for index, item in enumerate(value)])


def _hash_of_tree(entries: tuple[Any, ...], option: str | None = None) -> PuppetHash:
    """Put values at the end of their paths; an empty path is the whole."""
    if option is None:
        return PuppetHash(entries)
    root = _Branch()
    for path, value in entries:
        if not path:
            items = enumerate(value) if type(value) is tuple else _pairs(value)
            for key, item in items:
                root.set(key, item)
            continue
        place: Any = root
        for step in path[:-1]:
            place = _step(place, step)
        _put(place, path[-1], _array_as_hash(value) if option == "hash_tree" else value)
    made: PuppetHash = _close(root)
    return made


def _pairs(value: Any) -> Any:
    if type(value) is not PuppetHash:
        raise no_conversion(value, "Hash")
    return value.items()


def _step(place: Any, key: Any) -> Any:
    if isinstance(place, _Branch):
        return place.child(key)
    if isinstance(place, list) and type(key) is int and -len(place) <= key < len(place):
        place[key] = _open(place[key])
        return place[key]
    raise _no_place(place)


def _put(place: Any, key: Any, value: Any) -> None:
    if isinstance(place, _Branch):
        place.set(key, value)
    elif isinstance(place, list) and type(key) is int and -len(place) <= key <= len(place):
        if key == len(place):
            place.append(value)
        else:
            place[key] = value
    else:
        raise _no_place(place)


def _no_place(place: Value) -> RuntimeFailure:
    return RuntimeFailure(
        f"a path goes on below {infer(_close(place)).generalize()}, which has no entries"
    )


NEW_ARRAY = Constructor(
    "new_array",
    Way(_array, "Variant[Array,Hash,Binary,Iterable] from", "Boolean[false] wrap?"),
    Way(_wrapped, "Any from", "Boolean[true] wrap"),
    Way(_refuse_array, "Any from", "Boolean wrap?", is_refusal=True),
)
NEW_HASH = Constructor(
    "new_hash",
    Way(_hash_of_tree, "TreeArray from", "NewHashOption build_option?"),
    Way(PuppetHash, "KeyValueArray from"),
    Way(_hash, "Any from"),
    aliases={
        "KeyValueArray": "Array[Tuple[Any,Any],1]",
        "TreeArray": "Array[Tuple[Array,Any],1]",
        "NewHashOption": "Enum[tree, hash_tree]",
    },
)
