"""The limit on the size of a single result (``max_memory``), checked before it is built."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context

BYTES_PER_ELEMENT = 8


def check_length(length: int, name: str, context: Context) -> None:
    """Raise RuntimeFailure if a String of that length exceeds the limit of the session."""
    if length > context.options.max_memory:
        raise _too_large(f"a String of {length} characters", name, context)


def check_elements(count: int, name: str, context: Context) -> None:
    """Raise RuntimeFailure if an Array of that size exceeds the limit of the session."""
    if count * BYTES_PER_ELEMENT > context.options.max_memory:
        raise _too_large(f"an Array of {count} elements", name, context)


def _too_large(what: str, name: str, context: Context) -> RuntimeFailure:
    return RuntimeFailure(
        f"{name}(): the result would be {what}, more than the limit of this session "
        f"({context.options.max_memory} bytes, set with {context.options.spelt('max_memory')})"
    )
