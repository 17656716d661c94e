"""Classes, defines and nodes by name, and the resource types that Puppet and modules bring."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.catalog import core_types, issues, tags
from puppet_repl.catalog.references import type_title
from puppet_repl.catalog.resource import COMPILABLE_TYPE, DEFINED_TYPE
from puppet_repl.catalog.resource_types import METAPARAMETER_SET, NativeType
from puppet_repl.catalog.signatures import DefinitionSignature
from puppet_repl.language.runtime.declarations import Definition
from puppet_repl.language.syntax.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.catalog.resource import ResourceKind
    from puppet_repl.catalog.state import State
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.node_names import Matchers
    from puppet_repl.language.runtime.scope import Scope


class DeclarableType:
    """The common properties of the resources of one type: title of the type, kind and tags."""

    __slots__ = ("definition", "kind", "name", "tags", "title")

    def __init__(self, definition: NativeType | Definition) -> None:
        self.definition = definition
        self.name = definition.name
        self.title = type_title(definition.name)
        self.kind: ResourceKind = (
            DEFINED_TYPE if type(definition) is Definition else COMPILABLE_TYPE
        )
        self.tags: dict[str, None] = {}
        tags.add(self.tags, self.name)


class DeclarableTypes(dict[str, "DeclarableType | None"]):
    """The types that resources have been declared of, by name; None for ``class``."""

    def __init__(self, definitions: Definitions) -> None:
        super().__init__()
        self._definitions = definitions

    def __missing__(self, name: str) -> DeclarableType | None:
        known = None
        if name.lower() != "class":
            find, assume = self._definitions.find_resource_type, self._definitions.assumed_type
            definition = find(name) or assume(name)
            if definition is None:
                raise issues.unknown_resource_type(name)
            known = DeclarableType(definition)
        self[name] = known
        return known


class Definitions:
    """The definitions of a session; those of modules are loaded when they are asked for.

    ``main`` is the class that the code of the top scope belongs to.
    """

    def __init__(self, context: Context, state: State) -> None:
        self.context = context
        self.state = state
        self.main = Definition("class", "", source=Source(""), start=0)
        self._settings = Definition("class", "settings", source=Source(""), start=0)
        # With the version of the session's types that they were made for.
        self._signatures: dict[Definition, tuple[int, DefinitionSignature]] = {}
        self._native_types: dict[str, NativeType | None] = {}
        self.declarable_types = DeclarableTypes(self)
        self._assumed_types: dict[str, NativeType] = {}
        self._defined_in: dict[Definition, int] = {}

    # Adding and removing

    def register(self, definitions: Iterable[Definition]) -> None:
        """Add classes, defines and nodes; a name can be defined once an input."""
        for definition in definitions:
            self.signature_of(definition)
            self._check_parameter_names(definition)
        for definition in definitions:
            self._add(definition)

    def _add(self, definition: Definition) -> None:
        tables = self.state.writable()
        name = definition.name
        kind = definition.kind
        if kind == "define" and name == "settings":
            raise PuppetError(issues.already_defined(self._settings, definition).message)
        by_kind = {"class": tables.definitions, "define": tables.defines, "node": tables.nodes}
        for other in ("class", "node", "define") if kind == "class" else (kind, "class"):
            known = by_kind[other].get(name)
            if known is None or (kind == "define" and other == "node"):
                continue
            if self.context.options.bind_once or self._defined_in.get(known) == self.state.input:
                raise issues.already_defined(definition, known)
            del by_kind[other][name]
        by_kind[kind][name] = definition
        self.declarable_types.clear()
        self._defined_in[definition] = self.state.input

    def _check_parameter_names(self, definition: Definition) -> None:
        for parameter in definition.parameters:
            if parameter.name in METAPARAMETER_SET:
                if parameter.default is None:
                    raise issues.metaparameter_without_default(parameter.name, definition)
                message = issues.metaparameter_with_default(parameter.name, definition)
                self.context.warn_once(message, message)

    def forget(self, name: str) -> bool:
        """Drop a class or define by its name; tell whether it existed."""
        tables = self.state.writable()
        self.declarable_types.clear()
        holders = [table for table in (tables.definitions, tables.defines) if name in table]
        for table in holders:
            del table[name]
        return bool(holders)

    def forget_all(self, definitions: Iterable[Definition]) -> None:
        """Drop definitions whose file has changed."""
        tables = self.state.writable()
        self.declarable_types.clear()
        for definition in definitions:
            for table in (tables.definitions, tables.defines, tables.nodes):
                if table.get(definition.name) is definition:
                    del table[definition.name]

    def forget_types(self) -> None:
        """Look native types up again, because a module has changed."""
        self._native_types.clear()
        self.declarable_types.clear()

    def forget_lookups(self) -> None:
        """Look types up again, because the tables have been rolled back."""
        self.declarable_types.clear()

    # Finding

    def is_defined(self, name: str) -> bool:
        """Tell whether a class or define of a name in lower case is known, loading nothing."""
        tables = self.state.tables
        return name in tables.definitions or name in tables.defines

    def find_class(self, name: str) -> Definition | None:
        """Return a class by name, from the session or a module."""
        name = name.removeprefix("::").lower()
        definition = self.state.tables.definitions.get(name)
        if definition is None and name == "settings":
            return self._settings  # Puppet has one before it would look for a file
        if definition is None and self._load(name):
            definition = self.state.tables.definitions.get(name)
        return definition

    def find_parent(self, definition: Definition, parent: str) -> Definition:
        """Return the class that another inherits from; raise if the class is unknown."""
        parent_class = self.find_class(parent)
        if parent_class is None:
            raise issues.parent_not_found(definition, self.context.environment_name)
        return parent_class

    def find_define(self, name: str) -> Definition | None:
        """Return a define by name, from the session or a module."""
        name = name.removeprefix("::").lower()
        definition = self.state.tables.defines.get(name)
        if definition is None and self._load(name):
            definition = self.state.tables.defines.get(name)
        return definition

    def _load(self, name: str) -> bool:
        environment = self.context.environment
        return environment is not None and environment.load_definition(name)

    def find_native_type(self, name: str) -> NativeType | None:
        """Return a type that Puppet or a module brings, by name in lower case."""
        try:
            return self._native_types[name]
        except KeyError:
            pass
        environment = self.context.environment
        native = core_types.find(name, self.context.options.profile)
        if environment is not None and "::" not in name:
            of_module = environment.find_resource_type(name)
            native = of_module if of_module is not None else native
        self._native_types[name] = native
        return native

    def find_resource_type(self, name: str) -> NativeType | Definition | None:
        """Return a native type or a define; a native one goes first, unless it gives way."""
        lower = name.lower()
        if ":" in lower:
            return self.find_define(lower)
        native = self.find_native_type(lower)
        if native is None:
            return self.find_define(lower)
        if core_types.gives_way(native):
            return self.find_define(lower) or native
        return native

    def assumed_type(self, name: str) -> NativeType | None:
        """Return a type with any attribute in place of an unknown one, where the options allow it.

        A warning says so, once for each type.
        """
        if self.context.options.unknown_types != "warn":
            return None
        lower = name.lower()
        known = self._assumed_types.get(lower)
        if known is None:
            known = self._assumed_types[lower] = NativeType(lower, (), (), is_open=True)
        message = f"Unknown resource type: '{lower}' (its attributes are not checked)"
        self.context.warn_once(f"resource type {lower}", message)
        return known

    def is_assumed(self, name: str) -> bool:
        """Tell whether an unknown type of this name, in lower case, has been taken as it came."""
        return name in self._assumed_types

    def find_node(self, name: str) -> Definition | None:
        """Return the node block for a node: by name, then by regular expression, then default."""
        from puppet_repl.language.runtime.node_names import matching_name

        nodes = self.state.tables.nodes
        return nodes.get(matching_name(name, self._node_matchers()) or "default")

    def difference_of_node(self, definition: Definition) -> str | None:
        """Return in what Puppet differs where a node block applies, by name, or None."""
        from puppet_repl.language.runtime.node_names import difference_of_node

        return difference_of_node(definition.name, self._node_matchers())

    def _node_matchers(self) -> Matchers:
        nodes = self.state.tables.nodes
        return {name: definition.pattern for name, definition in nodes.items()}

    def nodes_of_input(self) -> list[Definition]:
        """Return the node blocks that the current input defines."""
        current = self.state.input
        nodes = self.state.tables.nodes.values()
        return [definition for definition in nodes if self._defined_in[definition] == current]

    # About definitions

    def signature_of(self, definition: Definition) -> DefinitionSignature:
        """Return the signature of a definition, made once and again after types were defined."""
        version = self.context.types_version
        made = self._signatures.get(definition)
        if made is None or (made[0] is not version and made[1].checks):
            made = self._signatures[definition] = version, DefinitionSignature(definition)
        return made[1]

    def definer_of(self, scope: Scope) -> Definition:
        """Return the definition whose code runs in a scope."""
        definer = scope.source
        return self.main if definer is None else definer
