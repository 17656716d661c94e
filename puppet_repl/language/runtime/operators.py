"""Arithmetic: ``+ - * / % << >>`` and unary minus.

Compiled code evaluates Integers itself and calls these functions for everything else, so they
accept any value. Puppet's rules: arrays, hashes, URIs and binaries have ``+``, arrays and hashes
``-``, arrays ``<<``; all other operands are converted to numbers first.
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.float_text import MAX_INTEGER, MIN_INTEGER
from puppet_repl.language.runtime import issues
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.issues import (
    division_by_zero,
    operator_not_applicable,
    result_is_infinity,
)
from puppet_repl.language.values.labels import value_label
from puppet_repl.language.values.protocols import NumberLike, Operand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from puppet_repl.base.errors import Blame
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_MAX_SHIFT = 1 << 20


class Arithmetic:
    """The operators of one session; its settings decide whether a string may be an operand."""

    __slots__ = ("_context",)

    def __init__(self, context: Context) -> None:
        self._context = context

    def add(self, left: Value, right: Value) -> Value:
        """Evaluate ``left + right``."""
        kind = type(left)
        if kind is tuple or kind is PuppetHash:
            return concatenate(left, right)
        if isinstance(left, Operand) and not isinstance(left, NumberLike):
            return _own_arithmetic("+", left, right)
        return self._calculate("+", left, right, _plus)

    def grow(self, left: Value, right: Value) -> Value:
        """Evaluate ``left + right`` where nothing reads a hash on the left any more."""
        if type(left) is PuppetHash and type(right) is PuppetHash:
            return left.grow(right)
        return self.add(left, right)

    def grow_strings(self, left: Value, entries: dict[str, Any]) -> Value:
        """Evaluate ``left + entries`` as grow() does, where all keys are strings."""
        if type(left) is PuppetHash:
            return left.grow_entries(entries)
        return self.add(left, PuppetHash.of_strings(entries))

    def subtract(self, left: Value, right: Value) -> Value:
        """Evaluate ``left - right``."""
        kind = type(left)
        if kind is tuple or kind is PuppetHash:
            return delete(left, right)
        return self._calculate("-", left, right, _minus)

    def multiply(self, left: Value, right: Value) -> Value:
        """Evaluate ``left * right``."""
        return self._calculate("*", left, right, _times)

    def divide(self, left: Value, right: Value) -> Value:
        """Evaluate ``left / right``: Integers are divided towards minus infinity."""
        return self._calculate("/", left, right, _over)

    def modulo(self, left: Value, right: Value) -> Value:
        """Evaluate ``left % right``: Integers only."""
        return self._calculate("%", left, right, _modulo)

    def shift_left(self, left: Value, right: Value) -> Value:
        """Evaluate ``left << right``: appends to an Array, shifts an Integer."""
        if type(left) is tuple:
            return (*left, right)
        if type(left) is PuppetHash:
            raise operator_not_applicable("<<", "Hash")
        return self._calculate("<<", left, right, _shift)

    def shift_right(self, left: Value, right: Value) -> Value:
        """Evaluate ``left >> right``."""
        return self._calculate(">>", left, right, _shift_back)

    def negate(self, value: Value) -> Value:
        """Evaluate ``-value``."""
        if type(value) is int or type(value) is float:
            return -value
        if isinstance(value, NumberLike):
            return value.puppet_negate()
        return -self.numeric(value, None)

    def numeric(self, value: Any, blame: Blame) -> Any:
        """Return an operand as a number; raise for other values."""
        kind = type(value)
        if kind is int or kind is float or isinstance(value, NumberLike):
            return value
        from puppet_repl.language.values.convert import to_number
        from puppet_repl.language.values.text import to_text

        number = to_number(value) if kind is str else None
        if number is None:
            from puppet_repl.language.values.ruby import ruby_text

            raise issues.not_numeric(ruby_text(value), blame)
        strict = self._context.options.strict
        if strict == "off":
            return number
        error = issues.numeric_coercion(value, to_text(number), blame)
        if strict == "error":
            raise error
        self._context.log("warning", error.message)
        return number

    def _calculate(
        self, operator: str, left: Value, right: Value, work: Callable[[Any, Any], Any]
    ) -> Value:
        if (type(left) is not int and type(left) is not float) or (
            type(right) is not int and type(right) is not float
        ):
            left = self.numeric(left, "left")
            right = self.numeric(right, "right")
            if isinstance(left, NumberLike) or isinstance(right, NumberLike):
                return _time_arithmetic(operator, left, right)
        result = work(left, right)
        if type(result) is int:
            if not MIN_INTEGER <= result <= MAX_INTEGER:
                raise issues.numeric_overflow(f"'{operator}' expression", result)
        elif type(result) is float and result in (float("inf"), float("-inf")):
            raise result_is_infinity(operator)
        return result


def overflow(operator: str, value: int) -> NoReturn:
    """Raise the error for a result of compiled code that is too large."""
    raise issues.numeric_overflow(f"'{operator}' expression", value)


def _plus(left: Any, right: Any) -> Value:
    return left + right


def _minus(left: Any, right: Any) -> Value:
    return left - right


def _times(left: Any, right: Any) -> Value:
    try:
        return left * right
    except OverflowError:
        raise result_is_infinity("*") from None


def _over(left: Any, right: Any) -> Value:
    if type(left) is int and type(right) is int:
        if right == 0:
            raise division_by_zero()
        return left // right
    if right == 0:
        if left == 0 or left != left:
            raise division_by_zero()
        raise result_is_infinity("/")
    return left / right


def _modulo(left: Any, right: Any) -> Value:
    if type(left) is float:
        raise operator_not_applicable("%", "Float")
    if type(right) is float:
        raise issues.operator_not_applicable_when("%", value_label(left), "Float")
    if right == 0:
        raise division_by_zero()
    return left % right


def _shift(left: Any, right: Any) -> Value:
    if type(left) is float:
        raise operator_not_applicable("<<", "Float")
    return _shifted(left, int(right))


def _shift_back(left: Any, right: Any) -> Value:
    if type(left) is float:
        raise operator_not_applicable(">>", "Float")
    return _shifted(left, -int(right))


def _shifted(value: int, count: int) -> int:
    """Shift left by count, or right if it is negative; at most by a million bits."""
    if count > MAX_INTEGER and value:
        raise RuntimeFailure("shift width too big")
    if count <= 0:
        return value >> min(-count, _MAX_SHIFT)
    return value << min(count, _MAX_SHIFT) if value else 0


def _own_arithmetic(operator: str, left: Value, right: Value) -> Value:
    result = (
        left.puppet_arithmetic(operator, right) if isinstance(left, Operand) else NotImplemented
    )
    if result is NotImplemented:
        raise operator_not_applicable(operator, value_label(left))
    return result


def _time_arithmetic(operator: str, left: Any, right: Any) -> Value:
    """Evaluate an operator with a time; a number on the left is swapped with it.

    Versions count as numbers in Ruby, too, but have no arithmetic.
    """
    if operator == "%" and (type(left) is float or type(right) is float):
        if type(left) is float:
            raise operator_not_applicable("%", "Float")
        raise issues.operator_not_applicable_when("%", value_label(left), "Float")
    from puppet_repl.language.values.time import Timespan, TimeValue

    if isinstance(right, TimeValue) and not isinstance(left, TimeValue):
        is_span = type(right) is Timespan
        if operator == "+" or (operator == "*" and is_span):
            left, right = right, left
        elif operator == "-" and is_span and not isinstance(left, Operand):
            left = Timespan.from_seconds(left)
        elif operator == "-" and is_span:
            raise operator_not_applicable(operator, value_label(left))
        else:
            raise issues.operator_not_applicable_when(
                operator, value_label(left), value_label(right)
            )
    if (type(left) is int or type(left) is float) and operator not in ("<<", ">>"):
        raise RuntimeFailure(f"can't convert {right.ruby_class} into Float")
    return _own_arithmetic(operator, left, right)


def concatenate(left: Any, right: Any) -> Value:
    """Evaluate ``+`` with an Array or a Hash on the left.

    The result is a new value, as in Puppet: Python's ``+`` returns an operand if the other is
    empty, and Ruby code could not change the result if that operand were a fact.
    """
    kind = type(right)
    if type(left) is tuple:
        if kind is tuple:
            return left + right if left and right else (*left, *right)
        if kind is PuppetHash:
            return (*left, *right.items())
        return (*left, right)
    if kind is PuppetHash:
        return left.merge(right)
    if kind is not tuple:
        raise RuntimeFailure("Can only append Array or Hash to a Hash")
    return left.merge(pairs_to_hash(right))


def pairs_to_hash(values: tuple[Any, ...]) -> PuppetHash:
    """Return the Hash of an array of pairs, or of a flat array of keys and values."""
    kinds = set(map(type, values))
    if tuple in kinds and kinds <= {tuple, type(None)}:
        for index, pair in enumerate(values):
            if pair is None:
                raise RuntimeFailure(f"wrong element type NilClass at {index} (expected array)")
            if len(pair) != 2:
                raise RuntimeFailure(f"wrong array length at {index} (expected 2, was {len(pair)})")
        return PuppetHash(values)
    if len(values) == 1 and type(values[0]) is PuppetHash:
        return values[0]
    if len(values) % 2:
        raise RuntimeFailure("odd number of arguments for Hash")
    return PuppetHash(zip(values[::2], values[1::2], strict=True))


def delete(left: Any, right: Any) -> Value:
    """Evaluate ``-`` with an Array or a Hash on the left; elements compare like Ruby's ``==``."""
    kind = type(right)
    if type(left) is PuppetHash:
        if kind is tuple:
            return left.without(right)
        return left.without(right.keys() if kind is PuppetHash else (right,))
    if kind is PuppetHash:
        unwanted = tuple(right.items())
    else:
        unwanted = right if kind is tuple else (right,)
    if all(type(value) is str for value in unwanted):
        texts = frozenset(unwanted)
        return tuple([value for value in left if type(value) is not str or value not in texts])
    from puppet_repl.language.values.compare import exact_equals

    return tuple(
        [value for value in left if not any(exact_equals(value, other) for other in unwanted)]
    )
