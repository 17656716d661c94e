"""Values as short text."""

from __future__ import annotations

from puppet_repl.language.types.text.format import program_text
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.size import is_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value


def short_value(value: Value, max_characters: int, max_parts: int) -> str:
    """Return the beginning of a value as program text; of a larger one only its size."""
    if isinstance(value, tuple | PuppetHash) and is_large(value, max_parts):
        return f"{len(value)} elements"
    if isinstance(value, str):
        value = value[: max_characters + 1]
    text = program_text(value)
    return text if len(text) <= max_characters else text[:max_characters] + "…"
