"""Static kinds: types of values that are known before the program runs.

None stands for an unknown kind. Knowing a kind saves compiled code a test; it never changes the
result.
"""

from __future__ import annotations

from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from puppet_repl.language.compiler.unit import Unit

    StaticKind: TypeAlias = Literal[
        "int", "float", "str", "bool", "array", "hash", "undef", "default", "regexp"
    ]

_FIXED: dict[type[ast.Node], StaticKind] = {
    ast.LiteralInteger: "int",
    ast.LiteralFloat: "float",
    ast.LiteralString: "str",
    ast.LiteralBoolean: "bool",
    ast.QualifiedName: "str",
    ast.ConcatenatedString: "str",
    ast.TextExpression: "str",
    ast.HeredocExpression: "str",
    ast.LiteralList: "array",
    ast.LiteralHash: "hash",
    ast.UnfoldExpression: "array",
    ast.NotExpression: "bool",
    ast.AndExpression: "bool",
    ast.OrExpression: "bool",
    ast.ComparisonExpression: "bool",
    ast.MatchExpression: "bool",
    ast.InExpression: "bool",
    ast.LiteralUndef: "undef",
    ast.Nop: "undef",
    ast.LiteralDefault: "default",
    ast.LiteralRegularExpression: "regexp",
}


def kind_of(unit: Unit, node: ast.Node) -> StaticKind | None:
    """Return the kind of a node's value, as far as it is certain at this point of the unit."""
    kind = type(node)
    fixed = _FIXED.get(kind)
    if fixed is not None:
        return fixed
    if isinstance(node, ast.VariableExpression):
        return _kind_of_variable(unit, node.name)
    if isinstance(node, ast.ParenthesizedExpression):
        return kind_of(unit, node.expr)
    if isinstance(node, ast.ArithmeticExpression):
        return _kind_of_arithmetic(unit, node)
    if isinstance(node, ast.UnaryMinusExpression):
        inner = kind_of(unit, node.expr)
        return inner if inner == "int" or inner == "float" else None
    if isinstance(node, ast.AssignmentExpression):
        return kind_of(unit, node.right)
    if isinstance(node, ast.SelectorExpression):
        kinds = {kind_of(unit, entry.value) for entry in node.selectors}
        return kinds.pop() if len(kinds) == 1 else None
    return None


def _kind_of_variable(unit: Unit, name: str) -> StaticKind | None:
    level: Unit | None = unit
    while level is not None:
        if level.kind == "scope":
            return None
        state = level.bound.get(name)
        if state == "set":
            return level.kinds.get(name)
        if state is not None:
            return None
        level = level.parent
    return None


def _kind_of_arithmetic(unit: Unit, node: ast.ArithmeticExpression) -> StaticKind | None:
    """Arithmetic is only computed from the leaves once: the result is remembered."""
    known = unit.program.kinds
    key = id(node)
    if key in known:
        return known[key]
    left = kind_of(unit, node.left)
    right = kind_of(unit, node.right)
    made: StaticKind | None = None
    if left == "int" and right == "int":
        made = "int"
    elif left in ("int", "float") and right in ("int", "float"):
        made = "float" if node.operator in "+-*/" else None
    elif left == "array" or left == "hash":
        made = left
    known[key] = made
    return made
