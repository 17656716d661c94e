"""Definitions: functions, types, classes, defines and nodes, before anything is evaluated."""

from __future__ import annotations

from puppet_repl.language.compiler.closures import emit_function, emit_signature_types, make_spec
from puppet_repl.language.compiler.constants import spec_recipe, value_of
from puppet_repl.language.compiler.plans import plan_of
from puppet_repl.language.compiler.statements import emit_scope_function
from puppet_repl.language.compiler.type_expressions import (
    constant_type,
    emit_type_function,
    folded,
    value_recipe,
)
from puppet_repl.language.compiler.unit import Unit, may_match
from puppet_repl.language.runtime.declarations import Fixed
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.compiler.plans import Plan
    from puppet_repl.language.compiler.unit import ProgramLowering


def emit_definitions(
    program: ProgramLowering, definitions: tuple[ast.Node, ...]
) -> tuple[Plan, ...]:
    """Emit the functions of all definitions into the module."""
    plans: list[Plan] = []
    for node in definitions:
        if isinstance(node, ast.FunctionDefinition):
            plans.append(_emit_function(program, node))
        elif isinstance(node, ast.TypeAlias):
            plans.append(plan_of(node, program.source.text))
        elif isinstance(
            node, ast.HostClassDefinition | ast.ResourceTypeDefinition | ast.NodeDefinition
        ):
            plans.append(_emit_definition(program, node))
    return tuple(plans)


def _emit_function(program: ProgramLowering, node: ast.FunctionDefinition) -> Plan:
    span = program.span(node)
    unit = Unit(program, "function", None, node)
    made_spec = make_spec(unit, node.name, node)
    spec = program.constant(made_spec, spec_recipe(made_spec), "function_")
    holder = Unit(program, "function", None, None)
    types = emit_signature_types(holder, node.parameters, node.return_type, span)
    program.module.extend(holder.statements)
    unit.closure_name = spec
    made = f"f_{node.name}"
    emit_function(unit, made, node, types, span, program.module)
    plan = plan_of(node, program.source.text)
    plan.body, plan.spec, plan.types = made, spec, types
    return plan


def _emit_definition(
    program: ProgramLowering,
    node: ast.HostClassDefinition | ast.ResourceTypeDefinition | ast.NodeDefinition,
) -> Plan:
    plan = plan_of(node, program.source.text)
    span = program.span(node)
    parameters = () if isinstance(node, ast.NodeDefinition) else node.parameters
    types: list[str | None] = []
    defaults: list[str | None] = []
    for parameter in parameters:
        types.append(_emit_parameter_type(program, parameter))
        defaults.append(_emit_default(program, parameter))
    plan.parameter_types, plan.defaults = tuple(types), tuple(defaults)
    if node.body is not None:
        # A program has one block for each node.
        name = plan.name or ", ".join([written for _, _, written, _ in plan.matches])
        plan.body = f"{plan.kind}_{name}"
        # Classes that a node block declares see its match, as at top scope.
        is_main = plan.kind == "node" and may_match(node.body)
        emit_scope_function(
            program, plan.body, node.body, span, is_main=is_main, is_definition=True
        )
    return plan


def _emit_parameter_type(program: ProgramLowering, node: ast.Parameter) -> str | None:
    if node.type_expr is None:
        return None
    known = constant_type(program, node.type_expr)
    if known is not None:
        return program.fixed(Fixed(known), value_recipe(node.type_expr))
    made = f"make_type_{program.number()}"
    emit_type_function(program, made, node.type_expr)
    return made


def _emit_default(program: ProgramLowering, node: ast.Parameter) -> str | None:
    value = node.value
    if value is None:
        return None
    if isinstance(value, ast.VariableExpression) and "::" in value.name:
        from puppet_repl.language.compiler.defaults import QualifiedDefault

        default = QualifiedDefault(value.name, program.tree, value.start)
        recipe = ("qualified default", value.name, value.start)
        return program.constant(default, recipe, "qualified_")
    known = folded(lambda: _fixed_default(program, value))
    if known is not None:
        return known
    made = f"default_{program.number()}"
    emit_scope_function(program, made, value, program.span(value))
    return made


def _fixed_default(program: ProgramLowering, node: ast.Node) -> str:
    recipe = value_recipe(node)
    return program.fixed(Fixed(value_of(recipe, program.context)), recipe)
