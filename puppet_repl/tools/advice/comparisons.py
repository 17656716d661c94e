"""Checks of types: comparisons that fail or never hold, defaults that do not fit."""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.nodes import bare, fact_path, is_constant, string_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.advice.model import Context

_ORDER = frozenset(("<", "<=", ">", ">="))
_VERSION = re.compile(r"\d+(?:\.\d+)*")
# Facts that are strings of digits, by what leads there.
_VERSION_FACTS = frozenset(
    (
        ("os", "release", "full"),
        ("os", "release", "major"),
        ("os", "release", "minor"),
        ("os", "distro", "release", "full"),
        ("os", "distro", "release", "major"),
        ("os", "distro", "release", "minor"),
        ("facterversion",),
        ("kernelmajversion",),
        ("kernelrelease",),
        ("kernelversion",),
        ("puppetversion",),
        ("ruby", "version"),
    )
)
_NUMBER_FACTS = frozenset(
    (
        ("memory", "system", "total_bytes"),
        ("memory", "system", "available_bytes"),
        ("memory", "system", "used_bytes"),
        ("processors", "count"),
        ("processors", "physicalcount"),
        ("system_uptime", "days"),
        ("system_uptime", "hours"),
        ("system_uptime", "seconds"),
    )
)
_KINDS: dict[str, str] = {
    "Boolean": "Boolean",
    "Enum": "String",
    "Float": "number",
    "Integer": "number",
    "Numeric": "number",
    "Pattern": "String",
    "String": "String",
    "Stdlib::Absolutepath": "String",
    "Stdlib::Fqdn": "String",
    "Stdlib::Host": "String",
    "Stdlib::Port": "number",
    "Array": "Array",
    "Hash": "Hash",
}

# What a text can be written as without its quotes, by the type that is wanted.
_LITERALS = {
    "Boolean": re.compile(r"true|false"),
    "Float": re.compile(r"-?\d+\.\d+"),
    "Integer": re.compile(r"-?(?:0|[1-9]\d*)"),
    "Stdlib::Port": re.compile(r"0|[1-9]\d*"),
}


def kind_of(context: Context, node: ast.Node) -> str | None:
    """Return what kind of value an expression has for sure; None if nobody knows."""
    node = bare(node)
    if string_of(node) is not None or isinstance(node, ast.ConcatenatedString):
        return "String"
    if isinstance(node, ast.LiteralInteger | ast.LiteralFloat):
        return "number"
    if isinstance(node, ast.LiteralBoolean):
        return "Boolean"
    path = fact_path(node)
    if path in _VERSION_FACTS:
        return "String"
    if path in _NUMBER_FACTS:
        return "number"
    if isinstance(node, ast.VariableExpression):
        declared = context.scope.declared_type(node.name)
        return None if declared is None else _kind_of_type(declared)
    return None


def _kind_of_type(declared: ast.Node) -> str | None:
    if isinstance(declared, ast.AccessExpression):
        declared = declared.left
    if isinstance(declared, ast.QualifiedReference):
        return _KINDS.get(declared.value)
    return None


def comparison(context: Context, node: ast.Node) -> None:
    """Warn of comparisons of a String with a number, and of versions as strings."""
    assert isinstance(node, ast.ComparisonExpression)
    if is_constant(node.left) and is_constant(node.right):
        return
    left, right = kind_of(context, node.left), kind_of(context, node.right)
    if node.operator in _ORDER:
        if left and right and left != right:
            message = f"{_shown(left)} is compared with {_shown(right)}, which fails"
            if {left, right} == {"String", "number"}:
                message += ": convert the String with Integer(...)"
            context.warn("different_types", node, message)
        else:
            _version(context, node)
    elif left and right and left != right:
        result = "never" if node.operator == "==" else "always"
        message = f"{_shown(left)} is compared with {_shown(right)}: that {result} holds"
        context.warn("different_types", node, message)


def _shown(kind: str) -> str:
    return {"Array": "an Array", "number": "a number"}.get(kind, f"a {kind}")


def _version(context: Context, node: ast.ComparisonExpression) -> None:
    """Warn where both sides are strings, one of them a version."""
    for side, other in ((node.left, node.right), (node.right, node.left)):
        text = string_of(bare(side))
        if text is None or not _VERSION.fullmatch(text) or _is_call(bare(other)):
            continue
        context.warn(
            "version_comparison",
            node,
            "strings are compared letter by letter, so '9' is greater than '10': "
            f"write versioncmp(..., '{text}') {node.operator} 0",
        )
        return


def _is_call(node: ast.Node) -> bool:
    return isinstance(node, ast.CallNamedFunctionExpression | ast.CallMethodExpression)


def options(context: Context, node: ast.Node) -> None:
    """Warn of options of case and selectors whose type differs from the control value."""
    if isinstance(node, ast.CaseExpression):
        control, values = node.test, [each for option in node.options for each in option.values]
    else:
        assert isinstance(node, ast.SelectorExpression)
        control, values = node.left, [entry.matching for entry in node.selectors]
    kind = kind_of(context, control)
    if kind is None or is_constant(control):
        return
    for value in values:
        other = kind_of(context, value)
        if other is not None and other != kind:
            message = f"{context.written(control)} is {_shown(kind)}, this is {_shown(other)}"
            context.warn("different_types", value, f"{message}: that never matches")


def parameter(context: Context, node: ast.Node) -> None:
    """Warn of defaults that the type of their parameter does not allow."""
    assert isinstance(node, ast.Parameter)
    if node.value is None or node.type_expr is None:
        return
    wanted = _kind_of_type(node.type_expr)
    if wanted is None:
        return
    value = bare(node.value)
    name = context.written(node.type_expr)
    if isinstance(value, ast.LiteralUndef):
        context.warn(
            "default_of_other_type",
            value,
            f"{name} does not allow undef, the default of ${node.name}: write Optional[{name}]",
            replacements=context.replacements(node.type_expr, name, f"Optional[{name}]"),
        )
        return
    kind = None if isinstance(value, ast.VariableExpression) else kind_of(context, value)
    if isinstance(value, ast.LiteralList):
        kind = "Array"
    elif isinstance(value, ast.LiteralHash):
        kind = "Hash"
    if kind is not None and kind != wanted:
        message = f"the default of ${node.name} is {_shown(kind)}, and its type is {name}"
        written = context.written(value)
        meant = context.replacements(value, written, _as_type(value, name, written))
        context.warn("default_of_other_type", value, message, replacements=meant)


def _as_type(value: ast.Node, type_name: str, written: str) -> str | None:
    """Return how a literal is written as a value of a type: 80 for '80', or reversed."""
    text = string_of(value)
    if text is not None:
        wanted = _LITERALS.get(type_name)
        return text if wanted is not None and wanted.fullmatch(text) else None
    is_plain = isinstance(value, ast.LiteralInteger | ast.LiteralFloat | ast.LiteralBoolean)
    return f"'{written}'" if is_plain and type_name == "String" else None
