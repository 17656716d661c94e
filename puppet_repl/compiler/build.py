"""Short names for making Python syntax trees whose positions are those of Puppet text.

A place is (line, column, end line, end column) as Python's compiler wants it: lines from 1,
columns from 0, the end exclusive.
"""

from __future__ import annotations

import _ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias, TypeVar

    Place: TypeAlias = tuple[int, int, int, int]
    Expr: TypeAlias = _ast.expr
    Stmt: TypeAlias = _ast.stmt
    T = TypeVar("T", _ast.expr, _ast.stmt)

LOAD = _ast.Load()
STORE = _ast.Store()
IS = _ast.Is()
IS_NOT = _ast.IsNot()
AND = _ast.And()
OR = _ast.Or()
NOT = _ast.Not()
BIT_AND = _ast.BitAnd()
NEGATIVE = _ast.USub()

BINARY: dict[str, _ast.operator] = {
    "+": _ast.Add(),
    "-": _ast.Sub(),
    "*": _ast.Mult(),
    "//": _ast.FloorDiv(),
    "%": _ast.Mod(),
    "&": BIT_AND,
}
COMPARE: dict[str, _ast.cmpop] = {
    "==": _ast.Eq(),
    "!=": _ast.NotEq(),
    "<": _ast.Lt(),
    "<=": _ast.LtE(),
    ">": _ast.Gt(),
    ">=": _ast.GtE(),
    "is": IS,
    "is not": IS_NOT,
    "in": _ast.In(),
}


def placed(node: T, place: Place) -> T:
    """Set the position of a node."""
    node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = place
    return node


def name(id_: str, place: Place) -> Expr:
    """``id_``, read."""
    return placed(_ast.Name(id_, LOAD), place)


def constant(value: Any, place: Place) -> Expr:
    """A literal: numbers, text, None and Booleans; negative numbers too."""
    return placed(_ast.Constant(value), place)


def call(function: str | Expr, args: Sequence[Expr], place: Place) -> Expr:
    """``function(*args)``; a function given as text is a global name."""
    target = name(function, place) if isinstance(function, str) else function
    return placed(_ast.Call(target, list(args), []), place)


def attribute(value: str | Expr, attr: str, place: Place) -> Expr:
    """``value.attr``; kept on one line, or Python would place a call of it elsewhere."""
    target = name(value, place) if isinstance(value, str) else value
    if place[0] != place[2]:
        place = (place[0], place[1], place[0], place[1] + 1)
    return placed(_ast.Attribute(target, attr, LOAD), place)


def subscript(value: str | Expr, key: Expr, place: Place) -> Expr:
    """``value[key]``."""
    target = name(value, place) if isinstance(value, str) else value
    return placed(_ast.Subscript(target, key, LOAD), place)


def item(value: Expr, index: int, place: Place) -> Expr:
    """``value[index]`` for a fixed index."""
    return subscript(value, constant(index, place), place)


def walrus(target: str, value: Expr, place: Place) -> Expr:
    """``(target := value)``."""
    bound = _ast.Name(target, STORE)
    placed(bound, place)
    return placed(_ast.NamedExpr(bound, value), place)


def conditional(test: Expr, then: Expr, otherwise: Expr, place: Place) -> Expr:
    """``then if test else otherwise``."""
    return placed(_ast.IfExp(test, then, otherwise), place)


def compare(left: Expr, *rest: str | Expr, place: Place) -> Expr:
    """``left OP right [OP right ...]``: operators as text, then operands, in turn."""
    operators: list[_ast.cmpop] = []
    operands: list[Expr] = []
    for part in rest:
        if isinstance(part, str):
            operators.append(COMPARE[part])
        else:
            operands.append(part)
    return placed(_ast.Compare(left, operators, operands), place)


def binary(left: Expr, operator: str, right: Expr, place: Place) -> Expr:
    """``left OP right`` in Python's arithmetic."""
    return placed(_ast.BinOp(left, BINARY[operator], right), place)


def all_of(values: list[Expr], place: Place) -> Expr:
    """``a and b ...``."""
    return values[0] if len(values) == 1 else placed(_ast.BoolOp(AND, values), place)


def any_of(values: list[Expr], place: Place) -> Expr:
    """``a or b ...``."""
    return values[0] if len(values) == 1 else placed(_ast.BoolOp(OR, values), place)


def negation(value: Expr, place: Place) -> Expr:
    """``not value``."""
    return placed(_ast.UnaryOp(NOT, value), place)


def tuple_of(values: Sequence[Expr], place: Place) -> Expr:
    """``(a, b, ...)``."""
    return placed(_ast.Tuple(list(values), LOAD), place)


def starred(value: Expr, place: Place) -> Expr:
    """``*value``."""
    return placed(_ast.Starred(value, LOAD), place)


def sequence(values: list[Expr], place: Place) -> Expr:
    """Evaluate in turn; the value is that of the last."""
    if len(values) == 1:
        return values[0]
    return item(tuple_of(values, place), -1, place)


def type_is(value: Expr, types: tuple[str, ...], place: Place) -> Expr:
    """``type(value) is T``; for several types ``value`` must be cheap to repeat."""
    tests = [
        compare(call("type", [value], place), "is", name(type_, place), place=place)
        for type_ in types
    ]
    return any_of(tests, place)


def assign(target: str, value: Expr, place: Place) -> Stmt:
    """``target = value``."""
    return placed(_ast.Assign([placed(_ast.Name(target, STORE), place)], value), place)


def expression(value: Expr, place: Place) -> Stmt:
    """``value`` as a statement."""
    return placed(_ast.Expr(value), place)


def returns(value: Expr, place: Place) -> Stmt:
    """``return value``."""
    return placed(_ast.Return(value), place)


def when(test: Expr, then: list[Stmt], otherwise: list[Stmt], place: Place) -> Stmt:
    """``if test: ... else: ...``."""
    return placed(_ast.If(test, then or [placed(_ast.Pass(), place)], otherwise), place)


def guarded(body: list[Stmt], handlers: Sequence[tuple[str, Stmt]], place: Place) -> Stmt:
    """``try: body; except SIGNAL as ended: HANDLER``, for several signals."""
    made: list[_ast.ExceptHandler] = []
    for signal, statement in handlers:
        handler = _ast.ExceptHandler(name(signal, place), "ended", [statement])
        handler.lineno, handler.col_offset, handler.end_lineno, handler.end_col_offset = place
        made.append(handler)
    return placed(_ast.Try(body, made, [], []), place)


def function(
    name_: str,
    parameters: Sequence[str],
    body: list[Stmt],
    place: Place,
    *,
    defaults: Sequence[Expr] = (),
    rest: str | None = None,
) -> Stmt:
    """``def name_(parameters, *rest): body``; ``defaults`` belong to the last parameters."""

    def parameter(id_: str) -> _ast.arg:
        made = _ast.arg(id_)
        made.lineno, made.col_offset, made.end_lineno, made.end_col_offset = place
        return made

    arguments = _ast.arguments(
        [],
        [parameter(id_) for id_ in parameters],
        None if rest is None else parameter(rest),
        [],
        [],
        None,
        list(defaults),
    )
    return placed(_ast.FunctionDef(name_, arguments, body, []), place)
