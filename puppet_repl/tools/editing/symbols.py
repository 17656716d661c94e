"""The names of texts that have not run: of open texts, of a session, of all files around."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_text
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session.symbols import SessionSymbols, type_spelling
from puppet_repl.tools.editing.scopes import inherited_at, visible_at
from puppet_repl.tools.editing.uses import titles_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Literal, TypeAlias

    from puppet_repl.language.runtime.closure import UserFunction
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.syntax.bindings import Binding
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.session import Session
    from puppet_repl.session.symbols import NamedDefinition
    from puppet_repl.tools.editing.documents import Tree
    from puppet_repl.tools.editing.index import Entry, Index

    DefinitionKind: TypeAlias = Literal["class", "define", "function", "type"]

_CODE: tuple[DefinitionKind, ...] = ("class", "define", "function")


class Definitions:
    """What programs define, by kind and name in small letters; later ones count."""

    __slots__ = ("_aliases", "_code")

    def __init__(self, programs: Iterable[ast.Program]) -> None:
        self._code: dict[DefinitionKind, dict[str, tuple[Source, NamedDefinition]]] = {
            kind: {} for kind in _CODE
        }
        self._aliases: dict[str, tuple[Source, ast.TypeAlias]] = {}
        for program in programs:
            for node in program.definitions:
                self._add(program.source, node)

    def _add(self, source: Source, node: ast.Node) -> None:
        if isinstance(node, ast.HostClassDefinition):
            self._code["class"][_key(node.name)] = source, node
        elif isinstance(node, ast.ResourceTypeDefinition):
            self._code["define"][_key(node.name)] = source, node
        elif isinstance(node, ast.FunctionDefinition):
            self._code["function"][_key(node.name)] = source, node
        elif isinstance(node, ast.TypeAlias):
            self._aliases[_key(node.name)] = source, node

    def names(self, kind: DefinitionKind) -> Iterable[str]:
        """Return the names of a kind, types with their capital letters."""
        if kind == "type":
            return [node.name.removeprefix("::") for _, node in self._aliases.values()]
        return self._code[kind]

    def code(self, name: str) -> tuple[Source, NamedDefinition] | None:
        """Return a class, defined type or function by its name."""
        key = _key(name)
        return next((self._code[kind][key] for kind in _CODE if key in self._code[kind]), None)

    def has(self, kind: DefinitionKind, name: str) -> bool:
        """Tell whether there is a definition of a kind with a name."""
        return _key(name) in (self._aliases if kind == "type" else self._code[kind])

    def type_in_source(self, name: str) -> tuple[Source, int, str] | None:
        """Return a type alias by its name: the source, its start there, and its right side."""
        found = self._aliases.get(_key(name))
        if found is None:
            return None
        source, node = found
        return source, node.start, source.text[node.type_expr.start : node.type_expr.end]


def _key(name: str) -> str:
    return name.removeprefix("::").lower()


class TextSymbols(SessionSymbols):
    """The names of a session, and of texts that define further ones or others."""

    def __init__(
        self,
        session: Session,
        tree: Tree | None,
        cursor: int = 0,
        others: Iterable[ast.Program] = (),
    ) -> None:
        """Take the tree of the text with the cursor, the cursor, and the trees of other texts."""
        super().__init__(session)
        self.tree = tree
        self.cursor = cursor
        self.programs = [*others, *([] if tree is None else [tree.program])]
        self.own = Definitions(self.programs)
        # The classes that bind the variables that code of a class sees, by their names.
        self.owners: dict[str, dict[str, str]] = {}

    def _with(self, kind: DefinitionKind, names: Iterable[str]) -> list[str]:
        return sorted({*names, *self.own.names(kind)})

    def function_names(self) -> list[str]:
        """Return the names of all functions."""
        return self._with("function", super().function_names())

    def type_names(self) -> list[str]:
        """Return the names of data types and aliases."""
        return self._with("type", super().type_names())

    def class_names(self) -> list[str]:
        """Return the names of classes."""
        return self._with("class", super().class_names())

    def defined_type_names(self) -> list[str]:
        """Return the names of defined types."""
        return self._with("define", super().defined_type_names())

    # A definition in a text is newer than one of the same name that has run.

    def user_functions(self) -> dict[str, UserFunction]:
        """Return the functions that have been loaded and are not in the texts."""
        found = super().user_functions()
        return {name: each for name, each in found.items() if not self.own.has("function", name)}

    def type_aliases(self) -> dict[str, PuppetType]:
        """Return the types that have been loaded and are not in the texts."""
        found = super().type_aliases()
        return {name: each for name, each in found.items() if not self.own.has("type", name)}

    def definitions(self) -> dict[str, Definition]:
        """Return the classes and nodes that have been loaded and are not in the texts."""
        found = super().definitions()
        return {name: each for name, each in found.items() if not self.own.has("class", name)}

    def defines(self) -> dict[str, Definition]:
        """Return the defined types that have been loaded and are not in the texts."""
        found = super().defines()
        return {name: each for name, each in found.items() if not self.own.has("define", name)}

    def text_variables(self) -> dict[str, Binding]:
        """Return the variables that the tree has around the cursor, the nearest first."""
        if self.tree is None:
            return {}
        found = visible_at(self.tree.program, self.tree.to_tree(self.cursor))
        parent = inherited_at(self.tree.program, self.tree.to_tree(self.cursor))
        inherited = {} if parent is None else self.variables_in_module(parent)
        return {**inherited, **found}

    def titles(self, type_name: str) -> list[str]:
        """Return the titles in the text with the cursor, in others, and in the session."""
        wanted = _key(type_name)
        found = [
            target.name
            for program in reversed(self.programs)
            for target in titles_in(program)
            if target.scope == wanted
        ]
        return [*dict.fromkeys([*found, *super().titles(type_name)])]

    def references(self) -> list[tuple[str, str]]:
        """Return types and titles of resources in the text with the cursor, then in the session."""
        found = [] if self.tree is None else [*titles_in(self.tree.program)]
        own = [(type_spelling(target.scope), target.name) for target in found]
        return [*dict.fromkeys([*own, *super().references()])]

    def node_names(self) -> list[str]:
        """Return the names of nodes without those that have a block in the text."""
        nodes = [] if self.tree is None else self.tree.program.definitions
        matches = [
            name for node in nodes if isinstance(node, ast.NodeDefinition) for name in node.matches
        ]
        blocks = {name.value for name in matches if isinstance(name, ast.LiteralString)}
        return [name for name in super().node_names() if name not in blocks]

    def program_of(self, path: str) -> ast.Program | None:
        """Return the tree of a manifest or template, that of a text if the file is open."""
        opened = (each for each in self.programs if each.source.name == path)
        return next(opened, None) or super().program_of(path)

    def in_module_file(self, name: str) -> tuple[Source, NamedDefinition] | None:
        """Return a definition by its name, from the texts or from the file of a module."""
        return self.own.code(name) or super().in_module_file(name)

    def in_type_file(self, name: str) -> tuple[Source, int, str] | None:
        """Return a type by its name, from the texts or from the file of a module."""
        return self.own.type_in_source(name) or super().in_type_file(name)


class WorkspaceSymbols(TextSymbols):
    """The names of texts and of a session, and those in files that Puppet would not find by name.

    Such are the definitions of site manifests, and those of files that have just been saved.
    ``is_seen`` tells of an indexed file whether its definitions count.
    """

    def __init__(
        self,
        session: Session,
        tree: Tree | None,
        cursor: int,
        others: Iterable[ast.Program],
        index: Index,
        is_seen: Callable[[str], bool],
    ) -> None:
        super().__init__(session, tree, cursor, others)
        self._index = index
        self._is_seen = is_seen

    def _with(self, kind: DefinitionKind, names: Iterable[str]) -> list[str]:
        indexed = [each.name for each in self._seen(self._index) if each.kind == kind]
        return super()._with(kind, [*names, *indexed])

    def _seen(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        return (each for each in entries if self._is_seen(each.path))

    def _indexed(self, name: str) -> Iterator[Definitions]:
        """Yield what the files define that have a definition of a name."""
        for path in dict.fromkeys([each.path for each in self._seen(self._index.of(name))]):
            try:
                yield Definitions([parse(Source(read_text(path), path))])
            except (OSError, UnicodeError, PuppetError):
                continue  # the file has changed since the last index

    def titles(self, type_name: str) -> list[str]:
        """Return the titles of resources in texts, and then those in all files."""
        found = self._index.titles(_key(type_name))
        indexed = sorted({title for path, title in found if self._is_seen(path)})
        return [*dict.fromkeys([*super().titles(type_name), *indexed])]

    def in_module_file(self, name: str) -> tuple[Source, NamedDefinition] | None:
        """Return a definition by its name; the file that Puppet would load comes first."""
        found = (each.code(name) for each in self._indexed(name))
        return super().in_module_file(name) or next(filter(None, found), None)

    def in_type_file(self, name: str) -> tuple[Source, int, str] | None:
        """Return a type by its name; the file that Puppet would load comes first."""
        found = (each.type_in_source(name) for each in self._indexed(name))
        return super().in_type_file(name) or next(filter(None, found), None)
