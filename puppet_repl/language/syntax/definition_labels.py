"""What to tell the user about the definitions of a program."""

from __future__ import annotations

from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def definition_labels(definitions: Iterable[ast.Node]) -> tuple[str, ...]:
    """Return ``function f``, ``class c`` and the like; node blocks have no name to call by."""
    labels = []
    for node in definitions:
        if isinstance(node, ast.FunctionDefinition):
            labels.append(f"function {node.name}")
        elif isinstance(node, ast.TypeAlias):
            labels.append(f"type {node.name}")
        elif isinstance(node, ast.HostClassDefinition):
            labels.append(f"class {node.name}")
        elif isinstance(node, ast.ResourceTypeDefinition):
            labels.append(f"define {node.name}")
    return tuple(labels)


def only_defines(program: ast.Program) -> bool:
    """Tell whether a program has only comments and definitions, so that nothing is evaluated."""
    body = program.body
    statements = body.statements if isinstance(body, ast.BlockExpression) else (body,)
    definitions = {id(one) for one in program.definitions}
    return all(isinstance(one, ast.Nop) or id(one) in definitions for one in statements)
