"""What the text of a node says without being evaluated."""

from __future__ import annotations

from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_STRINGS = (ast.LiteralString, ast.QualifiedName)
# Nodes of an expression without variables.
_MAX_TRIED = 50
_CALLS = (ast.CallNamedFunctionExpression, ast.CallMethodExpression)
_VARYING = (ast.VariableExpression, *_CALLS)

_LITERALS = (
    ast.LiteralBoolean,
    ast.LiteralDefault,
    ast.LiteralFloat,
    ast.LiteralHash,
    ast.LiteralInteger,
    ast.LiteralList,
    ast.LiteralRegularExpression,
    ast.LiteralString,
    ast.LiteralUndef,
    ast.KeyedEntry,
    ast.QualifiedName,
    ast.UnaryMinusExpression,
)


def called(call: ast.Node | None) -> str:
    """Return the name of the function that a call calls, '' for anything else."""
    functor: ast.Node | None = None
    if isinstance(call, ast.CallNamedFunctionExpression):
        functor = call.functor
    elif isinstance(call, ast.CallMethodExpression):
        functor = call.functor.right
    return functor.value if isinstance(functor, ast.QualifiedName) else ""


def string_of(node: ast.Node | None) -> str | None:
    """Return the value of a string without interpolation or of a bare word; None for others."""
    if isinstance(node, ast.HeredocExpression):
        node = node.text
    return node.value if isinstance(node, _STRINGS) else None


def beginning_of(node: ast.Node | None) -> str | None:
    """Return what a string begins with for sure; None if nobody knows its first character."""
    if isinstance(node, ast.HeredocExpression):
        node = node.text
    if isinstance(node, ast.ConcatenatedString):
        node = node.segments[0] if node.segments else None
        return node.value or None if isinstance(node, ast.LiteralString) else None
    return string_of(node)


def word_of(node: ast.Node | None) -> str | None:
    """Return a literal as resource types read it: a string, true, false or a number as text."""
    if isinstance(node, ast.LiteralBoolean):
        return "true" if node.value else "false"
    if isinstance(node, ast.LiteralInteger):
        return str(node.value)
    return string_of(node)


def has_call(node: ast.Node) -> bool:
    """Tell whether an expression calls something: the next call may have another result."""
    return any(isinstance(each, _CALLS) for each in node.walk())


def is_constant(node: ast.Node) -> bool:
    """Tell whether an expression has no variable and no call in it: code that tries out values.

    Nobody tries out longer ones.
    """
    for count, each in enumerate(node.walk()):
        if isinstance(each, _VARYING) or count > _MAX_TRIED:
            return False
    return True


def bare(node: ast.Node) -> ast.Node:
    """Return an expression without its parentheses."""
    while isinstance(node, ast.ParenthesizedExpression):
        node = node.expr
    return node


def outcomes(node: ast.Node) -> Iterator[ast.Node]:
    """Yield the expressions that may be the value: through selectors, if, case and parentheses."""
    pending: list[ast.Node | None] = [node]
    while pending:
        node_ = pending.pop()
        if isinstance(node_, ast.ParenthesizedExpression):
            pending.append(node_.expr)
        elif isinstance(node_, ast.SelectorExpression):
            pending += reversed([entry.value for entry in node_.selectors])
        elif isinstance(node_, ast.IfExpression | ast.UnlessExpression):
            pending += (node_.else_expr, node_.then_expr)
        elif isinstance(node_, ast.CaseExpression):
            pending += reversed([option.then_expr for option in node_.options])
        elif isinstance(node_, ast.BlockExpression):
            pending += node_.statements[-1:]
        elif node_ is not None:
            yield node_


def items(node: ast.Node) -> Iterator[ast.Node]:
    """Yield the possible values, those of the elements where it is an array."""
    for value in outcomes(node):
        if isinstance(value, ast.LiteralList):
            for element in value.values:
                yield from outcomes(element)
        else:
            yield value


def keys_of(node: ast.Node) -> tuple[str, tuple[str, ...]] | None:
    """Return name and keys of ``$name['a']['b']``; None for anything else."""
    keys: list[str] = []
    while isinstance(node, ast.AccessExpression):
        key = string_of(node.keys[0]) if len(node.keys) == 1 else None
        if key is None:
            return None
        keys.append(key)
        node = bare(node.left)
    if not isinstance(node, ast.VariableExpression):
        return None
    return node.name.removeprefix("::"), tuple(reversed(keys))


def fact_path(node: ast.Node) -> tuple[str, ...] | None:
    """Return the names that lead to a fact in ``$facts['os']['family']``, None for others."""
    found = keys_of(node)
    if found is None or found[0] != "facts" or not found[1]:
        return None
    return found[1]


def is_literal(node: ast.Node) -> bool:
    """Tell whether an expression consists of literals alone, so that its value is known."""
    return all(isinstance(part, _LITERALS) for part in node.walk())
