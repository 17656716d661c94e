"""The inferred type of a value that may be too large to visit all of it."""

from __future__ import annotations

from puppet_repl.language.types.algebra.infer import infer
from puppet_repl.language.values.size import is_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value


def inferred(value: Value, max_parts: int) -> PuppetType | None:
    """Return the inferred type of a value, or None if it has more than ``max_parts`` parts."""
    return None if is_large(value, max_parts) else infer(value)


def type_text(value: Value, max_parts: int) -> str:
    """Return the inferred type of a value as text; of a larger one only Array or Hash."""
    found = inferred(value, max_parts)
    if found is None:
        return "Array" if isinstance(value, tuple) else "Hash"
    return str(found)
