"""The parts of values, for front ends that open containers."""

from __future__ import annotations

from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value


def hash_items(value: Value) -> list[tuple[Value, Value]] | None:
    """Return the entries of a Hash in order; None for any other value."""
    return list(value.items()) if isinstance(value, PuppetHash) else None


def is_container(value: Value) -> bool:
    """Tell whether a value is an Array or Hash with something in it."""
    return isinstance(value, (tuple, PuppetHash)) and len(value) > 0
