"""Which types of a session name other types than they did when their definitions were read."""

from __future__ import annotations

from puppet_repl.types.model.alias import TypeReferenceType
from puppet_repl.types.model.defined import DefinedType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from puppet_repl.types.model.base import PuppetType


def stale_types(types: Mapping[str, PuppetType]) -> list[str]:
    """Return the names in ``types`` whose definitions would name other types if read again.

    ``types`` are all types of a session, by their names in lower case.
    """
    return [
        name
        for name, known in types.items()
        if isinstance(known, DefinedType) and known.is_read and _is_stale(known, types)
    ]


def past_types(type_: PuppetType, types: Mapping[str, PuppetType]) -> list[DefinedType]:
    """Return the types that a type refers to, itself included, whose names mean others by now."""
    return [
        one for one in _referred((type_,)) if isinstance(one, DefinedType) and _is_past(one, types)
    ]


def _is_stale(known: DefinedType, types: Mapping[str, PuppetType]) -> bool:
    for one in _referred(known.read_parts()):
        if isinstance(one, DefinedType):
            if _is_past(one, types):
                return True
        elif _find(_key(one.type_string.partition("[")[0]), types) is not None:
            return True
    return False


def _referred(
    roots: Iterable[PuppetType],
) -> Iterator[DefinedType | TypeReferenceType]:
    """Yield the named and the unknown types that types lead to, as far as they have been read."""
    seen: set[int] = set()
    pending = [*roots]
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, TypeReferenceType):
            yield one
        elif isinstance(one, DefinedType):
            yield one
            pending.extend(one.read_parts())
        else:
            pending.extend(one.contained())


def _is_past(one: DefinedType, types: Mapping[str, PuppetType]) -> bool:
    """Tell whether the name of a type means another one by now; types of the language stay."""
    key = _key(one.name)
    outer = types.get(key.rpartition("::")[0])
    if key not in types and isinstance(outer, DefinedType) and not outer.is_read:
        return True  # it comes from a type set that has been defined again
    found = _find(key, types)
    return found is not one and (one.generation > 0 or found is not None)


def _key(name: str) -> str:
    return name.removeprefix("::").lower()


def _find(key: str, types: Mapping[str, PuppetType]) -> PuppetType | None:
    """Return the type of a name, also of one in a type set that has been read."""
    found = types.get(key)
    if found is None and "::" in key:
        outer, _, leaf = key.rpartition("::")
        type_set = _find(outer, types)
        found = None if type_set is None else type_set.member(leaf)
    return found
