"""What the code of one module or environment can name: an index of its whole module path."""

from __future__ import annotations

import os
import re
from functools import cached_property

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.base.matching import is_one_off, is_swapped, nearest
from puppet_repl.catalog import core_types
from puppet_repl.environment.modules.modules import own_file
from puppet_repl.environment.modules.puppetfile import module_names
from puppet_repl.environment.modules.ruby_index import ENVIRONMENT, RubyIndex
from puppet_repl.environment.reference.ruby.native_types import read_native_type
from puppet_repl.language.functions.index import THEMES
from puppet_repl.language.functions.stdlib.declaring import TABLES
from puppet_repl.language.types.making.factory import lookup
from puppet_repl.language.types.making.named import named_type
from puppet_repl.language.types.making.parse import interpret
from puppet_repl.language.types.model.alias import TypeReferenceType
from puppet_repl.language.types.model.base import each_type
from puppet_repl.tools.validation.definitions import written_definitions
from puppet_repl.tools.validation.module_index import ModuleIndex, read_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.base.reach import Reach
    from puppet_repl.catalog.resource_types import NativeType
    from puppet_repl.language.syntax import ast
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.model.defined import DefinedType
    from puppet_repl.tools.validation.definitions import Definition

# The resource types of the module stdlib.
_STDLIB_TYPES = frozenset(("anchor", "file_line"))
# Functions of PuppetDB, which its installation puts on a server.
_OF_SERVERS = frozenset(("puppetdb_query", "puppetdb_lookup_hiera"))
# Modules of Puppet Enterprise, which nobody lists anywhere.
_ENTERPRISE = ("pe_", "puppet_enterprise", "puppet_agent_upgrade")
# Ruby that may give a resource type further attributes.
_MIXED_IN = re.compile(r"(?m)^\s*(?:extend|include)\s|\b(?:class|instance)_(?:eval|exec)\b")
# The least ratio of letters that a misspelt module has in common with the right one.
_LIKENESS_OF_MODULES = 0.8
LIKENESS = 0.75
"""The least ratio of letters that a misspelt name has in common with the right one."""
# A shorter name is one letter away from many.
_MIN_LETTERS = 5

# Ruby in a Puppetfile that may name further modules.
_COMPUTED = re.compile(r"(?m)^[^#\n]*(?:#\{|\.each|eval)")


