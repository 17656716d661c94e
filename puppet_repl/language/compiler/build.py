"""Short names for making Python syntax trees whose positions are those of Puppet text.

A span is (line, column, end line, end column) as Python's compiler wants it: lines from 1,
columns from 0, the end exclusive.
"""

from __future__ import annotations

import _ast
from _bisect import bisect_right  # bisect itself is one more module at every start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias, TypeVar

    from puppet_repl.language.syntax.ast import Node
    from puppet_repl.language.syntax.source import Source

    Span: TypeAlias = tuple[int, int, int, int]
    Expr: TypeAlias = _ast.expr
    Stmt: TypeAlias = _ast.stmt
    T = TypeVar("T", _ast.expr, _ast.stmt)
    Made = TypeVar("Made", bound=_ast.AST)

# The constructors of nodes look for each field, and these are nearly all nodes that are made.
_new: Callable[[type[Made]], Made] = _ast.AST.__new__
LOAD = _ast.Load()
STORE = _ast.Store()
IS = _ast.Is()
IS_NOT = _ast.IsNot()
AND = _ast.And()
OR = _ast.Or()
NOT = _ast.Not()
BIT_AND = _ast.BitAnd()

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


class Spans:
    """The spans of the nodes of one source text."""

    __slots__ = ("_last_line", "_starts")

    def __init__(self, source: Source) -> None:
        self._starts = source.line_starts
        self._last_line = len(self._starts)

    def line(self, node: Node) -> int:
        """Return the line of a node."""
        return bisect_right(self._starts, node.start)

    def of(self, node: Node) -> Span:
        """Return the span of a node."""
        starts = self._starts
        start = node.start
        end = node.end
        line = bisect_right(starts, start)
        begin = starts[line - 1]
        if line == self._last_line or end <= starts[line]:
            return (line, start - begin, line, end - begin)
        last = bisect_right(starts, end)
        return (line, start - begin, last, end - starts[last - 1])


def with_span(node: T, span: Span) -> T:
    """Set the position of a node."""
    node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = span
    return node


def name(id_: str, span: Span) -> Expr:
    """Return ``id_``, read."""
    made = _new(_ast.Name)
    line, column, last, end = span
    made.__dict__ = {
        "id": id_,
        "ctx": LOAD,
        "lineno": line,
        "col_offset": column,
        "end_lineno": last,
        "end_col_offset": end,
    }
    return made


def constant(value: Any, span: Span) -> Expr:
    """Return a literal: numbers, strings, None and Booleans; negative numbers too."""
    made = _new(_ast.Constant)
    line, column, last, end = span
    made.__dict__ = {
        "value": value,
        "kind": None,
        "lineno": line,
        "col_offset": column,
        "end_lineno": last,
        "end_col_offset": end,
    }
    return made


def call(function: str | Expr, args: Sequence[Expr], span: Span) -> Expr:
    """Return ``function(*args)``; a function given as a string is a global name."""
    made = _new(_ast.Call)
    line, column, last, end = span
    made.__dict__ = {
        "func": name(function, span) if type(function) is str else function,
        "args": list(args),
        "keywords": [],
        "lineno": line,
        "col_offset": column,
        "end_lineno": last,
        "end_col_offset": end,
    }
    return made


def attribute(value: str | Expr, attr: str, span: Span) -> Expr:
    """Return ``value.attr``; kept on one line, or Python would put a call of it elsewhere."""
    target = name(value, span) if isinstance(value, str) else value
    if span[0] != span[2]:
        span = (span[0], span[1], span[0], span[1] + 1)
    return with_span(_ast.Attribute(target, attr, LOAD), span)


def subscript(value: str | Expr, key: Expr, span: Span) -> Expr:
    """Return ``value[key]``."""
    target = name(value, span) if isinstance(value, str) else value
    return with_span(_ast.Subscript(target, key, LOAD), span)


def item(value: Expr, index: int, span: Span) -> Expr:
    """Return ``value[index]`` for a fixed index."""
    return subscript(value, constant(index, span), span)


def walrus(target: str, value: Expr, span: Span) -> Expr:
    """Return ``(target := value)``."""
    bound = _ast.Name(target, STORE)
    with_span(bound, span)
    return with_span(_ast.NamedExpr(bound, value), span)


