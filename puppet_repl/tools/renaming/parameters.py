"""Rename a parameter, or a variable of a class, in all files that may set or read it."""

from __future__ import annotations

import re

from puppet_repl.catalog.resource_types import METAPARAMETER_SET
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.bindings import bound_in, takes_by_name
from puppet_repl.language.syntax.tokens import KEYWORDS
from puppet_repl.tools.advice.nodes import bare, called, string_of
from puppet_repl.tools.editing.scopes import Variables, plain
from puppet_repl.tools.inspection.cursor_context import LOOKUPS
from puppet_repl.tools.renaming.settings import DECLARING, READING
from puppet_repl.tools.renaming.templates import Templates
from puppet_repl.tools.renaming.values import (
    Joined,
    Looked,
    Values,
    Written,
    arguments,
)
from puppet_repl.tools.renaming.work import Refused, Work, mention, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from puppet_repl.tools.renaming.settings import Setting
    from puppet_repl.tools.renaming.sources import Code
    from puppet_repl.tools.renaming.work import Renaming

    Owner: TypeAlias = ast.HostClassDefinition | ast.ResourceTypeDefinition

_NAME = re.compile(r"[a-z]\w*", re.ASCII)
_RESERVED = frozenset(
    (
        *("caller_module_name", "facts", "module_name", "name", "server_facts", "title"),
        *("trusted", *METAPARAMETER_SET, *KEYWORDS),
    )
)
_RENDERING = frozenset(("epp", "inline_epp"))
_OF_ATTRIBUTES = frozenset(("defined_with_params", "getparam"))


def rename_parameter(values: Values, kind: str, owner: str, old: str, new: str) -> Renaming:
    """Return the edits that give a parameter another name; ``kind`` is "class" or "define".

    Of a class it may also be a variable that the class assigns.

    Raises Refused if the name cannot be changed without a change of the catalog.
    """
    return _Parameter(values, kind, plain(owner), old, new).renaming()


