"""Resource expressions, defaults, overrides and collectors: how resources come into a catalog."""

from __future__ import annotations

from puppet_repl.catalog import classes, issues, references, tags
from puppet_repl.catalog.collectors import Collector, make_query
from puppet_repl.catalog.resource import Parameter, Resource
from puppet_repl.runtime.declarations import Definition
from puppet_repl.types.model.resource import ClassType, ResourceType
from puppet_repl.values.array import flatten
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.ruby import ruby_inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.resource import Key
    from puppet_repl.catalog.resource_types import ResourceType as BuiltinType
    from puppet_repl.catalog.state import Tables
    from puppet_repl.runtime.declarations import AttributeShape, ResourceShape, StatementShape
    from puppet_repl.runtime.scope import Scope
    from puppet_repl.syntax.source import Source

    Attributes = dict[str, Parameter]


def resource_type_name(value: Any, acceptable: bool) -> str:
    """The type that a resource expression names in another way than with a bare word."""
    if acceptable:
        if type(value) is ClassType and value.class_name is None:
            return "class"
        if type(value) is ResourceType and value.type_name is not None and value.title is None:
            return value.type_name.lower()
        if type(value) in (ClassType, ResourceType) and str(value) != "Resource":
            raise issues.illegal_resource_type(str(value))
    raise issues.illegal_resource_type(_general_type(value))


def titles(value: Any) -> tuple[Any, ...]:
    """The titles of a body, one or many, checked."""
    if type(value) is str and value:
        return (value,)
    if value is None:
        raise issues.missing_title()
    titles = flatten((value,))
    for index, title in enumerate(titles):
        if title is None:
            raise issues.missing_title_at(index)
        if type(title) is not str:
            from puppet_repl.values.default import DEFAULT

            if title is not DEFAULT:
                raise issues.illegal_title_type_at(index, _general_type(title))
        elif not title:
            raise issues.empty_string_title_at(index)
    return titles


def attribute(value: Any) -> Any:
    """The value of an attribute; refuses what a catalog cannot hold."""
    return value if type(value) in _PLAIN else _checked_attribute(value)


def attributes(value: Any) -> Any:
    """The value of ``* =>``."""
    if type(value) is not PuppetHash:
        raise issues.attributes_not_hash(_general_type(value))
    return value


def declare(
    catalog: Catalog,
    scope: Scope,
    shape: ResourceShape,
    type_name: str,
    bodies: tuple[tuple[tuple[Any, ...], tuple[Any, ...]], ...],
) -> tuple[Any, ...]:
    """Evaluate a resource expression; answers references to what it declared."""
    form = shape.form
    if form == "exported":
        catalog.context.log("warning", issues.EXPORT_IGNORED)
    definer = catalog.definer_of(scope)
    common: Attributes = {}
    made: list[tuple[tuple[Any, ...], Attributes]] = []
    if len(bodies) == 1 and len(bodies[0][0]) == 1 and type(bodies[0][0][0]) is str:
        titles, values = bodies[0]
        made.append((titles, _parameters(shape.bodies[0], values, definer, shape.source)))
    else:
        seen: set[str] = set()
        for (titles, values), body in zip(bodies, shape.bodies, strict=True):
            attributes = _parameters(body, values, definer, shape.source)
            names = []
            for title in titles:
                key = title if type(title) is str else "default"
                if key in seen:
                    raise issues.duplicate_title(key)
                seen.add(key)
                if type(title) is str:
                    names.append(title)
                else:
                    common = attributes
            made.append((tuple(names), attributes))
    result: list[Any] = []
    for titles, attributes in made:
        if common:
            attributes = {**common, **attributes}
        result += create(
            catalog,
            scope,
            type_name,
            titles,
            attributes,
            virtual=form != "regular",
            exported=form == "exported",
            source=shape.source,
            line=shape.line,
        )
    return tuple(result)


class Kind:
    """What the resources of one type have in common."""

    __slots__ = ("definition", "name", "tags", "title", "word")

    def __init__(self, definition: BuiltinType | Definition) -> None:
        self.definition = definition
        self.name = definition.name
        self.title = references.type_title(definition.name)
        self.word = "defined_type" if type(definition) is Definition else "compilable_type"
        self.tags: dict[str, None] = {}
        tags.add(self.tags, self.name)


def create(
    catalog: Catalog,
    scope: Scope,
    type_name: str,
    titles: Iterable[str],
    attributes: Attributes,
    *,
    virtual: bool,
    exported: bool,
    source: Source | None,
    line: int | None,
) -> list[Any]:
    """Make resources with the same attributes and add them; answers references to them."""
    if type_name.lower() == "class":
        return classes.declare_classes(catalog, scope, titles, attributes, source, line)
    kind = catalog.kinds.get(type_name)
    if kind is None:
        definition = catalog.find_resource_type(type_name)
        if definition is None:
            raise issues.unknown_resource_type(type_name)
        kind = catalog.kinds[type_name] = Kind(definition)
    definer = catalog.definer_of(scope)
    references_made = []
    for title in titles:
        resource = Resource(
            kind.title,
            title,
            scope,
            definer,
            kind.definition,
            kind.word,
            source,
            line,
            virtual,
            exported,
        )
        resource.parameters = dict(attributes)
        prepare(catalog, resource, kind.tags)
        add(catalog, resource)
        references_made.append(ResourceType(kind.name, title))
    return references_made


