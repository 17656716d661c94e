"""The definitions that a file of a module may have: their names follow from the path."""

from __future__ import annotations

from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.validate import Validator


def namespace_of(module_file: str) -> str | None:
    """Return the namespace of ``module/manifests/a/b.pp``; None in other directories."""
    parts = module_file.lower().split("/")
    if len(parts) < 3 or parts[1] not in ("manifests", "functions", "types", "plans"):
        return None
    names = [parts[0], *parts[2:-1]]
    if len(parts) != 3 or parts[-1] != "init.pp":
        names.append(parts[-1][:-3])
    return "::".join(names)


def check_definition(validator: Validator, node: ast.Node, name: str) -> None:
    """Refuse a definition that the autoloader would not look for in this file."""
    assert validator.module_file is not None
    namespace = namespace_of(validator.module_file)
    if namespace is None or not name.lower().startswith(namespace):
        file = validator.program.source.name or validator.module_file
        validator.refuse(
            f"Unacceptable location. The name '{name}' is unacceptable in file '{file}'",
            "ILLEGAL_DEFINITION_LOCATION",
            node,
        )


def check_top_constructs(validator: Validator, program: ast.Program) -> None:
    """Refuse anything but definitions at the top of a file of a module."""
    body = program.body
    statements = body.statements if isinstance(body, ast.BlockExpression) else (body,)
    for statement in statements:
        if isinstance(
            statement,
            ast.Nop
            | ast.HostClassDefinition
            | ast.ResourceTypeDefinition
            | ast.FunctionDefinition
            | ast.PlanDefinition
            | ast.TypeAlias
            | ast.TypeMapping
            | ast.TypeDefinition,
        ):
            continue
        validator.refuse(
            f"This {statement.label} is unacceptable as a top level construct in this location",
            "ILLEGAL_TOP_CONSTRUCT_LOCATION",
            statement,
        )
