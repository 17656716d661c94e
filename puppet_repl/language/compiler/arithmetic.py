"""Operators: Integers are computed inline, everything else by the runtime.

``a + b`` becomes ``t if type(a) is int is type(b) and MIN <= (t := a + b) <= MAX else add(a, b)``;
tests whose answer is known from the text are left out.
"""

from __future__ import annotations

import _ast

from puppet_repl.base.float_text import MAX_INTEGER, MIN_INTEGER
from puppet_repl.language.compiler.build import (
    all_of,
    any_of,
    binary,
    call,
    compare,
    conditional,
    constant,
    name,
    negation,
    type_is,
    walrus,
    with_span,
)
from puppet_repl.language.compiler.integer_trees import ARITHMETIC, COMPARISON, lower_tree
from puppet_repl.language.compiler.static_kinds import kind_of
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.compiler.build import Expr, Span
    from puppet_repl.language.compiler.static_kinds import StaticKind
    from puppet_repl.language.compiler.unit import Bound, Lowerings, Unit

_HELPERS = {**ARITHMETIC, **COMPARISON, "<<": "shift_left", ">>": "shift_right"}


class Operand:
    """An operand that can be written several times: a name or a literal."""

    __slots__ = ("first", "kind", "number", "span", "temporary", "value")

    def __init__(self, unit: Unit, kind: StaticKind | None, value: Expr, span: Span) -> None:
        self.kind = kind
        self.span = span
        self.value = value
        self.number: int | None = None
        self.temporary: str | None = None
        if isinstance(value, _ast.Constant):
            self.number = value.value if type(value.value) is int else None
        elif not isinstance(value, _ast.Name):
            self.temporary = unit.temporary()

    def bind(self) -> Expr:
        """Return the operand where it is evaluated."""
        if self.temporary is None:
            return self.again()
        return walrus(self.temporary, self.value, self.span)

    def again(self) -> Expr:
        """Return the operand once more."""
        if self.temporary is not None:
            return name(self.temporary, self.span)
        if isinstance(self.value, _ast.Constant):
            return constant(self.value.value, self.span)
        assert isinstance(self.value, _ast.Name)
        return name(self.value.id, self.span)


def _operand(unit: Unit, node: ast.Node) -> Operand:
    """Lower an operand, outside of its class: making an object takes room on the C stack."""
    kind = kind_of(unit, node)
    return Operand(unit, kind, unit.lower(node), unit.span(node))


