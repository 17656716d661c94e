"""The limit on the size of one value that a function may make (``--max-memory``)."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.runtime.context import Context

BYTES_PER_ELEMENT = 8


def check_text(length: int, name: str, context: Context) -> None:
    """Refuse a text of more bytes than the session allows."""
    if length > context.options.max_memory:
        raise _too_large(f"a String of {length} characters", name, context)


def check_elements(count: int, name: str, context: Context) -> None:
    """Refuse an Array that takes more bytes than the session allows."""
    if count * BYTES_PER_ELEMENT > context.options.max_memory:
        raise _too_large(f"an Array of {count} elements", name, context)


def _too_large(what: str, name: str, context: Context) -> RuntimeFailure:
    return RuntimeFailure(
        f"{name}(): the result would be {what}, more than the limit of this session "
        f"({context.options.max_memory} bytes, set with --max-memory)"
    )