class Index:
    """The modules that code of one module or environment sees, and what they define.

    ``site`` is the directory of the environment itself, ``own`` a module that is in none.
    """

    def __init__(
        self,
        modules: dict[str, ModuleIndex],
        site: ModuleIndex | None,
        own: ModuleIndex | None,
        reach: Reach | None = None,
    ) -> None:
        self.reach = reach
        self.modules = modules
        self.site = site
        self.own = own
        self._mentioned: dict[str, bool] = {}
        self._native: dict[str, NativeType | None] = {}
        self._types: dict[str, DefinedType | None] = {}

    # Names that are there

    def find(self, kind: str, name: str) -> Definition | None:
        """Return a definition by kind and name, None if no module has one."""
        module = self.modules.get(name.partition("::")[0])
        return None if module is None else module.find(kind, name)

    @cached_property
    def ruby(self) -> RubyIndex:
        """What all modules define in Ruby."""
        parts = [(each.name, each.module.path, False, each.ruby) for each in self.modules.values()]
        if self.site is not None:
            parts.insert(0, (ENVIRONMENT, self.site.module.path, False, self.site.ruby))
        return RubyIndex(tuple(parts))

    def owner(self, name: str) -> ModuleIndex | None:
        """Return the module whose name a qualified name begins with, None if it is not there."""
        return self.modules.get(name.partition("::")[0])

    def resource_type(self, name: str) -> NativeType | None:
        """Return a resource type that a module defines in Ruby, if its file has all attributes."""
        if name not in self._native:
            path = self.ruby.types.get(name)
            text = "" if path is None else read_within(path, self.reach)
            is_whole = path is not None and _MIXED_IN.search(text) is None
            self._native[name] = read_native_type(text, path or "") if is_whole else None
        return self._native[name]

    def is_of_language(self, name: str) -> bool:
        """Tell whether a name with capital letters is that of a type of the language."""
        return lookup(name) is not None

    # Names that nothing defines, for sure

    def lacks_class(self, name: str) -> bool:
        """Tell whether a class does not exist."""
        return self._lacks("class", name)

    def class_of_near_module(self, name: str) -> str | None:
        """Return a class of a module with a similar name; None unless all modules are there."""
        module, colons, inner = name.partition("::")
        if not colons or module in self.modules or self.site is None or not self.is_closed:
            return None
        if self._is_written_at_top("class", name):
            return None
        near = nearest(module, self.modules, likeness=_LIKENESS_OF_MODULES)
        meant = f"{near}::{inner}"
        return meant if near and self.find("class", meant) is not None else None

    def lacks_function(self, name: str) -> bool:
        """Tell whether a function does not exist."""
        if name in THEMES or name in _OF_SERVERS or name.startswith(_ENTERPRISE):
            return False
        if "::" in name:
            return self._lacks("function", name)
        if name in self.ruby.functions or self._has_own("functions", name):
            return False
        if self._is_written_at_top("function", name) or self.is_of_stdlib("function", name):
            return False
        return self.is_closed or self.near_function(name) is not None

    def lacks_resource_type(self, name: str) -> bool:
        """Tell whether no resource of a type can be declared."""
        if name.startswith(_ENTERPRISE) or self._has_resource_type(name):
            return False
        if "::" in name:
            return self._lacks("define", name)
        return self.is_closed and self._may_lack("define", name)

    def lacks_type(self, name: str) -> bool:
        """Tell whether neither a data type nor a resource type has a name with capital letters."""
        if lookup(name) is not None or name.startswith(_ENTERPRISE):
            return False
        if self._has_resource_type(name) or name in self.ruby.data_types:
            return False
        if "::" in name:
            return self._lacks("type", name) and self._lacks("define", name)
        if self._has_own("types", name) or self._is_written_at_top("type", name):
            return False
        return self.is_closed and self._may_lack("define", name)

    def _has_resource_type(self, name: str) -> bool:
        if core_types.find(name) is not None or name in self.ruby.types:
            return True
        return self.is_of_stdlib("define", name)

    def _lacks(self, kind: str, name: str) -> bool:
        module = self.owner(name)
        return module is not None and module.lacks(kind, name) and self._is_not_site(kind, name)

    def _may_lack(self, kind: str, name: str) -> bool:
        module = self.owner(name)
        return (module is None or module.lacks(kind, name)) and self._is_not_site(kind, name)

    def _is_not_site(self, kind: str, name: str) -> bool:
        return not self._is_written_at_top(kind, name)

    def _has_own(self, kind: str, name: str) -> bool:
        """Tell whether the directory of the environment has a function or type of its own."""
        path = None if self.site is None else own_file(self.site.module.path, kind, name)
        return path is not None and os.path.lexists(path)

    def _is_written_at_top(self, kind: str, name: str) -> bool:
        return (kind, name) in self._written_at_top

    @cached_property
    def _written_at_top(self) -> set[tuple[str, str]]:
        """What the site manifests of the environment define."""
        texts = () if self.site is None else self.site.texts()
        return {found for text in texts for found in written_definitions(text)}

    def near_function(self, name: str) -> str | None:
        """Return Puppet's function whose name differs from this one by a slip of the finger.

        Names that begin or end otherwise may have a meaning of their own: ``value``, ``includes``.
        """
        if len(name) < _MIN_LETTERS:
            return None
        ends = name[0], name[-1]
        near = (each for each in THEMES if (each[0], each[-1]) == ends)
        return next(
            (each for each in near if is_swapped(name, each) or is_one_off(name, each)), None
        )

    def near(self, name: str, *kinds: str) -> str | None:
        """Return the nearest name that the module of a name gives to something of some kinds."""
        last = name.partition("::")[2]
        owner = self.owner(name)
        known = set() if owner is None or not last else owner.names_of(kinds) - {name}
        inner = {each.partition("::")[2]: each for each in known if "::" in each}
        while (near := nearest(last, inner, likeness=LIKENESS)) is not None:
            found = inner.pop(near)
            # A file may define something else than its place says.
            if any(self.find(kind, found) is not None for kind in kinds) or (
                found in self.ruby.functions
            ):
                return found
        return None

    def is_of_stdlib(self, kind: str, name: str) -> bool:
        """Tell whether the module stdlib has a name without a namespace, if it is not there.

        ``kind`` is "function" or "define". The latest two major versions count, which are bundled.
        """
        if "stdlib" in self.modules:
            return False
        if kind == "function":
            return any(name in table.themes for table in TABLES.values())
        return name in _STDLIB_TYPES

    @cached_property
    def is_closed(self) -> bool:
        """Tell whether all modules are there that could define a name without a namespace.

        These are the modules that a module depends on, and those again; or those of the Puppetfile.
        """
        if self.site is not None:
            if self.site.has("bolt-project.yaml"):  # Bolt has modules and functions of its own
                return False
            text = self.site.text("Puppetfile")
            named = module_names(text)
            is_plain = named and _COMPUTED.search(text) is None
            return bool(is_plain) and all(self._is_there(name) for name in named)
        if self.own is None or not self.own.is_whole:
            return False
        if not isinstance(self.own.module.metadata.get("dependencies"), list):
            return False
        pending, known = [self.own], {self.own.name}
        while pending:
            for name in pending.pop().module.dependencies:
                if name in known or (name == "stdlib" and name not in self.modules):
                    continue
                if not self._is_there(name):
                    return False
                known.add(name)
                pending.append(self.modules[name])
        return True

    def _is_there(self, name: str) -> bool:
        return name in self.modules and self.modules[name].is_whole

    # Types

    def type_of(self, node: ast.Node, source: Source) -> PuppetType | None:
        """Return the type that an expression means, None if a name in it is unknown.

        Nothing is evaluated: an expression with variables or calls is not read either.
        """
        try:
            made = interpret(node, source, self)
            known = each_type(made, lambda part: part.contained())
            return None if any(isinstance(each, TypeReferenceType) for each in known) else made
        except (PuppetError, RuntimeFailure):
            return None

    def lookup_type(self, name: str) -> DefinedType | None:
        """Return the type alias of a name, for the expressions that mention it."""
        key = name.removeprefix("::").lower()
        if key not in self._types:
            found = self.find("type", key)
            made = None
            if found is not None and found.value is not None:
                made = named_type(name, found.value, found.source, self)
            self._types[key] = made
        return self._types[key]

    # References

    def mentions_reference(self, name: str) -> bool:
        """Tell whether code sets attributes of resources of a type from elsewhere.

        Defaults, overrides and collectors do, which name the type with capital letters.
        """
        if name not in self._mentioned:
            reference = rf"(?:(?!(?-i:[a-z]))\b{re.escape(name)})"
            pattern = re.compile(rf"(?i){reference}\s*(?:\{{|\[[^\]]*\]\s*\{{|<<?\|)")
            self._mentioned[name] = any(
                pattern.search(text) for each in self._all() for text in each.texts()
            )
        return self._mentioned[name]

    def _all(self) -> Iterator[ModuleIndex]:
        yield from self.modules.values()
        if self.site is not None:
            yield self.site