def prepare(catalog: Catalog, resource: Resource, type_tags: dict[str, None]) -> None:
    """Give a new resource its tags and the defaults of its type."""
    parameters = resource.parameters
    if "tag" in parameters:
        tag_resource(resource, parameters["tag"].value)
        resource.tags.update(type_tags)
    else:
        resource.tags = dict(type_tags)
    tags.add_if_valid(resource.tags, resource.title)
    if not catalog.state.tables.defaults:
        return
    for name, parameter in defaults_for(catalog, resource.scope, resource.type).items():
        if name not in parameters:
            parameters[name] = parameter
            if name == "tag":
                tag_resource(resource, parameter.value)


def tag_resource(resource: Resource, value: Any) -> None:
    """Add the tags that a user gave."""
    for tag in flatten((value,)):
        if tag is not None:
            text = references.reference_text(tag)
            if not tags.add(resource.tags, text):
                raise issues.invalid_tag(text.lower(), resource.source, resource.line)


def add(catalog: Catalog, resource: Resource) -> None:
    """Put a resource into the catalog, below the container of its scope."""
    tables = catalog.state.own()
    resource.input = catalog.input
    resource.epoch = catalog.state.epoch
    catalog.state.fresh[resource] = None
    key: Key = (resource.type, resource.title)
    existing = tables.resources.get(key)
    if existing is not None:
        if not catalog.is_older(existing):
            raise issues.duplicate_declaration(resource, existing)
        remove(catalog, existing)
    tables.resources[key] = resource
    tables.members[resource] = None
    _add_aliases(catalog, tables, resource)
    if resource.is_class:
        return
    if "stage" in resource.parameters and resource.parameters["stage"].value is not None:
        raise issues.only_classes_set_stage(resource)
    if resource.type == "Stage":
        return
    container = resource.container
    if container is not None:
        tables.edges[container, resource] = None
        if container is not catalog.main_resource:
            if container.contents is None:
                container.contents = []
            container.contents.append(resource)


def _add_aliases(catalog: Catalog, tables: Tables, resource: Resource) -> None:
    parameters = resource.parameters
    if "alias" in parameters:
        for given in flatten((parameters["alias"].value,)):
            if given is not None and given != resource.title:
                _alias(catalog, tables, resource, given)
    if getattr(resource.definition, "isomorphic", True):
        key = references.unique_key(resource)
        if key is not None:
            _alias(catalog, tables, resource, key)


def _alias(catalog: Catalog, tables: Tables, resource: Resource, given: Any) -> None:
    name: Key = (resource.type, *(given if type(given) is tuple else (given,)))
    existing = tables.resources.get(name)
    if existing is resource:
        return
    if existing is not None:
        if not catalog.is_older(existing):
            raise issues.cannot_alias(resource, ruby_inspect(given), ruby_inspect(name), existing)
        remove(catalog, existing)
    tables.resources[name] = resource
    resource.aliases += (name,)


def remove(catalog: Catalog, resource: Resource) -> None:
    """Take a resource of an earlier input out, with what its body declared."""
    tables = catalog.state.own()
    if resource not in tables.members:
        return
    catalog.state.removed = True
    catalog.state.fresh.pop(resource, None)
    del tables.members[resource]
    for name in ((resource.type, resource.title), *resource.aliases):
        if tables.resources.get(name) is resource:
            del tables.resources[name]
    if resource.is_class:
        name_of_class = resource.title.lower()
        tables.class_scopes.pop(name_of_class, None)
        tables.classes.pop(name_of_class, None)
        for edge in [edge for edge in tables.edges if resource in edge]:
            del tables.edges[edge]
    elif resource.container is not None:
        tables.edges.pop((resource.container, resource), None)
    for inner in resource.contents or ():
        remove(catalog, inner)


# Defaults, overrides, collectors, relationships


def _parameters(
    shape: AttributeShape,
    values: tuple[Any, ...],
    definer: Definition,
    source: Source,
    *,
    once: bool = True,
) -> Attributes:
    """The attributes of one body; ``once`` refuses one that is given twice."""
    made: Attributes = {}
    appends = shape.appends
    if shape.plain:
        for name, value, line in zip(shape.plain, values, shape.lines, strict=True):
            made[name] = Parameter(name, value, definer, source, line)
        return made
    for index, (given, value, line) in enumerate(
        zip(shape.names, values, shape.lines, strict=True)
    ):
        pairs = value.items() if given is None else ((given, value),)
        for name, item in pairs:
            if once and name in made:
                raise issues.duplicate_attribute(name)
            if given is None:
                name = references.reference_text(name)
                item = attribute(item)
            made[name] = Parameter(name, item, definer, source, line, index in appends)
    return made


