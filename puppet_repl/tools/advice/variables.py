"""Checks of variables: those that nothing sets.

They read a whole definition. A name counts as set if Ruby may set it, or if a function gets it as a
string.
"""

from __future__ import annotations

from puppet_repl.base.matching import nearest
from puppet_repl.catalog.resource_types import METAPARAMETER_SET
from puppet_repl.environment.facts.core_facts import (
    AGENT_FACTS,
    CORE_FACTS,
    GIVEN_VARIABLES,
    MODULE_FACTS,
)
from puppet_repl.environment.facts.legacy_facts import structured
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.bindings import OPENS_SCOPE
from puppet_repl.tools.advice.nodes import string_of
from puppet_repl.tools.advice.scopes import lambdas_and_definition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.advice.model import Context, Nodes
    from puppet_repl.tools.advice.scopes import Scope

_OF_DEFINITIONS = frozenset(("title", "name", "module_name", "caller_module_name"))
# A class or a defined type has its metaparameters as variables, if they are given.
_GIVEN = (
    GIVEN_VARIABLES | CORE_FACTS | AGENT_FACTS | MODULE_FACTS | _OF_DEFINITIONS | METAPARAMETER_SET
)
# Ruby in a template that sets variables.
_SETTER = "setvar"
# Functions whose arguments are never names of variables.
_PLAIN_CALLS = frozenset(("contain", "include", "require", "fail", "notice", "info", "warning"))


class Names:
    """The names of a whole program: its classes, and variables that all code sees."""

    __slots__ = ("classes", "passed", "shared", "targets")

    def __init__(self, top: Scope, nodes: Nodes) -> None:
        self.classes: dict[str, Scope] = {}
        # Variables of the top scope and of nodes.
        self.shared: set[str] = set()
        # Offsets of variables that are assigned.
        self.targets: set[int] = set()
        # Strings that a function gets: ``defined('$x')``.
        self.passed: set[str] = set()
        if type(top.node) not in OPENS_SCOPE:
            self.shared.update(top.bound)
        for node, scope in nodes.get(ast.HostClassDefinition, ()):
            assert isinstance(node, ast.HostClassDefinition)
            self.classes[node.name.removeprefix("::")] = scope
        for _, scope in nodes.get(ast.NodeDefinition, ()):
            self.shared.update(scope.bound)
        for node, _ in nodes.get(ast.AssignmentExpression, ()):
            assert isinstance(node, ast.AssignmentExpression)
            self.targets.update(part.start for part in node.left.walk())
        for node, _ in nodes.get(ast.CallNamedFunctionExpression, ()):
            assert isinstance(node, ast.CallNamedFunctionExpression)
            if string_of(node.functor) not in _PLAIN_CALLS:
                texts = filter(None, map(string_of, node.arguments))
                self.passed.update(text.removeprefix("$") for text in texts)


def unknown(context: Context, nodes: Nodes, names: Names) -> None:
    """Warn of variables without a value in definitions whose variables are all in their own text.

    Others are classes that inherit, templates without a list of parameters, plans, and code at top
    scope, which has variables of other files.
    """
    if _SETTER in context.text:
        return
    for node, scope in nodes.get(ast.VariableExpression, ()):
        assert isinstance(node, ast.VariableExpression)
        if node.start in names.targets:
            continue
        if "::" in node.name:
            _of_a_class(context, node, names)
        elif not _is_given(node.name) and node.name not in names.passed:
            _unqualified(context, node, scope, names)


def _is_given(name: str) -> bool:
    return name in _GIVEN or name.isdigit() or structured(name) is not None


def _unqualified(
    context: Context, node: ast.VariableExpression, scope: Scope, names: Names
) -> None:
    if node.name in names.shared:
        return
    around_it = list(lambdas_and_definition(scope))
    if not _is_closed(around_it[-1].node):
        return
    bindings = [found for each in around_it for found in each.bound.get(node.name, ())]
    if any(binding.end <= node.start for binding in bindings):
        return
    around = [each for each in bindings if each.start <= node.start]
    near = None
    if any(isinstance(each, ast.AssignmentExpression) for each in around):
        return  # $x = $x reads the variable of the top scope
    if around:
        message = f"the default of ${node.name} is its own value, which is not known yet"
    elif bindings:
        message = f"${node.name} has no value here yet: it is set afterwards"
    else:
        near = nearest(node.name, [name for each in around_it for name in each.bound])
        message = f"nothing sets ${node.name}: "
        message += f"did you mean ${near}?" if near else _elsewhere(node.name)
    meant = context.replacements(node, node.name, near)
    context.warn("unknown_variable", node, message, replacements=meant)


def _elsewhere(name: str) -> str:
    if name in ("true", "false", "undef"):
        return f"write {name}"
    return f"write $facts['{name}'] for a fact, $::{name} for a variable of the top scope"


def _is_closed(node: ast.Node) -> bool:
    """Tell whether all variables of a definition are in its text."""
    if isinstance(node, ast.HostClassDefinition):
        return node.parent is None
    if isinstance(node, ast.LambdaExpression):
        return isinstance(node.body, ast.EppExpression) and node.body.parameters_specified
    return isinstance(node, ast.ResourceTypeDefinition | ast.FunctionDefinition)


def _of_a_class(context: Context, node: ast.VariableExpression, names: Names) -> None:
    """Warn of ``$shop::port`` if the class shop of the same file has no such variable."""
    class_name, _, name = node.name.removeprefix("::").rpartition("::")
    scope = names.classes.get(class_name)
    if scope is None or not _is_closed(scope.node) or name in scope.bound:
        return
    if name in _OF_DEFINITIONS or name in METAPARAMETER_SET or name in names.passed:
        return
    near = nearest(name, scope.bound)
    hint = f": did you mean ${class_name}::{near}?" if near else ""
    message = f"the class {class_name} sets no ${name}{hint}"
    meant = context.replacements(node, node.name, f"{class_name}::{near}" if near else None)
    context.warn("unknown_variable", node, message, replacements=meant)
