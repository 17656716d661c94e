"""Rename a class, defined type, function or type alias, in all files, and its own file."""

from __future__ import annotations

import re

from puppet_repl.catalog import core_types
from puppet_repl.language.functions.index import THEMES
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.definition_checks import TYPE_NAMES
from puppet_repl.language.syntax.placement import namespace_of
from puppet_repl.language.syntax.tokens import KEYWORDS
from puppet_repl.language.types.making.factory import lookup
from puppet_repl.tools.advice.nodes import bare, called, string_of
from puppet_repl.tools.editing.scopes import plain
from puppet_repl.tools.editing.uses import Target, uses_of
from puppet_repl.tools.inspection.cursor_context import LOOKUPS
from puppet_repl.tools.renaming.settings import DECLARING, READING
from puppet_repl.tools.renaming.templates import Templates
from puppet_repl.tools.renaming.values import Joined, Looked, Unknown, Values, Written, arguments
from puppet_repl.tools.renaming.work import Refused, Work, mention, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.tools.editing.uses import UseKind
    from puppet_repl.tools.renaming.sources import Code
    from puppet_repl.tools.renaming.work import Renaming

_LOWER = re.compile(r"[a-z]\w*(?:::[a-z]\w*)*", re.ASCII)
_CAPITAL = re.compile(r"[A-Z]\w*(?:::[A-Z]\w*)*", re.ASCII)
# The text of a type, as functions take it.
_TYPE = re.compile(r"[A-Z][\w:]*(?:\[.*\])?", re.ASCII | re.DOTALL)
_WORDS = {"class": "class", "define": "defined type", "function": "function", "type": "type alias"}
# Definitions of other kinds that code may mean with the same name.
_ALIKE = {"class": ("define",), "define": ("class", "type"), "type": ("define",)}
_DIRECTORIES = {"class": "manifests", "define": "manifests", "function": "functions"}
_KINDS_OF_USES: dict[str, UseKind] = {
    "class": "class",
    "define": "type",
    "function": "function",
    "type": "type",
}
_CLASSES = frozenset(("contain", "include", "require"))
# Functions with the name of a function in their first argument.
_CALLING = frozenset(("Deferred", "call"))
_TAGGING = frozenset(("tagged",))


def rename_definition(
    values: Values,
    kind: str,
    old: str,
    new: str,
    module_file: Callable[[str], str | None],
) -> Renaming:
    """Return the edits that give a definition another name; ``kind`` is that of ``Settings``.

    ``module_file`` returns ``module/directory/file`` for the path of a file that belongs to a
    module, else None. Raises Refused if the name cannot be changed without a change of the catalog.
    Code that computes any name when it runs is among the ``unseen`` places of the result.
    """
    new = new.removeprefix("::")
    if kind != "type" and _CAPITAL.fullmatch(new):
        new = new.lower()
    return _Definition(values, kind, plain(old), new, module_file).renaming()


