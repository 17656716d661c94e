"""The catalog of a session and what builds it: the object behind ``context.catalog``.

Compiled code calls ``declare``, ``defaults``, ``override``, ``collect`` and ``relate``; functions
call ``include`` and the like. Bodies of defines, collectors and relationships wait until the code
of an input has run (``end_input``).

Every input is a layer: a resource, class or define of an earlier input may be declared again, and
then the newer one takes its place. With the option ``plain`` Puppet's rules hold throughout.
"""

from __future__ import annotations

from puppet_repl.catalog import (
    classes,
    core_types,
    declaring,
    finishing,
    references,
    relationships,
    tags,
)
from puppet_repl.catalog.collectors import Collector
from puppet_repl.catalog.resource import Parameter, Resource
from puppet_repl.catalog.state import State
from puppet_repl.runtime.declarations import Definition
from puppet_repl.syntax.source import Source
from puppet_repl.values.array import flatten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from puppet_repl.catalog.resource_types import ResourceType as BuiltinType
    from puppet_repl.catalog.signatures import Signature
    from puppet_repl.runtime.context import Context
    from puppet_repl.runtime.declarations import ResourceShape, StatementShape
    from puppet_repl.runtime.scope import Scope

    Bodies = tuple[tuple[tuple[Any, ...], tuple[Any, ...]], ...]


