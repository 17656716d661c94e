"""The uses of names in programs: of classes, defined types, functions and types, of variables."""

from __future__ import annotations

import re
from typing import NamedTuple

from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.nodes import string_of
from puppet_repl.tools.editing.outline import name_span
from puppet_repl.tools.inspection.cursor_context import MODULE_FILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    UseKind: TypeAlias = Literal["class", "function", "type"]

VARIABLE = re.compile(r"[a-z_]\w*", re.ASCII)
_DECLARING = frozenset(("contain", "include", "require"))
_TEMPLATES = frozenset(("epp", "inline_epp", "inline_template", "template"))
_RESERVED = frozenset(
    (
        *("caller_module_name", "facts", "module_name", "name", "server_facts", "title"),
        "trusted",
    )
)
_DIRECTORIES = {"epp": "templates", "file": "files", "template": "templates"}
_DEFINED: dict[type[ast.Node], UseKind] = {
    ast.FunctionDefinition: "function",
    ast.HostClassDefinition: "class",
    ast.ResourceTypeDefinition: "type",
    ast.TypeAlias: "type",
}
_SCOPES = (
    ast.ApplyExpression,
    ast.FunctionDefinition,
    ast.HostClassDefinition,
    ast.LambdaExpression,
    ast.NodeDefinition,
    ast.PlanDefinition,
    ast.ResourceTypeDefinition,
)


class Use(NamedTuple):
    """A name where it is used or defined.

    Its name has small letters. Defined types, resource types and data types are all of the kind
    ``type``: ``A::B`` may be a reference to resources as well as a data type.
    """

    kind: UseKind
    name: str
    start: int
    end: int
    is_definition: bool = False


def uses_of_names(program: ast.Program) -> Iterator[Use]:
    """Yield the uses of classes, functions and types, and their definitions."""
    text = program.source.text
    for node in program.body.walk():
        kind = _DEFINED.get(type(node))
        if kind is not None:
            name = getattr(node, "name", "")
            yield Use(kind, _plain(name), *name_span(text, node, name), True)
        if isinstance(node, ast.HostClassDefinition) and node.parent is not None:
            written = re.compile(r"\binherits\s+((?:::)?[\w:]+)").search(text, node.start, node.end)
            if written is not None:
                yield Use("class", _plain(node.parent), *written.span(1))
        elif isinstance(node, ast.CallNamedFunctionExpression):
            yield from _called(text, node.functor)
            if isinstance(node.functor, ast.QualifiedName) and node.functor.value in _DECLARING:
                for argument in node.arguments:
                    yield from _classes(text, argument)
        elif isinstance(node, ast.CallMethodExpression):
            yield from _called(text, node.functor.right)
        elif isinstance(node, ast.ResourceExpression):
            if text[node.type_name.start : node.type_name.end] == "class":
                for body in node.bodies:
                    yield from _classes(text, body.title)
            elif isinstance(node.type_name, ast.QualifiedName):
                name = _plain(node.type_name.value)
                yield Use("type", name, node.type_name.start, node.type_name.end)
        elif isinstance(node, ast.AccessExpression):
            if isinstance(node.left, ast.QualifiedReference) and node.left.value == "Class":
                for key in node.keys:
                    yield from _classes(text, key)
        elif isinstance(node, ast.QualifiedReference):
            yield Use("type", _plain(node.value), node.start, node.end)


def _plain(name: str) -> str:
    return name.removeprefix("::").lower()


def _called(text: str, functor: ast.Node) -> Iterator[Use]:
    if isinstance(functor, ast.QualifiedName):
        yield Use("function", _plain(functor.value), functor.start, functor.end)


def _classes(text: str, node: ast.Node) -> Iterator[Use]:
    """Yield the classes that a literal names: a word, a string, or a list of them."""
    if isinstance(node, ast.LiteralList):
        for item in node.values:
            yield from _classes(text, item)
        return
    name = string_of(node)
    if name:
        yield Use("class", _plain(name), *_inside(text, node))


def name_at(program: ast.Program, offset: int) -> Use | None:
    """Return the use at an offset, None if there is none."""
    found = (each for each in uses_of_names(program) if each.start <= offset <= each.end)
    return next(found, None)


# Files


class FileUse(NamedTuple):
    """A literal ``module/path`` with the directory of the module that has the file."""

    directory: str
    reference: str
    start: int
    end: int


