"""The checks of definitions: their positions, names, parameters and bodies."""

from __future__ import annotations

from puppet_repl.base.patterns import LatePattern
from puppet_repl.base.profiles import PROFILES
from puppet_repl.base.wording import capitalized, with_article
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.effects import is_idle, is_literal, without_title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from puppet_repl.language.syntax.validate import Validator

    Named: TypeAlias = (
        ast.HostClassDefinition
        | ast.ResourceTypeDefinition
        | ast.FunctionDefinition
        | ast.PlanDefinition
    )

_NAME = LatePattern(r"(?a)[a-z]\w*(?:::[a-z]\w*)*")
_TYPE_NAME = LatePattern(r"(?a)[A-Z]\w*(?:::[A-Z]\w*)*")
_NUMERIC = LatePattern("(?:0x)?[0-9]+")
_NOT_OF_HOST = LatePattern(r"(?a)[^-\w.]")
TYPE_NAMES = frozenset(
    [
        "type",
        "any",
        "unit",
        "scalar",
        "boolean",
        "numeric",
        "integer",
        "float",
        "collection",
        "array",
        "hash",
        "tuple",
        "struct",
        "variant",
        "optional",
        "enum",
        "regexp",
        "pattern",
        "runtime",
        "init",
        "object",
        "sensitive",
        "semver",
        "semverrange",
        "string",
        "timestamp",
        "timespan",
        "typeset",
    ]
)
# The usual defaults; they cannot contain an assignment.
_SINGLE = frozenset(
    (
        ast.LiteralBoolean,
        ast.LiteralInteger,
        ast.LiteralString,
        ast.LiteralUndef,
        ast.QualifiedName,
        ast.VariableExpression,
    )
)
_ONLY_TOP = (
    ast.FunctionDefinition,
    ast.PlanDefinition,
    ast.TypeAlias,
    ast.TypeDefinition,
)


def _placed(validator: Validator, node: ast.Node) -> None:
    """Refuse a definition anywhere but at the top or, for some, in classes."""
    if node is validator.program.body:
        return
    inner: ast.Node = node
    while True:
        outer = validator.container(inner)
        if outer is None or isinstance(outer, ast.HostClassDefinition | ast.ApplyExpression):
            return
        if not isinstance(outer, ast.BlockExpression):
            validator.refuse(
                "Classes, definitions, and nodes may only appear at toplevel or inside other "
                "classes",
                "NOT_TOP_LEVEL",
                node,
            )
            return
        if outer is not validator.program.body and isinstance(node, _ONLY_TOP):
            validator.refuse(
                f"{capitalized(node.label)} may only appear at toplevel",
                "NOT_ABSOLUTE_TOP_LEVEL",
                node,
            )
            return
        inner = outer


def _named(validator: Validator, node: Named) -> None:
    _placed(validator, node)
    name = node.name
    if not _NAME.fullmatch(name):
        _bad_name(validator, node, name)
    if validator.module_file is not None:
        from puppet_repl.language.syntax.placement import check_definition

        check_definition(validator, node, name)
    _reserved_name(validator, node, name)
    _future_word(validator, node, name)


def _bad_name(validator: Validator, node: ast.Node, name: str) -> None:
    validator.refuse(
        f"Unacceptable name. The name '{name}' is unacceptable as the name of"
        f" {with_article(node.label)}",
        "ILLEGAL_DEFINITION_NAME",
        node,
    )


def _reserved_name(validator: Validator, node: ast.Node, name: str) -> None:
    if name in TYPE_NAMES:
        validator.refuse(
            f"The name: '{name}' is already defined by Puppet and can not be used as the name of "
            f"{with_article(node.label)}.",
            "RESERVED_TYPE_NAME",
            node,
        )


def _future_word(validator: Validator, node: ast.Node, word: str) -> None:
    if word == "plan":
        validator.refuse(
            "Use of future reserved word: 'plan'", "FUTURE_RESERVED_WORD", node, "deprecation"
        )


def _type_reference(validator: Validator, node: ast.Node | None, container: ast.Node) -> None:
    if node is None:
        return
    name = node.left if isinstance(node, ast.AccessExpression) else node
    if isinstance(name, ast.QualifiedReference):
        _future_word(validator, node, name.value.lower())
    else:
        validator.refuse_part(node, "a type reference", container)