class Catalog:
    """The catalog of one session."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.state = State()
        self.input = 1
        self.main = Definition("class", "", source=Source(""), start=0)
        self.signatures: dict[Definition, Signature] = {}
        self._builtin: dict[str, BuiltinType | None] = {}
        self.kinds: dict[str, declaring.Kind] = {}
        self._defined_in: dict[Definition, int] = {}
        self._defaults_in: dict[Parameter, int] = {}
        top = context.top
        tables = self.state.tables
        for type_name, title, kind in (
            ("Stage", "main", "compilable_type"),
            ("Class", "Settings", "unknown"),
            ("Class", "main", "unknown"),
        ):
            resource = Resource(
                type_name,
                title,
                scope=top,
                definer=self.main,
                definition=core_types.find("stage") if type_name == "Stage" else self.main,
                kind=kind,
            )
            resource.evaluated = resource.finished = resource.checked = True
            tables.resources[type_name, title] = resource
            tables.members[resource] = None
            tags.add(resource.tags, type_name)
            if type_name == "Stage":
                tags.add(resource.tags, "main")
                resource.parameters["name"] = Parameter("name", "main", self.main)
                self.main_stage = resource
            else:
                tables.edges[self.main_stage, resource] = None
        tags.add(tables.resources["Class", "Settings"].tags, "settings")
        self.main_resource = tables.resources["Class", "main"]
        self.main_resource.parameters["name"] = Parameter("name", "main", self.main)
        top.resource = self.main_resource
        tables.classes["settings"] = None

    # Inputs

    def begin_input(self) -> None:
        """Start a layer."""
        self.input += 1

    def end_input(self) -> None:
        """Evaluate what waits for the end of the code, and check what the input added."""
        state = self.state
        if state.shared and not state.fresh:
            return
        if self.context.options.node:
            classes.evaluate_node(self, self.node_name)
        finishing.compile_additions(self)
        if self.context.options.bind_once:
            finishing.fail_on_unevaluated(self)

    def finish(self) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
        """The resources and edges in Puppet's format; end_input() has made them complete."""
        from puppet_repl.catalog import json

        return json.resources(self), json.edges(self)

    def added(self) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
        """What the last input added or changed, in Puppet's format; until the next snapshot."""
        from puppet_repl.catalog import json

        return json.resources(self, self.state.fresh), json.edges(self, self.state.fresh)

    def snapshot(self) -> object:
        """The catalog as it is, for restore(); costs nothing."""
        return self.state.snapshot(), self.input

    def restore(self, snapshot: Any) -> None:
        """Go back to a snapshot."""
        state, self.input = snapshot
        self.state.restore(state)
        self.kinds.clear()

    def is_older(self, resource: Resource) -> bool:
        """Whether an earlier input declared it, so that this one may do so again."""
        return resource.input < self.input and not self.context.options.bind_once

    # Definitions and types

    def register(self, definitions: Iterable[Definition]) -> None:
        """Add classes, defines and nodes, before code that may use them runs."""
        classes.register(self, definitions)

    def find_class(self, name: str) -> Definition | None:
        """The definition of a class, loaded from its module if need be."""
        return classes.find_class(self, name)

    def find_define(self, name: str) -> Definition | None:
        """The definition of a define, loaded from its module if need be."""
        return classes.find_define(self, name)

    def builtin_type(self, name: str) -> BuiltinType | None:
        """A type that Puppet or a module brings, by name in lower case."""
        try:
            return self._builtin[name]
        except KeyError:
            pass
        environment = self.context.environment
        found = core_types.find(name)
        if environment is not None and "::" not in name:
            own = environment.find_resource_type(name)
            found = own if own is not None else found
        self._builtin[name] = found
        return found

    def forget_types(self) -> None:
        """Look builtin types up again, because a module has changed."""
        self._builtin.clear()
        self.kinds.clear()

    def is_defined(self, name: str) -> bool:
        """Whether a class or define of that name (lower case) is known, without loading any."""
        tables = self.state.tables
        return name in tables.definitions or name in tables.defines

    def find_resource_type(self, name: str) -> BuiltinType | Definition | None:
        """A builtin type or a define; a builtin one goes first."""
        lower = name.lower()
        if ":" not in lower:
            builtin = self.builtin_type(lower)
            if builtin is not None:
                return builtin
        return classes.find_define(self, lower)

    def class_scope(self, name: str) -> Scope | None:
        """The scope of an evaluated class."""
        scope = self.state.tables.class_scopes.get(name)
        if scope is None:
            name = name.removeprefix("::").lower()
            scope = self.state.tables.class_scopes.get(name)
            if scope is None and name == "settings":
                scope = classes.settings_scope(self)
        return scope

    def load(self, name: str) -> bool:
        """Load the file of a module that may define a class or define; whether one was loaded."""
        environment = self.context.environment
        return environment is not None and environment.load_definition(name)

    def forget_definitions(self, definitions: Iterable[Definition]) -> None:
        """Drop definitions whose file has changed."""
        tables = self.state.own()
        self.kinds.clear()
        for definition in definitions:
            for table in (tables.definitions, tables.defines, tables.nodes):
                if table.get(definition.name) is definition:
                    del table[definition.name]

    def forget(self, name: str) -> bool:
        """Drop a class or define by its name; whether there was one."""
        tables = self.state.own()
        self.kinds.clear()
        found = [table for table in (tables.definitions, tables.defines) if name in table]
        for table in found:
            del table[name]
        return bool(found)

    def is_new(self, definition: Definition) -> bool:
        """Whether this input made it, so that it cannot be replaced."""
        return self.context.options.bind_once or self._defined_in.get(definition) == self.input

    def is_new_default(self, parameter: Parameter) -> bool:
        """Whether this input made a default, so that it cannot be replaced."""
        return self.context.options.bind_once or self._defaults_in.get(parameter) == self.input

    def note_default(self, parameter: Parameter) -> None:
        """Remember which input made a default."""
        self._defaults_in[parameter] = self.input

    def note_definition(self, definition: Definition) -> None:
        """Remember which input made a definition."""
        self._defined_in[definition] = self.input

    @property
    def node_name(self) -> str:
        """The name of the node that the catalog is for."""
        return self.context.options.certname(self.context.facts)

    @property
    def data_lookup(self) -> Any:
        """What finds data for parameters of classes: (key, scope) -> (found, value)."""
        environment = self.context.environment
        return None if environment is None else environment.data_lookup

    def find(self, type_name: str, title: str) -> Resource | None:
        """A resource by type name (any case) and title or alias."""
        return references.find(self, type_name, title)

    def definer_of(self, scope: Scope) -> Definition:
        """Whose code runs in a scope."""
        definer = scope.source
        return self.main if definer is None else definer

    def resource_of(self, scope: Scope) -> Resource:
        """Return the resource whose body runs in a scope; Class[main] at the top."""
        resource = scope.resource
        return self.main_resource if resource is None else resource

    # Resource statements: what compiled code calls

    def resource_type_name(self, value: Any, acceptable: bool) -> str:
        """The type that a resource expression names in another way than with a bare word."""
        return declaring.resource_type_name(value, acceptable)

    def titles(self, value: Any) -> tuple[Any, ...]:
        """The titles of a body, one or many, checked."""
        return declaring.titles(value)

    def attribute(self, value: Any) -> Any:
        """The value of an attribute; refuses what a catalog cannot hold."""
        return declaring.attribute(value)

    def attributes(self, value: Any) -> Any:
        """The value of ``* =>``."""
        return declaring.attributes(value)

    def declare(
        self, scope: Scope, shape: ResourceShape, type_name: str, bodies: Bodies
    ) -> tuple[Any, ...]:
        """Evaluate a resource expression; answers references to what it declared."""
        return declaring.declare(self, scope, shape, type_name, bodies)

    def defaults(
        self, scope: Scope, shape: StatementShape, value: Any, values: tuple[Any, ...]
    ) -> Any:
        """``File { ... }``: defaults for what is declared here and further in."""
        return declaring.defaults(self, scope, shape, value, values)

    def override(
        self, scope: Scope, shape: StatementShape, value: Any, values: tuple[Any, ...]
    ) -> Any:
        """``File['/x'] { ... }``: set attributes of resources, now or when they are declared."""
        return declaring.override(self, scope, shape, value, values)

    def collect(
        self,
        scope: Scope,
        shape: StatementShape,
        type_name: str,
        exported: bool,
        query: Any,
        values: tuple[Any, ...],
    ) -> Collector:
        """``File <| query |> { ... }``: note a collector."""
        return declaring.collect(self, scope, shape, type_name, exported, query, values)

    def relate(self, scope: Scope, operator: str, left: Any, right: Any) -> Any:
        """``left -> right``; the value is the right operand, or the left if that is empty."""
        return relationships.relate(self, operator, left, right)

    # What functions and the access operator ask for

    def resource_attribute(self, reference: Any, keys: tuple[Any, ...]) -> tuple[Any, ...]:
        """``File['/x']['mode']``: a value for each key."""
        return classes.resource_attribute(self, reference, keys)

    def include(self, scope: Scope, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """Evaluate classes that have not been evaluated."""
        return classes.include(self, scope, names)

    def contain(self, scope: Scope, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """Include classes, and contain them in the class that asks."""
        return classes.contain(self, scope, names)

    def require(self, scope: Scope, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """Include classes, and make the one that asks require them."""
        return classes.require(self, scope, names)

    def realize(self, scope: Scope, args: tuple[Any, ...]) -> None:
        """Realize virtual resources, now or when they are declared."""
        wanted = flatten((args,))
        collector = Collector(None, scope, self.definer_of(scope), wanted=wanted)
        collector.epoch = self.state.epoch
        self.state.own().collectors[collector] = None

    def create_resources(self, scope: Scope, args: tuple[Any, ...]) -> None:
        """``create_resources(type, hash, defaults)``."""
        classes.create_resources(self, scope, args)

    def tag(self, scope: Scope, args: tuple[Any, ...]) -> None:
        """Tag the resource whose body runs."""
        resource = self.resource_of(scope)
        self.state.touch(resource)
        self.state.spread = True
        declaring.tag_resource(resource, args)

    def tagged(self, scope: Scope, args: tuple[Any, ...]) -> bool:
        """Whether the catalog or the resource whose body runs has every one of the tags."""
        tags_of_body = self.resource_of(scope).tags
        for tag in args:
            name = references.reference_text(tag).lower()
            if name not in self.state.tables.tags and name not in tags_of_body:
                return False
        return True

    def defined(self, scope: Scope, values: tuple[Any, ...]) -> bool:
        """Whether any of the things is defined, or declared."""
        return classes.defined(self, scope, values)
