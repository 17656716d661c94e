"""Equality and order of Puppet values.

Three equalities exist: Puppet's ``==`` (equals), Ruby's ``==`` that delete and index rest on
(exact_equals), and Ruby's ``eql?`` that hash keys and unique rest on (hash.hash_key).
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.sharing import TooManyParts, budget, once_for_both, walk
from puppet_repl.language.values.hash import FLAT, PuppetHash
from puppet_repl.language.values.protocols import Comparable, NumberLike, PuppetValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeGuard

# A part with more items counts as so many parts; other objects than arrays and hashes as _OTHER.
_MANY = 50
_OTHER = 500
_FOLD = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


class NotComparableError(Exception):
    """Two values have no order; the text is the cause in Puppet's message."""


def fold(text: str) -> str:
    """Convert the ASCII letters of a string to lower case, and nothing else."""
    return text.lower() if text.isascii() else text.translate(_FOLD)


def _is_number(value: Any) -> TypeGuard[Comparable]:
    """Tell whether a value other than a number compares with numbers, as times do."""
    return isinstance(value, Comparable) and value.compares_with_numbers


def _relation(*, is_exact: bool) -> Callable[[Any, Any], bool]:
    """Return an equality; an exact one heeds the case of letters, and which keys hashes have."""

    def equal(left: Any, right: Any) -> bool:
        kind = type(left)
        result: bool
        if kind is str:
            if left is right:
                return True
            if type(right) is not str:
                return False
            if left == right:
                return True
            return not is_exact and len(left) == len(right) and fold(left) == fold(right)
        if kind is int or kind is float:
            other = type(right)
            if other is int or other is float:
                result = left == right
                return result
            return _is_number(right) and right.puppet_equals(left)
        if left is None or kind is bool:
            return left is right
        if kind is tuple:
            count = len(left)
            if type(right) is not tuple or count != len(right):
                return False
            if walk.steps:  # a part of a walk, which remembers those that have parts
                if count <= _MANY and FLAT.issuperset(map(type, left)):
                    return all(map(equal, left, right))
                return once_for_both(equal_items, left, right, count)
            try:
                if count > _MANY:
                    budget.spend(count)
                return all(map(equal_parts, left, right))
            except TooManyParts:
                return once_for_both(equal_items, left, right, count)
        if kind is PuppetHash:
            count = len(left)
            if type(right) is not PuppetHash or count != len(right):
                return False
            if is_exact and not left.has_keys_of(right):
                return False
            if walk.steps:
                if count <= _MANY and FLAT.issuperset(map(type, left.values())):
                    return all(map(equal, *left.paired_values(right)))
                return once_for_both(equal_items, left, right, count)
            try:
                if count > _MANY:
                    budget.spend(count)
                return all(map(equal_parts, *left.paired_values(right)))
            except TooManyParts:
                return once_for_both(equal_items, left, right, count)
        return left.puppet_equals(right) if isinstance(left, PuppetValue) else left is right

    def equal_items(left: Any, right: Any) -> bool:
        """Compare the items of arrays of the same length, or the values of hashes."""
        pairs = (left, right) if type(left) is tuple else left.paired_values(right)
        return all(map(equal, *pairs))

    equal_parts = _counting(equal, is_exact=is_exact)
    return equal


def _counting(equal: Callable[[Any, Any], bool], *, is_exact: bool) -> Callable[[Any, Any], bool]:
    """Return the comparison of parts in a walk that counts them, which raises TooManyParts."""

    def part(left: Any, right: Any) -> bool:
        kind = type(left)
        if kind is tuple:
            count = len(left)
            if type(right) is not tuple or count != len(right):
                return False
            budget.parts = rest = budget.parts - (count if count > _MANY else 1)
            if rest < 0:
                budget.end()
            return all(map(part, left, right))
        if kind is int:
            if type(right) is int:
                result: bool = left == right
                return result
        elif kind is str:
            if left is right or (type(right) is str and left == right):
                return True
        elif kind is PuppetHash:
            count = len(left)
            if type(right) is not PuppetHash or count != len(right):
                return False
            if is_exact and not left.has_keys_of(right):
                return False
            budget.parts = rest = budget.parts - (count if count > _MANY else 1)
            if rest < 0:
                budget.end()
            return all(map(part, *left.paired_values(right)))
        elif kind not in FLAT:
            budget.spend(_OTHER)
            return once_for_both(equal, left, right)
        return equal(left, right)

    return part


equals = _relation(is_exact=False)
"""Evaluate Puppet's ``==``: it ignores the case of ASCII letters, and 1 equals 1.0.

Numbers equal times of that many seconds.
"""

exact_equals = _relation(is_exact=True)
"""Evaluate Ruby's ``==``: case counts, 1 equals 1.0."""


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
        if _is_number(right):
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
