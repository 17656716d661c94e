"""Definitions: functions, types, classes, defines and nodes, before anything is evaluated."""

from __future__ import annotations

from puppet_repl.compiler.build import function
from puppet_repl.compiler.closures import emit_function, emit_signature_types, make_spec
from puppet_repl.compiler.statements import emit_body
from puppet_repl.compiler.type_expressions import emit_type_function
from puppet_repl.compiler.unit import Unit
from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.compiler.build import Span
    from puppet_repl.compiler.unit import ProgramLowering

    Defined = (
        ast.FunctionDefinition
        | ast.TypeAlias
        | ast.HostClassDefinition
        | ast.ResourceTypeDefinition
        | ast.NodeDefinition
    )


class Plan:
    """The emitted functions of one definition, by name."""

    __slots__ = ("body", "defaults", "node", "parameter_types", "spec", "types")

    def __init__(self, node: Defined) -> None:
        self.node = node
        self.body: str | None = None
        self.spec = ""
        self.types: str | None = None
        self.parameter_types: list[str | None] = []
        self.defaults: list[str | None] = []


def emit_definitions(
    program: ProgramLowering, definitions: tuple[ast.Node, ...]
) -> tuple[Plan, ...]:
    """Emit the functions of all definitions into the module."""
    plans: list[Plan] = []
    for node in definitions:
        if isinstance(node, ast.FunctionDefinition):
            plans.append(_emit_function(program, node))
        elif isinstance(node, ast.TypeAlias):
            plans.append(Plan(node))
        elif isinstance(
            node, ast.HostClassDefinition | ast.ResourceTypeDefinition | ast.NodeDefinition
        ):
            plans.append(_emit_definition(program, node))
    return tuple(plans)


def _emit_function(program: ProgramLowering, node: ast.FunctionDefinition) -> Plan:
    span = program.span(node)
    unit = Unit(program, "function", None, node)
    spec = program.constant(make_spec(unit, node.name, node), "function_")
    holder = Unit(program, "function", None, None)
    types = emit_signature_types(holder, node.parameters, node.return_type, span)
    program.module.extend(holder.statements)
    unit.closure_name = spec
    made = f"f_{node.name}"
    emit_function(unit, made, node, types, span, program.module)
    plan = Plan(node)
    plan.body, plan.spec, plan.types = made, spec, types
    return plan


def _emit_definition(
    program: ProgramLowering,
    node: ast.HostClassDefinition | ast.ResourceTypeDefinition | ast.NodeDefinition,
) -> Plan:
    plan = Plan(node)
    span = program.span(node)
    parameters = () if isinstance(node, ast.NodeDefinition) else node.parameters
    for parameter in parameters:
        plan.parameter_types.append(_emit_parameter_type(program, parameter))
        plan.defaults.append(_emit_default(program, parameter))
    if node.body is not None:
        name = node.name if not isinstance(node, ast.NodeDefinition) else _label(program, node)
        plan.body = f"{_KINDS[type(node)]}_{name}"
        emit_scope_function(program, plan.body, node.body, span)
    return plan


def _label(program: ProgramLowering, node: ast.NodeDefinition) -> str:
    """Return what a node block applies to as it is written; a program has one block for each."""
    text = program.source.text
    return ", ".join([text[match.at : match.end] for match in node.matches])


_KINDS: dict[type[ast.Node], str] = {
    ast.HostClassDefinition: "class",
    ast.ResourceTypeDefinition: "define",
    ast.NodeDefinition: "node",
}


def _emit_parameter_type(program: ProgramLowering, node: ast.Parameter) -> str | None:
    if node.type_expr is None:
        return None
    made = f"make_type_{program.number()}"
    emit_type_function(program, made, node.type_expr)
    return made


def _emit_default(program: ProgramLowering, node: ast.Parameter) -> str | None:
    if node.value is None:
        return None
    made = f"default_{program.number()}"
    emit_scope_function(program, made, node.value, program.span(node.value))
    return made


def emit_scope_function(program: ProgramLowering, made: str, body: ast.Node, span: Span) -> None:
    """Emit ``def made(scope): ...`` for code whose variables live in a scope object."""
    unit = Unit(program, "scope", None, body)
    emit_body(unit, body, span)
    statements = unit.prologue(span) + unit.statements
    program.module.append(function(made, ("scope",), statements, span))
