"""Rendering an EPP template: its parameters, and the scope that its code runs in."""

from __future__ import annotations

import _ast

from puppet_repl.base.errors import (
    ParseError,
    PuppetError,
    RuntimeFailure,
    Subject,
    ValidationErrors,
)
from puppet_repl.language.compiler.build import function
from puppet_repl.language.compiler.cache import compile_file
from puppet_repl.language.compiler.lowerings import start_lowering
from puppet_repl.language.compiler.plans import Template, TemplateParameter
from puppet_repl.language.compiler.program import CompiledProgram, LoweredProgram, located
from puppet_repl.language.compiler.statements import emit_body, emit_scope_function
from puppet_repl.language.compiler.type_expressions import emit_type_function
from puppet_repl.language.compiler.unit import Unit
from puppet_repl.language.runtime import issues
from puppet_repl.language.runtime.scope import ParameterScope, TooEarlyError
from puppet_repl.language.runtime.signals import NextSignal, ReturnSignal
from puppet_repl.language.syntax import ast
from puppet_repl.language.types.model.base import ANY
from puppet_repl.language.types.model.collection import StructElement, StructType
from puppet_repl.language.types.text.mismatch import parameters_mismatch
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.compiler.program import ProgramCode, SourceTree
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.protocols import Value


def lower_template(tree: SourceTree, context: Context) -> LoweredProgram:
    """Lower a template to a Python module: its parameters, and ``main(scope)``."""
    lowering = start_lowering(tree, context)
    whole = tree.program.body
    assert isinstance(whole, ast.LambdaExpression)
    assert isinstance(whole.body, ast.EppExpression)
    for parameter in whole.parameters:
        span = lowering.span(parameter)
        if parameter.value is not None:
            emit_scope_function(lowering, f"default_of_{parameter.name}", parameter.value, span)
        if parameter.type_expr is not None:
            emit_type_function(lowering, f"type_of_{parameter.name}", parameter.type_expr)
    span = lowering.span(whole)
    unit = Unit(lowering, "scope", None, whole.body)
    emit_body(unit, whole.body, span)
    main = function("main", ("scope",), unit.prologue(span) + unit.statements, span)
    module = _ast.Module([*lowering.module, main], [])
    parameters = [
        TemplateParameter(each.name, each.value is not None, each.type_expr is not None)
        for each in whole.parameters
    ]
    template = Template(tuple(parameters), declares_any=whole.body.parameters_specified)
    return LoweredProgram(module, lowering, (), template)


class CompiledTemplate(CompiledProgram):
    """A template, compiled to a function of a scope that returns its text."""

    is_template = True

    def __init__(self, code: ProgramCode, context: Context) -> None:
        super().__init__(code, context)
        assert code.template is not None
        self.parameters = code.template.parameters
        # Whether the template declares parameters, perhaps none.
        self.has_parameters = code.template.declares_any

    def bind(self, scope: Scope, given: dict[str, Value]) -> None:
        """Bind the declared parameters: given values, else defaults; raises for wrong ones."""
        names = tuple([parameter.name for parameter in self.parameters])
        values = {name: value for name, value in given.items() if value is not None}
        inner = ParameterScope(scope, "lambda", names)
        for name, value in values.items():
            inner.bind(name, value)
        for parameter in self.parameters:
            if parameter.name in values:
                continue
            if parameter.has_default:
                default = self.names[f"default_of_{parameter.name}"]
                try:
                    values[parameter.name] = inner.evaluate(parameter.name, default)
                except TooEarlyError as error:
                    # Raised again, so that the call of the template is to blame.
                    raise RuntimeFailure(error.message) from None
                inner.bind(parameter.name, values[parameter.name])
            elif parameter.name in given:
                values[parameter.name] = None
                inner.bind(parameter.name, None)
        # An unknown name with undef is as good as not given.
        for name, value in given.items():
            if value is not None:
                values.setdefault(name, value)
        self._check(values)
        for name, value in values.items():
            scope.bind(name, value)

    def _check(self, values: dict[str, Value]) -> None:
        elements = []
        for parameter in self.parameters:
            type_ = self.names[f"type_of_{parameter.name}"]() if parameter.has_type else ANY
            elements.append(StructElement(parameter.name, parameter.has_default, type_))
        text = parameters_mismatch(
            "lambda", StructType(tuple(elements)), PuppetHash(values.items())
        )
        if text is not None:
            known = [parameter.name for parameter in self.parameters]
            unknown = next((name for name in values if name not in known), None)
            raise RuntimeFailure(
                text, subject=None if unknown is None else Subject("attribute", unknown, known)
            )


def compile_template(source: Source, context: Context, *, inline: bool) -> CompiledTemplate:
    """Parse, check and compile a template."""
    made = compile_file(source, context, lower=lower_template, epp=True, is_inline=inline)
    return CompiledTemplate(made, context)


def render_source(source: Source, context: Context, parameters: Any, *, inline: bool) -> Value:
    """Render a template; an inline one sees the variables of the scope that calls it."""
    template = compile_template(source, context, inline=inline)
    return render_template(template, parameters, inline=inline)


def render_template(template: CompiledTemplate, parameters: Any, *, inline: bool) -> Value:
    """Render a compiled template."""
    context = template.context
    outer = context.scope
    around = outer if inline else context.top
    scope = around.local({})
    scope.match = outer.match if inline else None
    given: dict[str, Value] = {}
    for name, value in (parameters or PuppetHash.EMPTY).items():
        if "::" in name:
            context.top.bind(name.removeprefix("::"), value)
        elif name in ("facts", "trusted", "server_facts"):
            raise issues.reserved_name(name)
        else:
            given[name] = value
    context.scope = scope
    try:
        if template.has_parameters or parameters is None:
            template.bind(scope, given)
        else:
            scope.variables.update(given)
        return template.names["main"](scope)
    except (NextSignal, ReturnSignal) as ended:
        return ended.value
    finally:
        context.scope = outer


def render_text(source: Source, context: Context, parameters: Value) -> Value:
    """Render a template as a whole input; every error is located."""
    is_file = source.name is not None
    refusal = f"{'epp' if is_file else 'inline_epp'}(): Invalid EPP: "
    unnamed = "" if is_file else " (file: inlined-epp-text)"
    try:
        template = compile_template(source, context, inline=True)
    except ValidationErrors as errors:
        message = f"{refusal}{errors.message}{unnamed}"
        raise ValidationErrors(message, errors.reports, source) from None
    except PuppetError as error:
        where = unnamed if error.start is None else ""
        refused = ParseError(
            f"{refusal}{error.message}{where}",
            error.code,
            source=source,
            start=error.start,
            end=error.end,
            notes=error.notes,
        )
        refused.opening, refused.related = error.opening, error.related
        raise refused from None
    try:
        return render_template(template, parameters, inline=False)
    except Exception as error:
        found = located(error)
        if found.source is None:
            found.source = source if is_file else None  # of its parameters: no place is to blame
        raise found from None