def unique_parameters(validator: Validator, parameters: tuple[ast.Parameter, ...]) -> None:
    """Refuse a name used twice."""
    seen: set[str] = set()
    for parameter in parameters:
        if parameter.name in seen:
            validator.refuse(
                f"The parameter '{parameter.name}' is declared more than once in the parameter "
                "list",
                "DUPLICATE_PARAMETER",
                parameter,
            )
        seen.add(parameter.name)


def no_captures(
    validator: Validator, parameters: tuple[ast.Parameter, ...], container: ast.Node
) -> None:
    """Refuse ``*$rest``."""
    for parameter in parameters:
        if parameter.captures_rest:
            validator.refuse(
                f"Parameter ${parameter.name} has 'captures rest' - not supported in "
                f"{with_article(container.label)}",
                "CAPTURES_REST_NOT_SUPPORTED",
                parameter,
            )


def _reserved_parameters(validator: Validator, node: Named) -> None:
    for parameter in node.parameters:
        if parameter.name in ("name", "title"):
            validator.refuse(
                f"The parameter ${parameter.name} redefines a built in parameter in the "
                f"{node.label}",
                "RESERVED_PARAMETER",
                parameter,
            )


def _idle_last(validator: Validator, body: ast.Node | None, container: ast.Node) -> None:
    last = body.statements[-1] if isinstance(body, ast.BlockExpression) else body
    if last is None or not is_idle(last) or without_title(last):
        return
    validator.refuse(
        f"This {last.label} has no effect. {capitalized(container.label)} can not end with a "
        "value-producing expression without other effect",
        "IDEM_NOT_ALLOWED_LAST",
        last,
    )


def _literal_types(validator: Validator, parameters: tuple[ast.Parameter, ...]) -> None:
    for parameter in parameters:
        declared = parameter.type_expr
        if declared is not None and not is_literal(declared):
            validator.refuse(
                f"The parameter '${parameter.name}' must be a literal type, not "
                f"{with_article('Puppet::Pops::Model::' + type(declared).__name__)}",
                "ILLEGAL_NONLITERAL_PARAMETER_TYPE",
                parameter,
                "deprecation",
            )


def _host_class(validator: Validator, node: ast.HostClassDefinition) -> None:
    _named(validator, node)
    no_captures(validator, node.parameters, node)
    unique_parameters(validator, node.parameters)
    _reserved_parameters(validator, node)
    _idle_last(validator, node.body, node)
    _literal_types(validator, node.parameters)
    validator.visit(*node.parameters, node.body)


def _resource_type(validator: Validator, node: ast.ResourceTypeDefinition) -> None:
    _named(validator, node)
    no_captures(validator, node.parameters, node)
    unique_parameters(validator, node.parameters)
    _reserved_parameters(validator, node)
    _idle_last(validator, node.body, node)
    validator.visit(*node.parameters, node.body)


def _function(validator: Validator, node: ast.FunctionDefinition) -> None:
    _named(validator, node)
    _type_reference(validator, node.return_type, node)
    unique_parameters(validator, node.parameters)
    validator.visit(*node.parameters, node.body, node.return_type)


def _lambda(validator: Validator, node: ast.LambdaExpression) -> None:
    for parameter in node.parameters[:-1]:
        if parameter.captures_rest:
            validator.refuse(
                f"Parameter ${parameter.name} is not last, and has 'captures rest'",
                "CAPTURES_REST_NOT_LAST",
                parameter,
            )
    _type_reference(validator, node.return_type, node)
    validator.visit(*node.parameters, node.body, node.return_type)


def _parameter(validator: Validator, node: ast.Parameter) -> None:
    name = node.name
    if not (name.isidentifier() and name.isascii() and not "A" <= name[0] <= "Z"):
        if _NUMERIC.fullmatch(name):
            validator.refuse(
                f"The numeric parameter name '${name}' cannot be used (clashes with numeric match "
                "result variables)",
                "ILLEGAL_NUMERIC_PARAMETER",
                node,
            )
        validator.refuse(
            f"Illegal parameter name. The given name '{name}' does not conform to the naming rule "
            "/^[a-z_]\\w*$/",
            "ILLEGAL_PARAM_NAME",
            node,
        )
    pending = validator.pending
    if node.type_expr is not None:
        pending.append(node.type_expr)
    if node.value is not None:
        if type(node.value) not in _SINGLE:
            _no_assignment(validator, node.value)
        pending.append(node.value)


