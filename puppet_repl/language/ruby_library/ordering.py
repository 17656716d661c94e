"""The order of Ruby's ``<=>``, and Ruby's sort on Linux: a stable merge sort.

Upper and lower case differ (``compare`` of the values package ignores it), and values of
different classes have no order.
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.sharing import once_for_both
from puppet_repl.language.values.compare import exact_equals
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import Comparable
from puppet_repl.language.values.ruby import no_conversion, no_method, ruby_class, ruby_inspect
from puppet_repl.language.values.semver import SemVer
from puppet_repl.language.values.time import TimeValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    from puppet_repl.language.values.protocols import Value

    Item = TypeVar("Item")


def ruby_order(left: Any, right: Any) -> int | None:
    """Return a number below, equal to or above zero, or None if the two have no order."""
    kind = type(left)
    other = type(right)
    if kind is str:
        if other is not str:
            return None
        return int(left > right) - int(left < right)
    if kind is int or kind is float:
        if isinstance(right, TimeValue):
            return -right.puppet_compare(left)
        if other is not int and other is not float:
            return None
        if left != left or right != right:
            return None
        return int(left > right) - int(left < right)
    if kind is tuple:
        return once_for_both(_array_order, left, right, len(left)) if other is tuple else None
    if isinstance(left, Comparable) and kind is other:
        return left.puppet_compare(right)
    if isinstance(left, TimeValue) and (other is int or other is float):
        return left.puppet_compare(right)
    return 0 if exact_equals(left, right) else None


def _array_order(left: tuple[Value, ...], right: tuple[Value, ...]) -> int | None:
    for mine, theirs in zip(left, right, strict=False):
        order = ruby_order(mine, theirs)
        if order != 0:
            return order
    return int(len(left) > len(right)) - int(len(left) < len(right))


def required_order(left: Value, right: Value) -> int:
    """Return the order of two values; raise Ruby's error for values without order."""
    order = ruby_order(left, right)
    if order is None:
        raise incomparable(left, right)
    return order


def incomparable(left: Value, right: Value) -> RuntimeFailure:
    """Return Ruby's error for two values without an order."""
    return RuntimeFailure(f"comparison of {ruby_class(left)} with {_shown(right)} failed")


def _shown(value: Value) -> str:
    """Return the text of a value in that error: small values themselves, others as their class."""
    if value is None or type(value) in (bool, int, float):
        return ruby_inspect(value)
    return ruby_class(value)


def merge_sort(values: Sequence[Item], order: Callable[[Item, Item], int]) -> list[Item]:
    """Sort with the same comparisons, in the same order, as the C library of Linux.

    Their order is visible when a block logs, and in errors.
    """
    count = len(values)
    if count < 2:
        return list(values)
    middle = count // 2
    left = merge_sort(values[:middle], order)
    right = merge_sort(values[middle:], order)
    merged: list[Item] = []
    at_left = at_right = 0
    while at_left < len(left) and at_right < len(right):
        if order(left[at_left], right[at_right]) <= 0:
            merged.append(left[at_left])
            at_left += 1
        else:
            merged.append(right[at_right])
            at_right += 1
    merged += left[at_left:]
    merged += right[at_right:]
    return merged


def natural_sort(values: Sequence[Any]) -> list[Any]:
    """Sort by ruby_order; for only strings or only Integers, Python's sort does the same."""
    kinds = set(map(type, values))
    if kinds == {str} or kinds == {int}:
        return sorted(values)
    return merge_sort(values, required_order)


def block_order(block: Callable[..., Value]) -> Callable[[Value, Value], int]:
    """Return the order that a block determines; a result that is not a number is Ruby's error."""

    def order(left: Value, right: Value) -> int:
        result = block(left, right)
        if type(result) is int or type(result) is float:
            return 1 if result > 0 else -1 if result < 0 else 0
        if result is None:
            raise incomparable(left, right)
        return _sign(result)

    return order


def _sign(result: Value) -> int:
    """Return the order that Ruby sees in something that is not a number: it compares with 0."""
    if isinstance(result, TimeValue):
        return result.puppet_compare(0)
    if type(result) is PuppetHash:
        raise no_conversion(0, "Hash")
    if type(result) is str or result is DEFAULT or isinstance(result, SemVer):
        raise incomparable(result, 0)
    raise no_method(">", result)
