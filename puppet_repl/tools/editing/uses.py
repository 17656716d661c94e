"""The names in programs: their uses and their definitions.

A definition and all its uses have the same target, in whatever file they are.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import NamedTuple

from puppet_repl.catalog import core_types
from puppet_repl.catalog.resource_types import METAPARAMETER_SET
from puppet_repl.language.syntax import ast
from puppet_repl.language.types.data_types import DOCUMENTED
from puppet_repl.tools.advice.nodes import called, string_of
from puppet_repl.tools.editing.outline import name_span
from puppet_repl.tools.editing.scopes import (
    TOP,
    Classes,
    Variables,
    plain,
    scope_of_class,
    scope_of_define,
    scope_of_template,
)
from puppet_repl.tools.inspection.cursor_context import MODULE_FILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Literal, TypeAlias

    from puppet_repl.language.syntax.source import Source
    from puppet_repl.tools.editing.symbols import TextSymbols

    UseKind: TypeAlias = Literal[
        "class", "file", "function", "provider", "resource", "type", "variable"
    ]

_DECLARING = frozenset(("contain", "include", "require"))
# Functions whose first argument is the type of the resources that they declare.
_CREATING = frozenset(("create_resources", "ensure_resource", "ensure_resources"))
_DIRECTORIES = {"epp": "templates", "file": "files", "template": "templates"}
_DEFINED: dict[type[ast.Node], UseKind] = {
    ast.FunctionDefinition: "function",
    ast.HostClassDefinition: "class",
    ast.ResourceTypeDefinition: "type",
    ast.TypeAlias: "type",
}
# Most nodes are others.
_NAMING = frozenset(
    (
        *_DEFINED,
        *(ast.AccessExpression, ast.CallMethodExpression, ast.CallNamedFunctionExpression),
        *(ast.CollectExpression, ast.LiteralString, ast.QualifiedReference),
        *(ast.ResourceDefaultsExpression, ast.ResourceExpression, ast.ResourceOverrideExpression),
    )
)
DATA_TYPES = frozenset(name.lower() for name in DOCUMENTED) - {"class"}
"""The names of data types; ``Class['a']`` is a reference to a class."""
_WORD = re.compile(r"\w+(?:::\w+)*", re.ASCII)
_INHERITS = re.compile(r"\binherits\s+((?:::)?[\w:]+)")


class Target(NamedTuple):
    """What a name names, the same in all files.

    Names have small letters but for variables, resources and files. Defined types, resource types
    and data types are all of the kind ``type``: ``A::B`` may be a reference to resources as well as
    a data type. A parameter, and an attribute that sets it, is a variable of the class, defined
    type or template; its ``scope`` is as ``Variable.owner`` says. Of a ``resource`` and a
    ``provider`` the scope is the type, of a ``file`` the directory of the module.
    """

    kind: UseKind
    name: str
    scope: str = ""


class Use(NamedTuple):
    """A name where it is used or defined; the range has neither quotes nor a dollar sign."""

    target: Target
    start: int
    end: int
    is_definition: bool = False


class Place(NamedTuple):
    """The range of a name in a text, that of a file or of an open document."""

    source: Source
    start: int
    end: int


def uses_in(program: ast.Program, known: TextSymbols | None = None) -> list[Use]:
    """Return all names of a program in the order of the text.

    ``known`` tells in which class an inherited variable is bound. Nothing is evaluated.
    """
    return _sorted([*_of_variables(program, known), *_Names(program, known).found()])


def use_at(program: ast.Program, offset: int, known: TextSymbols | None = None) -> Use | None:
    """Return the name at an offset, None if there is none; a dollar sign is part of it."""
    text = program.source.text
    line = text.rfind("\n", 0, offset) + 1
    words = (word for word in _WORD.finditer(text, line) if word.end() >= offset)
    word = next(words, None)
    name = "" if word is None else word[0].rpartition("::")[2]
    variables = _of_variables(program, known, name) if name else ()
    for use in _sorted([*variables, *_Names(program, known).found()]):
        sign = use.target.kind == "variable" and text[use.start - 1 : use.start] == "$"
        if use.start - sign <= offset <= use.end:
            return use
    return None


def uses_of(
    program: ast.Program, target: Target, known: TextSymbols | None = None
) -> Iterator[Use]:
    """Yield the names of a program that name one target."""
    names = _Names(program, known).found()
    if target.kind == "variable":
        names = chain(_of_variables(program, known, target.name), names)
    yield from _sorted(use for use in names if use.target == target)


def _sorted(found: Iterable[Use]) -> list[Use]:
    return sorted(found, key=lambda use: (use.start, use.end))


def titles_in(program: ast.Program) -> Iterator[Target]:
    """Yield the resources with literal titles that a program declares."""
    names = _Names(program, None)
    for node in program.body.walk():
        if isinstance(node, ast.ResourceExpression):
            found = names.resources(node)
        elif isinstance(node, ast.CallNamedFunctionExpression):
            found = names.call(node)
        else:
            continue
        for use in found:
            if use.is_definition:
                yield use.target


def includes_in(program: ast.Program) -> dict[str, list[str]]:
    """Return the classes and defined types that literals declare, by the scope with the code.

    A scope is ``class a``, ``type a::b``, ``node x.example.com``, or TOP for other code.
    """
    names = _Names(program, None)
    found: dict[str, dict[str, None]] = {}
    pending: list[tuple[ast.Node, tuple[str, ...]]] = [(program.body, (TOP,))]
    while pending:
        node, owners = pending.pop()
        uses: Iterable[Use] = ()
        if isinstance(node, ast.HostClassDefinition):
            owners = (scope_of_class(node.name),)
            parent = Target("class", plain(node.parent or ""))
            uses = [] if node.parent is None else [Use(parent, node.start, node.end)]
        elif isinstance(node, ast.ResourceTypeDefinition):
            owners = (scope_of_define(node.name),)
        elif isinstance(node, ast.NodeDefinition):
            literals = [each for each in node.matches if isinstance(each, ast.LiteralString)]
            owners = tuple([f"node {each.value.lower()}" for each in literals])
        elif isinstance(node, ast.ResourceExpression):
            uses = names.resources(node)
        elif isinstance(node, ast.CallNamedFunctionExpression):
            is_declaring = called(node) in _DECLARING | _CREATING
            uses = names.call(node) if is_declaring else ()
        elif isinstance(node, ast.CallMethodExpression) and called(node) in _DECLARING:
            uses = names.included(node)
        for use in uses:
            kind, name, _ = use.target
            if kind == "class" or (kind == "type" and core_types.find(name) is None):
                target = f"{kind} {name}"
                for owner in owners:
                    found.setdefault(owner, {})[target] = None
        pending += [(child, owners) for child in node.children()[::-1]]
    return {owner: [*targets] for owner, targets in found.items()}


def may_use(text: str, target: Target) -> bool:
    """Tell whether a text, in small letters, may have uses of a target: whether to parse it."""
    name = _last(target.name.lower())
    if name not in text:
        return False
    if target.kind in ("class", "function", "type") and target.name not in text:
        # Names are always whole, but for that of a class in the body of another one.
        return _may_define(text, name)
    kind, _, owner = target.scope.rpartition(" ")
    owner = owner.lower()
    if kind == "template":
        return owner.rpartition("/")[2] in text
    if kind == "class":
        # A class that inherits has the variables as its own.
        return _last(owner) in text or "inherits" in text or f"::{name}" in text
    return target.kind == "file" or _last(owner) in text


def _may_define(text: str, name: str) -> bool:
    """Tell whether a text has a name after ``class`` or ``define``."""
    # A regular expression for the words before the name would try each place of the text.
    start = text.find(name)
    while start >= 0:
        end = start
        while text[end - 1 : end].isspace():
            end -= 1
        if end < start and text.endswith(("class", "define"), 0, end):
            return True
        start = text.find(name, start + 1)
    return False


def _last(name: str) -> str:
    return name.rpartition("::")[2]


def _of_variables(
    program: ast.Program, known: TextSymbols | None, name: str | None = None
) -> Iterator[Use]:
    for variable in Variables(program, Classes(known), name):
        target = Target("variable", variable.name, variable.owner)
        for use in variable.uses:
            yield Use(target, use.start, use.end, use.is_written)


class _Names:
    """Finds the names of a program that are not variables, and the parameters that they set."""

    def __init__(self, program: ast.Program, known: TextSymbols | None) -> None:
        self._program = program
        self._text = program.source.text
        self._known = known

    def found(self) -> Iterator[Use]:
        """Yield the names in no particular order."""
        for node in self._program.body.walk():
            if type(node) not in _NAMING:
                continue
            if isinstance(node, ast.CallNamedFunctionExpression):
                yield from self.call(node)
            elif isinstance(node, ast.CallMethodExpression):
                yield from self._function(node.functor.right)
                if called(node) in _DECLARING:
                    yield from self.included(node)
            elif isinstance(node, ast.ResourceExpression):
                yield from self.resources(node)
            elif isinstance(node, ast.AccessExpression):
                yield from self._references(node)
            elif isinstance(node, ast.QualifiedReference):
                yield Use(Target("type", plain(node.value)), node.start, node.end)
            elif isinstance(node, ast.ResourceDefaultsExpression):
                yield from self._attributes(self._scope_of(node.type_ref), node.operations)
            elif isinstance(node, ast.ResourceOverrideExpression):
                yield from self._attributes(self._scope_of(node.resources), node.operations)
            elif isinstance(node, ast.CollectExpression):
                scope = self._scope_of(node.type_expr)
                yield from self._attributes(scope, node.operations)
                yield from self._query(scope, node.query)
            elif isinstance(node, ast.LiteralString) and node.value.startswith(MODULE_FILES):
                reference = node.value.removeprefix(MODULE_FILES)
                yield Use(Target("file", reference, "files"), *self._inside(node))
            else:
                yield from self._definition(node)

    def _definition(self, node: ast.Node) -> Iterator[Use]:
        kind = _DEFINED.get(type(node))
        if kind is None:
            return
        name: str = getattr(node, "name", "")
        yield Use(Target(kind, plain(name)), *name_span(self._text, node, name), True)
        if isinstance(node, ast.HostClassDefinition) and node.parent is not None:
            written = _INHERITS.search(self._text, node.start, node.end)
            if written is not None:
                yield Use(Target("class", plain(node.parent)), *written.span(1))

    # Strings and words

    def _inside(self, node: ast.Node) -> tuple[int, int]:
        """Return the range of a string without its quotes."""
        quoted = self._text[node.start : node.start + 1] in ("'", '"')
        return node.start + quoted, node.end - quoted

    def _named(self, kind: UseKind, node: ast.Node | None) -> Iterator[Use]:
        """Yield the classes or types that a literal names: a word, a string, or a list of them."""
        for item in node.values if isinstance(node, ast.LiteralList) else (node,):
            name = string_of(item)
            if item is not None and name:
                yield Use(Target(kind, plain(name)), *self._inside(item))

    def _titles(
        self, type_name: str, node: ast.Node | None, *, is_definition: bool = False
    ) -> Iterator[Use]:
        """Yield the resources that literal titles name."""
        for item in node.values if isinstance(node, ast.LiteralList) else (node,):
            title = string_of(item)
            if title and isinstance(item, ast.LiteralString | ast.QualifiedName):
                target = Target("resource", title, type_name)
                yield Use(target, *self._inside(item), is_definition)

    # Calls

    def _function(self, functor: ast.Node) -> Iterator[Use]:
        if isinstance(functor, ast.QualifiedName):
            yield Use(Target("function", plain(functor.value)), functor.start, functor.end)

    def call(self, node: ast.CallNamedFunctionExpression) -> Iterator[Use]:
        """Yield a function that is called, and the names that its arguments are."""
        yield from self._function(node.functor)
        name = node.functor.value if isinstance(node.functor, ast.QualifiedName) else ""
        arguments = node.arguments
        if name in _DECLARING:
            for argument in arguments:
                yield from self._named("class", argument)
        elif name == "defined":
            for argument in arguments:
                yield from self._named(self._kind_of(argument), argument)
        elif name in _DIRECTORIES:
            # After the template of epp() come its parameters.
            for argument in arguments[:1] if name == "epp" else arguments:
                yield from self._file(_DIRECTORIES[name], argument)
            template = string_of(arguments[0]) if arguments else None
            if name == "epp" and template is not None:
                yield from self._keys(scope_of_template(template), arguments[1:2])
        elif name in _CREATING and arguments:
            yield from self._created(arguments)
        elif name == "ensure_packages" and arguments:
            yield from self._titles("package", arguments[0], is_definition=True)

    def included(self, node: ast.CallMethodExpression) -> Iterator[Use]:
        """Yield the classes of ``['a', 'b'].include``."""
        yield from self._named("class", node.functor.left)

    def _file(self, directory: str, node: ast.Node) -> Iterator[Use]:
        if isinstance(node, ast.LiteralString):
            yield Use(Target("file", node.value, directory), *self._inside(node))

    def _kind_of(self, node: ast.Node) -> UseKind:
        """Tell whether a name is that of a class or of a type: ``defined`` takes both."""
        name = plain(string_of(node) or "")
        found = None if self._known is None else self._known.in_module_file(name)
        if found is not None:
            return "class" if isinstance(found[1], ast.HostClassDefinition) else "type"
        is_type = self._known is not None and self._known.resource_type(name) is not None
        return "type" if is_type else "class"

    def _created(self, arguments: tuple[ast.Node, ...]) -> Iterator[Use]:
        """Yield the type, the titles and the parameters of resources that a function declares."""
        type_name = plain(string_of(arguments[0]) or "")
        yield from self._named("type", arguments[0])
        given = arguments[1] if len(arguments) > 1 else None
        scope = scope_of_define(type_name)
        if not isinstance(given, ast.LiteralHash):
            yield from self._titles(type_name, given, is_definition=True)
        else:
            for entry in given.entries:
                yield from self._titles(type_name, entry.key, is_definition=True)
                yield from self._keys(scope, [entry.value])
        yield from self._keys(scope, arguments[2:3])

    def _keys(self, scope: str, nodes: Iterable[ast.Node]) -> Iterator[Use]:
        """Yield the parameters that the keys of a literal hash name."""
        for node in nodes:
            for entry in node.entries if isinstance(node, ast.LiteralHash) else ():
                name = string_of(entry.key)
                if name and name not in METAPARAMETER_SET:
                    yield Use(Target("variable", name, scope), *self._inside(entry.key))

    # Resources

    def resources(self, node: ast.ResourceExpression) -> Iterator[Use]:
        """Yield the type, the titles and the attributes of declared resources."""
        type_name = node.type_name
        written = self._text[type_name.start : type_name.end]
        if written == "class":
            for body in node.bodies:
                yield from self._named("class", body.title)
                name = string_of(body.title)
                yield from self._attributes(name and scope_of_class(name), body.operations)
        elif isinstance(type_name, ast.QualifiedName):
            name = plain(type_name.value)
            yield Use(Target("type", name), type_name.start, type_name.end)
            for body in node.bodies:
                yield from self._titles(name, body.title, is_definition=True)
                yield from self._attributes(scope_of_define(name), body.operations)
        elif isinstance(type_name, ast.QualifiedReference):  # defaults in another form
            for body in node.bodies:
                yield from self._attributes(self._scope_of(type_name), body.operations)

    def _references(self, node: ast.AccessExpression) -> Iterator[Use]:
        """Yield what ``File['/x', '/y']`` and ``Class['a']`` name."""
        if isinstance(node.left, ast.QualifiedReference):
            type_name = plain(node.left.value)
            if type_name in DATA_TYPES:
                return
            for key in node.keys:
                if type_name == "class":
                    yield from self._named("class", key)
                else:
                    yield from self._titles(type_name, key)

    def _scope_of(self, node: ast.Node) -> str | None:
        """Return the scope with the parameters of ``File``, ``A::B['x']`` or ``Class['a']``."""
        reference = node.left if isinstance(node, ast.AccessExpression) else node
        if not isinstance(reference, ast.QualifiedReference):
            return None
        if plain(reference.value) != "class":
            return scope_of_define(reference.value)
        keys = node.keys if isinstance(node, ast.AccessExpression) else ()
        name = string_of(keys[0]) if len(keys) == 1 else None
        return name and scope_of_class(name)

    def _attributes(self, scope: str | None, operations: Iterable[ast.Node]) -> Iterator[Use]:
        """Yield the parameters that attributes set, and a provider that one names."""
        if scope is None:
            return
        for node in operations:
            if isinstance(node, ast.AttributesOperation):
                yield from self._keys(scope, [node.expr])
            elif isinstance(node, ast.AttributeOperation):
                if node.name in METAPARAMETER_SET:
                    continue
                end = node.start + len(node.name)
                yield Use(Target("variable", node.name, scope), node.start, end)
                provider = string_of(node.value) if node.name == "provider" else None
                if provider and scope.startswith("type "):
                    target = Target("provider", provider, scope.removeprefix("type "))
                    yield Use(target, *self._inside(node.value))

    def _query(self, scope: str | None, query: ast.Node) -> Iterator[Use]:
        """Yield the parameters and titles that a query compares."""
        if scope is None:
            return
        for node in query.walk():
            if not isinstance(node, ast.ComparisonExpression):
                continue
            name = string_of(node.left)
            if name == "title":
                yield from self._titles(scope.rpartition(" ")[2], node.right)
            elif name and name not in METAPARAMETER_SET:
                target = Target("variable", name, scope)
                yield Use(target, node.left.start, node.left.end)