def conditional(test: Expr, then: Expr, otherwise: Expr, span: Span) -> Expr:
    """Return ``then if test else otherwise``."""
    return with_span(_ast.IfExp(test, then, otherwise), span)


def compare(left: Expr, *rest: str | Expr, span: Span) -> Expr:
    """Return ``left OP right [OP right ...]``: operators as strings, then operands, in turn."""
    operators: list[_ast.cmpop] = []
    operands: list[Expr] = []
    for part in rest:
        if isinstance(part, str):
            operators.append(COMPARE[part])
        else:
            operands.append(part)
    return with_span(_ast.Compare(left, operators, operands), span)


def binary(left: Expr, operator: str, right: Expr, span: Span) -> Expr:
    """Return ``left OP right`` in Python's arithmetic."""
    return with_span(_ast.BinOp(left, BINARY[operator], right), span)


def all_of(values: list[Expr], span: Span) -> Expr:
    """Return ``a and b ...``."""
    return values[0] if len(values) == 1 else with_span(_ast.BoolOp(AND, values), span)


def any_of(values: list[Expr], span: Span) -> Expr:
    """Return ``a or b ...``."""
    return values[0] if len(values) == 1 else with_span(_ast.BoolOp(OR, values), span)


def negation(value: Expr, span: Span) -> Expr:
    """Return ``not value``."""
    return with_span(_ast.UnaryOp(NOT, value), span)


def tuple_of(values: Sequence[Expr], span: Span) -> Expr:
    """Return ``(a, b, ...)``; literals are one literal, which Python need not fold."""
    for value in values:
        if type(value) is not _ast.Constant:
            return with_span(_ast.Tuple(list(values), LOAD), span)
    return constant(tuple([value.value for value in values]), span)  # type: ignore[attr-defined]


def starred(value: Expr, span: Span) -> Expr:
    """Return ``*value``."""
    return with_span(_ast.Starred(value, LOAD), span)


def sequence(values: list[Expr], span: Span) -> Expr:
    """Evaluate in turn; the value is that of the last."""
    if len(values) == 1:
        return values[0]
    return item(tuple_of(values, span), -1, span)


def type_is(value: Expr, types: tuple[str, ...], span: Span) -> Expr:
    """Return ``type(value) is T``; for several types ``value`` must be cheap to repeat."""
    tests = [
        compare(call("type", [value], span), "is", name(type_, span), span=span) for type_ in types
    ]
    return any_of(tests, span)


def assign(target: str, value: Expr, span: Span) -> Stmt:
    """Return ``target = value``."""
    return with_span(_ast.Assign([with_span(_ast.Name(target, STORE), span)], value), span)


def expression(value: Expr, span: Span) -> Stmt:
    """Return ``value`` as a statement."""
    return with_span(_ast.Expr(value), span)


def returns(value: Expr, span: Span) -> Stmt:
    """Return ``return value``."""
    return with_span(_ast.Return(value), span)


def when(test: Expr, then: list[Stmt], otherwise: list[Stmt], span: Span) -> Stmt:
    """Return ``if test: ... else: ...``."""
    return with_span(_ast.If(test, then or [with_span(_ast.Pass(), span)], otherwise), span)


def guarded(body: list[Stmt], handlers: Sequence[tuple[str, Stmt]], span: Span) -> Stmt:
    """Return ``try: body; except SIGNAL as ended: HANDLER``, for several signals."""
    made: list[_ast.ExceptHandler] = []
    for signal, statement in handlers:
        handler = _ast.ExceptHandler(name(signal, span), "ended", [statement])
        handler.lineno, handler.col_offset, handler.end_lineno, handler.end_col_offset = span
        made.append(handler)
    return with_span(_ast.Try(body, made, [], []), span)


def function(
    name_: str,
    parameters: Sequence[str],
    body: list[Stmt],
    span: Span,
    *,
    defaults: Sequence[Expr] = (),
    rest: str | None = None,
) -> Stmt:
    """Return ``def name_(parameters, *rest): body``; ``defaults`` belong to the last parameters."""

    def parameter(id_: str) -> _ast.arg:
        made = _ast.arg(id_)
        made.lineno, made.col_offset, made.end_lineno, made.end_col_offset = span
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
    return with_span(_ast.FunctionDef(name_, arguments, body, []), span)
