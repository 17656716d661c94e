"""EPP: a template's text and expressions are appended to a list, which is joined at the end."""

from __future__ import annotations

from puppet_repl.compiler.build import assign, call, constant, name, placed
from puppet_repl.compiler.literals import text_of
from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.compiler.build import Expr
    from puppet_repl.compiler.unit import LowerTable, Unit


def lower_epp(unit: Unit, node: ast.EppExpression) -> Expr:
    """The whole template: the text that it renders."""
    import _ast

    from puppet_repl.compiler.build import LOAD, attribute
    from puppet_repl.compiler.statements import emit_statement

    place = unit.place(node)
    unit.statements.append(assign("rendered", placed(_ast.List([], LOAD), place), place))
    unit.statements.append(assign("out", attribute("rendered", "append", place), place))
    emit_statement(unit, node.body)
    return call("join_rendered", [name("rendered", place)], place)


def lower_render_string(unit: Unit, node: ast.RenderStringExpression) -> Expr:
    """Text."""
    place = unit.place(node)
    return call("out", [constant(node.value, place)], place)


def lower_render(unit: Unit, node: ast.RenderExpression) -> Expr:
    """``<%= expr %>``; Sensitive values make the whole result Sensitive."""
    place = unit.place(node)
    from puppet_repl.compiler.kinds import kind_of

    if kind_of(unit, node.expr) == "str":
        return call("out", [text_of(unit, node.expr, place)], place)
    return call("out", [call("render", [unit.lower(node.expr)], place)], place)


LOWERINGS: LowerTable = {
    ast.EppExpression: lower_epp,
    ast.RenderStringExpression: lower_render_string,
    ast.RenderExpression: lower_render,
}
