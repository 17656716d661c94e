"""What the code of files defines, by their paths: each file is parsed once in a run."""

from __future__ import annotations

import os
import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source_files import read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    from puppet_repl.base.reach import Reach
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.tools.validation.nested_data import Declared

    DefinitionKind: TypeAlias = Literal["class", "define", "function", "plan", "template", "type"]

_KINDS: dict[type[ast.Node], DefinitionKind] = {
    ast.FunctionDefinition: "function",
    ast.HostClassDefinition: "class",
    ast.PlanDefinition: "plan",
    ast.ResourceTypeDefinition: "define",
    ast.TypeAlias: "type",
}
_ASSIGNED = re.compile(r"\$([a-z_]\w*)\s*=(?![=~>])")
_WRITTEN = re.compile(r"\b(class|define|function|plan|type)\s+(?:::)?([A-Za-z]\w*(?:::\w+)*)")


class Definition:
    """A class, defined type, function, plan or type alias, and where it is; not its body.

    A template in EPP is one, too, if it declares its parameters; it has no name.
    ``name`` has small letters. ``parent`` is the class that a class inherits from, ``value`` the
    right side of a type alias. ``declared`` are the resources that a class declares with its
    parameters, once somebody has looked for them.
    """

    __slots__ = (
        *("declared", "end", "kind", "name", "parameters", "parent", "source", "start"),
        "value",
    )

    def __init__(self, kind: DefinitionKind, node: ast.Node, source: Source) -> None:
        self.kind = kind
        self.name = plain_name(getattr(node, "name", ""))
        self.source = source
        self.start = node.start
        self.end = node.end
        self.parameters: tuple[ast.Parameter, ...] = getattr(node, "parameters", ())
        parent = getattr(node, "parent", None)
        self.parent = None if parent is None else plain_name(parent)
        self.value: ast.Node | None = getattr(node, "type_expr", None)
        self.declared: dict[str, Declared] | None = None

    @property
    def title(self) -> str:
        """The kind and the name, for messages: ``the class apache``."""
        kind = "defined type" if self.kind == "define" else self.kind
        return f"the {kind} {self.name}"

    @property
    def is_type_set(self) -> bool:
        """Tell whether it is a set of types, ``type X = TypeSet[...]``, not one type."""
        left = self.value.left if isinstance(self.value, ast.AccessExpression) else None
        return isinstance(left, ast.QualifiedReference) and left.value == "TypeSet"

    @property
    def required(self) -> list[str]:
        """The names of the parameters that have no default."""
        return [
            each.name for each in self.parameters if each.value is None and not each.captures_rest
        ]

    def parameter(self, name: str) -> ast.Parameter | None:
        """Return a parameter by its name."""
        return next((each for each in self.parameters if each.name == name), None)

    def may_set(self, variable: str) -> bool:
        """Tell whether the text has a variable, wherever it is, or Ruby that sets variables."""
        pattern = rf"\bsetvar\b|[${{]\s*{re.escape(variable)}\b"
        return re.compile(pattern).search(self.source.text, self.start, self.end) is not None

    def variables(self) -> set[str]:
        """Return the names of the parameters, and of all that the text assigns to."""
        text = self.source.text[self.start : self.end]
        return {each.name for each in self.parameters} | {*_ASSIGNED.findall(text)}


def definitions_of(program: ast.Program) -> Iterator[Definition]:
    """Yield what a program defines, but not its nodes."""
    body = program.body
    if isinstance(body, ast.LambdaExpression) and isinstance(body.body, ast.EppExpression):
        if body.body.parameters_specified:
            yield Definition("template", body, program.source)
    for node in program.definitions:
        kind = _KINDS.get(type(node))
        if kind is not None:
            yield Definition(kind, node, program.source)


def written_definitions(text: str) -> Iterator[tuple[str, str]]:
    """Yield kind and name of all that looks like a definition in a text that was not parsed.

    Words of comments and strings may be among them.
    """
    for found in _WRITTEN.finditer(text):
        yield found[1], found[2].lower()


def plain_name(name: str) -> str:
    """Return a name without leading colons, in small letters."""
    return name.removeprefix("::").lower()


class DefinitionFiles:
    """What files define. With a ``reach`` no other file is read."""

    __slots__ = ("_awaited", "_known", "_trees", "reach")

    def __init__(self, reach: Reach | None = None) -> None:
        self.reach = reach
        self._awaited: dict[str, str] = {}
        self._known: dict[str, tuple[Definition, ...] | None] = {}
        self._trees: dict[str, ast.Program] = {}

    def await_tree(self, path: str) -> None:
        """Keep the tree of a file, if it is parsed before the run comes to it."""
        self._awaited[os.path.abspath(path)] = path

    def take(self, path: str) -> ast.Program | None:
        """Return the tree of a file if it has been parsed, and keep it no longer."""
        whole = os.path.abspath(path)
        self._awaited.pop(whole, None)
        return self._trees.pop(whole, None)

    def add(self, path: str, program: ast.Program) -> None:
        """Note what the tree of a file defines."""
        self._known[os.path.abspath(path)] = tuple(definitions_of(program))

    def forget(self, path: str) -> None:
        """Read a file again when somebody asks for its definitions."""
        self._known.pop(os.path.abspath(path), None)

    def find(self, path: str, kind: str, name: str) -> Definition | None:
        """Return the definition of a name in a file; the last one counts, as in Puppet."""
        for each in reversed(self.of(path) or ()):
            if each.kind == kind and each.name == name:
                return each
        return None

    def is_broken(self, path: str) -> bool:
        """Tell whether a file is there and cannot be read or parsed."""
        return self.of(path) is None

    def of(self, path: str) -> tuple[Definition, ...] | None:
        """Return what a file defines, nothing for a missing file, None for a broken one."""
        try:
            return self._known[path]
        except KeyError:
            pass
        found: tuple[Definition, ...] | None = None
        try:
            if self.reach is not None:
                self.reach.check(path)
            source = read_source(path)
            source.name = self._awaited.get(path, path)  # findings have the path as it was given
            program = parse(source, epp=path.endswith(".epp"))
        except (FileNotFoundError, NotADirectoryError):
            found = ()
        except (OSError, PuppetError):
            found = None
        else:
            found = tuple(definitions_of(program))
            if path in self._awaited:
                self._trees[path] = program
        self._known[path] = found
        return found
