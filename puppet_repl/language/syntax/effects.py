"""Which expressions do nothing but make a value, and which keys are known before evaluation."""

from __future__ import annotations

from puppet_repl.language.syntax import ast

_ALWAYS = frozenset(
    (
        ast.Nop,
        ast.LiteralInteger,
        ast.LiteralFloat,
        ast.LiteralString,
        ast.LiteralBoolean,
        ast.LiteralUndef,
        ast.LiteralDefault,
        ast.LiteralRegularExpression,
        ast.LiteralList,
        ast.LiteralHash,
        ast.QualifiedName,
        ast.QualifiedReference,
        ast.ReservedWord,
        ast.AccessExpression,
        ast.NamedAccessExpression,
        ast.ArithmeticExpression,
        ast.ComparisonExpression,
        ast.InExpression,
        ast.AndExpression,
        ast.OrExpression,
        ast.NotExpression,
        ast.UnaryMinusExpression,
        ast.UnfoldExpression,
        ast.VariableExpression,
        ast.TextExpression,
        ast.ConcatenatedString,
        ast.HeredocExpression,
        ast.SelectorExpression,
    )
)
_SOMETIMES = frozenset(
    (
        ast.ParenthesizedExpression,
        ast.BlockExpression,
        ast.IfExpression,
        ast.UnlessExpression,
        ast.CaseExpression,
    )
)


def is_idle(node: ast.Node | None) -> bool:
    """Tell whether an expression is known to change nothing (Puppet calls it idem)."""
    kind = type(node)
    if node is None or kind in _ALWAYS:
        return True
    if kind not in _SOMETIMES:
        return False
    if isinstance(node, ast.ParenthesizedExpression):
        return is_idle(node.expr)
    if isinstance(node, ast.BlockExpression):
        return all(is_idle(statement) for statement in node.statements)
    if isinstance(node, ast.IfExpression | ast.UnlessExpression):
        return is_idle(node.test) and is_idle(node.then_expr) and is_idle(node.else_expr)
    assert isinstance(node, ast.CaseExpression)
    return is_idle(node.test) and all(
        all(is_idle(value) for value in option.values) and is_idle(option.then_expr)
        for option in node.options
    )


class NotLiteral(Exception):
    """The value of an expression is not known before evaluation."""


def literal_key(node: ast.Node) -> tuple[object, ...]:
    """Return what tells a literal from others; NotLiteral if the value is not known.

    The first item is the kind, so that 1 and 1.0 differ; the last is the text for messages.
    """
    if isinstance(node, ast.LiteralString | ast.QualifiedName):
        return ("s", node.value)
    if isinstance(node, ast.LiteralInteger):
        return ("i", node.value)
    if isinstance(node, ast.LiteralFloat):
        return ("f", node.value)
    if isinstance(node, ast.LiteralBoolean):
        return ("b", "true" if node.value else "false")
    if isinstance(node, ast.LiteralUndef):
        return ("u", "")
    if isinstance(node, ast.LiteralDefault):
        return ("d", "default")
    if isinstance(node, ast.LiteralRegularExpression):
        return ("r", f"(?-mix:{node.pattern})")
    if isinstance(node, ast.QualifiedReference):
        return ("s", node.value.lower())
    if isinstance(node, ast.AccessExpression):
        if len(node.keys) == 1 and isinstance(node.keys[0], ast.LiteralList):
            raise NotLiteral
        return _list_key(node.keys)
    if isinstance(node, ast.LiteralList):
        return _list_key(node.values)
    return _rare_key(node)


def _list_key(nodes: tuple[ast.Node, ...]) -> tuple[object, ...]:
    keys = tuple(literal_key(item) for item in nodes)
    return ("a", keys, f"[{', '.join(_inspect(key) for key in keys)}]")


def _rare_key(node: ast.Node) -> tuple[object, ...]:
    if isinstance(node, ast.UnaryMinusExpression):
        kind, value, *_ = literal_key(node.expr)
        if not isinstance(value, int | float):
            raise NotLiteral
        return (kind, -value)
    if isinstance(node, ast.ConcatenatedString):
        segment = node.segments[0] if len(node.segments) == 1 else None
        if isinstance(segment, ast.LiteralString):
            return ("s", segment.value)
        raise NotLiteral
    if isinstance(node, ast.LiteralHash):
        pairs = [(literal_key(item.key), literal_key(item.value)) for item in node.entries]
        text = ", ".join(f"{_inspect(key)}=>{_inspect(value)}" for key, value in pairs)
        return ("h", frozenset(pairs), f"{{{text}}}")
    raise NotLiteral


def _inspect(key: tuple[object, ...]) -> str:
    """Return a key inside a list, as Ruby shows it."""
    kind = key[0]
    if kind == "s":
        return '"' + str(key[1]).replace("\\", "\\\\").replace('"', '\\"') + '"'
    if kind == "u":
        return "nil"
    if kind == "d":
        return ":default"
    if kind == "r":
        return f"/{str(key[-1])[7:-1]}/"
    return str(key[-1])


def is_literal(node: ast.Node) -> bool:
    """Tell whether the value of an expression is known before evaluation."""
    try:
        literal_key(node)
    except NotLiteral:
        return False
    return True


def without_title(node: ast.Node | None) -> bool:
    """Tell whether this is a name and a hash: most likely a resource without its title."""
    if not isinstance(node, ast.BlockExpression):
        return False
    statements = node.statements
    return (
        len(statements) == 2
        and type(statements[0]) is ast.QualifiedName
        and type(statements[1]) is ast.LiteralHash
    )
