"""What Puppet makes of aliases that refer to themselves, where it differs from the answers here.

Puppet remembers which aliases and values it has been asked about, and gives up where both come
again. At an Optional it forgets them, and the question never ends. Elsewhere it gives up too early.
"""

from __future__ import annotations

from puppet_repl.language.types.model.base import Guard
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import (
    ArrayType,
    HashType,
    StructType,
    TupleType,
)
from puppet_repl.language.types.model.wrapper import (
    NotUndefType,
    OptionalType,
    VariantType,
    WrappingType,
)
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeGuard

    from puppet_repl.language.types.model.alias import TypeAliasType
    from puppet_repl.language.types.model.base import PuppetType

# Aliases inside of each other; only circles have more.
_MAX_DEPTH = 100
# Whose contents Puppet reads again where the name of an alias is evaluated.
_READ_AGAIN = (ArrayType, CallableType, HashType, StructType, TupleType, WrappingType)


def _is_alias(one: PuppetType) -> TypeGuard[TypeAliasType]:
    return one.kind == "TypeAlias"


class EndlessError(Exception):
    """Puppet's stack is not deep enough for a question, as none is."""


class _Seen:
    """The aliases or values that have been asked about, and whether one came again."""

    __slots__ = ("again", "items")

    def __init__(self) -> None:
        self.items: set[object] = set()
        self.again = False

    def add(self, item: object) -> bool:
        """Remember an item; return whether it is a new one."""
        if self.again:
            return False
        if item in self.items:
            self.again = True
            return False
        self.items.add(item)
        return True

    def during(self, item: object, ask: Callable[[], int]) -> int:
        """Ask with an item remembered, which is forgotten after the answer."""
        if not self.add(item):
            return ask()
        answer = ask()
        self.again = False
        self.items.discard(item)
        return answer


class PuppetGuard(Guard):
    """Answers whether types are assignable as Puppet does; raises EndlessError if it never ends."""

    __slots__ = ("depth", "others", "targets")

    def __init__(self, depth: int = 0) -> None:
        super().__init__()
        self.depth = depth
        self.targets = _Seen()
        self.others = _Seen()

    def of_optional(self) -> PuppetGuard:
        return PuppetGuard(self.depth)

    def accepts(self, alias: TypeAliasType, other: PuppetType) -> bool:
        """Tell whether a type is assignable to a recursive alias."""
        return self._deeper(
            lambda: self.targets.during(
                id(alias), lambda: self._is_settled() or other._offered_to(alias, self)
            )
        )

    def offers(self, alias: TypeAliasType, target: PuppetType) -> bool:
        """Tell whether a recursive alias is assignable to a type."""
        self.others.add(id(alias))
        return self._is_settled() or self._deeper(lambda: target.accepts_type(alias.target(), self))

    def _is_settled(self) -> bool:
        return self.targets.again and self.others.again

    def _deeper(self, ask: Callable[[], int]) -> bool:
        if self.depth == _MAX_DEPTH:
            raise EndlessError
        self.depth += 1
        answer = bool(ask())
        self.depth -= 1
        return answer


def refuses(alias: TypeAliasType, value: object) -> bool:
    """Tell whether Puppet refuses a value as an instance of a recursive alias."""
    try:
        return not _Instances().holds(alias, value)
    except RecursionError:  # of a value as deep as this, nobody knows
        return False


class _Instances:
    """Tells whether values are instances; remembers the questions on the way."""

    def __init__(self) -> None:
        self.types = _Seen()
        self.values = _Seen()

    def holds(self, one: PuppetType, value: object) -> bool:
        """Answer for a type."""
        if isinstance(one, VariantType):
            return any(self.holds(each, value) for each in one.types)
        if isinstance(one, OptionalType):
            return value is None or (one.type is not None and self.holds(one.type, value))
        if isinstance(one, NotUndefType):
            return value is not None and (one.type is None or self.holds(one.type, value))
        if isinstance(one, ArrayType | HashType | TupleType | StructType):
            return self._holds_parts(one, value)
        return self._really(one, value) == 1

    def _really(self, one: PuppetType, value: object) -> int:
        """Return -1 for no instance, 1 for one, and 0 where Puppet gives up."""
        if isinstance(one, VariantType):
            answer = -1
            for each in one.types:
                answer = max(answer, self._really(each, value))
                if answer == 1:
                    break
            return answer
        if not _is_alias(one):
            if isinstance(one, _TAKEN_APART):
                return 1 if self.holds(one, value) else -1
            return 1 if one.accepts_value(value) else -1
        target = one.target()
        if not one.is_recursive:
            return self._really(target, value)
        key = value if isinstance(value, int | None) else id(value)
        return self.values.during(
            (type(value), key),
            lambda: self.types.during(
                id(one),
                lambda: (
                    0 if self.types.again and self.values.again else self._really(target, value)
                ),
            ),
        )

    def _holds_parts(
        self, one: ArrayType | HashType | TupleType | StructType, value: object
    ) -> bool:
        if isinstance(one, HashType):
            return (
                isinstance(value, PuppetHash)
                and all(self.holds(one.key, key) for key in value)
                and all(self.holds(one.value, each) for each in value.values())
                and one.size_or_any.accepts_value(len(value))
            )
        if isinstance(one, StructType):
            return (
                isinstance(value, PuppetHash)
                and all(name in one.named for name in value)
                and all(
                    self.holds(each.value, value[each.name])
                    if each.name in value
                    else each.optional
                    for each in one.elements
                )
            )
        if not isinstance(value, tuple | list):
            return False
        if isinstance(one, ArrayType):
            fits = one.size_or_any.accepts_value(len(value))
            return fits and all(self.holds(one.element, each) for each in value)
        return one.size_range.accepts_value(len(value)) and (
            not one.types
            or all(self.holds(one.type_at(index), each) for index, each in enumerate(value))
        )


_TAKEN_APART = (OptionalType, NotUndefType, ArrayType, HashType, TupleType, StructType)


def is_read_without_end(alias: TypeAliasType) -> bool:
    """Tell whether Puppet never ends when the name of an alias is evaluated again.

    It reads the definition again, and the types inside of it, except for those of a Variant.
    """
    finished: set[int] = set()
    path: set[int] = set()

    def leads_back(one: PuppetType) -> bool:
        key = id(one)
        if key in path:
            return True
        if key in finished:
            return False
        path.add(key)
        if _is_alias(one):
            found = leads_back(one.target())
        else:
            found = isinstance(one, _READ_AGAIN) and any(map(leads_back, one.contained()))
        path.discard(key)
        finished.add(key)
        return found

    return leads_back(alias)
