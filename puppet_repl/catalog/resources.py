"""The resources of a catalog: adding, finding by title or alias, and removing."""

from __future__ import annotations

from puppet_repl.catalog import core_types, issues, tags
from puppet_repl.catalog.references import (
    ResourceReference,
    class_title,
    split_reference,
    type_title,
)
from puppet_repl.catalog.resource import COMPILABLE_TYPE, UNKNOWN, Parameter, Resource
from puppet_repl.catalog.resource_types import NativeType
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.ruby import ruby_inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.defaults import Defaults
    from puppet_repl.catalog.definitions import Definitions
    from puppet_repl.catalog.redeclaration import KeptStatements
    from puppet_repl.catalog.resource import Key, ResourceKind, Tags
    from puppet_repl.catalog.state import State, Tables
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.values.protocols import Value


_MOST_TAGGED = 1_000


class Resources:
    """The resources of a session. A resource of an earlier input may be declared again.

    ``main_stage`` and ``main_resource`` are Stage[main] and Class[main], which are always there.
    """

    def __init__(
        self,
        context: Context,
        state: State,
        definitions: Definitions,
        defaults: Defaults,
        kept: KeptStatements,
    ) -> None:
        self.context = context
        self.state = state
        self.definitions = definitions
        self.defaults = defaults
        self.kept = kept
        self._last_tagged: dict[str, tuple[Tags, Tags]] = {}
        main = definitions.main
        self.main_stage = self._initial("Stage", "main", core_types.find("stage"), COMPILABLE_TYPE)
        self.main_stage.parameters["name"] = Parameter("name", "main", main)
        settings = self._initial("Class", "Settings", main, UNKNOWN)
        self.main_resource = self._initial("Class", "main", main, UNKNOWN)
        tables = state.tables
        for resource in (settings, self.main_resource):
            tables.contain(self.main_stage, resource)
        tags.add(settings.tags, "settings")
        self.main_resource.parameters["name"] = Parameter("name", "main", main)
        tables.classes["settings"] = None
        tables.tags["settings"] = None
        # Their titles are symbols of Ruby, not the strings that their names are.
        self.main_stage.has_string_title = self.main_resource.has_string_title = False
        context.top.resource = self.main_resource

    def _initial(
        self,
        type_name: str,
        title: str,
        definition: Definition | NativeType | None,
        kind: ResourceKind,
    ) -> Resource:
        resource = Resource(
            type_name,
            title,
            scope=self.context.top,
            definer=self.definitions.main,
            definition=definition,
            kind=kind,
        )
        resource.evaluated = resource.finished = resource.checked = True
        tags.add(resource.tags, type_name)
        tables = self.state.tables
        tables.resources[type_name, title] = resource
        tables.members[resource] = None
        return resource

    # Finding

    def find(self, type_name: str, title: str) -> Resource | None:
        """Return a resource by the name of its type (any case) and its title or alias."""
        capitalized = type_title(type_name)
        if capitalized == "Class":
            title = class_title(title)
        resources = self.state.tables.resources
        resource = resources.get((capitalized, title))
        if resource is None and capitalized != "Class":
            native = self.definitions.find_native_type(type_name.lower())
            if native is not None:
                resource = resources.get((capitalized, *_title_key(native, title)))
        return resource

    def find_by_text(self, text: str, *, makes_tag: bool = True) -> Resource | None:
        """Return a resource by a text like ``File[/x]``.

        In most places Puppet makes a tag of the type, so it has to be a valid one.
        """
        type_name, title = split_reference(text)
        if makes_tag:
            tags.check(type_name, None, None)
        return self.find(type_name, title)

    def reference(self, resource: Resource) -> ResourceReference:
        """Return a reference to a resource, as a value for attributes."""
        return ResourceReference(resource.type, resource.title)

    def resource_of(self, scope: Scope) -> Resource:
        """Return the resource whose body runs in a scope; Class[main] at the top."""
        resource = scope.resource
        return self.main_resource if resource is None else resource

    def is_older(self, resource: Resource) -> bool:
        """Tell whether an earlier input declared it, so that this one may do so again."""
        return 0 < resource.input < self.state.input and not self.context.options.bind_once

    # Adding

    def prepare(self, resource: Resource) -> None:
        """Give a new resource, which has the tags of its type, the others, and its defaults."""
        parameters = resource.parameters
        if "tag" in parameters:
            resource.tags = self._tagged(resource, parameters["tag"].value)
        if resource.has_string_title:
            tags.add_title(resource)
        tables = self.state.tables
        if not (tables.defaults or tables.changed_defaults):
            return
        for name, parameter in self.defaults.for_type(resource.scope, resource.type).items():
            if name not in parameters:
                parameters[name] = parameter
                if name == "tag":
                    tags.tag_resource(resource, parameter.value)

    def _tagged(self, resource: Resource, tag: Value) -> Tags:
        """Return the tags that an attribute gives, and those of the type after them.

        A loop gives many resources the same ones, which they share.
        """
        type_tags = resource.tags
        shared = self._last_tagged.get(tag) if type(tag) is str else None
        if shared is None or shared[0] is not type_tags:
            own: Tags = {}
            tags.add_all(own, tag, resource.source, resource.line)
            own.update(type_tags)
            shared = type_tags, own
            if type(tag) is str:
                if len(self._last_tagged) == _MOST_TAGGED:
                    self._last_tagged.clear()
                self._last_tagged[tag] = shared
        return shared[1]

    def add(self, resource: Resource) -> None:
        """Put a resource into the catalog, below the container of its scope."""
        state = self.state
        tables = state.writable()
        resource.input = state.input
        resource.epoch = state.epoch
        state.fresh[resource] = None
        resources = tables.resources
        key: Key = (resource.type, resource.title)
        if key in resources:
            existing = resources[key]
            if not self.is_older(existing):
                raise issues.duplicate_declaration(resource, existing)
            self.remove(existing)
            if existing.title != resource.title:
                self.context.note(issues.replaced(existing, resource, resource.title))
            else:
                state.replaced.append((existing, resource))
        resources[key] = resource
        tables.members[resource] = None
        parameters = resource.parameters
        if "alias" in parameters:
            self._add_stated_aliases(tables, resource)
        own_key = _unique_key(resource)
        if own_key is not None:
            self._add_alias(tables, resource, own_key)
        if tables.kept:
            self.kept.apply(resource)
        if resource.type == "Class":
            return
        if "stage" in parameters and parameters["stage"].value is not None:
            raise issues.only_classes_set_stage(resource)
        container: Resource | None = resource.scope.resource
        if container is None or container is self.main_resource:
            return
        if resource.type != "Stage":
            if container.contents is None:
                container.contents = []
            container.contents.append(resource)

    def _add_stated_aliases(self, tables: Tables, resource: Resource) -> None:
        for alias in flatten((resource.parameters["alias"].value,)):
            if alias is not None and alias != resource.title:
                self._add_alias(tables, resource, alias)

    def _add_alias(self, tables: Tables, resource: Resource, alias: Value) -> None:
        key: Key = (resource.type, *(alias if type(alias) is tuple else (alias,)))
        existing = tables.resources.get(key)
        if existing is resource:
            return
        if existing is not None:
            if not self.is_older(existing):
                raise issues.cannot_alias(
                    resource, ruby_inspect(alias), ruby_inspect(key), existing
                )
            self.remove(existing)
            name = next(part for part in key[1:] if part is not None)
            self.context.note(issues.replaced(existing, resource, name))
        tables.resources[key] = resource
        resource.aliases += (key,)

    # Removing

    def remove(self, resource: Resource) -> None:
        """Take a resource of an earlier input out, with what its body declared."""
        state = self.state
        tables = state.writable()
        if resource not in tables.members:
            return
        state.removed = True
        state.fresh.pop(resource, None)
        self.kept.drop(resource)
        self._forget_collected(tables, resource)
        del tables.members[resource]
        for key in ((resource.type, resource.title), *resource.aliases):
            if tables.resources.get(key) is resource:
                del tables.resources[key]
        tables.uses.pop(resource, None)
        tables.used_files.pop(resource, None)
        if resource.is_class:
            class_name = resource.title.lower()
            tables.class_scopes.pop(class_name, None)
            tables.classes.pop(class_name, None)
            for edge in [edge for edge in tables.edges if resource in edge]:
                del tables.edges[edge]
        for inner in resource.contents or ():
            self.remove(inner)

    def _forget_collected(self, tables: Tables, resource: Resource) -> None:
        """Let collectors find the replacement of a resource, and forget the collectors of its body.

        A resource that another node exports is collected only once. Relationships are related again
        when they are evaluated, since an input may remove a great many resources.
        """
        for collector in list(tables.collectors):
            if resource in collector.collected and resource.origin is None:
                self.state.touch_collector(collector)
                del collector.collected[resource]
            if collector.scope.resource is resource:
                del tables.collectors[collector]
        if tables.relationships:
            tables.gone[resource] = None


def _title_key(native: NativeType, title: str) -> Key:
    """Return the unique key that a title alone stands for."""
    values = native.title_values(title)
    return tuple([values.get(name) for name in native.key_names])


def _unique_key(resource: Resource) -> Key | None:
    """Return the key of a resource among those of its type, None if the title alone is the key.

    None, too, if its type lets several resources have the same key.
    """
    parameters = resource.parameters
    title = resource.title
    definition = resource.definition
    if type(definition) is not NativeType:
        if "name" not in parameters:
            return None
        name = resource.name
        return None if name == title else (name,)
    namevar = definition.namevar
    if namevar not in parameters and "name" not in parameters:
        if definition.is_named_by_title or (definition.name == "file" and title[-1:] != "/"):
            return None
    if not definition.isomorphic:
        return None
    titled = definition.title_values(title)

    def named(name: str) -> Value:
        parameter = parameters.get(name)
        value = None if parameter is None else parameter.value
        return titled.get(name) if value is None else value

    main = named(namevar)
    if main is None or main is False:
        main = named("name")
        if main is None or main is False:
            main = resource.name
    key = tuple([main if name == namevar else named(name) for name in definition.key_names])
    if all(part is None or part is False for part in key) or key == (title,):
        return None
    return key