def _no_assignment(validator: Validator, node: ast.Node) -> None:
    if isinstance(node, ast.AssignmentExpression):
        validator.refuse("Assignment not allowed here", "ILLEGAL_ASSIGNMENT_CONTEXT", node)
    elif not isinstance(node, ast.LambdaExpression):
        for child in node.children():
            _no_assignment(validator, child)


def _type_alias(validator: Validator, node: ast.TypeAlias) -> None:
    _placed(validator, node)
    if not _TYPE_NAME.fullmatch(node.name):
        _bad_name(validator, node, node.name)
    _reserved_name(validator, node, node.name)
    _type_reference(validator, node.type_expr, node)
    validator.visit(node.type_expr)


def _is_replacement(node: ast.Node) -> bool:
    return (
        isinstance(node, ast.LiteralList)
        and len(node.values) == 2
        and isinstance(node.values[0], ast.LiteralRegularExpression)
        and isinstance(node.values[1], ast.LiteralString)
    )


def _type_mapping(validator: Validator, node: ast.TypeMapping) -> None:
    _placed(validator, node)
    left = node.type_expr
    right = node.mapping_expr
    name = right.left if isinstance(right, ast.AccessExpression) else right
    if not (
        isinstance(left, ast.AccessExpression)
        and isinstance(left.left, ast.QualifiedReference)
        and left.left.value == "Runtime"
    ):
        _unsupported(validator, node)
    elif len(left.keys) == 2 and _is_replacement(left.keys[1]):
        if not _is_replacement(right):
            _mapping(validator, "Tuple[Regexp,String]", node)
    elif not isinstance(name, ast.QualifiedReference):
        _mapping(validator, "Type", node)
    validator.visit(left, right)


def _mapping(validator: Validator, expected: str, node: ast.Node) -> None:
    validator.refuse(
        f"Illegal type mapping. Expected a {expected} on the left side, got "
        f"{capitalized(node.label)}",
        "ILLEGAL_TYPE_MAPPING",
        node,
    )


def _unsupported(validator: Validator, node: ast.Node) -> None:
    product = PROFILES[validator.language].product
    validator.refuse(
        f"Expressions of type {with_article(node.label)} are not supported"
        f" in this version of {product}",
        "UNSUPPORTED_EXPRESSION",
        node,
    )


def _type_definition(validator: Validator, node: ast.TypeDefinition) -> None:
    _placed(validator, node)
    _reserved_name(validator, node, node.name)
    _unsupported(validator, node)
    validator.visit(node.body)


def _node(validator: Validator, node: ast.NodeDefinition) -> None:
    for match in node.matches:
        _host_name(validator, match, node)
    _placed(validator, node)
    _idle_last(validator, node.body, node)
    if node.parent is not None:
        validator.refuse(
            "Node inheritance is not supported in Puppet >= 4.0.0. "
            "See http://links.puppet.com/puppet-node-inheritance-deprecation",
            "ILLEGAL_NODE_INHERITANCE",
            node.parent,
        )
    validator.visit(node.parent, *node.matches, node.body)


def _host_name(validator: Validator, match: ast.Node, node: ast.NodeDefinition) -> None:
    if isinstance(match, ast.LiteralString):
        if _NOT_OF_HOST.search(match.value):
            validator.refuse(
                f"The hostname '{match.value}' contains illegal characters (only letters, digits, "
                "'_', '-', and '.' are allowed)",
                "ILLEGAL_HOSTNAME_CHARS",
                match,
            )
    elif isinstance(match, ast.ConcatenatedString):
        for segment in match.segments:
            if isinstance(segment, ast.TextExpression):
                validator.refuse(
                    "An interpolated expression is not allowed in a hostname of a node",
                    "ILLEGAL_HOSTNAME_INTERPOLATION",
                    segment.expr,
                )
                return
    elif isinstance(match, ast.HeredocExpression):
        validator.refuse_part(match, "hostname", node)


DEFINITION_CHECKS: dict[type[ast.Node], Callable[..., None]] = {
    ast.FunctionDefinition: _function,
    ast.HostClassDefinition: _host_class,
    ast.LambdaExpression: _lambda,
    ast.NodeDefinition: _node,
    ast.Parameter: _parameter,
    ast.PlanDefinition: _function,
    ast.ResourceTypeDefinition: _resource_type,
    ast.TypeAlias: _type_alias,
    ast.TypeDefinition: _type_definition,
    ast.TypeMapping: _type_mapping,
}
