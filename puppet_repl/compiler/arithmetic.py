"""Operators: Integers are computed inline, everything else by the runtime.

``a + b`` becomes ``t if type(a) is int is type(b) and MIN <= (t := a + b) <= MAX else add(a, b)``;
tests whose answer is known from the text are left out.
"""

from __future__ import annotations

import _ast

from puppet_repl.base.float_text import MAX_INTEGER, MIN_INTEGER
from puppet_repl.compiler.build import (
    all_of,
    any_of,
    binary,
    call,
    compare,
    conditional,
    constant,
    name,
    negation,
    placed,
    walrus,
)
from puppet_repl.compiler.integer_trees import lower_tree
from puppet_repl.compiler.kinds import kind_of
from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.compiler.build import Expr, Place
    from puppet_repl.compiler.unit import LowerTable, Unit

_HELPERS = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "divide",
    "%": "modulo",
    "<<": "shift_left",
    ">>": "shift_right",
    "==": "equals",
    "!=": "not_equals",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
}


class Operand:
    """An operand that can be written several times: a name or a literal."""

    __slots__ = ("first", "kind", "number", "place", "temporary", "value")

    def __init__(self, unit: Unit, node: ast.Node) -> None:
        self.kind = kind_of(unit, node)
        self.place = unit.place(node)
        self.value = unit.lower(node)
        self.number: int | None = None
        self.temporary: str | None = None
        if isinstance(self.value, _ast.Constant):
            self.number = self.value.value if type(self.value.value) is int else None
        elif not isinstance(self.value, _ast.Name):
            self.temporary = unit.temporary()

    def bind(self) -> Expr:
        """The operand where it is evaluated."""
        if self.temporary is None:
            return self.again()
        return walrus(self.temporary, self.value, self.place)

    def again(self) -> Expr:
        """The operand once more."""
        if self.temporary is not None:
            return name(self.temporary, self.place)
        if isinstance(self.value, _ast.Constant):
            return constant(self.value.value, self.place)
        assert isinstance(self.value, _ast.Name)
        return name(self.value.id, self.place)


def _are_integers(left: Operand, right: Operand, place: Place) -> tuple[list[Expr], bool, bool]:
    """The tests that two operands are Integers, and which of them these bind."""
    tests: list[Expr] = []
    left_test = left.kind != "int"
    right_test = right.kind != "int"
    if left_test and right_test:
        if right.temporary is None:
            tests.append(
                compare(
                    call("type", [left.bind()], place),
                    "is",
                    name("int", place),
                    "is",
                    call("type", [right.bind()], place),
                    place=place,
                )
            )
        else:
            one = compare(call("type", [left.bind()], place), "is", name("int", place), place=place)
            other = compare(
                call("type", [right.bind()], place), "is", name("int", place), place=place
            )
            tests.append(binary(one, "&", other, place))
    elif left_test:
        tests.append(
            compare(call("type", [left.bind()], place), "is", name("int", place), place=place)
        )
    elif right_test:
        tests.append(
            compare(call("type", [right.bind()], place), "is", name("int", place), place=place)
        )
    return tests, left_test, right_test


def _settle(left: Operand, right: Operand) -> None:
    """Keep the order of evaluation where only one operand is tested.

    The operand that is not tested is evaluated in the computation, after the tested one, or not
    at all; so unless it is a name or a literal, both are tested.
    """
    if left.kind == "int" and right.kind == "int":
        return
    if left.kind == "int" and left.temporary is not None:
        left.kind = None
    if right.kind == "int" and right.temporary is not None:
        right.kind = None


def lower_arithmetic(unit: Unit, node: ast.ArithmeticExpression) -> Expr:
    """``+ - * / % << >>``."""
    tree = lower_tree(unit, node)
    if tree is not None:
        return tree
    place = unit.place(node)
    operator = node.operator
    helper = _HELPERS[operator]
    never = {"float", "array", "hash", "str", "bool"}
    if operator in ("<<", ">>") or kind_of(unit, node.left) in never:
        return call(helper, [unit.lower(node.left), unit.lower(node.right)], place)
    left = Operand(unit, node.left)
    right = Operand(unit, node.right)
    if right.kind in never:
        return call(helper, [left.value, right.value], place)
    if operator in "/%":
        return _lower_division(left, right, operator, place)
    _settle(left, right)
    tests, left_bound, right_bound = _are_integers(left, right, place)
    result = unit.temporary()
    both_known = not tests
    one = left.again() if left_bound else left.value
    other = right.again() if right_bound else right.value
    made = walrus(result, binary(one, operator, other, place), place)
    tests.append(_in_range(made, operator, left, right, place))
    slow = (
        call("overflow", [constant(operator, place), name(result, place)], place)
        if both_known
        else call(helper, [left.again(), right.again()], place)
    )
    return conditional(all_of(tests, place), name(result, place), slow, place)


def _in_range(made: Expr, operator: str, left: Operand, right: Operand, place: Place) -> Expr:
    """The test that a result fits in 64 bits; adding a known number can only leave one end."""
    number = right.number
    if number is None and operator == "+":
        number = left.number
    if number is not None and operator in "+-":
        grows = (number >= 0) == (operator == "+")
        if grows:
            return compare(made, "<=", constant(MAX_INTEGER, place), place=place)
        return compare(made, ">=", constant(MIN_INTEGER, place), place=place)
    return compare(
        constant(MIN_INTEGER, place), "<=", made, "<=", constant(MAX_INTEGER, place), place=place
    )


