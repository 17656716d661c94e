"""The size of a value, determined without visiting all of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value

_MAX_DEPTH = 50


def is_large(value: Value, most: int) -> bool:
    """Tell whether a value has more than ``most`` parts at any depth, or is nested too deeply."""
    left = most
    open_parts: list[Iterator[Any]] = [_parts(value)]
    while open_parts:
        part = next(open_parts[-1], open_parts)
        if part is open_parts:
            open_parts.pop()
            continue
        left -= 1
        if left < 0 or len(open_parts) > _MAX_DEPTH:
            return True
        if type(part) is tuple or type(part) is PuppetHash:
            open_parts.append(_parts(part))
    return False


def _parts(value: Value) -> Iterator[Any]:
    if type(value) is tuple:
        return iter(value)
    if type(value) is PuppetHash:
        return chain.from_iterable(value.items())
    return iter(())
