"""The changes of the local zone, for Ruby in the sandbox, which has no zones."""

from __future__ import annotations

import os
import time
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Change: TypeAlias = tuple[int, int, str, bool]

# From 1970 to 2037: what the C library of every system knows.
_END = 68 * 366 * 86_400
_STEP = 20 * 86_400


def changes() -> list[Change]:
    """Return the changes of the local zone in order: time, offset in seconds, name, summer time.

    The first one begins at time 0; the list is empty for UTC.
    """
    return _changes(time.tzname, os.environ.get("TZ"))


@cache
def _changes(names: tuple[str, str], variable: str | None) -> list[Change]:
    found = [(0, *_at(0))]
    for start in range(0, _END, _STEP):
        begin, end = start, start + _STEP
        if _at(end) == found[-1][1:]:
            continue
        while end - begin > 1:
            middle = (begin + end) // 2
            if _at(middle) == found[-1][1:]:
                begin = middle
            else:
                end = middle
        found.append((end, *_at(end)))
    return [] if len(found) == 1 and found[0][1] == 0 else found


def _at(seconds: int) -> tuple[int, str, bool]:
    local = time.localtime(seconds)
    return local.tm_gmtoff, local.tm_zone, bool(local.tm_isdst)
