"""Trees of Integer arithmetic: the types of their variables are tested once.

``$memo + $x * 2 % 7`` becomes, plus the overflow checks that interval analysis cannot rule out:

    v_memo + (v_x * 2 ...) % 7 if type(v_memo) is int is type(v_x)
    else add(v_memo, modulo(multiply(v_x, 2), 7))

Leaves are local variables and literals, so evaluating them has no effect, and the order does not
matter. If a variable is not an Integer, all operations go through the runtime's operators.
"""

from __future__ import annotations

import _ast

from puppet_repl.base.float_text import MAX_INTEGER, MIN_INTEGER
from puppet_repl.language.compiler.build import (
    all_of,
    binary,
    call,
    compare,
    conditional,
    constant,
    name,
    walrus,
)
from puppet_repl.language.compiler.static_kinds import kind_of
from puppet_repl.language.compiler.variables import read_variable
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.compiler.build import Expr, Span
    from puppet_repl.language.compiler.unit import Unit

# The operators of trees, and the names of the functions that they are for other values.
ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo"}
COMPARISON = {
    "==": "equals",
    "!=": "not_equals",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
}
_MIN_OPERATORS = 2
_UNBOUNDED = 1 << 200
"""More than 64 bits, even divided by a number of 64: a converted Integer may be so large."""


class Range:
    """An expression that computes an Integer, and the ends between which it lies."""

    __slots__ = ("high", "low", "value")

    def __init__(self, value: Expr, low: int, high: int) -> None:
        self.value = value
        self.low = low
        self.high = high


def lower_tree(
    unit: Unit, node: ast.ArithmeticExpression | ast.ComparisonExpression
) -> Expr | None:
    """Lower a tree of Integer arithmetic; return None for anything else."""
    variables: dict[str, ast.VariableExpression] = {}
    operators = _survey(unit, node, variables, root=True)
    if operators is None or operators < _MIN_OPERATORS:
        return None
    span = unit.span(node)
    unknown = [one for one in variables.values() if kind_of(unit, one) != "int"]
    quick = _quick_root(unit, node)
    if not unknown:
        return quick
    types = [call("type", [unit.lower(one)], span) for one in unknown]
    tests: list[Expr] = []
    for index in range(0, len(types) - 1, 2):
        pair = (types[index], "is", name("int", span), "is", types[index + 1])
        tests.append(compare(*pair, span=span))
    if len(types) % 2:
        tests.append(compare(types[-1], "is", name("int", span), span=span))
    return conditional(all_of(tests, span), quick, _slow(unit, node), span)


def _survey(
    unit: Unit, node: ast.Node, variables: dict[str, ast.VariableExpression], *, root: bool = False
) -> int | None:
    """Count operators and collect variables; return None if the tree has other nodes.

    Nodes without a tree are remembered, so that a long chain is not searched again for each link.
    """
    others = unit.program.no_trees
    if id(node) in others:
        return None
    count = _count(unit, node, variables, root)
    if count is None:
        others.add(id(node))
    return count


def _count(
    unit: Unit, node: ast.Node, variables: dict[str, ast.VariableExpression], root: bool
) -> int | None:
    if isinstance(node, ast.ParenthesizedExpression):
        return _survey(unit, node.expr, variables)
    if isinstance(node, ast.LiteralInteger):
        return 0
    if isinstance(node, ast.VariableExpression):
        if node.name[:1].isdigit():
            return None
        if not isinstance(read_variable(unit, node.name, unit.span(node)), _ast.Name):
            return None
        variables[node.name] = node
        return 0 if kind_of(unit, node) in (None, "int") else None
    if isinstance(node, ast.ArithmeticExpression):
        if node.operator not in ARITHMETIC:
            return None
        if node.operator in "/%":
            divisor = node.right
            if not isinstance(divisor, ast.LiteralInteger) or divisor.value <= 0:
                return None
    elif not (root and isinstance(node, ast.ComparisonExpression)):
        return None
    left = _survey(unit, node.left, variables)
    if left is None:
        return None
    right = _survey(unit, node.right, variables)
    return None if right is None else left + right + 1


def _quick_root(unit: Unit, node: ast.Node) -> Expr:
    if isinstance(node, ast.ComparisonExpression):
        left = _quick(unit, node.left)
        right = _quick(unit, node.right)
        return compare(left.value, node.operator, right.value, span=unit.span(node))
    return _quick(unit, node).value


def _quick(unit: Unit, node: ast.Node) -> Range:
    """Return the computation for Integers, with the tests that are needed."""
    if isinstance(node, ast.ParenthesizedExpression):
        return _quick(unit, node.expr)
    span = unit.span(node)
    if isinstance(node, ast.LiteralInteger):
        return Range(constant(node.value, span), node.value, node.value)
    if not isinstance(node, ast.ArithmeticExpression):
        return Range(unit.lower(node), -_UNBOUNDED, _UNBOUNDED)
    left = _quick(unit, node.left)
    right = _quick(unit, node.right)
    operator = node.operator
    if operator == "%":
        return Range(binary(left.value, "%", right.value, span), 0, right.high - 1)
    if operator == "/":
        quotient = binary(left.value, "//", right.value, span)
        low, high = left.low // right.low, left.high // right.low
        checked = _checked(unit, quotient, operator, low, high, span)
        return Range(checked, max(low, MIN_INTEGER), min(high, MAX_INTEGER))
    if operator == "+":
        low, high = left.low + right.low, left.high + right.high
    elif operator == "-":
        low, high = left.low - right.high, left.high - right.low
    else:
        ends = [one * other for one in (left.low, left.high) for other in (right.low, right.high)]
        low, high = min(ends), max(ends)
    result = binary(left.value, operator, right.value, span)
    checked = _checked(unit, result, operator, low, high, span)
    return Range(checked, max(low, MIN_INTEGER), min(high, MAX_INTEGER))


def _checked(unit: Unit, result: Expr, operator: str, low: int, high: int, span: Span) -> Expr:
    """Return a result, tested at the ends at which it may leave 64 bits."""
    below = low < MIN_INTEGER
    above = high > MAX_INTEGER
    if not below and not above:
        return result
    temporary = unit.temporary()
    made = walrus(temporary, result, span)
    smallest = constant(MIN_INTEGER, span)
    largest = constant(MAX_INTEGER, span)
    if below and above:
        test = compare(smallest, "<=", made, "<=", largest, span=span)
    elif above:
        test = compare(made, "<=", largest, span=span)
    else:
        test = compare(made, ">=", smallest, span=span)
    failed = call("overflow", [constant(operator, span), name(temporary, span)], span)
    return conditional(test, name(temporary, span), failed, span)


def _slow(unit: Unit, node: ast.Node) -> Expr:
    """Lower the tree to calls of the runtime's operators."""
    if isinstance(node, ast.ParenthesizedExpression):
        return _slow(unit, node.expr)
    if isinstance(node, ast.ArithmeticExpression):
        helper = ARITHMETIC[node.operator]
    elif isinstance(node, ast.ComparisonExpression):
        helper = COMPARISON[node.operator]
    else:
        return unit.lower(node)
    return call(helper, [_slow(unit, node.left), _slow(unit, node.right)], unit.span(node))
