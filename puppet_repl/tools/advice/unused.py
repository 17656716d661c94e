"""Checks of variables and parameters that are never read.

A variable of a class may be read from anywhere as ``$shop::port``, so these are of functions,
defined types, templates with parameters, and lambdas.
"""

from __future__ import annotations

from puppet_repl.language.functions.index import THEMES
from puppet_repl.language.functions.stdlib.index import THEMES_8, THEMES_9
from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.nodes import string_of
from puppet_repl.tools.advice.scopes import lambdas_and_definition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.advice.model import Context, Nodes
    from puppet_repl.tools.advice.scopes import Scope
    from puppet_repl.tools.advice.variables import Names

# Functions that read variables of their caller by name.
_READERS = frozenset(
    (
        "get",
        "getvar",
        "hiera",
        "hiera_array",
        "hiera_hash",
        "hiera_include",
        "inline_epp",
        "inline_template",
        "lookup",
        "stdlib::getvar",
        "template",
    )
)
# Definitions whose variables no other code reads.
_CLOSED = (ast.FunctionDefinition, ast.ResourceTypeDefinition, ast.LambdaExpression)
# Parameters that Puppet passes to a function for data, whether it reads them or not.
_OF_DATA = frozenset(("context", "options"))


class _Uses:
    """What the code of each scope reads, and which assignments are statements of their own."""

    __slots__ = ("hidden", "reads", "statements")

    def __init__(self, nodes: Nodes, names: Names) -> None:
        self.reads: dict[Scope, set[str]] = {}
        # Scopes whose variables Ruby or a template may read.
        self.hidden: set[Scope] = set()
        self.statements: set[ast.Node] = set()
        for node, scope in nodes.get(ast.VariableExpression, ()):
            assert isinstance(node, ast.VariableExpression)
            if node.start not in names.targets:
                for each in lambdas_and_definition(scope):
                    self.reads.setdefault(each, set()).add(node.name)
        for node, scope in nodes.get(ast.BlockExpression, ()):
            assert isinstance(node, ast.BlockExpression)
            # The last statement of a function or a lambda is its value.
            is_value = not isinstance(scope.node, ast.ResourceTypeDefinition)
            self.statements.update(node.statements[: -1 if is_value else None])
        for kind in (ast.CallNamedFunctionExpression, ast.CallMethodExpression):
            for node, scope in nodes.get(kind, ()):
                if _may_read(node):
                    self.hidden.update(lambdas_and_definition(scope))


def _may_read(node: ast.Node) -> bool:
    """Tell whether a call may read variables of the code around it: functions of Ruby can.

    A name with colons is that of a newer function, which has arguments only.
    """
    functor: ast.Node
    if isinstance(node, ast.CallNamedFunctionExpression):
        functor = node.functor
    elif isinstance(node, ast.CallMethodExpression):
        functor = node.functor.right
    else:
        return False
    name = string_of(functor)
    if name is None or name in _READERS:
        return name is not None
    return not ("::" in name or name in THEMES or name in THEMES_9 or name in THEMES_8)


def unused(context: Context, nodes: Nodes, names: Names) -> None:
    """Warn of variables and parameters that nothing reads; of none that begins with ``_``."""
    uses = _Uses(nodes, names)
    for node, scope in [pair for kind in _CLOSED for pair in nodes.get(kind, ())]:
        if scope in uses.hidden:
            continue
        reads = uses.reads.get(scope, set())
        for name, bindings in scope.bound.items():
            if name in reads or name in names.passed or name.startswith("_"):
                continue
            if all(each in uses.statements for each in bindings):
                _variable(context, bindings[0])
            elif isinstance(bindings[0], ast.Parameter) and reads:
                _parameter(context, node, bindings[0])


def _variable(context: Context, node: ast.Node) -> None:
    assert isinstance(node, ast.AssignmentExpression)
    if isinstance(node.left, ast.VariableExpression):
        context.warn("unused_variable", node.left, f"nothing here reads ${node.left.name}")


def _parameter(context: Context, node: ast.Node, parameter: ast.Parameter) -> None:
    """Warn of a parameter; of one that a caller passes without being asked, there is none.

    Such are those of lambdas, of functions for data, and of a rest of arguments.
    """
    if isinstance(node, ast.LambdaExpression) and not isinstance(node.body, ast.EppExpression):
        return
    if parameter.captures_rest:
        return
    if isinstance(node, ast.FunctionDefinition):
        if any(each.name in _OF_DATA for each in node.parameters):
            return
    context.warn("unused_parameter", parameter, f"nothing here reads ${parameter.name}")
