"""The Callable type of a closure; this module is imported at first use."""

from __future__ import annotations

from puppet_repl.language.types.model.base import ANY
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import ArrayType, TupleType
from puppet_repl.language.types.model.scalar import INFINITY, IntegerType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.closure import CallableSpec
    from puppet_repl.language.types.model.base import PuppetType


def signature_of(
    spec: CallableSpec, declared_types: tuple[PuppetType | None, ...] | None
) -> CallableType:
    """Return the Callable type for declared parameter types, with the result's type at the end."""
    given = declared_types or (None,) * (len(spec.parameters) + 1)
    types: list[PuppetType] = []
    low: float = 0
    high: float = 0
    for parameter, declared in zip(spec.parameters, given, strict=False):
        kind = ANY if declared is None else declared
        if not parameter.captures_rest:
            low += not parameter.has_default
            high += 1
        elif isinstance(kind, ArrayType):
            low += 0 if kind.size is None else kind.size.low
            high += INFINITY if kind.size is None else kind.size.high
            kind = kind.element
        else:
            high = INFINITY
        types.append(kind)
    return CallableType(TupleType(tuple(types), IntegerType(low, high)), None, given[-1])
