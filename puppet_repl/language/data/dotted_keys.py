"""Dotted keys such as ``users.0.name``, which are paths into nested data."""

from __future__ import annotations

import re
from functools import lru_cache

_SEGMENT = r"""(?:\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+)"""


@lru_cache(maxsize=1000)
def split_segments(dotted: str) -> tuple[str | int, ...] | None:
    """Return the keys of a dotted path, or None if its syntax is wrong."""
    if not re.fullmatch(rf"{_SEGMENT}(?:\.{_SEGMENT})*", dotted):
        return None
    segments: list[str | int] = []
    for segment in re.findall(_SEGMENT, dotted):
        text = segment.strip()
        if text[:1] in ("'", '"'):
            segments.append(text[1:-1])
        elif re.fullmatch(r"[+-]?[0-9]+", text):
            segments.append(int(text))
        else:
            segments.append(text)
    return tuple(segments)