def defaults(
    catalog: Catalog, scope: Scope, shape: StatementShape, value: Any, values: tuple[Any, ...]
) -> Any:
    """``File { ... }``: defaults for what is declared here and further in."""
    if type(value) is not ResourceType or value.type_name is None or value.title is not None:
        raise issues.illegal_resource_type(_general_type(value), "type_ref")
    type_name = references.type_title(value.type_name.removeprefix("::").lower())
    definer = catalog.definer_of(scope)
    given = _parameters(shape.attributes, values, definer, shape.source, once=False)
    tables = catalog.state.own()
    here = dict(tables.defaults.get(scope, {}))
    of_type = dict(here.get(type_name, {}))
    for name, parameter in given.items():
        old = of_type.get(name)
        if old is not None and catalog.is_new_default(old):
            raise issues.default_already_defined(type_name, name, parameter.source, parameter.line)
        of_type[name] = parameter
        catalog.note_default(parameter)
    here[type_name] = of_type
    tables.defaults[scope] = here
    return value


def defaults_for(catalog: Catalog, scope: Scope | None, type_name: str) -> Attributes:
    """The defaults that hold in a scope for a type: inner ones over outer ones."""
    all_defaults = catalog.state.tables.defaults
    found: Attributes = {}
    if not all_defaults:
        return found
    chain = []
    while scope is not None:
        here = all_defaults.get(scope)
        if here is not None and type_name in here:
            chain.append(here[type_name])
        scope = scope.parent
    for of_type in reversed(chain):
        found.update(of_type)
    return found


def override(
    catalog: Catalog, scope: Scope, shape: StatementShape, value: Any, values: tuple[Any, ...]
) -> Any:
    """``File['/x'] { ... }``: set attributes of resources, now or when they are declared."""
    definer = catalog.definer_of(scope)
    given = _parameters(shape.attributes, values, definer, shape.source, once=False)
    for reference in flatten((value,)):
        if not isinstance(reference, ResourceType) or reference.lower_name == "class":
            from puppet_repl.values.labels import value_label

            raise issues.illegal_overridden_type(value_label(reference))
        name = (reference.type_name or "").removeprefix("::")
        override = Resource(
            references.type_title(name.lower()),
            reference.title or "",
            scope=scope,
            definer=definer,
            definition=catalog.find_resource_type(name),
            kind="",
            source=shape.source,
            line=shape.line,
        )
        override.parameters = dict(given)
        if "tag" in given:
            tag_resource(override, given["tag"].value)
        resource = catalog.find(override.type, override.title)
        if resource is not None:
            from puppet_repl.catalog.overrides import merge

            merge(catalog, resource, override)
        else:
            waiting = catalog.state.own().overrides
            key = (override.type, override.title)
            waiting[key] = (*waiting.get(key, ()), override)
    return value


def collect(
    catalog: Catalog,
    scope: Scope,
    shape: StatementShape,
    type_name: str,
    exported: bool,
    query: Any,
    values: tuple[Any, ...],
) -> Collector:
    """``File <| query |> { ... }``: note a collector."""
    if exported:
        catalog.context.log("warning", issues.COLLECTION_IGNORED)
    lower = type_name.lower()
    if lower == "class":
        raise issues.classes_cannot_be_collected()
    definition = catalog.find_resource_type(lower)
    if definition is None:
        raise issues.collected_type_not_found(lower)
    definer = catalog.definer_of(scope)
    collector = Collector(
        references.type_title(definition.name),
        scope,
        definer,
        query=make_query(query),
        exported=exported,
        overrides=_parameters(shape.attributes, values, definer, shape.source, once=False),
        source=shape.source,
        line=shape.line,
    )
    collector.epoch = catalog.state.epoch
    catalog.state.own().collectors[collector] = None
    return collector


_PLAIN = frozenset((str, int, bool, float, type(None)))


def _general_type(value: Any) -> str:
    from puppet_repl.types.algebra.infer import infer

    return str(infer(value).generalize())


def _checked_attribute(value: Any) -> Any:
    kind = type(value)
    if kind is tuple:
        for item in value:
            if type(item) not in _PLAIN:
                return tuple([attribute(item) for item in value])
    elif kind is ClassType or kind is ResourceType:
        return references.as_value(value)
    elif kind is PuppetHash:
        for key, item in value.items():
            if type(key) not in _PLAIN or type(item) not in _PLAIN:
                return PuppetHash(
                    [(attribute(key), attribute(item)) for key, item in value.items()]
                )
    elif kind.__name__ == "PuppetIterator":
        raise issues.iterator_as_attribute()
    return value
