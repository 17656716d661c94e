"""Which module lowers which nodes.

A module is imported when the first of its nodes is lowered. Its tables ``LOWERINGS`` (nodes to
expressions) and ``EMITTERS`` (nodes to statements) hold the functions.
"""

from __future__ import annotations

from puppet_repl.base.modules import import_module
from puppet_repl.language.compiler.unit import ProgramLowering
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from puppet_repl.language.compiler.program import SourceTree
    from puppet_repl.language.compiler.unit import Emitter, Lowering
    from puppet_repl.language.runtime.context import Context

LOWERED_BY: dict[type[ast.Node], str] = {
    ast.ArithmeticExpression: "arithmetic",
    ast.ComparisonExpression: "arithmetic",
    ast.UnaryMinusExpression: "arithmetic",
    ast.NotExpression: "arithmetic",
    ast.AndExpression: "arithmetic",
    ast.OrExpression: "arithmetic",
    ast.CallNamedFunctionExpression: "calls",
    ast.CallMethodExpression: "calls",
    ast.IfExpression: "control",
    ast.UnlessExpression: "control",
    ast.CaseExpression: "control",
    ast.SelectorExpression: "control",
    ast.MatchExpression: "matching",
    ast.InExpression: "matching",
    ast.ResourceExpression: "resources",
    ast.ResourceDefaultsExpression: "resources",
    ast.ResourceOverrideExpression: "resources",
    ast.CollectExpression: "resources",
    ast.RelationshipExpression: "resources",
    ast.EppExpression: "templates",
    ast.RenderStringExpression: "templates",
    ast.RenderExpression: "templates",
    ast.QualifiedReference: "type_expressions",
    ast.AccessExpression: "type_expressions",
    ast.VariableExpression: "variables",
    ast.AssignmentExpression: "variables",
}
"""The modules of expressions; all nodes that are not named here are lowered by ``literals``."""

EMITTED_BY: dict[type[ast.Node], str] = {
    ast.IfExpression: "control",
    ast.UnlessExpression: "control",
    ast.CaseExpression: "control",
}
"""The modules of nodes that become statements where nobody needs their value."""


class _Lowerings(dict[type[ast.Node], "Lowering"]):
    """What lowers the nodes of a class to an expression, imported at the first use."""

    def __missing__(self, kind: type[ast.Node]) -> Lowering:
        module = import_module(f"puppet_repl.language.compiler.{LOWERED_BY.get(kind, 'literals')}")
        table: Mapping[type[ast.Node], Lowering] = module.LOWERINGS
        lowering = self[kind] = table[kind]
        return lowering


class _Emitters(dict[type[ast.Node], "Emitter | None"]):
    """What emits statements for the nodes of a class; None for mere expressions."""

    def __missing__(self, kind: type[ast.Node]) -> Emitter | None:
        emitter: Emitter | None = None
        if kind in EMITTED_BY:
            module = import_module(f"puppet_repl.language.compiler.{EMITTED_BY[kind]}")
            table: Mapping[type[ast.Node], Emitter] = module.EMITTERS
            emitter = table[kind]
        self[kind] = emitter
        return emitter


LOWERINGS = _Lowerings()
EMITTERS = _Emitters()


def start_lowering(tree: SourceTree, context: Context) -> ProgramLowering:
    """Return what the units of a new program share."""
    return ProgramLowering(tree, context, LOWERINGS, EMITTERS)