class _Parameter(Work):
    def __init__(self, values: Values, kind: str, owner: str, old: str, new: str) -> None:
        super().__init__(values, old, new)
        self.is_class = kind == "class"
        self.owner = owner
        self.subject = f"{'class' if self.is_class else 'resources of'} {owner}"
        found = self.settings.definitions(kind, owner)
        if len(found) != 1:
            number = "no file has" if not found else "several files have"
            raise Refused(f"{number} a definition of {owner}")
        self.code, node = found[0]
        assert isinstance(node, ast.HostClassDefinition | ast.ResourceTypeDefinition)
        self.node: Owner = node
        # Hashes whose keys nobody knows, as places.
        self.computed: list[str] = []
        # The class and those that inherit from it: their names lead to the variable, too.
        self.names = [owner]
        self.is_parameter = any(each.name == old for each in node.parameters)

    def renaming(self) -> Renaming:
        """Return all edits."""
        self._check_name()
        self.refuse_if_broken(f"{self.owner}::{self.old}", self.owner)
        scopes = [(self.code, self.node), *self._inheriting()]
        self.names = [plain(node.name) for _, node in scopes]
        for code, node in scopes:
            self._in_body(code, node)
        self._comment()
        for code in self.sources.codes:
            for each in code.nodes:
                self._node(code, each)
        for setting in self.settings.all if self.is_parameter else ():
            self._setting(setting)
        if self.is_class:
            if self.is_parameter:
                self._data()
            else:
                self._check_key()
            whole = f"{self.owner}::{self.old}"
            self.refuse_in_ruby(quoted(whole))
            for owner in self.names:
                name = mention(f"{owner}::{self.old}")
                self.in_templates(name, f"{owner}::{self.new}", f"{owner}::")
                self.interpolations(name, f"{owner}::{self.new}")
                self.refuse_in_inline_epp(f"{owner}::{self.old}")
            self._check_texts(whole)
        Templates(self.sources).refuse_variable(scopes, self.old, self.new)
        self._check_computed()
        return self.done

    def _check_name(self) -> None:
        if not self.is_parameter:
            if not self.is_class:
                raise Refused(f"{self.owner} has no parameter {self.old}")
            if self.old not in bound_in(self.node):
                raise Refused(f"{self.owner} has no parameter and assigns no variable {self.old}")
        if not _NAME.fullmatch(self.new):
            word = "parameter" if self.is_parameter else "variable"
            raise Refused(f"'{self.new}' is not the name of a {word}")
        if self.new in _RESERVED:
            raise Refused(f"{self.new} has a meaning in Puppet")
        if self.old in _RESERVED or not _NAME.fullmatch(self.old):
            raise Refused(f"{self.old} has a meaning in Puppet")

    # The variable

    def _inheriting(self) -> list[tuple[Code, Owner]]:
        """Return the classes that inherit the variable, also through others."""
        found: list[tuple[Code, Owner]] = []
        names = [self.owner] if self.is_class else []
        for name in names:  # it grows
            for code in self.sources.codes:
                for node in code.program.definitions:
                    if isinstance(node, ast.HostClassDefinition) and node.parent is not None:
                        is_new = plain(node.name) not in names and self.old not in bound_in(node)
                        if plain(node.parent) == name and is_new:
                            found.append((code, node))
                            names.append(plain(node.name))
        return found

    def _in_body(self, code: Code, node: Owner) -> None:
        """Rename the variable in the definition, or in one that inherits it."""
        inner = _definitions_in(node)
        for each in Variables(code.program):
            is_own = each.scope is node if node is self.node else not each.owner
            for use in each.uses:
                start = use.end - len(each.name)
                if not node.start <= start < node.end or any(
                    other.start <= start < other.end for other in inner
                ):
                    continue
                if start != use.start:  # a qualified name
                    continue
                if each.name == self.new:
                    line = code.line(start)
                    raise Refused(
                        f"there is a variable ${self.new}: {self.shown(code.path)}:{line}"
                    )
                if each.name == self.old and is_own:
                    self.done.edit(code.path, start, use.end, self.new)

    def _comment(self) -> None:
        """Rename the parameter in the comment above its definition."""
        text = self.code.text
        start = text.rfind("\n", 0, self.node.start) + 1
        end = start
        while start > 0:
            above = text.rfind("\n", 0, start - 1) + 1
            if not text[above:start].lstrip().startswith("#"):
                break
            start = above
        old = re.escape(self.old)
        pattern = re.compile(
            rf"@(?:param|option)\s+(?:\[[^\]\n]*\]\s*)?({old})(?!\w)|\[\*({old})\*\]|\$({old})::"
        )
        for found in pattern.finditer(text, start, end):
            self.done.edit(self.code.path, *found.span(found.lastindex or 0), self.new)

    # Uses in all code

    def _node(self, code: Code, node: ast.Node) -> None:
        if isinstance(node, ast.VariableExpression):
            if self.is_class:
                self._qualified(code, node)
        elif isinstance(node, ast.AssignmentExpression):
            self._assignment(code, node)
        elif isinstance(node, ast.AccessExpression):
            if self.is_parameter:
                self._access(code, node)
        elif isinstance(node, ast.CallNamedFunctionExpression | ast.CallMethodExpression):
            self._call(code, node)

    def _qualified(self, code: Code, node: ast.VariableExpression) -> None:
        name = node.name.removeprefix("::")
        owner, _, local = name.rpartition("::")
        if owner not in self.names:
            return
        if local == self.new:
            raise Refused(f"there is a variable ${name}: {self.place(code, node)}")
        if local == self.old:
            self.done.edit(code.path, node.end - len(self.old), node.end, self.new)

    def _assignment(self, code: Code, node: ast.AssignmentExpression) -> None:
        """Refuse if the names of variables say which keys or variables they are assigned from."""
        inside = code is self.code and self.node.start <= node.start < self.node.end
        if takes_by_name(node, self.old) and (inside or self._is_mine(code, node.right)):
            raise Refused(f"{self.place(code, node)} takes a value by the name ${self.old}")

    def _access(self, code: Code, node: ast.AccessExpression) -> None:
        """Rename ``A::B['x']['p']``."""
        left: ast.Node = node.left
        if isinstance(left, ast.VariableExpression):
            for place, binding in self.values.bindings(code, left):
                if isinstance(binding.node, ast.AssignmentExpression):
                    code, left = place, binding.node.right
        if isinstance(left, ast.AccessExpression) and self._is_mine(code, left):
            for key in node.keys:
                self._names(code, key, f"an attribute of {self.subject}")

    def _is_mine(self, code: Code, node: ast.Node) -> bool:
        """Tell whether a reference is to the class, or to resources of the type."""
        node = bare(node)
        if isinstance(node, ast.QualifiedReference):
            return not self.is_class and plain(node.value) == self.owner
        if not isinstance(node, ast.AccessExpression):
            return False
        name = plain(node.left.value) if isinstance(node.left, ast.QualifiedReference) else ""
        if name == "class" and self.is_class:
            return any(self._may_name(code, key) for key in node.keys)
        if name == "resource" and node.keys:
            first = node.keys[0]
            if isinstance(first, ast.QualifiedReference):
                return not self.is_class and plain(first.value) == self.owner
            if self.is_class:
                return string_of(first) == "class" and any(
                    self._may_name(code, key) for key in node.keys[1:]
                )
            return self._may_name(code, first)
        return bool(name) and not self.is_class and name == self.owner

    def _may_name(self, code: Code, node: ast.Node) -> bool:
        """Tell whether an expression may name the class or type."""
        for origin in self.values.texts(code, node):
            if isinstance(origin, Written):
                if plain(origin.text) == self.owner:
                    return True
            elif isinstance(origin, Looked):
                scalars = self.scalars_of(origin.key)
                if any(plain(each.text) == self.owner or "%{" in each.text for _, each in scalars):
                    return True
            elif self.may_be(origin, self.owner):
                return True
        return False

    def _names(self, code: Code, node: ast.Node, subject: str) -> None:
        """Rename the parameter in an expression whose text is its name."""
        for origin in self.values.texts(code, node):
            if isinstance(origin, Written):
                if origin.text == self.old:
                    self.write(origin.code, origin.node)
            elif isinstance(origin, Looked) or self.may_be(origin, self.old):
                raise Refused(f"{self.place(origin.code, origin.node)} computes {subject}")

    # Calls

    def _call(self, code: Code, node: ast.Node) -> None:
        name, given = called(node), arguments(node)
        if not self.is_parameter and (name in LOOKUPS or name not in READING):
            return
        if name in DECLARING and given:
            self._declared(code, node, name, given)
        elif name in _OF_ATTRIBUTES and len(given) > 1 and self._is_mine(code, given[0]):
            if name == "getparam":
                self._names(code, given[1], f"an attribute of {self.subject}")
            else:
                self._hash(code, given[1], 0)
        elif name in READING or name in LOOKUPS:
            for each in given[:1]:
                self._read(code, each, name in LOOKUPS)

    def _declared(self, code: Code, node: ast.Node, name: str, given: tuple[ast.Node, ...]) -> None:
        """Rename the keys of hashes that resources are made of."""
        if not self.is_class:
            if not self._may_name(code, given[0]):
                return
        elif "class" not in _texts(self.values, code, given[0]) or len(given) < 2:
            return
        elif name == "ensure_resource":
            if not self._may_name(code, given[1]):
                return
        else:
            titles = list(self.values.keys(code, given[1]))
            names = {plain(each.text) for each in titles if isinstance(each, Written)}
            if names != {self.owner} or len(names) < len(titles):
                if self.owner in names or len(names) < len(titles):
                    # Which of the classes have the attributes is in the hash.
                    self.computed.append(self.place(code, node))
                return
        for index, depth in DECLARING[name]:
            for each in given[index : index + 1]:
                self._hash(code, each, depth)

    def _hash(self, code: Code, node: ast.Node, depth: int) -> None:
        """Rename the keys of a hash that has attributes."""
        for origin in self.values.keys(code, node, depth):
            if isinstance(origin, Written):
                if origin.text == self.old:
                    self.write(origin.code, origin.node)
            elif isinstance(origin, Looked):
                self.nested_keys(origin, self.computed)
            elif self.may_be(origin, self.old):
                self.computed.append(self.place(origin.code, origin.node))

    def _read(self, code: Code, node: ast.Node, is_lookup: bool) -> None:
        """Rename the parameter in a text that names a variable or a key of the data."""
        owners = self.names if self.is_class else []
        either = "|".join(map(re.escape, owners[:1] if is_lookup else owners))
        pattern = re.compile(rf"\$?(?:::)?(?:{either})::{re.escape(self.old)}(?:\.|\Z)")
        inside = self.node.start <= node.start < self.node.end and code is self.code
        for origin in self.values.texts(code, node):
            if isinstance(origin, Written):
                text = origin.text
                is_local = inside and not is_lookup
                if owners and pattern.match(text):
                    first = text.partition(".")[0]
                    owner = first.lstrip("$:").rpartition("::")[0]
                    whole = f"{owner}::{self.old}"
                    self.write(origin.code, origin.node, whole, f"{owner}::{self.new}")
                elif is_local and re.match(rf"\$?{re.escape(self.old)}(?:\.|\Z)", text):
                    self.write(origin.code, origin.node)
            elif isinstance(origin, Joined):
                wholes = [f"{each}::{self.old}" for each in owners]
                names = [f"{sign}{each}" for each in wholes for sign in ("", "$", "$::")]
                if inside and not is_lookup:
                    names += [self.old, f"${self.old}"]
                if self.may_be(origin, *names):
                    place = self.place(origin.code, origin.node)
                    raise Refused(f"{place} computes the name of the parameter")

    # Attributes

    def _setting(self, setting: Setting) -> None:
        code = setting.code
        mine = [each for each in setting.targets if self._is_target(setting, each)]
        if not mine:
            return
        others = len(mine) < len(setting.targets) or any(
            isinstance(each, ast.LiteralList) and len(each.values) > 1 for each in mine
        )
        is_sure = all(self._is_certain(code, each) for each in mine)
        for operation in setting.operations:
            if isinstance(operation, ast.AttributesOperation):
                self._hash(code, operation.expr, 0)
            elif isinstance(operation, ast.AttributeOperation) and operation.name == self.old:
                if others or not is_sure:
                    raise Refused(
                        f"{self.place(code, operation)} sets {self.old} of {self.owner} and of "
                        "others at once"
                        if is_sure
                        else f"{self.place(code, operation)} sets {self.old}, perhaps of "
                        f"{self.owner}: the name is computed"
                    )
                start = operation.start
                self.done.edit(code.path, start, start + len(self.old), self.new)
        query = setting.query
        for each in () if query is None else query.walk():
            if isinstance(each, ast.ComparisonExpression):
                name = each.left
                if isinstance(name, ast.QualifiedName) and name.value == self.old:
                    self.done.edit(code.path, name.start, name.end, self.new)

    def _is_target(self, setting: Setting, node: ast.Node) -> bool:
        if setting.kind == "class":
            return self.is_class and self._may_name(setting.code, node)
        if setting.kind == "type":
            if isinstance(node, ast.QualifiedName):
                return not self.is_class and plain(node.value) == self.owner
            return self._is_mine(setting.code, node) or not isinstance(
                bare(node), ast.AccessExpression
            )
        if isinstance(node, ast.QualifiedReference | ast.AccessExpression):
            return self._is_mine(setting.code, node)
        return True

    def _is_certain(self, code: Code, node: ast.Node) -> bool:
        """Tell whether a name is written where it is used."""
        keys: tuple[ast.Node, ...] = (node,)
        if isinstance(node, ast.LiteralList):
            keys = node.values
        elif isinstance(node, ast.AccessExpression):
            name = node.left.value if isinstance(node.left, ast.QualifiedReference) else ""
            keys = node.keys if plain(name) in ("class", "resource") else ()
        if isinstance(node, ast.QualifiedReference | ast.QualifiedName):
            return True
        return all(
            string_of(each) is not None or isinstance(each, ast.QualifiedReference) for each in keys
        )

    # Data

    def _check_key(self) -> None:
        """Refuse to rename a variable if a key of the data has its name, too."""
        key = f"{self.owner}::{self.old}"
        if self.sources.has_key(key):
            raise Refused(f"the data have a key {key}, which is not that of a parameter")

    def _data(self) -> None:
        old, new = f"{self.owner}::{self.old}", f"{self.owner}::{self.new}"
        if self.sources.has_key(new):
            raise Refused(f"the data have the key {new} already")
        self.check_patterns({old: new})
        self.data_keys(lambda key: new if key == old else None)
        for path, text in self.sources.others(".conf", ".json"):
            if re.search(rf"""["']{re.escape(old)}["']""", text) and path not in self.done.edits:
                raise Refused(f"{self.shown(path)} has the key {old}")

    def _check_texts(self, whole: str) -> None:
        """Refuse if a text is the qualified name, and nobody knows for what."""
        for code in self.sources.codes:
            for node in code.nodes:
                if isinstance(node, ast.LiteralString) and node.value.lstrip("$:") == whole:
                    if not self.done.has(code.path, (node.start + node.end) // 2):
                        raise Refused(f"{self.place(code, node)} has the name as a text")

    def _check_computed(self) -> None:
        """Refuse if the name is a key somewhere, and hashes with unknown keys set attributes."""
        if not self.computed:
            return
        place = self._other_key()
        if place is not None:
            raise Refused(
                f"{self.subject} may get {self.old} from the hash at {self.computed[0]}, whose "
                f"keys are not all known: {self.old} at {place} may be one of them"
            )

    def _other_key(self) -> str | None:
        """Return the place of a key with the name in code or data that stays, None without one."""
        for code in self.sources.codes:
            for node in code.nodes:
                if isinstance(node, ast.KeyedEntry) and string_of(node.key) == self.old:
                    stays = not self.done.has(code.path, (node.key.start + node.key.end) // 2)
                    if stays and not self._is_of_others(code, node):
                        return self.place(code, node)
        name = rf"[\"']?{re.escape(self.old)}[\"']?\s*:"
        key = re.compile(rf"(?m)^[\s-]*{name}(?:\s|$)|[\"'{{,]\s*{name}\s")
        for data in self.sources.data:
            for found in key.finditer(data.text):
                at = data.text.find(self.old, found.start())
                if not self.done.has(data.path, at):
                    return f"{self.shown(data.path)}:{data.line(at)}"
        return None

    def _is_of_others(self, code: Code, entry: ast.KeyedEntry) -> bool:
        """Tell whether a literal hash only gives values to a template, or to other resources."""
        given = code.parents.get(id(entry))
        around = code.parents.get(id(given))
        if called(around) in _RENDERING:
            return given in arguments(around)
        if not isinstance(around, ast.AttributesOperation):
            return False
        resource = code.parents.get(id(code.parents.get(id(around))))
        kind = resource.type_name if isinstance(resource, ast.ResourceExpression) else None
        own = "class" if self.is_class else self.owner
        return isinstance(kind, ast.QualifiedName) and plain(kind.value) != own


def _texts(values: Values, code: Code, node: ast.Node) -> set[str]:
    return {each.text for each in values.texts(code, node) if isinstance(each, Written)}


def _definitions_in(node: ast.Node) -> list[ast.Node]:
    kinds = (
        ast.HostClassDefinition,
        ast.ResourceTypeDefinition,
        ast.FunctionDefinition,
        ast.NodeDefinition,
    )
    return [each for each in node.walk() if each is not node and isinstance(each, kinds)]
