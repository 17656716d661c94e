"""Equality and order of Puppet values.

Three equalities exist: Puppet's ``==`` (equals), Ruby's ``==`` that delete and index rest on
(exact_equals), and Ruby's ``eql?`` that hash keys and unique rest on (hash.hash_key).
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.sharing import allow_parts, count_part, count_parts, once_for_both, walk
from puppet_repl.language.values.hash import FLAT, PuppetHash
from puppet_repl.language.values.protocols import Comparable, NumberLike, PuppetValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.language.values.protocols import Value

# A part with more items, and one that is no array or hash, counts as so many parts.
_MANY = 50
_OTHER = 500
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
        if walk.steps:
            return _remembered(_equal_arrays, left, right)
        try:
            return all(map(_equal_part, left, right))
        except IndexError:
            return _second_attempt(_equal_part, _equal_arrays, left, right)
    if kind is PuppetHash:
        if type(right) is not PuppetHash or len(left) != len(right):
            return False
        if walk.steps:
            return _remembered(_equal_hashes, left, right)
        try:
            return all(map(_equal_part, *left.paired_values(right)))
        except IndexError:
            return _second_attempt(_equal_part, _equal_hashes, left, right)
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
        if walk.steps:
            return _remembered(_exactly_equal_arrays, left, right)
        try:
            return all(map(_exactly_equal_part, left, right))
        except IndexError:
            return _second_attempt(_exactly_equal_part, _exactly_equal_arrays, left, right)
    if kind is PuppetHash:
        if type(right) is not PuppetHash or not left.has_keys_of(right):
            return False
        if walk.steps:
            return _remembered(_exactly_equal_hashes, left, right)
        try:
            return all(map(_exactly_equal_part, *left.paired_values(right)))
        except IndexError:
            return _second_attempt(_exactly_equal_part, _exactly_equal_hashes, left, right)
    return equals(left, right)


def _exactly_equal_arrays(left: tuple[Value, ...], right: tuple[Value, ...]) -> bool:
    return all(map(exact_equals, left, right))


def _exactly_equal_hashes(left: PuppetHash, right: PuppetHash) -> bool:
    return all(map(exact_equals, *left.paired_values(right)))


def _remembered(are_equal: Callable[[Any, Any], bool], left: Any, right: Any) -> bool:
    """Compare two arrays or hashes as a part of a walk, which remembers those that have parts."""
    items = left if type(left) is tuple else left.values()
    if len(left) <= _MANY and FLAT.issuperset(map(type, items)):
        return are_equal(left, right)
    return once_for_both(are_equal, left, right, len(left))


def _second_attempt(
    part: Callable[[Any, Any], bool],
    are_equal: Callable[[Any, Any], bool],
    left: Any,
    right: Any,
) -> bool:
    """Compare two values again that had more parts than were left to count; ``part`` counts."""
    allow_parts()
    try:
        return part(left, right)
    except IndexError:
        return once_for_both(are_equal, left, right, len(left))


def _counting(is_equal: Callable[[Any, Any], bool], *, is_exact: bool) -> Callable[..., bool]:
    """Return the comparison of the parts of a value, which raises IndexError for too many."""

    def part(left: Any, right: Any) -> bool:
        kind = type(left)
        if kind is tuple:
            if type(right) is not tuple or len(left) != len(right):
                return False
            if len(left) > _MANY:
                count_parts(len(left))
            count_part()
            return all(map(part, left, right))
        if kind is int:
            if type(right) is int:
                return bool(left == right)
        elif kind is str:
            if left is right or (type(right) is str and left == right):
                return True
        elif kind is PuppetHash:
            if type(right) is not PuppetHash or len(left) != len(right):
                return False
            if is_exact and not left.has_keys_of(right):
                return False
            if len(left) > _MANY:
                count_parts(len(left))
            count_part()
            return all(map(part, *left.paired_values(right)))
        elif kind not in FLAT:
            count_parts(_OTHER)
            count_part()
            return once_for_both(is_equal, left, right)
        return is_equal(left, right)

    return part


_equal_part = _counting(equals, is_exact=False)
_exactly_equal_part = _counting(exact_equals, is_exact=True)


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
