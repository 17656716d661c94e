"""EPP: a template's text and expressions are appended to a list, which is joined at the end."""

from __future__ import annotations

import _ast

from puppet_repl.language.compiler.build import (
    LOAD,
    assign,
    attribute,
    call,
    constant,
    name,
    with_span,
)
from puppet_repl.language.compiler.literals import text_of
from puppet_repl.language.compiler.statements import emit_statement
from puppet_repl.language.compiler.static_kinds import kind_of
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.compiler.build import Expr
    from puppet_repl.language.compiler.unit import Lowerings, Unit


def lower_epp(unit: Unit, node: ast.EppExpression) -> Expr:
    """Lower the whole template to the text that it renders."""
    span = unit.span(node)
    unit.statements.append(assign("rendered", with_span(_ast.List([], LOAD), span), span))
    unit.statements.append(assign("out", attribute("rendered", "append", span), span))
    emit_statement(unit, node.body)
    return call("join_rendered", [name("rendered", span)], span)


def lower_render_string(unit: Unit, node: ast.RenderStringExpression) -> Expr:
    """Text."""
    span = unit.span(node)
    return call("out", [constant(node.value, span)], span)


def lower_render(unit: Unit, node: ast.RenderExpression) -> Expr:
    """Lower ``<%= expr %>``; Sensitive values make the whole result Sensitive."""
    span = unit.span(node)
    if kind_of(unit, node.expr) == "str":
        return call("out", [text_of(unit, node.expr, span)], span)
    return call("out", [call("render", [unit.lower(node.expr)], span)], span)


LOWERINGS: Lowerings = {
    ast.EppExpression: lower_epp,
    ast.RenderStringExpression: lower_render_string,
    ast.RenderExpression: lower_render,
}
