"""Instances of Object types on several lines: the formats ``%#p`` and all inside of them."""

from __future__ import annotations

from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import Instance
from puppet_repl.language.values.quote import literal_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LINE = 100


def indented_text(value: Any, level: int) -> str:
    """Write an instance with every attribute on a line of its own."""
    return f"{value.object_name}({_text(value.init_hash(), level)})"


def _text(value: Any, level: int) -> str:
    native = type(value)
    if native is PuppetHash:
        lines = [
            f"{_text(key, level + 1)} => {_text(item, level + 1)}" for key, item in value.items()
        ]
        return _block("{", lines, "}", level)
    if native is tuple and not _is_short(value, level):
        return _block("[", [_text(item, level + 1) for item in value], "]", level)
    if native is tuple:
        return f"[{', '.join(_text(item, level) for item in value)}]"
    if isinstance(value, Instance):
        return indented_text(value, level)
    return literal_text(value)


def _block(opening: str, lines: list[str], closing: str, level: int) -> str:
    start = "\n" + "  " * (level + 1)
    body = f",{start}".join(lines)
    if not lines:
        return f"{opening}\n{'  ' * level}{closing}"
    return f"{opening}{start}{body}\n{'  ' * level}{closing}"


def _is_short(values: tuple[Any, ...], level: int) -> bool:
    """Tell whether an Array goes on one line: only simple values, and not too many."""
    total = 0
    for value in values:
        native = type(value)
        if value is None:
            total += len("nil")
        elif value is DEFAULT:
            total += len(":default")
        elif native is bool or native is int or native is float:
            total += len(literal_text(value))
        elif native is str:
            total += 2 + len(value)
        elif native is tuple or native is PuppetHash:
            total += 1000 if len(value) else 2
        else:
            total += 1000
    return not values or _LINE - level * 2 > total
