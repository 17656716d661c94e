"""Which types of a session name other types than they did when their definitions were read."""

from __future__ import annotations

from puppet_repl.types.model.alias import TypeReferenceType
from puppet_repl.types.model.defined import DefinedType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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


def _is_stale(known: DefinedType, types: Mapping[str, PuppetType]) -> bool:
    seen: set[int] = set()
    pending: list[PuppetType] = [*known.read_parts()]
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        parts: Iterable[PuppetType]
        if isinstance(one, DefinedType):
            if one.generation and _find(one.name, types) is not one:
                return True
            parts = one.read_parts()
        elif isinstance(one, TypeReferenceType):
            if _find(one.type_string.partition("[")[0], types) is not None:
                return True
            continue
        else:
            parts = one.contained()
        pending.extend(parts)
    return False


def _find(name: str, types: Mapping[str, PuppetType]) -> PuppetType | None:
    """Return the type of a name, also of one in a type set that has been read."""
    key = name.removeprefix("::").lower()
    found = types.get(key)
    if found is None and "::" in key:
        outer, _, leaf = key.rpartition("::")
        type_set = _find(outer, types)
        found = None if type_set is None else type_set.member(leaf)
    return found
