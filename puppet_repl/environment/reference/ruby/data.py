"""Data of Ruby declarations as text."""

from __future__ import annotations

from puppet_repl.base.float_text import float_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def data_text(value: Any) -> str:
    """Return what Ruby writes for a value: text as it is, but in quotes within an array."""
    return value if isinstance(value, str) else _inspected(value)


def _inspected(value: Any) -> str:
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_inspected, value))}]"
    if isinstance(value, dict):
        pairs = (f"{_inspected(key)}=>{_inspected(told)}" for key, told in value.items())
        return f"{{{', '.join(pairs)}}}"
    return str(value)