def uses_of_files(program: ast.Program) -> Iterator[FileUse]:
    """Yield the files and templates of modules that literals name."""
    text = program.source.text
    for node in program.body.walk():
        if isinstance(node, ast.LiteralString) and node.value.startswith(MODULE_FILES):
            reference = node.value.removeprefix(MODULE_FILES)
            yield FileUse("files", reference, *_inside(text, node))
        elif isinstance(node, ast.CallNamedFunctionExpression):
            name = node.functor.value if isinstance(node.functor, ast.QualifiedName) else ""
            if name in _DIRECTORIES:
                # After the template of epp() come its parameters.
                for argument in node.arguments[:1] if name == "epp" else node.arguments:
                    if isinstance(argument, ast.LiteralString):
                        span = _inside(text, argument)
                        yield FileUse(_DIRECTORIES[name], argument.value, *span)


def _inside(text: str, node: ast.Node) -> tuple[int, int]:
    """Return the range of a string without its quotes."""
    quoted = text[node.start : node.start + 1] in ("'", '"')
    return node.start + quoted, node.end - quoted


# Variables


class VariableUse(NamedTuple):
    """A variable where it is read or written; the range is that of its name without a sign."""

    start: int
    end: int
    is_written: bool


class Variable:
    """A variable in one scope: ``scope`` is the node with its binding, or None."""

    __slots__ = ("is_parameter", "name", "scope", "uses")

    def __init__(self, name: str, scope: ast.Node | None) -> None:
        self.name = name
        self.scope = scope
        self.is_parameter = False
        self.uses: list[VariableUse] = []


class Variables:
    """The variables of a program, each with its uses."""

    def __init__(self, program: ast.Program) -> None:
        self._text = program.source.text
        self._found: dict[tuple[int, str], Variable] = {}
        self._bound: dict[int, set[str]] = {}
        self._walk(program.body, (program,))

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

    def _walk(self, body: ast.Node, scopes: tuple[ast.Node, ...]) -> None:
        pending = [(body, scopes)]
        seen: list[tuple[ast.Node, tuple[ast.Node, ...], bool]] = []
        while pending:
            node, scopes = pending.pop()
            if isinstance(node, _SCOPES) and node is not scopes[-1]:
                scopes = (*scopes, node)
                for parameter in getattr(node, "parameters", ()):
                    self._bound.setdefault(id(node), set()).add(parameter.name)
            if isinstance(node, ast.AssignmentExpression):
                for target in _targets(node.left):
                    self._bound.setdefault(id(scopes[-1]), set()).add(target.name)
                    seen.append((target, scopes, True))
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
            variable.uses.sort()

    def _add(self, node: ast.Node, scopes: tuple[ast.Node, ...], *, is_written: bool) -> None:
        name = str(getattr(node, "name", ""))
        start = node.end - len(name)
        if isinstance(node, ast.Parameter):
            start = node.at + 1
        if not VARIABLE.fullmatch(name) or not self._text.startswith(name, start):
            return
        scope = self._binding(name, scopes)
        key = (0 if scope is None else id(scope)), name
        variable = self._found.setdefault(key, Variable(name, scope))
        variable.is_parameter |= isinstance(node, ast.Parameter)
        variable.uses.append(VariableUse(start, start + len(name), is_written))

    def _binding(self, name: str, scopes: tuple[ast.Node, ...]) -> ast.Node | None:
        """Return the scope that binds a name: a lambda, the definition around, or the program.

        The block of ``apply`` is given the variables of the plan around.
        """
        for scope in reversed(scopes):
            if name in self._bound.get(id(scope), ()):
                return scope
            if not isinstance(scope, ast.ApplyExpression | ast.LambdaExpression):
                break
        return scopes[0] if name in self._bound.get(id(scopes[0]), ()) else None


def _targets(left: ast.Node) -> Iterator[ast.VariableExpression]:
    if isinstance(left, ast.VariableExpression):
        yield left
    elif isinstance(left, ast.LiteralList):
        for item in left.values:
            yield from _targets(item)


def why_not_renamed(variables: Variables, variable: Variable, new: str) -> str | None:
    """Return why a variable cannot get a name, None if it can."""
    if not VARIABLE.fullmatch(new):
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
    if scope is None or not (is_inner or (is_body and not variable.is_parameter)):
        return f"${name} is not local: other files may use it"
    for node in scope.walk():
        functor: ast.Node | None = None
        if isinstance(node, ast.ApplyExpression):
            return f"code that an apply block compiles may use ${name}"
        if isinstance(node, ast.CallNamedFunctionExpression):
            functor = node.functor
        elif isinstance(node, ast.CallMethodExpression):
            functor = node.functor.right
        if isinstance(functor, ast.QualifiedName) and functor.value in _TEMPLATES:
            return f"a template may use ${name}"
    return None
