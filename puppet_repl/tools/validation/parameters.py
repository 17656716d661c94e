"""Checks of the parameters that classes and defined types are given."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.base.matching import nearest
from puppet_repl.catalog import core_types
from puppet_repl.catalog.resource_types import METAPARAMETER_SET, METAPARAMETERS
from puppet_repl.language.syntax import ast
from puppet_repl.language.types.algebra.infer import infer_set
from puppet_repl.language.types.making.parse import interpret_value
from puppet_repl.language.types.text.mismatch import describe_mismatch
from puppet_repl.tools.advice.attributes import Attributes, attributes_of
from puppet_repl.tools.advice.nodes import bare, is_literal, items, outcomes
from puppet_repl.tools.validation.surroundings import LIKENESS, name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.tools.advice.model import Context
    from puppet_repl.tools.validation.definitions import Definition
    from puppet_repl.tools.validation.surroundings import Surroundings


def given(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check what an expression gives to classes and to resources of defined types."""
    for one in attributes_of(node):
        for definition in _definitions(around, node, one):
            for operation in one.operations:
                _operation(around, context, definition, operation)
            if one.title is not None and not one.is_open and definition.kind == "define":
                _missing(around, context, definition, one)
        if core_types.find(one.type_name) is None:
            _attributes(around, context, one)


def _attributes(around: Surroundings, context: Context, one: Attributes) -> None:
    """Warn of attributes that a resource type of a module does not have."""
    native = around.index.resource_type(one.type_name)
    for operation in one.operations if native is not None else ():
        assert native is not None
        if not native.has_attribute(operation.name):
            names = [*native.attributes]
            _warn_of(context, operation, f"the type {one.type_name}", names)


def _definitions(around: Surroundings, node: ast.Node, one: Attributes) -> Iterator[Definition]:
    if one.type_name != "class":
        found = around.index.find("define", one.type_name)
        if found is not None:
            yield found
        return
    titles: list[ast.Node] = []
    if one.title is not None:
        titles = list(items(one.title))
    elif isinstance(node, ast.ResourceOverrideExpression):
        if isinstance(node.resources, ast.AccessExpression):
            titles = [part for key in node.resources.keys for part in items(key)]
    for title in titles:
        name = name_of(bare(title))
        found = None if name is None else around.index.find("class", name)
        if found is not None:
            yield found


def _operation(
    around: Surroundings,
    context: Context,
    definition: Definition,
    operation: ast.AttributeOperation,
) -> None:
    name = operation.name
    parameter = definition.parameter(name)
    if parameter is not None:
        if operation.operator == "=>":
            _value(around, context, definition, parameter, operation.value)
        return
    if name in METAPARAMETER_SET or name == "name":
        return
    _warn_of(context, operation, definition.title, [each.name for each in definition.parameters])


def _warn_of(
    context: Context, operation: ast.AttributeOperation, owner: str, names: list[str]
) -> None:
    name, start = operation.name, operation.start
    near = nearest(name, [*names, *METAPARAMETERS], likeness=LIKENESS)
    hint = f"; did you mean {near}?" if near else ""
    message = f"{owner} has no parameter {name}{hint}"
    context.warn_span("unknown_parameter", start, start + len(name), message)


def _missing(
    around: Surroundings, context: Context, definition: Definition, one: Attributes
) -> None:
    names = {operation.name for operation in one.operations}
    missing = [
        each.name
        for each in definition.parameters
        if each.value is None and not each.captures_rest and each.name not in names
    ]
    if not missing or one.title is None or around.index.mentions_reference(definition.name):
        return
    listed = ", ".join(missing)
    message = f"{definition.title} needs a value for {listed}"
    context.warn("missing_parameter", one.title, message)


def _value(
    around: Surroundings,
    context: Context,
    definition: Definition,
    parameter: ast.Parameter,
    value: ast.Node,
) -> None:
    """Warn of literals that the type of a parameter does not allow."""
    if parameter.type_expr is None:
        return
    for node in outcomes(value):
        if isinstance(node, ast.LiteralUndef):
            if parameter.value is not None or definition.kind == "class":
                continue  # the parameter takes its default, or what data have
        if not is_literal(node):
            continue
        wanted = around.index.type_of(parameter.type_expr, definition.source)
        if wanted is None:
            return
        try:
            made = interpret_value(node, context.source)
            if wanted.predicate()(made):
                continue
            message = describe_mismatch(f"parameter '{parameter.name}'", wanted, infer_set(made))
        except (PuppetError, RuntimeFailure):
            continue
        context.warn("parameter_type", node, f"{definition.title}: {message}")
