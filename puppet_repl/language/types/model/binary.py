"""The type of binary data."""

from __future__ import annotations

from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.values.binary import Binary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.types.model.base import Predicate
    from puppet_repl.language.types.model.guard import Guard


class BinaryType(PuppetType):
    """Binary values. They are not Scalar, and not iterable."""

    __slots__ = ()
    kind = "Binary"

    @property
    def default(self) -> PuppetType:
        return BINARY

    def _compile(self) -> Predicate:
        return lambda value: type(value) is Binary

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return isinstance(other, BinaryType)


def binary_type(value: Binary) -> PuppetType:
    """Return the type of a Binary."""
    return BINARY


BINARY = BinaryType()
