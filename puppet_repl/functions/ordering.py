"""Order as Ruby's ``<=>`` has it, and the sort of Ruby on Linux: a stable merge sort.

Letters count as they are (``compare`` of the values package folds their case), and values of
different kinds have no order.
"""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.values.compare import exact_equals
from puppet_repl.values.ruby import ruby_class, ruby_inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


def ruby_order(left: Any, right: Any) -> int | None:
    """Below zero, zero, above zero; or None where the two have no order."""
    kind = type(left)
    other = type(right)
    if kind is str:
        if other is not str:
            return None
        return int(left > right) - int(left < right)
    if kind is int or kind is float:
        if other is not int and other is not float:
            return None
        if left != left or right != right:
            return None
        return int(left > right) - int(left < right)
    if kind is tuple:
        if other is not tuple:
            return None
        for mine, theirs in zip(left, right, strict=False):
            order = ruby_order(mine, theirs)
            if order != 0:
                return order
        return int(len(left) > len(right)) - int(len(left) < len(right))
    own = getattr(left, "puppet_compare", None)
    if own is not None and kind is other:
        return int(own(right))
    return 0 if exact_equals(left, right) else None


def required_order(left: Any, right: Any) -> int:
    """Like ruby_order; raises Ruby's complaint where there is no order."""
    order = ruby_order(left, right)
    if order is None:
        raise incomparable(left, right)
    return order


def incomparable(left: Any, right: Any) -> RuntimeFailure:
    """Ruby's error for two values without an order."""
    return RuntimeFailure(f"comparison of {ruby_class(left)} with {_shown(right)} failed")


def _shown(value: Any) -> str:
    """Small values are shown themselves, others by their class."""
    if value is None or type(value) in (bool, int, float):
        return ruby_inspect(value)
    return ruby_class(value)


def merge_sort(values: Sequence[Any], order: Callable[[Any, Any], int]) -> list[Any]:
    """Sort, comparing in the order in which the C library of Linux does.

    The order of the comparisons shows when a block logs, and in errors.
    """
    count = len(values)
    if count < 2:
        return list(values)
    middle = count // 2
    left = merge_sort(values[:middle], order)
    right = merge_sort(values[middle:], order)
    merged: list[Any] = []
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
    """Sort by ruby_order; texts alone and Integers alone take Python's own sort."""
    kinds = set(map(type, values))
    if kinds == {str} or kinds == {int}:
        return sorted(values)
    return merge_sort(values, required_order)


def block_order(block: Callable[..., Any]) -> Callable[[Any, Any], int]:
    """A comparison that asks a block; what is no number is Ruby's error."""

    def order(left: Any, right: Any) -> int:
        answer = block(left, right)
        if type(answer) is int or type(answer) is float:
            return 1 if answer > 0 else -1 if answer < 0 else 0
        if answer is None:
            raise incomparable(left, right)
        raise incomparable(answer, 0)

    return order
