"""Which types of a session name other types than they did when their definitions were read."""

from __future__ import annotations

from puppet_repl.language.types.model.alias import TypeReferenceType
from puppet_repl.language.types.model.defined import DefinedType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from puppet_repl.language.types.model.base import PuppetType


def stale_types(types: Mapping[str, PuppetType]) -> list[str]:
    """Return the names in ``types`` whose definitions would name other types if read again.

    ``types`` are all types of a session, by their names in lower case.
    """
    read = {
        name: known
        for name, known in types.items()
        if isinstance(known, DefinedType) and known.is_read
    }
    # One walk for all types: in a chain of definitions each leads to all earlier ones.
    parents: dict[int, list[PuppetType]] = {}
    pending: list[PuppetType] = [
        one for one in _referred(read.values(), parents) if _means_another(one, types)
    ]
    stale: set[int] = set()
    while pending:
        for parent in parents.get(id(pending.pop()), ()):
            if id(parent) not in stale:
                stale.add(id(parent))
                pending.append(parent)
    return [name for name, known in read.items() if id(known) in stale]


def past_types(type_: PuppetType, types: Mapping[str, PuppetType]) -> list[DefinedType]:
    """Return the types that a type refers to, itself included, whose names mean others by now."""
    return [
        one for one in _referred((type_,)) if isinstance(one, DefinedType) and _is_past(one, types)
    ]


def _means_another(one: DefinedType | TypeReferenceType, types: Mapping[str, PuppetType]) -> bool:
    """Tell whether the name of a type, or one that was unknown, means another type by now."""
    if isinstance(one, DefinedType):
        return _is_past(one, types)
    key = _key(one.type_string.partition("[")[0])
    return _is_in_unread(key, types) or _find(key, types) is not None


def _referred(
    roots: Iterable[PuppetType], parents: dict[int, list[PuppetType]] | None = None
) -> list[DefinedType | TypeReferenceType]:
    """Return the named and the unknown types that types lead to, as far as they have been read.

    ``parents`` gets those that name a type, by its identity.
    """
    found: list[DefinedType | TypeReferenceType] = []
    # They are kept, so that no later one takes over an identity.
    seen: dict[int, PuppetType] = {}
    pending = [*roots]
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen[id(one)] = one
        if isinstance(one, TypeReferenceType):
            found.append(one)
            continue
        if isinstance(one, DefinedType):
            found.append(one)
            parts = one.read_parts()
        else:
            parts = one.contained()
        pending.extend(parts)
        if parents is not None:
            for part in parts:
                parents.setdefault(id(part), []).append(one)
    return found


def _is_past(one: DefinedType, types: Mapping[str, PuppetType]) -> bool:
    """Tell whether the name of a type means another one by now; types of the language stay."""
    key = _key(one.name)
    if _is_in_unread(key, types):
        return True  # it comes from a type set that has been defined again
    found = _find(key, types)
    return found is not one and (one.generation > 0 or found is not None)


def _is_in_unread(key: str, types: Mapping[str, PuppetType]) -> bool:
    """Tell whether a name may be one of a type set whose types are not known yet."""
    outer = types.get(key.rpartition("::")[0])
    return key not in types and isinstance(outer, DefinedType) and not outer.is_read


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
