"""Expressions too deep for Python's compiler, made flat: long chains of operators.

How deep its expressions may be is not ours to say: 3.12.0 to 3.12.2 allow a few hundred levels,
others some thousands. A chain is deep to the left, where its evaluation begins, so it is cut:
``((a + b) + c) + d`` becomes ``(t := a + b, (t + c) + d)[-1]``, in the same order.
"""

from __future__ import annotations

import _ast

from puppet_repl.language.compiler.build import name, sequence, walrus

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.compiler.build import Expr, Span

    Place = tuple[str, int | None]
    """A field of a node, and which of its values."""

MAX_LEVELS = 100
"""How many levels of a chain stay in each other."""

# The field of what each expression evaluates first.
_FIRST: dict[type[_ast.AST], str] = {
    _ast.Attribute: "value",
    _ast.BinOp: "left",
    _ast.BoolOp: "values",
    _ast.Call: "args",
    _ast.Compare: "left",
    _ast.IfExp: "test",
    _ast.List: "elts",
    _ast.NamedExpr: "value",
    _ast.Subscript: "value",
    _ast.Tuple: "elts",
    _ast.UnaryOp: "operand",
}


def flatten(module: _ast.Module) -> None:
    """Cut the chains of a module that are deeper than MAX_LEVELS."""
    bound = {node.target.id for node in _walk(module) if isinstance(node, _ast.NamedExpr)}
    seen: set[int] = set()
    number = 0
    for node in list(_walk(module)):
        if not isinstance(node, _ast.expr) or id(node) in seen:
            continue
        chain = [node]
        places: list[Place] = []
        while place := _first(chain[-1], bound):
            places.append(place)
            chain.append(_get(chain[-1], place))
        seen.update(map(id, chain))
        if len(chain) > 2 * MAX_LEVELS:
            number += 1
            _cut(chain, places, f"t_{number}")


def _walk(module: _ast.Module) -> Iterator[_ast.AST]:
    """Yield all nodes, those that are further out first."""
    pending: list[_ast.AST] = [module]
    while pending:
        node = pending.pop()
        yield node
        for field in node._fields:
            value = getattr(node, field, None)
            for each in value if isinstance(value, list) else (value,):
                if isinstance(each, _ast.AST):
                    pending.append(each)


def _first(node: Expr, bound: set[str]) -> Place | None:
    """Return the place of what an expression evaluates first; None without operands."""
    field = _FIRST.get(type(node))
    if field is None:
        return None
    if isinstance(node, _ast.Call) and not _is_plain(node.func, bound):
        return "func", None
    value = getattr(node, field)
    if not isinstance(value, list):
        return field, None
    for index, each in enumerate(value):
        if not _is_plain(each, bound):
            return None if isinstance(each, _ast.Starred) else (field, index)
        if isinstance(node, _ast.BoolOp):  # it decides whether the others are evaluated
            return None
    return None


def _is_plain(node: Expr, bound: set[str]) -> bool:
    """Tell whether it does not matter when an expression is evaluated."""
    while isinstance(node, _ast.Attribute):
        node = node.value
    return isinstance(node, _ast.Constant) or (isinstance(node, _ast.Name) and node.id not in bound)


def _get(node: Expr, place: Place) -> Expr:
    field, index = place
    value = getattr(node, field)
    found: Expr = value if index is None else value[index]
    return found


def _set(node: Expr, place: Place, value: Expr) -> None:
    field, index = place
    if index is None:
        setattr(node, field, value)
    else:
        getattr(node, field)[index] = value


def _cut(chain: list[Expr], places: list[Place], local: str) -> None:
    """Put a sequence of the parts of a chain where its second expression is."""
    parts: list[Expr] = []
    for start in range(len(chain) - MAX_LEVELS, 1, -MAX_LEVELS):
        cut = chain[start]
        span = _span(cut)
        parts.append(walrus(local, cut, span))
        _set(chain[start - 1], places[start - 1], name(local, span))
    _set(chain[0], places[0], sequence([*parts, _get(chain[0], places[0])], _span(chain[1])))


def _span(node: Expr) -> Span:
    return (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
