"""The place of a cursor in a text that was formatted."""

from __future__ import annotations

import re
from bisect import bisect_left

_WORD = re.compile(r"\w+")
_KEPT_LINE = re.compile(r"[ \t]*\n(?=\n)")


def moved_cursor(before: str, after: str, cursor: int) -> int:
    """Return the offset in the form of a text that corresponds to an offset in the text.

    The form has the same words in the same order, but for comments that it moves; signs between
    them may come and go.
    """
    if before == after:
        return cursor
    old = [(0, 0), *(word.span() for word in _WORD.finditer(before))]
    new = [(0, 0), *(word.span() for word in _WORD.finditer(after))]
    count = max(bisect_left(old, (cursor, 0)) - 1, 0)
    if count >= len(new):
        return len(after)
    start, end = old[count]
    if cursor <= end:
        return min(new[count][0] + cursor - start, new[count][1])
    position = new[count][1]
    limit = new[count + 1][0] if count + 1 < len(new) else len(after)
    if count + 1 < len(old) and cursor == old[count + 1][0]:
        return limit
    for sign in before[end:cursor].split():
        for each in sign:
            found = after.find(each, position, limit)
            if found < 0 and each == '"':
                found = after.find("'", position, limit)
            position = max(position, found + 1)
    line = before[before.rfind("\n", 0, cursor) + 1 :].partition("\n")[0]
    if not line.strip():
        kept = _KEPT_LINE.match(after, position)
        return position if kept is None else kept.end()
    if before[cursor : cursor + 1].strip():
        position += len(after[position:limit]) - len(after[position:limit].lstrip())
    return position