def _are_integers(left: Operand, right: Operand, span: Span) -> tuple[list[Expr], bool, bool]:
    """Return the tests that two operands are Integers, and which of them these bind."""
    tests: list[Expr] = []
    left_test = left.kind != "int"
    right_test = right.kind != "int"
    if left_test and right_test:
        if right.temporary is None:
            tests.append(
                compare(
                    call("type", [left.bind()], span),
                    "is",
                    name("int", span),
                    "is",
                    call("type", [right.bind()], span),
                    span=span,
                )
            )
        else:
            one = compare(call("type", [left.bind()], span), "is", name("int", span), span=span)
            other = compare(call("type", [right.bind()], span), "is", name("int", span), span=span)
            tests.append(binary(one, "&", other, span))
    elif left_test:
        tests.append(compare(call("type", [left.bind()], span), "is", name("int", span), span=span))
    elif right_test:
        tests.append(
            compare(call("type", [right.bind()], span), "is", name("int", span), span=span)
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
    """Lower ``+ - * / % << >>``."""
    tree = lower_tree(unit, node)
    if tree is not None:
        return tree
    span = unit.span(node)
    operator = node.operator
    if id(node) in unit.program.growing:
        return _lower_growth(unit, node, span)
    helper = _HELPERS[operator]
    never = {"float", "array", "hash", "str", "bool"}
    if operator in ("<<", ">>") or kind_of(unit, node.left) in never:
        return call(helper, [unit.lower(node.left), unit.lower(node.right)], span)
    left = _operand(unit, node.left)
    right = _operand(unit, node.right)
    if right.kind in never:
        return call(helper, [left.value, right.value], span)
    if operator in "/%":
        return _lower_division(unit, left, right, operator, span)
    _settle(left, right)
    tests, left_bound, right_bound = _are_integers(left, right, span)
    result = unit.temporary()
    both_known = not tests
    one = left.again() if left_bound else left.value
    other = right.again() if right_bound else right.value
    made = walrus(result, binary(one, operator, other, span), span)
    tests.append(_in_range(made, span))
    slow = (
        call("overflow", [constant(operator, span), name(result, span)], span)
        if both_known
        else call(helper, [left.again(), right.again()], span)
    )
    return conditional(all_of(tests, span), name(result, span), slow, span)


def _lower_growth(unit: Unit, node: ast.ArithmeticExpression, span: Span) -> Expr:
    """Lower ``$memo + { ... }``; a hash whose keys are surely strings is not made."""
    left = unit.lower(node.left)
    right = unit.lower(node.right)
    if isinstance(right, _ast.Call) and isinstance(right.args[0], _ast.Dict):
        return call("grow_strings", [left, right.args[0]], span)
    return call("grow", [left, right], span)


def _in_range(made: Expr, span: Span) -> Expr:
    """Return the test that a result fits in 64 bits: converted operands may be larger."""
    return compare(
        constant(MIN_INTEGER, span), "<=", made, "<=", constant(MAX_INTEGER, span), span=span
    )


def _lower_division(unit: Unit, left: Operand, right: Operand, operator: str, span: Span) -> Expr:
    """Lower ``/`` and ``%`` inline for positive divisors: no zero."""
    helper = _HELPERS[operator]
    python = "//" if operator == "/" else "%"
    if right.number is not None and right.number <= 0:
        return call(helper, [left.value, right.value], span)
    if left.kind == "int" and right.number is not None and operator == "%":
        return binary(left.value, python, right.value, span)
    left.kind = None
    if right.number is None:
        right.kind = None
    tests, _, right_bound = _are_integers(left, right, span)
    if right.number is None:
        tests.append(compare(right.again(), ">", constant(0, span), span=span))
    divisor = right.again() if right_bound else right.value
    made = binary(left.again(), python, divisor, span)
    if operator == "/" or right.number is None:
        result = unit.temporary()
        tests.append(_in_range(walrus(result, made, span), span))
        made = name(result, span)
    slow = call(helper, [left.again(), right.again()], span)
    return conditional(all_of(tests, span), made, slow, span)


def lower_comparison(unit: Unit, node: ast.ComparisonExpression) -> Expr:
    """Lower ``== != < <= > >=``."""
    tree = lower_tree(unit, node)
    if tree is not None:
        return tree
    span = unit.span(node)
    operator = node.operator
    helper = _HELPERS[operator]
    never = {"float", "array", "hash", "bool", "undef", "default", "regexp"}
    left_kind = kind_of(unit, node.left)
    right_kind = kind_of(unit, node.right)
    if operator in ("==", "!=") and (left_kind == "undef" or right_kind == "undef"):
        other = unit.lower(node.left if right_kind == "undef" else node.right)
        if isinstance(other, _ast.Constant):
            return constant((other.value is None) == (operator == "=="), span)
        if not isinstance(other, _ast.Name):
            other = walrus(unit.temporary(), other, span)
        return compare(
            other, "is" if operator == "==" else "is not", constant(None, span), span=span
        )
    if left_kind in never or right_kind in never or "str" in (left_kind, right_kind):
        return _lower_text_comparison(unit, node, helper, span)
    left = _operand(unit, node.left)
    right = _operand(unit, node.right)
    _settle(left, right)
    tests, left_bound, right_bound = _are_integers(left, right, span)
    one = left.again() if left_bound else left.value
    other = right.again() if right_bound else right.value
    made = compare(one, operator, other, span=span)
    if not tests:
        return made
    slow = call(helper, [left.again(), right.again()], span)
    return conditional(all_of(tests, span), made, slow, span)


def _lower_text_comparison(
    unit: Unit, node: ast.ComparisonExpression, helper: str, span: Span
) -> Expr:
    """Lower a comparison with a side of another type; equality with a literal string is quick."""
    right = node.right
    is_text = isinstance(right, ast.LiteralString | ast.QualifiedName)
    if node.operator not in ("==", "!=") or not is_text:
        return call(helper, [unit.lower(node.left), unit.lower(right)], span)
    left = _operand(unit, node.left)
    value = unit.lower(right)
    again = unit.lower(right)
    if isinstance(value, _ast.Constant) and _has_no_case(str(value.value)):
        # Strings that differ from it are not equal to it.
        test = type_is(left.bind(), ("str",), span)
        quick = compare(left.again(), node.operator, value, span=span)
        return conditional(test, quick, call(helper, [left.again(), again], span), span)
    if node.operator == "==":
        quick = compare(left.bind(), "==", value, span=span)
        return any_of([quick, call("equals", [left.again(), again], span)], span)
    quick = compare(left.bind(), "!=", value, span=span)
    return all_of([quick, call("not_equals", [left.again(), again], span)], span)


def _has_no_case(text: str) -> bool:
    return text.isascii() and text.lower() == text.upper()


def lower_minus(unit: Unit, node: ast.UnaryMinusExpression) -> Expr:
    """Lower ``-x``; a negative literal is a literal."""
    span = unit.span(node)
    inner = node.expr
    if isinstance(inner, ast.LiteralInteger | ast.LiteralFloat):
        return constant(-inner.value, span)
    return call("negate", [unit.lower(inner)], span)


# Truth


def lower_truth(unit: Unit, node: ast.Node) -> Expr:
    """Lower a condition to a Python Boolean: only undef and false are not true."""
    kind = kind_of(unit, node)
    value = unit.lower(node)
    if kind == "bool":
        return value
    span = unit.span(node)
    if isinstance(value, _ast.Constant):
        return constant(value.value is not None and value.value is not False, span)
    if isinstance(value, _ast.Name):
        first: Expr = value
        second: Expr = name(value.id, span)
    else:
        temporary = unit.temporary()
        first = walrus(temporary, value, span)
        second = name(temporary, span)
    return all_of(
        [
            compare(first, "is not", constant(None, span), span=span),
            compare(second, "is not", constant(False, span), span=span),
        ],
        span,
    )


def lower_not(unit: Unit, node: ast.NotExpression) -> Expr:
    """Lower ``!x``."""
    return negation(lower_truth(unit, node.expr), unit.span(node))


def lower_and(unit: Unit, node: ast.AndExpression) -> Expr:
    """Lower ``a and b``."""
    return _lower_logic(unit, node, _ast.And())


def lower_or(unit: Unit, node: ast.OrExpression) -> Expr:
    """Lower ``a or b``."""
    return _lower_logic(unit, node, _ast.Or())


def _lower_logic(
    unit: Unit, node: ast.AndExpression | ast.OrExpression, operator: _ast.boolop
) -> Expr:
    first, *others = ast.joined(node)
    operands = [lower_truth(unit, first)]
    for other in others:
        operand, bound = _branch_truth(unit, other)
        unit.merge([bound], exhaustive=False)
        operands.append(operand)
    return with_span(_ast.BoolOp(operator, operands), unit.span(node))


def _branch_truth(unit: Unit, node: ast.Node) -> tuple[Expr, Bound]:
    """Return the truth of a node that may not be evaluated, and the variables it binds."""
    return unit.branch(lambda: lower_truth(unit, node))


LOWERINGS: Lowerings = {
    ast.ArithmeticExpression: lower_arithmetic,
    ast.ComparisonExpression: lower_comparison,
    ast.UnaryMinusExpression: lower_minus,
    ast.NotExpression: lower_not,
    ast.AndExpression: lower_and,
    ast.OrExpression: lower_or,
}
