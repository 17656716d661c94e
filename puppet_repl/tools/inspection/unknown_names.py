"""The names that programs define, and those that one uses and nothing defines.

Only trees are read. A name counts as defined wherever in a program it is: a name that is called
unknown although it is right would be worse than one that is missed.
"""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError, Subject
from puppet_repl.base.matching import did_you_mean
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session.symbols import GIVEN_VARIABLES
from puppet_repl.tools.hints.suggestions import hint_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.session.symbols import SessionSymbols

# Variables that Puppet sets: of matches, and in bodies of classes and defined types.
_SET_BY_PUPPET = re.compile(r"\d+|_\d*|title|name|(?:caller_)?module_name|environment")
_MENTIONED = re.compile(r"\$(?:::)?([a-z_]\w*)")


class Names:
    """Names that programs define: variables without a dollar sign, functions, classes."""

    __slots__ = ("classes", "functions", "variables")

    def __init__(self) -> None:
        self.variables: set[str] = set()
        self.functions: set[str] = set()
        self.classes: set[str] = set()

    def add(self, other: Names) -> None:
        """Add those of other programs."""
        self.variables |= other.variables
        self.functions |= other.functions
        self.classes |= other.classes

    def add_program(self, program: ast.Program) -> None:
        """Add what a program assigns and defines, its parameters included."""
        for node in program.body.walk():
            if isinstance(node, ast.AssignmentExpression):
                self.variables.update(_assigned(node.left))
            elif isinstance(node, ast.Parameter):
                self.variables.add(node.name)
            elif isinstance(node, ast.FunctionDefinition):
                self.functions.add(node.name)
            elif isinstance(node, ast.HostClassDefinition):
                self.classes.add(node.name)

    def add_text(self, text: str, *, epp: bool = False) -> None:
        """Add the definitions of a manifest or a template; all variables if it does not parse."""
        try:
            self.add_program(parse(Source(text), epp=epp))
        except PuppetError:
            self.variables.update(_MENTIONED.findall(text))


class Unknown:
    """A name that nothing defines: its range in the text, its kind, and a hint or None."""

    __slots__ = ("end", "hint", "kind", "name", "start")

    def __init__(self, node: ast.Node, kind: str, name: str, hint: str | None) -> None:
        self.start = node.start
        self.end = node.end
        self.kind = kind
        self.name = name
        self.hint = hint


def _assigned(target: ast.Node) -> Iterator[str]:
    if isinstance(target, ast.VariableExpression):
        yield target.name.removeprefix("::")
    elif isinstance(target, ast.LiteralList):
        for item in target.values:
            yield from _assigned(item)


def unknown_names(known: SessionSymbols, program: ast.Program, defined: Names) -> Iterator[Unknown]:
    """Yield the variables and functions that neither the session nor ``defined`` has."""
    variables = {*known.variable_names(), *known.session.names.fact_names(), *defined.variables}
    inheriting = [each for each in program.definitions if _inherits(each)]
    functions: set[str] | None = None
    for node in program.body.walk():
        if isinstance(node, ast.VariableExpression):
            name = node.name.removeprefix("::")
            # A class has the variables of the class that it inherits from, too.
            is_inherited = any(each.start <= node.start < each.end for each in inheriting)
            if not (is_inherited or _is_variable(known, name, variables, defined)):
                yield Unknown(node, "variable", name, did_you_mean(name, variables, "${}"))
        called = _called(node)
        if called is not None:
            if functions is None:
                functions = {*known.function_names(), *defined.functions}
            name = called.value.removeprefix("::")
            if not (name in functions or _is_in_modules(known, name)):
                error = PuppetError("", subject=Subject("function", name))
                yield Unknown(called, "function", name, hint_for(known, error))


def _inherits(definition: ast.Node) -> bool:
    return isinstance(definition, ast.HostClassDefinition) and definition.parent is not None


def _is_variable(known: SessionSymbols, name: str, variables: set[str], defined: Names) -> bool:
    if name in variables or _SET_BY_PUPPET.fullmatch(name) or name in GIVEN_VARIABLES:
        return True
    class_name, colons, _ = name.lower().rpartition("::")
    if class_name == "settings":
        return name in known.setting_variables()
    # What a class sets is known when it is evaluated.
    return bool(colons) and (
        class_name in defined.classes
        or class_name in known.declared_classes()
        or class_name in known.class_names()
    )


def _called(node: ast.Node) -> ast.QualifiedName | None:
    functor: ast.Node | None = None
    if isinstance(node, ast.CallNamedFunctionExpression):
        functor = node.functor
    elif isinstance(node, ast.CallMethodExpression) and (node.arguments or node.block):
        # Without arguments it may be an attribute of an object.
        functor = node.functor.right
    return functor if isinstance(functor, ast.QualifiedName) else None


def _is_in_modules(known: SessionSymbols, name: str) -> bool:
    return known.builtin_function(name) is not None or known.in_module_file(name) is not None
