"""Equality and order of Puppet values.

Three equalities exist: Puppet's ``==`` (equals), Ruby's ``==`` that delete and index rest on
(exact_equals), and Ruby's ``eql?`` that hash keys and unique rest on (hash.hash_key).
"""

from __future__ import annotations

from puppet_repl.base.sharing import once_for_both
from puppet_repl.errors import RuntimeFailure
from puppet_repl.values.hash import FLAT, PuppetHash
from puppet_repl.values.protocols import Comparable, NumberLike, PuppetValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.values.protocols import Value

_FOLD = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


class NotComparableError(Exception):
    """Two values have no order; the text is the cause in Puppet's message."""


def fold(text: str) -> str:
    """Convert the ASCII letters of a string to lower case, and nothing else."""
    return text.lower() if text.isascii() else text.translate(_FOLD)


def equals(left: Any, right: Any) -> bool:
    """Evaluate Puppet's ``==``: it ignores the case of ASCII letters, and 1 equals 1.0.

    Numbers equal times of that many seconds.
    """
    kind = type(left)
    if kind is str:
        if left is right:
            return True
        if type(right) is not str or len(left) != len(right):
            return False
        return bool(left == right) or fold(left) == fold(right)
    if kind is int or kind is float:
        other = type(right)
        if other is int or other is float:
            return bool(left == right)
        return (
            isinstance(right, Comparable)
            and right.compares_with_numbers
            and right.puppet_equals(left)
        )
    if left is None or kind is bool:
        return left is right
    if kind is tuple:
        if type(right) is not tuple or len(left) != len(right):
            return False
        if FLAT.issuperset(map(type, left)):
            return all(map(equals, left, right))
        return once_for_both(_equal_arrays, left, right, len(left))
    if kind is PuppetHash:
        if type(right) is not PuppetHash or len(left) != len(right):
            return False
        if FLAT.issuperset(map(type, left.values())):
            return all(map(equals, *left.paired_values(right)))
        return once_for_both(_equal_hashes, left, right, len(left))
    return left.puppet_equals(right) if isinstance(left, PuppetValue) else left is right


def _equal_arrays(left: tuple[Value, ...], right: tuple[Value, ...]) -> bool:
    return all(map(equals, left, right))


def _equal_hashes(left: PuppetHash, right: PuppetHash) -> bool:
    return all(map(equals, *left.paired_values(right)))


def exact_equals(left: Any, right: Any) -> bool:
    """Evaluate Ruby's ``==``: case counts, 1 equals 1.0."""
    kind = type(left)
    if kind is str:
        return type(right) is str and bool(left == right)
    if kind is tuple:
        if type(right) is not tuple or len(left) != len(right):
            return False
        return once_for_both(_exactly_equal_arrays, left, right, len(left))
    if kind is PuppetHash:
        if type(right) is not PuppetHash or len(left) != len(right):
            return False
        return once_for_both(_exactly_equal_hashes, left, right, len(left))
    return equals(left, right)


def _exactly_equal_arrays(left: tuple[Value, ...], right: tuple[Value, ...]) -> bool:
    return all(map(exact_equals, left, right))


def _exactly_equal_hashes(left: PuppetHash, right: PuppetHash) -> bool:
    return all(
        right.has(key) and exact_equals(value, right.get(key)) for key, value in left.items()
    )


def compare(left: Any, right: Any) -> int:
    """Return a number below, at or above zero as left is before, with or after right.

    Types are not handled here: for them the operators test assignability. Raises
    NotComparableError.
    """
    kind = type(left)
    other = type(right)
    if kind is str:
        if other is not str:
            raise NotComparableError("A String is not comparable to a non String")
        if left == right:
            return 0
        left = fold(left)
        right = fold(right)
        return int(left > right) - int(left < right)
    if kind is int or kind is float:
        if other is int or other is float:
            return int(left > right) - int(left < right)
        if isinstance(right, Comparable) and right.compares_with_numbers:
            return -right.puppet_compare(left)
        if isinstance(right, NumberLike):
            # Ruby takes it for a number and then cannot convert it.
            raise RuntimeFailure(f"can't convert {right.ruby_class} into Float")
        raise NotComparableError("A Numeric is not comparable to non Numeric")
    if isinstance(left, Comparable):
        return left.puppet_compare(right)
    raise NotComparableError(
        "Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable"
    )
