"""The variables of a program: those that code sees at an offset, the uses of each, other names.

Code sees the variables of the lambdas around it, of the definition around, of the classes that this
inherits from, and of the top scope.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.bindings import (
    OPENS_SCOPE,
    SEES_AROUND,
    Binding,
    assigned,
    bound_in,
    takes_by_name,
)
from puppet_repl.tools.advice.nodes import called

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.tools.editing.symbols import TextSymbols

VARIABLE = re.compile(r"(?:(?:::)?[a-z]\w*)*(?:::)?[a-z_]\w*", re.ASCII)
_TEMPLATES = f"{os.sep}templates{os.sep}"
TOP = ""
_LOCAL = re.compile(r"[a-z_]\w*", re.ASCII)
_RENDERING = frozenset(("epp", "inline_epp", "inline_template", "template"))
_RESERVED = frozenset(
    (
        *("caller_module_name", "facts", "module_name", "name", "server_facts", "title"),
        "trusted",
    )
)


# At an offset


def scopes_at(program: ast.Program, offset: int) -> list[tuple[ast.Node, str]]:
    """Return the scopes that code at an offset sees, the innermost first.

    Lambdas come with the function that calls them. After them comes the definition around, and
    last the program itself: a class does not see the variables of a class around it.
    """
    around = list(_around(program.body, offset, ""))
    found = []
    for scope, caller in reversed(around):
        found.append((scope, caller))
        if not isinstance(scope, SEES_AROUND):
            break
    return [*found, (program, "")]


def _around(node: ast.Node, offset: int, caller: str) -> Iterator[tuple[ast.Node, str]]:
    """Yield the scopes around an offset, the outermost first."""
    while True:
        if type(node) in OPENS_SCOPE:
            yield node, caller
        inner = next((each for each in node.children() if each.start <= offset <= each.end), None)
        if inner is None:
            return
        for each in node.children():  # a word belongs to the node that begins with it
            if each.start == offset:
                inner = each
        caller = called(node) if isinstance(inner, ast.LambdaExpression) else ""
        node = inner


@lru_cache(maxsize=4)  # one long program is asked for each key
def _bound_in(scope: ast.Node) -> dict[str, list[ast.Node]]:
    return bound_in(scope)


def visible_at(program: ast.Program, offset: int) -> dict[str, Binding]:
    """Return the variables that the program binds for code at an offset, the nearest first.

    If a scope assigns a name several times, the last assignment before the offset counts.
    """
    found: dict[str, Binding] = {}
    for scope, caller in scopes_at(program, offset):
        for name, nodes in sorted(_bound_in(scope).items(), key=lambda item: -item[1][0].start):
            if name in found:
                continue
            nodes = sorted(nodes, key=lambda each: each.start)
            before = [each for each in nodes if each.start <= offset]
            node = before[-1] if before else nodes[0]
            found[name] = Binding(program.source, name, node, scope, caller)
    return found


def definition_at(program: ast.Program, offset: int) -> ast.Node | None:
    """Return the class, defined type or function around an offset, None at the top."""
    for scope, _ in scopes_at(program, offset):
        if not isinstance(scope, SEES_AROUND):
            return None if scope is program else scope
    return None


def inherited_at(program: ast.Program, offset: int) -> str | None:
    """Return the class that the class around an offset inherits from, None without one."""
    around = definition_at(program, offset)
    return around.parent if isinstance(around, ast.HostClassDefinition) else None


# Everywhere


class Classes:
    """Which classes bind the variables that other code names; nothing is known without names."""

    def __init__(self, known: TextSymbols | None) -> None:
        self._known = known
        self._owners = {} if known is None else known.owners

    def owner(self, class_name: str, variable: str) -> str | None:
        """Return the class, or one that it inherits from, that binds a variable."""
        class_name = plain(class_name)
        found = self._owners.get(class_name)
        if found is None:
            bound = {} if self._known is None else self._known.variables_in_module(class_name)
            found = {
                name: plain(str(getattr(each.scope, "name", ""))) for name, each in bound.items()
            }
            self._owners[class_name] = found
        return found.get(variable)


def plain(name: str) -> str:
    """Return a name as Puppet compares it: in small letters, without colons at its start."""
    return name.removeprefix("::").lower()


def scope_of_class(name: str) -> str:
    """Return the name of the scope of a class."""
    return f"class {plain(name)}"


def scope_of_define(name: str) -> str:
    """Return the name of the scope of a defined type, which is that of a resource type, too."""
    return f"type {plain(name)}"


def scope_of_template(name: str) -> str:
    """Return the name of the scope of a template, which has a name as ``epp`` takes it."""
    return f"template {name}"


def template_of(path: str | None) -> str | None:
    """Return the name of a template of a module, ``module/file.epp``; None for other files."""
    module, directory, rest = (path or "").rpartition(_TEMPLATES)
    if not directory:
        return None
    return f"{os.path.basename(module)}/{rest.replace(os.sep, '/')}"


class VariableUse:
    """A variable where it is read or written; the range is that of its name without a sign."""

    __slots__ = ("end", "is_written", "start")

    def __init__(self, start: int, end: int, *, is_written: bool) -> None:
        self.start = start
        self.end = end
        self.is_written = is_written


class Variable:
    """A variable in one scope: ``scope`` is the node with its binding, or None.

    ``owner`` names the scope for all files: ``class a``, ``type a::b``, ``template a/b.epp``, ''
    for the top scope; it begins with @ for one that no other file knows.
    """

    __slots__ = ("is_parameter", "name", "owner", "scope", "uses")

    def __init__(self, name: str, scope: ast.Node | None, owner: str) -> None:
        self.name = name
        self.scope = scope
        self.owner = owner
        self.is_parameter = False
        self.uses: list[VariableUse] = []


class Variables:
    """The variables of a program, each with its uses; with a local name only those of the name."""

    def __init__(
        self, program: ast.Program, classes: Classes | None = None, name: str | None = None
    ) -> None:
        self._program = program
        self._name = name
        self._text = program.source.text
        self._classes = classes or Classes(None)
        template = template_of(program.source.name)
        self._template = None if template is None else scope_of_template(template)
        self._found: dict[tuple[str, str], Variable] = {}
        self._bound: dict[int, dict[str, list[ast.Node]]] = {}
        self._walk()

    def __iter__(self) -> Iterator[Variable]:
        return iter(self._found.values())

    def at(self, offset: int) -> Variable | None:
        """Return the variable at an offset."""
        for variable in self._found.values():
            for use in variable.uses:
                sign = self._text[use.start - 1 : use.start] == "$"
                if use.start - sign <= offset <= use.end:
                    return variable
        return None

    def others(self, variable: Variable) -> set[str]:
        """Return the names of all other variables."""
        return {each.name for each in self._found.values() if each is not variable}

    def _walk(self) -> None:
        pending: list[tuple[ast.Node, tuple[ast.Node, ...]]] = [
            (self._program.body, (self._program,))
        ]
        seen: list[tuple[ast.Node, tuple[ast.Node, ...], bool]] = []
        while pending:
            node, scopes = pending.pop()
            if type(node) in OPENS_SCOPE:
                scopes = (*scopes, node)
            if isinstance(node, ast.AssignmentExpression):
                seen += [(target, scopes, True) for target in assigned(node.left)]
            elif isinstance(node, ast.Parameter):
                seen.append((node, scopes, True))
            elif isinstance(node, ast.VariableExpression):
                seen.append((node, scopes, False))
            pending += [(child, scopes) for child in node.children()]
        written = {id(node) for node, _, is_written in seen if is_written}
        for node, scopes, is_written in seen:
            if is_written or id(node) not in written:
                self._add(node, scopes, is_written=is_written)
        for variable in self._found.values():
            variable.uses.sort(key=lambda use: use.start)

    def _add(self, node: ast.Node, scopes: tuple[ast.Node, ...], *, is_written: bool) -> None:
        name = str(getattr(node, "name", ""))
        start = node.end - len(name)
        if isinstance(node, ast.Parameter):
            start = node.at + 1
        if self._name is not None and name.rpartition("::")[2] != self._name:
            return
        if not VARIABLE.fullmatch(name) or not self._text.startswith(name, start):
            return
        end = start + len(name)
        scope, owner, name = self._bind(name, scopes)
        variable = self._found.setdefault((owner, name), Variable(name, scope, owner))
        variable.is_parameter |= isinstance(node, ast.Parameter)
        variable.uses.append(VariableUse(start, end, is_written=is_written))

    def _bind(self, name: str, scopes: tuple[ast.Node, ...]) -> tuple[ast.Node | None, str, str]:
        """Return the node that binds a name, the name of its scope, and the local name."""
        class_name, colons, local = name.rpartition("::")
        program = scopes[0]
        if colons and class_name:
            owner = self._classes.owner(class_name, local) or plain(class_name)
            for node in self._program.definitions:
                if isinstance(node, ast.HostClassDefinition) and plain(node.name) == owner:
                    return node, scope_of_class(owner), local
            return None, scope_of_class(owner), local
        if not colons:
            for scope in reversed(scopes[1:]):
                if local in self._bound_in(scope):
                    return scope, self._owner(scope), local
                if not isinstance(scope, SEES_AROUND):
                    parent = scope.parent if isinstance(scope, ast.HostClassDefinition) else None
                    bound = None if parent is None else self._classes.owner(parent, local)
                    if bound is not None:
                        return None, scope_of_class(bound), local
                    if local in _OF_EACH:
                        return None, f"@{scope.start}", local
                    break
        if local in self._bound_in(program):
            return program, TOP, local
        in_template = self._template is not None and local not in _GIVEN
        return None, self._template or TOP if in_template else TOP, local

    def _bound_in(self, scope: ast.Node) -> dict[str, list[ast.Node]]:
        found = self._bound.get(id(scope))
        if found is None:
            found = self._bound[id(scope)] = bound_in(scope)
        return found

    def _owner(self, scope: ast.Node) -> str:
        if isinstance(scope, ast.HostClassDefinition):
            return scope_of_class(scope.name)
        if isinstance(scope, ast.ResourceTypeDefinition):
            return scope_of_define(scope.name)
        if scope is self._program.body and self._template is not None:
            return self._template
        return f"@{scope.start}"


# Puppet sets them in each class and defined type.
_OF_EACH = frozenset(("caller_module_name", "module_name", "name", "title"))
_GIVEN = frozenset(("facts", "server_facts", "settings", "trusted"))


# Other names


def why_not_renamed(variables: Variables, variable: Variable, new: str) -> str | None:
    """Return why a variable cannot get a name, None if it can."""
    if not _LOCAL.fullmatch(new):
        return f"'{new}' is not the name of a variable"
    if new in _RESERVED:
        return f"Puppet itself sets ${new}"
    if new == variable.name or new in variables.others(variable):
        return f"there is a variable ${new} already"
    return why_name_stays(variable)


def why_name_stays(variable: Variable) -> str | None:
    """Return why a variable cannot get any other name, None if it can.

    It has to be local: that of a lambda or a function, or one that a defined type or plan assigns.
    """
    scope = variable.scope
    name = variable.name
    is_inner = isinstance(scope, ast.LambdaExpression | ast.FunctionDefinition)
    is_body = isinstance(scope, ast.ResourceTypeDefinition | ast.PlanDefinition)
    is_local = is_inner and variable.owner.startswith("@")
    if scope is None or not (is_local or (is_body and not variable.is_parameter)):
        return f"${name} is not local: other files may use it"
    for node in scope.walk():
        if isinstance(node, ast.ApplyExpression):
            return f"code that an apply block compiles may use ${name}"
        if isinstance(node, ast.AssignmentExpression) and takes_by_name(node, name):
            return f"${name} takes a value by its name"
        if called(node) in _RENDERING:
            return f"a template may use ${name}"
    return None