def _lower_division(left: Operand, right: Operand, operator: str, place: Place) -> Expr:
    """``/`` and ``%`` inline for positive divisors: no overflow, no zero."""
    helper = _HELPERS[operator]
    python = "//" if operator == "/" else "%"
    if right.number is not None and right.number <= 0:
        return call(helper, [left.value, right.value], place)
    if left.kind == "int" and right.number is not None:
        return binary(left.value, python, right.value, place)
    left.kind = right.kind if right.number is None else left.kind
    left.kind = None
    if right.number is None:
        right.kind = None
    tests, _, right_bound = _are_integers(left, right, place)
    if right.number is None:
        tests.append(compare(right.again(), ">", constant(0, place), place=place))
    divisor = right.again() if right_bound else right.value
    made = binary(left.again(), python, divisor, place)
    slow = call(helper, [left.again(), right.again()], place)
    return conditional(all_of(tests, place), made, slow, place)


def lower_comparison(unit: Unit, node: ast.ComparisonExpression) -> Expr:
    """``== != < <= > >=``."""
    tree = lower_tree(unit, node)
    if tree is not None:
        return tree
    place = unit.place(node)
    operator = node.operator
    helper = _HELPERS[operator]
    never = {"float", "array", "hash", "bool", "undef", "default", "regexp"}
    left_kind = kind_of(unit, node.left)
    right_kind = kind_of(unit, node.right)
    if operator in ("==", "!=") and (left_kind == "undef" or right_kind == "undef"):
        other = unit.lower(node.left if right_kind == "undef" else node.right)
        if isinstance(other, _ast.Constant):
            return constant((other.value is None) == (operator == "=="), place)
        if not isinstance(other, _ast.Name):
            other = walrus(unit.temporary(), other, place)
        return compare(
            other, "is" if operator == "==" else "is not", constant(None, place), place=place
        )
    if left_kind in never or right_kind in never or "str" in (left_kind, right_kind):
        return _lower_text_comparison(unit, node, helper, place)
    left = Operand(unit, node.left)
    right = Operand(unit, node.right)
    _settle(left, right)
    tests, left_bound, right_bound = _are_integers(left, right, place)
    one = left.again() if left_bound else left.value
    other = right.again() if right_bound else right.value
    made = compare(one, operator, other, place=place)
    if not tests:
        return made
    slow = call(helper, [left.again(), right.again()], place)
    return conditional(all_of(tests, place), made, slow, place)


def _lower_text_comparison(
    unit: Unit, node: ast.ComparisonExpression, helper: str, place: Place
) -> Expr:
    """Comparison where one side is no Integer; equality with a literal string has a short cut."""
    right = node.right
    is_text = isinstance(right, ast.LiteralString | ast.QualifiedName)
    if node.operator not in ("==", "!=") or not is_text:
        return call(helper, [unit.lower(node.left), unit.lower(right)], place)
    left = Operand(unit, node.left)
    value = unit.lower(right)
    again = unit.lower(right)
    if node.operator == "==":
        quick = compare(left.bind(), "==", value, place=place)
        return any_of([quick, call("equals", [left.again(), again], place)], place)
    quick = compare(left.bind(), "!=", value, place=place)
    return all_of([quick, call("not_equals", [left.again(), again], place)], place)


def lower_minus(unit: Unit, node: ast.UnaryMinusExpression) -> Expr:
    """``-x``; a negative literal is a literal."""
    place = unit.place(node)
    inner = node.expr
    if isinstance(inner, ast.LiteralInteger | ast.LiteralFloat):
        return constant(-inner.value, place)
    return call("negate", [unit.lower(inner)], place)


# Truth


def lower_truth(unit: Unit, node: ast.Node) -> Expr:
    """A Python Boolean for the truth of a value: only undef and false are not true."""
    kind = kind_of(unit, node)
    value = unit.lower(node)
    if kind == "bool":
        return value
    place = unit.place(node)
    if isinstance(value, _ast.Constant):
        return constant(value.value is not None and value.value is not False, place)
    if isinstance(value, _ast.Name):
        first: Expr = value
        second: Expr = name(value.id, place)
    else:
        temporary = unit.temporary()
        first = walrus(temporary, value, place)
        second = name(temporary, place)
    return all_of(
        [
            compare(first, "is not", constant(None, place), place=place),
            compare(second, "is not", constant(False, place), place=place),
        ],
        place,
    )


def lower_not(unit: Unit, node: ast.NotExpression) -> Expr:
    """``!x``."""
    return negation(lower_truth(unit, node.expr), unit.place(node))


def lower_and(unit: Unit, node: ast.AndExpression) -> Expr:
    """``a and b``."""
    return _lower_logic(unit, node, _ast.And())


def lower_or(unit: Unit, node: ast.OrExpression) -> Expr:
    """``a or b``."""
    return _lower_logic(unit, node, _ast.Or())


def _lower_logic(
    unit: Unit, node: ast.AndExpression | ast.OrExpression, operator: _ast.boolop
) -> Expr:
    left = lower_truth(unit, node.left)
    right, bound = unit.branch(lambda: lower_truth(unit, node.right))
    unit.merge([bound], exhaustive=False)
    return placed(_ast.BoolOp(operator, [left, right]), unit.place(node))


LOWERINGS: LowerTable = {
    ast.ArithmeticExpression: lower_arithmetic,
    ast.ComparisonExpression: lower_comparison,
    ast.UnaryMinusExpression: lower_minus,
    ast.NotExpression: lower_not,
    ast.AndExpression: lower_and,
    ast.OrExpression: lower_or,
}
