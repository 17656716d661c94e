"""The checks with Puppet's ``--tasks``: only ``apply`` blocks may hold a catalog's expressions."""

from __future__ import annotations

from puppet_repl.base.wording import capitalized
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.checks import CHECKS, block_of_statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.syntax.validate import Validator


def _in_apply(validator: Validator, node: ast.Node) -> bool:
    outer = validator.container(node)
    while outer is not None:
        if isinstance(outer, ast.ApplyExpression):
            return True
        outer = validator.container(outer)
    return False


def _only_in_catalogs(validator: Validator, node: ast.Node) -> None:
    validator.refuse(
        f"{capitalized(node.label)} is only available when compiling a catalog",
        "EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING",
        node,
    )
    validator.visit(*node.children())


def _never_in_apply(validator: Validator, node: ast.Node) -> None:
    validator.refuse(
        f"{capitalized(node.label)} is not available when compiling a catalog",
        "EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING",
        node,
    )
    validator.visit(*node.children())


def _in_apply_only(validator: Validator, node: ast.Node) -> None:
    if _in_apply(validator, node):
        CHECKS[type(node)](validator, node)
    else:
        _only_in_catalogs(validator, node)


def _collect(validator: Validator, node: ast.CollectExpression) -> None:
    if _in_apply(validator, node) and not isinstance(node.query, ast.VirtualQuery):
        _never_in_apply(validator, node)
    else:
        _in_apply_only(validator, node)


def _apply(validator: Validator, node: ast.ApplyExpression) -> None:
    if _in_apply(validator, node):
        _never_in_apply(validator, node)
    else:
        CHECKS[ast.ApplyExpression](validator, node)


TASK_CHECKS: dict[type[ast.Node], Callable[..., None]] = {
    **CHECKS,
    ast.ApplyExpression: _apply,
    ast.BlockExpression: block_of_statements,
    ast.CollectExpression: _collect,
    ast.HostClassDefinition: _only_in_catalogs,
    ast.NodeDefinition: _in_apply_only,
    ast.RelationshipExpression: _in_apply_only,
    ast.ResourceDefaultsExpression: _in_apply_only,
    ast.ResourceExpression: _in_apply_only,
    ast.ResourceOverrideExpression: _in_apply_only,
    ast.ResourceTypeDefinition: _only_in_catalogs,
}
