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
from puppet_repl.tools.advice.nodes import bare, called, is_literal, items, outcomes, string_of
from puppet_repl.tools.validation.data_parameters import texts_of_type
from puppet_repl.tools.validation.index import LIKENESS
from puppet_repl.tools.validation.module_files import named_template
from puppet_repl.tools.validation.surroundings import hint, name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.syntax.source import Source
    from puppet_repl.tools.advice.model import Advice, Context
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
            names = [*native.attributes, *METAPARAMETERS]
            _warn_of(context, operation.start, operation.name, f"the type {one.type_name}", names)


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
    names = [*[each.name for each in definition.parameters], *METAPARAMETERS]
    _warn_of(context, operation.start, name, definition.title, names)


def _warn_of(context: Context, start: int, name: str, owner: str, names: list[str]) -> None:
    near = nearest(name, names, likeness=LIKENESS)
    message = f"{owner} has no parameter {name}{hint(near)}"
    end = start + len(name)
    meant = () if near is None else ((start, end, near),)
    context.warn_span("unknown_parameter", start, end, message, replacements=meant)


def _missing(
    around: Surroundings, context: Context, definition: Definition, one: Attributes
) -> None:
    names = {operation.name for operation in one.operations}
    missing = [each for each in definition.required if each not in names]
    if not missing or one.title is None or around.index.mentions_reference(definition.name):
        return
    listed = ", ".join(missing)
    message = f"{definition.title} needs a value for {listed}"
    context.warn("missing_parameter", one.title, message)


def of_template(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check the parameters that ``epp`` gives to a template."""
    assert isinstance(node, ast.CallNamedFunctionExpression | ast.CallMethodExpression)
    if called(node) != "epp":
        return
    arguments = node.arguments
    if isinstance(node, ast.CallMethodExpression):
        arguments = (node.functor.left, *arguments)
    named = named_template(around, context, arguments[0]) if arguments else None
    module = None if named is None else around.index.modules.get(named[0])
    found = None if named is None or module is None else module.template(named[1])
    given = arguments[1] if len(arguments) > 1 else None
    if named is None or found is None or not isinstance(given, ast.LiteralHash | None):
        return
    title = f"the template {named[0]}/{named[1]}"
    keys = [] if given is None else [(string_of(each.key), each.key) for each in given.entries]
    for name, key in keys:
        if name is not None and found.parameter(name) is None:
            at = context.text.find(name, key.start)
            _warn_of(context, at, name, title, [each.name for each in found.parameters])
    missing = [each for each in found.required if each not in dict(keys)]
    if missing and None not in dict(keys):
        message = f"{title} needs a value for {', '.join(missing)}"
        context.warn("missing_parameter", arguments[0], message)


def default(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Warn of the literal default of a class or defined type that its type does not allow.

    Puppet says so where the class is declared without a value.
    """
    assert isinstance(node, ast.Parameter)
    scope = context.scope.node
    if not isinstance(scope, ast.HostClassDefinition | ast.ResourceTypeDefinition):
        return
    if node.value is None or isinstance(bare(node.value), ast.LiteralUndef):
        return
    if any(each.rule == "default_of_other_type" for each in _found_at(context, node.value)):
        return
    kind = "class" if isinstance(scope, ast.HostClassDefinition) else "defined type"
    title = f"the {kind} {scope.name.removeprefix('::')}"
    _literal(around, context, title, node, bare(node.value), context.source)


def _found_at(context: Context, node: ast.Node) -> Iterator[Advice]:
    return (each for each in context.found if node.start <= each.start < node.end)


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
        _literal(around, context, definition.title, parameter, node, definition.source)


def _literal(
    around: Surroundings,
    context: Context,
    title: str,
    parameter: ast.Parameter,
    node: ast.Node,
    source: Source,
) -> None:
    """Warn of a literal that the type of a parameter, from another source, does not allow."""
    if parameter.type_expr is None or not is_literal(node):
        return
    wanted = around.index.type_of(parameter.type_expr, source)
    if wanted is None:
        return
    try:
        made = interpret_value(node, context.source)
        if wanted.predicate()(made):
            return
        message = describe_mismatch(f"parameter '{parameter.name}'", wanted, infer_set(made))
    except (PuppetError, RuntimeFailure):
        return
    given = string_of(node) or ""
    meant = context.replacements(node, given, nearest(given, texts_of_type(wanted)))
    context.warn("parameter_type", node, f"{title}: {message}", replacements=meant)