class _Definition(Work):
    def __init__(
        self,
        values: Values,
        kind: str,
        old: str,
        new: str,
        module_file: Callable[[str], str | None],
    ) -> None:
        super().__init__(values, old, new.lower())
        self.kind = kind
        self.written = new
        self.module_file = module_file
        self.subject = f"a {_WORDS[kind]}"
        found = self.settings.definitions(kind, old)
        if len(found) != 1:
            number = "no file has" if not found else "several files have"
            raise Refused(f"{number} a definition of {old}")
        self.code, self.node = found[0]

    def renaming(self) -> Renaming:
        """Return all edits."""
        self._check_name()
        self._check_place()
        self.refuse_if_broken(self.old)
        target = Target(_KINDS_OF_USES[self.kind], self.old)
        for code in self.sources.codes:
            for use in uses_of(code.program, target):
                self._use(code, use.start, use.end, use.is_definition)
            for node in code.nodes:
                self._node(code, node)
        if self.kind == "class":
            self._class()
        elif self.kind == "function":
            self.in_templates(mention(self.old), self.new, "\0", is_function=True)
        self.refuse_in_inline_epp(self.old)
        self._data()
        patterns = [quoted(self.old), quoted(_capital(self.old))]
        if self.kind == "type":
            patterns.append(re.compile(rf"['\"][^'\"]*{mention(_capital(self.old)).pattern}", re.I))
        elif self.kind == "class" and "::" not in self.old:
            # A package, a service, a user may have the same name.
            patterns = [
                re.compile(rf"(?:include|contain|lass).*{each.pattern}") for each in patterns
            ]
        self.refuse_in_ruby(*patterns)
        return self.done

    # The new name

    def _check_name(self) -> None:
        new, old = self.new, self.old
        pattern = _CAPITAL if self.kind == "type" else _LOWER
        if not pattern.fullmatch(self.written):
            raise Refused(f"'{self.written}' is not the name of a {_WORDS[self.kind]}")
        if new in TYPE_NAMES or new in KEYWORDS or new in ("main", "settings"):
            raise Refused(f"{new} has a meaning in Puppet")
        kinds = ("class", "define", "type") if self.kind != "function" else ("function",)
        for kind in kinds:
            for code, _ in self.settings.definitions(kind, new):
                raise Refused(f"{self.shown(code.path)} has a {_WORDS[kind]} {new} already")
        for kind in _ALIKE.get(self.kind, ()):
            if self.settings.definitions(kind, old):
                raise Refused(f"there is a {_WORDS[kind]} {old}, too")
        is_known = (
            (self.kind == "function" and new in THEMES)
            or (self.kind == "define" and core_types.find(new) is not None)
            or (self.kind in ("define", "type") and lookup(new) is not None)
        )
        if is_known:
            raise Refused(f"{self.written} is a name of Puppet itself")

    def _check_place(self) -> None:
        """Note the new path of the file; refuse a name that Puppet would not find in its file."""
        path = self.code.path
        inside = self.module_file(path)
        if inside is None:
            return
        module, directory, *_ = inside.split("/")
        wanted = _DIRECTORIES.get(self.kind, "types")
        namespace = namespace_of(inside)
        if directory != wanted or namespace is None:
            return
        if self.new.partition("::")[0] != self.old.partition("::")[0]:
            raise Refused(f"names in the module {module} are {module} or begin with {module}::")
        module = self.old.partition("::")[0]
        place = _autoloaded(self.kind, self.old)
        if not path.replace("\\", "/").endswith(f"/{place}"):
            start = namespace_of(f"{module}/{inside.partition('/')[2]}")
            if start is not None and f"{self.new}::".startswith(f"{start}::"):
                return
            raise Refused(f"Puppet would not look for {self.new} in {self.shown(path)}")
        if len(self.code.program.definitions) > 1:
            raise Refused(f"{self.shown(path)} has further definitions, which would have to move")
        if self.kind != "class" and self.kind != "define" and "::" not in self.new:
            raise Refused(f"'{self.written}' has no file in the module")
        target = path[: len(path) - len(place)] + _autoloaded(self.kind, self.new)
        if target != path:
            if target in self.sources.paths:
                raise Refused(f"{self.shown(target)} is there already")
            self.done.move = path, target

    # Uses in code

    def _use(self, code: Code, start: int, end: int, is_definition: bool) -> None:
        text = code.text[start:end]
        word = text.removeprefix("::")
        start = end - len(word)
        if plain(word) != self.old:  # the name of a definition inside of another
            around, _, last = self.new.rpartition("::")
            if not is_definition or around != self.old.rpartition("::")[0]:
                raise Refused(f"{self.shown(code.path)}:{code.line(start)} names only a part of it")
            self.done.edit(code.path, start, end, last)
            return
        new = self.new
        if word[:1].isupper() and self.kind != "class":
            new = self.written if self.kind == "type" else _capital(self.new)
        self.done.edit(code.path, start, end, new)

    def _name(self, code: Code, node: ast.Node) -> None:
        """Rename what an expression names, however it computes it from literals and data."""
        self.texts(code, node, self.old, self.subject)

    def _node(self, code: Code, node: ast.Node) -> None:
        if isinstance(node, ast.CallNamedFunctionExpression | ast.CallMethodExpression):
            self._call(code, node)
        elif isinstance(node, ast.ResourceExpression):
            self._resource(code, node)
        elif isinstance(node, ast.AccessExpression):
            self._reference(code, node)
        elif isinstance(node, ast.VariableExpression) and self.kind == "class":
            self._variable(code, node)
        elif isinstance(node, ast.CollectExpression):
            self._collected(code, node)
        elif isinstance(node, ast.LiteralString | ast.ConcatenatedString):
            self._text(code, node)

    def _call(self, code: Code, node: ast.Node) -> None:
        name, given = called(node), arguments(node)
        functor = getattr(node, "functor", None)
        if isinstance(functor, ast.QualifiedReference):
            name = functor.value
        if not given:
            return
        if self.kind == "class" and name in _CLASSES:
            for each in given:
                self._name(code, each)
        elif name in DECLARING:
            self._declared(code, name, given)
        elif name == "defined":
            for each in given:
                if self.kind in ("class", "define"):
                    self._known(code, each)
        elif name in _TAGGING:
            for each in given:
                self._tag(code, each)
        elif self.kind == "function" and name in _CALLING:
            self._name(code, given[0])
        if self.kind == "class" and (name in LOOKUPS or name in READING):
            self._qualified(code, given[0], name)
        if self.kind == "class" and name == "hiera_include":
            key = string_of(given[0])
            for data, scalar in () if key is None else self.scalars_of(key):
                if plain(scalar.text) == self.old:
                    self.write_scalar(data, scalar, self.old, self.new)

    def _declared(self, code: Code, name: str, given: tuple[ast.Node, ...]) -> None:
        if self.kind == "define":
            self._name(code, given[0])
        elif self.kind == "class" and len(given) > 1:
            texts = list(self.values.texts(code, given[0]))
            if any(not isinstance(each, Written) or each.text == "class" for each in texts):
                if name == "ensure_resource":
                    self._name(code, given[1])
                else:
                    for origin in self.values.keys(code, given[1]):
                        if isinstance(origin, Written) and plain(origin.text) == self.old:
                            self.write(origin.code, origin.node)
                        elif isinstance(origin, Unknown):
                            what = f"computes the name of {self.subject}"
                            self.note_unseen(code, given[1], what)
                        elif isinstance(origin, Looked) or self.may_be(origin, self.old):
                            place = self.place(origin.code, origin.node)
                            raise Refused(f"{place} computes the name of {self.subject}")

    def _known(self, code: Code, node: ast.Node) -> None:
        """Rename the literal that ``defined`` asks for."""
        if string_of(node) is not None or isinstance(node, ast.ConcatenatedString):
            self._name(code, node)

    def _resource(self, code: Code, node: ast.ResourceExpression) -> None:
        if code.text[node.type_name.start : node.type_name.end] == "class":
            for body in node.bodies:
                if self.kind == "class" and not isinstance(body.title, ast.LiteralDefault):
                    self._name(code, body.title)
        elif self.kind == "define" and not isinstance(
            node.type_name, ast.QualifiedName | ast.AccessExpression
        ):
            self._name(code, node.type_name)

    def _reference(self, code: Code, node: ast.AccessExpression) -> None:
        name = plain(node.left.value) if isinstance(node.left, ast.QualifiedReference) else ""
        if name == "class" and self.kind == "class":
            for key in node.keys:
                self._name(code, key)
        elif name == "resource" and node.keys:
            if self.kind == "define":
                if not isinstance(node.keys[0], ast.QualifiedReference):
                    self._name(code, node.keys[0])
            elif self.kind == "class" and string_of(node.keys[0]) in ("class", None):
                for key in node.keys[1:]:
                    self._name(code, key)

    def _variable(self, code: Code, node: ast.VariableExpression) -> None:
        name = node.name.removeprefix("::")
        if name.rpartition("::")[0] == self.old:
            start = node.end - len(name)
            self.done.edit(code.path, start, start + len(self.old), self.new)

    def _text(self, code: Code, node: ast.LiteralString | ast.ConcatenatedString) -> None:
        """Rename references in a text: ``Class[a::b]``, ``A::B[title]``."""
        if self.kind == "type" and isinstance(node, ast.LiteralString):
            if _TYPE.fullmatch(node.value):
                name = str(getattr(self.node, "name", "")).removeprefix("::")
                for found in mention(name).finditer(code.text, node.start, node.end):
                    self.done.edit(code.path, *found.span(1), self.written)
        if self.kind not in ("class", "define"):
            return
        first: ast.Node = node
        if isinstance(node, ast.ConcatenatedString):
            first = node.segments[0]
        if not isinstance(first, ast.LiteralString):
            return
        text = first.value
        if self.kind == "define":
            if re.match(rf"(?:::)?{re.escape(_capital(self.old))}\[", text):
                self.write(code, first, _capital(self.old), _capital(self.new))
        elif isinstance(node, ast.LiteralString):
            if re.fullmatch(rf"Class\[(?:::)?{re.escape(self.old)}\]", text, re.IGNORECASE):
                old = text[text.lower().index(self.old) :][: len(self.old)]
                self.write(code, node, old, self.new)
        elif text.lower().startswith("class["):
            for origin in self.values.texts(code, node):
                if self.may_be(origin, f"class[{self.old}]"):
                    raise Refused(f"{self.place(code, node)} computes the name of a class")

    def _qualified(self, code: Code, node: ast.Node, name: str) -> None:
        """Rename the class in a text that names one of its variables or keys."""
        pattern = re.compile(rf"\$?(?:::)?{re.escape(self.old)}::[a-z_]\w*(?:\.|\Z)")
        start = "$" if name == "defined" else ""
        for origin in self.values.texts(code, node):
            if isinstance(origin, Written):
                if pattern.match(origin.text):
                    self.write(origin.code, origin.node)
            elif isinstance(origin, Unknown):
                what = "computes the name of a variable or key, perhaps of the class"
                self.note_unseen(origin.code, origin.node, what)
            elif self.may_be(origin, *[f"{start}{each}" for each in self._keys()]):
                place = self.place(code, node)
                raise Refused(f"{place} computes a name that begins with that of the class")

    def _keys(self) -> dict[str, str]:
        """Return the new keys of the data by the old ones: those of parameters, and others."""
        start = f"{self.old}::"
        found = {
            key.text: f"{self.new}::{key.text[len(start) :]}"
            for data in self.sources.data
            for key, _ in data.pairs
            if key.text.startswith(start) and "::" not in key.text[len(start) :]
        }
        for parameter in getattr(self.node, "parameters", ()):
            found[f"{start}{parameter.name}"] = f"{self.new}::{parameter.name}"
        return found

    # Tags

    def _collected(self, code: Code, node: ast.CollectExpression) -> None:
        for each in node.query.walk():
            if isinstance(each, ast.ComparisonExpression):
                name = each.left
                if isinstance(name, ast.QualifiedName) and name.value == "tag":
                    self._tag(code, each.right)

    def _tag(self, code: Code, node: ast.Node) -> None:
        """Refuse if resources would have a tag no longer, or get one."""
        if self.kind not in ("class", "define"):
            return
        old = {self.old, *self.old.split("::")}
        changed = old ^ {self.new, *self.new.split("::")}
        for origin in self.values.texts(code, node):
            if isinstance(origin, Written):
                is_one = plain(origin.text) in changed
            elif isinstance(origin, Joined):
                is_one = self.may_be(origin, *changed)
            else:
                is_one = False
                if isinstance(bare(node), ast.VariableExpression):
                    self.note_unseen(code, node, "selects resources by a tag that is computed")
            if is_one:
                place = self.place(code, node)
                raise Refused(f"{place} selects resources by tags, and the name is one")

    # Classes

    def _class(self) -> None:
        for each in self.node.walk():
            if isinstance(each, ast.VariableExpression) and each.name in ("name", "title"):
                if not _is_of_define(self.code, each, self.node):
                    place = self.place(self.code, each)
                    raise Refused(f"{place} uses the name of the class as ${each.name}")
        Templates(self.sources).refuse_variable([(self.code, self.node)], "name", "title")
        self.in_templates(_inner(self.old), self.new, f"{self.old}::")

    # Data

    def _data(self) -> None:
        if self.kind == "class":
            keys = self._keys()
            for new in keys.values():
                if self.sources.has_key(new):
                    raise Refused(f"the data have the key {new} already")
            self.check_patterns(keys)
            self.data_keys(keys.get)
            self.interpolations(_inner(self.old), self.new)
        for data in self.sources.data:
            self._in_data(data.path, data.text)
        for path, text in self.sources.others(".conf"):
            if mention(self.old).search(text) and "::" in self.old:
                raise Refused(f"{self.shown(path)} has the name")

    def _in_data(self, path: str, text: str) -> None:
        """Rename references to resources, names of functions in hiera.yaml, types of values."""
        capital = re.escape(_capital(self.old))
        if self.kind == "class":
            if "calling_class" in text and path.endswith("hiera.yaml"):
                raise Refused(f"{self.shown(path)} has a path with the name of the class")
            for found in re.finditer(
                rf"(?<!\w)Class\[(?:::)?({re.escape(self.old)})\]", text, re.IGNORECASE
            ):
                self.done.edit(path, *found.span(1), self.new)
        elif self.kind == "define":
            for found in re.finditer(rf"(?<![\w:])({capital})\[", text):
                self.done.edit(path, *found.span(1), _capital(self.new))
        elif self.kind == "function":
            pattern = re.compile(
                rf"(?m)^[\s-]*(?:data_dig|data_hash|lookup_key):\s*[\"']?({re.escape(self.old)})(?!\w|::)"
            )
            for found in pattern.finditer(text):
                self.done.edit(path, *found.span(1), self.new)
        else:
            name = re.escape(getattr(self.node, "name", "").removeprefix("::"))
            for found in re.finditer(rf"(?<![\w:])({name})(?!\w|::\w)", text):
                if "::" in name:
                    self.done.edit(path, *found.span(1), self.written)


def _inner(name: str) -> re.Pattern[str]:
    """Return the pattern of the class in names of its variables and keys."""
    return re.compile(rf"(?<![\w:])(?:::)?({re.escape(name)})::[a-z_]\w*(?!\w|::\w)")


def _autoloaded(kind: str, name: str) -> str:
    """Return the file below the directory of a module in which Puppet looks for a name."""
    _, *rest = name.split("::")
    directory = _DIRECTORIES.get(kind, "types")
    return f"{directory}/{'/'.join(rest or ['init'])}.pp"


def _capital(name: str) -> str:
    return "::".join(each.capitalize() for each in name.split("::"))


def _is_of_define(code: Code, node: ast.Node, outer: ast.Node) -> bool:
    """Tell whether a node in a definition is in another one inside of it."""
    inner: ast.Node | None = node
    while inner is not None and inner is not outer:
        if isinstance(inner, ast.ResourceTypeDefinition | ast.HostClassDefinition):
            return True
        inner = code.parents.get(id(inner))
    return False
