"""The general categories of Unicode, by the names that Ruby's regular expressions give them.

They replace the properties of the ``regex`` package if it is missing.
"""

from __future__ import annotations

import sys
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    # First and last character of each range, in order, with others between them.
    Ranges: TypeAlias = list[tuple[int, int]]

_NAMES = """
C other|Cc control|Cf format|Cn unassigned|Co privateuse|Cs surrogate
L letter|LC casedletter|Ll lowercaseletter|Lm modifierletter|Lo otherletter
Lt titlecaseletter|Lu uppercaseletter|M mark combiningmark|Mc spacingmark|Me enclosingmark
Mn nonspacingmark|N number|Nd decimalnumber|Nl letternumber|No othernumber|P punctuation
Pc connectorpunctuation|Pd dashpunctuation|Pe closepunctuation|Pf finalpunctuation
Pi initialpunctuation|Po otherpunctuation|Ps openpunctuation|S symbol|Sc currencysymbol
Sk modifiersymbol|Sm mathsymbol|So othersymbol|Z separator|Zl lineseparator
Zp paragraphseparator|Zs spaceseparator
"""
CATEGORY_NAMES = {
    name.lower(): "Lu Ll Lt" if names.startswith("LC") else names.split()[0]
    for names in _NAMES.strip().replace("\n", "|").split("|")
    for name in names.split()
}
"""Categories by their names in small letters, without the underscores of long ones."""


@cache
def _all() -> dict[str, Ranges]:
    from unicodedata import category

    found: dict[str, Ranges] = {}
    start, current = 0, category("\0")
    for code in range(1, sys.maxunicode + 1):
        other = category(chr(code))
        if other != current:
            found.setdefault(current, []).append((start, code - 1))
            start, current = code, other
    found.setdefault(current, []).append((start, sys.maxunicode))
    return found


@cache
def categories(name: str) -> Ranges:
    """Return the characters of a category (Lu), or of all whose name begins so (L)."""
    return union([ranges for each, ranges in _all().items() if each.startswith(name)])


def union(several: Iterable[Ranges]) -> Ranges:
    """Return the characters that are in any of several lists of ranges."""
    found: Ranges = []
    for low, high in sorted([pair for ranges in several for pair in ranges]):
        if found and low <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return found


def complement(ranges: Ranges) -> Ranges:
    """Return all other characters."""
    found: Ranges = []
    start = 0
    for low, high in ranges:
        if low > start:
            found.append((start, low - 1))
        start = high + 1
    if start <= sys.maxunicode:
        found.append((start, sys.maxunicode))
    return found
