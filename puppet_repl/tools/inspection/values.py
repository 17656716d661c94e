"""Values as short text."""

from __future__ import annotations

from puppet_repl.language.syntax.brackets import split_at_commas
from puppet_repl.language.types.text.format import program_text
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.size import is_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

# A type with more characters is shortened: of the parameters of each part only these are shown.
_MAX_TYPE = 120
_SHOWN_PARAMETERS = 3


def short_type(text: str) -> str:
    """Return the text of a type; a long one says how many parameters are left out of a part."""
    return text if len(text) <= _MAX_TYPE else _shortened(text)


def _shortened(text: str) -> str:
    """Shorten ``Name[...]``, and the ``{...}`` of a Struct."""
    opening = min((at for at in map(text.find, "[{'\"") if at >= 0), default=-1)
    if opening < 0 or text[opening] in "'\"" or not text.endswith(("]", "}")):
        return text
    parts = split_at_commas(text[opening + 1 : -1])
    shown = [_shortened(part.strip()) for part in parts[:_SHOWN_PARAMETERS]]
    missing = len(parts) - len(shown)
    if missing == 1:
        shown.append(_shortened(parts[-1].strip()))
    elif missing:
        shown.append(f"and {missing} more")
    return f"{text[: opening + 1]}{', '.join(shown)}{text[-1]}"


def short_value(value: Value, max_characters: int, max_parts: int) -> str:
    """Return the beginning of a value as program text; of a larger one only its size."""
    if isinstance(value, tuple | PuppetHash) and is_large(value, max_parts):
        return f"{len(value)} elements"
    if isinstance(value, str):
        value = value[: max_characters + 1]
    text = program_text(value)
    return text if len(text) <= max_characters else text[:max_characters] + "…"
