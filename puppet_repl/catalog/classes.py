"""Definitions, include and its kin, and the functions that create or ask for resources."""

from __future__ import annotations

import sys

from puppet_repl.catalog import declaring, evaluation, issues, references
from puppet_repl.catalog.resource import Parameter, Resource
from puppet_repl.catalog.resource_types import METAPARAMETER_SET
from puppet_repl.catalog.resource_types import ResourceType as BuiltinType
from puppet_repl.catalog.signatures import signature_of
from puppet_repl.errors import RuntimeFailure
from puppet_repl.runtime.declarations import Definition
from puppet_repl.runtime.issues import unknown_resource
from puppet_repl.syntax.source import Source
from puppet_repl.types.model.resource import ClassType, ResourceType
from puppet_repl.values.array import flatten
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.ruby import ruby_kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType
    from typing import Any

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.runtime.scope import Scope
UNNAMED = Source("", "unknown")
"""Where create_resources() says that a resource comes from, when it was called in typed text."""

# Definitions


def register(catalog: Catalog, definitions: Iterable[Definition]) -> None:
    """Add definitions; a name can be defined once an input."""
    state = catalog.state
    for definition in definitions:
        signature_of(catalog, definition)
        _check_parameter_names(catalog, definition)
    for definition in definitions:
        tables = state.own()
        name = definition.name
        kind = definition.kind
        table = {"class": tables.definitions, "define": tables.defines, "node": tables.nodes}
        for other in ("class", "node", "define") if kind == "class" else (kind, "class"):
            known = table[other].get(name)
            if known is None or (kind == "define" and other == "node"):
                continue
            if catalog.is_new(known):
                raise issues.already_defined(definition, known)
            del table[other][name]
        table[kind][name] = definition
        catalog.kinds.clear()
        catalog.note_definition(definition)


def _check_parameter_names(catalog: Catalog, definition: Definition) -> None:
    for parameter in definition.parameters:
        if parameter.name in METAPARAMETER_SET:
            if parameter.default is None:
                raise issues.metaparameter_without_default(parameter.name, definition)
            message = issues.metaparameter_with_default(parameter.name, definition)
            catalog.context.warn_once(message, message)


def find_class(catalog: Catalog, name: str) -> Definition | None:
    """A class by name, from the session or a module."""
    name = name.removeprefix("::").lower()
    found = catalog.state.tables.definitions.get(name)
    if found is None and catalog.load(name):
        found = catalog.state.tables.definitions.get(name)
    return found


def find_define(catalog: Catalog, name: str) -> Definition | None:
    """A define by name, from the session or a module."""
    name = name.removeprefix("::").lower()
    found = catalog.state.tables.defines.get(name)
    if found is None and catalog.load(name):
        found = catalog.state.tables.defines.get(name)
    return found


def settings_scope(catalog: Catalog) -> Scope:
    """The scope of ``$settings::name``: what of Puppet's settings a catalog has a use for."""
    options = catalog.context.options
    resource = catalog.find("class", "settings")
    scope: Scope = catalog.context.new_scope(catalog.context.top, "class", resource)
    home = "/etc/puppetlabs"
    settings: dict[str, Any] = {
        "certname": catalog.node_name,
        "codedir": f"{home}/code",
        "confdir": f"{home}/puppet",
        "environment": catalog.context.options.environment_name,
        "environmentpath": f"{home}/code/environments",
        "modulepath": ":".join(options.modulepath),
        "node_name_value": catalog.node_name,
        "server": "puppet",
        "ssldir": f"{home}/puppet/ssl",
        "storeconfigs": False,
        "strict": options.strict,
        "strict_variables": options.strict_variables,
        "vardir": "/opt/puppetlabs/puppet/cache",
    }
    for name, value in settings.items():
        scope.bind(name, value)
    scope.bind("all_local", PuppetHash.of_strings(dict(settings)))
    catalog.state.own().class_scopes["settings"] = scope
    return scope


# Classes


def declare_classes(
    catalog: Catalog,
    scope: Scope,
    titles: Iterable[str],
    attributes: dict[str, Parameter],
    source: Source | None,
    line: int | None,
) -> list[Any]:
    """``class { 'a': ... }``: add each class with its parameters and evaluate it at once."""
    made = []
    for title in titles:
        definition = find_class(catalog, title)
        if definition is None:
            raise issues.declared_class_not_found(title)
        resource = _class_resource(catalog, scope, definition, "class", source, line)
        resource.parameters = dict(attributes)
        declaring.prepare(catalog, resource, {"class": None})
        _tag_catalog(catalog, resource)
        _declare_parent(catalog, scope, definition)
        existing = catalog.find("class", definition.name)
        if existing is not None and catalog.is_older(existing):
            declaring.remove(catalog, existing)
        declaring.add(catalog, resource)
        evaluation.evaluate(catalog, resource)
        made.append(ResourceType("Class", resource.title))
    return made


def _class_resource(
    catalog: Catalog,
    scope: Scope,
    definition: Definition,
    kind: str,
    source: Source | None = None,
    line: int | None = None,
) -> Resource:
    return Resource(
        "Node" if definition.kind == "node" else "Class",
        definition.name if definition.kind == "node" else references.class_title(definition.name),
        scope=scope,
        definer=catalog.definer_of(scope) if kind == "class" else definition,
        definition=definition,
        kind=kind,
        source=source,
        line=line,
    )


def _declare_parent(catalog: Catalog, scope: Scope, definition: Definition) -> None:
    """See to it that the class inherited from is in the catalog."""
    if definition.parent is None or definition.kind != "class":
        return
    if catalog.find("class", definition.parent.removeprefix("::")) is not None:
        return
    parent = find_class(catalog, definition.parent)
    if parent is None:
        raise issues.parent_not_found(definition, catalog.context.options.environment_name)
    ensure_class(catalog, scope, parent)


def ensure_class(catalog: Catalog, scope: Scope, definition: Definition) -> Resource:
    """The resource of a class or node, added without parameters if it is not there."""
    kind = "node" if definition.kind == "node" else "class"
    known = catalog.find(kind, definition.name)
    if known is not None:
        return known
    resource = _class_resource(catalog, scope, definition, "unknown")
    declaring.prepare(catalog, resource, {kind: None})
    _declare_parent(catalog, scope, definition)
    _tag_catalog(catalog, resource)
    declaring.add(catalog, resource)
    return resource


def _tag_catalog(catalog: Catalog, resource: Resource) -> None:
    catalog.state.own().tags.update(resource.tags)


def evaluate_classes(catalog: Catalog, scope: Scope, names: list[str]) -> list[Resource]:
    """Evaluate the classes that have not been; answers their resources, known ones first.

    A class that was defined anew since an earlier input included it takes the place of the old.
    """
    definitions = []
    for name in names:
        definition = find_class(catalog, name)
        if definition is None:
            raise issues.class_not_found(name, catalog.node_name)
        definitions.append(definition)
    known, new = [], []
    for definition in definitions:
        resource = catalog.find("class", definition.name)
        if resource is not None and resource.definition is not definition:
            if catalog.is_older(resource):
                declaring.remove(catalog, resource)
                resource = None
        if resource is not None and catalog.class_scope(definition.name) is not None:
            known.append(resource)
        else:
            new.append(ensure_class(catalog, scope, definition))
    for resource in new:
        evaluation.evaluate(catalog, resource)
    return known + new


def class_names(values: tuple[Any, ...]) -> list[str]:
    """The absolute names that include() and its kin are given, in lower case."""
    names = []
    for value in flatten(values):
        if value is None:
            raise issues.undef_class_name()
        if type(value) is str:
            if not value:
                raise issues.empty_class_name()
            name = value
        elif type(value) is ClassType:
            if value.class_name is None:
                raise issues.unspecific_class()
            name = value.class_name
        elif isinstance(value, ResourceType):
            if value.lower_name != "class" or value.title is None:
                raise issues.resource_as_class_name(value.type_name)
            name = value.title
        else:
            from puppet_repl.types.algebra.infer import infer

            raise issues.value_as_class_name(str(infer(value).generalize()))
        names.append(_absolute(name).lower())
    return names


def _absolute(name: str) -> str:
    return name if name.startswith("::") else f"::{name}"


def include(catalog: Catalog, scope: Scope, names: tuple[Any, ...]) -> tuple[Any, ...]:
    """``include``; answers references to the classes."""
    given = class_names(names)
    evaluate_classes(catalog, scope, given)
    return tuple(ClassType(name.removeprefix("::")) for name in given)


def contain(catalog: Catalog, scope: Scope, names: tuple[Any, ...]) -> tuple[Any, ...]:
    """``contain``."""
    given = class_names(names)
    for resource in evaluate_classes(catalog, scope, given):
        tables = catalog.state.own()
        tables.edges[catalog.resource_of(scope), resource] = None
        tables.has_contained_classes = True
    return tuple(ClassType(name.removeprefix("::")) for name in given)


def require(catalog: Catalog, scope: Scope, names: tuple[Any, ...]) -> tuple[Any, ...]:
    """``require``: the resource whose body runs requires the classes."""
    given = class_names(names)
    evaluate_classes(catalog, scope, given)
    resource = catalog.resource_of(scope)
    catalog.state.touch(resource)
    references_made = tuple(ClassType(name.removeprefix("::")) for name in given)
    old = resource.value("require")
    values = tuple(item for item in flatten((old,)) if item is not None)
    resource.parameters["require"] = Parameter(
        "require", (*values, *references_made), resource.definer
    )
    return references_made


# Nodes


def find_node(catalog: Catalog, names: tuple[str, ...]) -> Definition | None:
    """The node definition for a node: by name, then by regular expression, then the default."""
    nodes = catalog.state.tables.nodes
    for name in names:
        lower = name.lower()
        if lower in nodes:
            return nodes[lower]
        for definition in nodes.values():
            if definition.pattern is not None and definition.pattern(lower):
                return definition
    return nodes.get("default")


def evaluate_node(catalog: Catalog, name: str) -> None:
    """Evaluate the node block that applies to ``name``, if there are any node blocks."""
    if not catalog.state.tables.nodes:
        return
    definition = find_node(catalog, (name,))
    if definition is None:
        raise issues.node_not_found((name,))
    known = catalog.find("node", definition.name)
    if known is not None:
        if known.definition is definition or not catalog.is_older(known):
            return
        declaring.remove(catalog, known)
    resource = ensure_class(catalog, catalog.context.top, definition)
    evaluation.evaluate(catalog, resource)


# Functions


def create_resources(catalog: Catalog, scope: Scope, args: tuple[Any, ...]) -> None:
    """``create_resources``."""
    if len(args) > 3:
        raise RuntimeFailure(
            f"create_resources(): wrong number of arguments ({len(args)}; must be 2 or 3)"
        )
    if type(args[1]) is not PuppetHash:
        raise RuntimeFailure("create_resources(): second argument must be a hash")
    if len(args) == 3 and type(args[2]) is not PuppetHash:
        raise RuntimeFailure("create_resources(): third argument, if provided, must be a hash")
    given = references.reference_text(args[0])
    type_name = given.removeprefix("@").removeprefix("@").lower()
    form = given[: len(given) - len(type_name)]
    if type_name == "class" and form:
        raise issues.at_line(
            f"Evaluation Error: {issues.class_not_virtualizable().message}",
            *call_site(),
        )
    source, line = call_site()
    source = source if source is None or source.name is not None else UNNAMED
    defaults = args[2] if len(args) == 3 else PuppetHash.EMPTY
    definer = catalog.definer_of(scope)
    for title, attributes in args[1].items():
        if type(attributes) is not PuppetHash:
            raise RuntimeFailure(f"no implicit conversion of {ruby_kind(attributes)} into Hash")
        parameters = {
            references.reference_text(name): Parameter(
                references.reference_text(name), declaring.attribute(value), definer
            )
            for name, value in defaults.merge(attributes).items()
            if value is not None
        }
        titles = title if type(title) is tuple else (title,)
        declaring.create(
            catalog,
            scope,
            type_name,
            [references.reference_text(item) for item in titles],
            parameters,
            virtual=bool(form),
            exported=form == "@@",
            source=source,
            line=line,
        )


def call_site() -> tuple[Source | None, int | None]:
    """Where the Puppet code that runs is: its text and line."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        program = frame.f_globals.get("__puppet__")
        if program is not None:
            source: Source = program.source
            return source, frame.f_lineno
        frame = frame.f_back
    return None, None


def resource_attribute(catalog: Catalog, reference: Any, keys: tuple[Any, ...]) -> tuple[Any, ...]:
    """Read attributes of a declared resource or class: a value for each key."""
    if type(reference) is ClassType:
        type_name, title = "class", reference.class_name or ""
    else:
        type_name = (reference.type_name or "").removeprefix("::")
        title = reference.title or ""
    resource = catalog.find(type_name, title)
    shown = references.type_title(type_name)
    if resource is None:
        raise unknown_resource(shown, title)
    values = []
    for key in keys:
        if type(key) is not str or not _is_attribute(catalog, resource, key):
            raise issues.unknown_resource_parameter(shown, title, references.reference_text(key))
        value = resource.value(key)
        if value is None:
            default = declaring.defaults_for(catalog, resource.scope, resource.type).get(key)
            value = None if default is None else default.value
        values.append(value)
    return tuple(values)


def _is_attribute(catalog: Catalog, resource: Resource, name: str) -> bool:
    definition = resource.definition
    if type(definition) is Definition:
        signature = signature_of(catalog, definition)
        return name in signature.types or name in METAPARAMETER_SET or name == "name"
    return isinstance(definition, BuiltinType) and definition.has_attribute(name)


def defined(catalog: Catalog, scope: Scope, values: tuple[Any, ...]) -> bool:
    """``defined``."""
    return any(_is_defined(catalog, scope, value) for value in values)


def _is_defined(catalog: Catalog, scope: Scope, value: Any) -> bool:
    kind = type(value)
    if kind is str:
        if value[:1] == "$" and len(value) > 1:
            return scope.exists(value[1:])
        if value == "":
            return False
        return (
            value == "main"
            or catalog.find_resource_type(value.removeprefix("::")) is not None
            or find_class(catalog, value) is not None
        )
    if isinstance(value, ResourceType):
        if value.type_name is None:
            raise RuntimeFailure("The given resource type is a reference to all kind of types")
        if value.title is None:
            return catalog.find_resource_type(value.type_name) is not None
        return catalog.find(value.type_name, value.title) is not None
    if kind is ClassType:
        if value.class_name is None:
            raise RuntimeFailure("The given class type is a reference to all classes")
        return catalog.find("class", value.class_name) is not None
    inner = getattr(value, "type", None)
    if type(inner) is ClassType:
        if inner.class_name is None:
            raise RuntimeFailure("The given class type is a reference to all classes")
        return find_class(catalog, inner.class_name) is not None
    if isinstance(inner, ResourceType):
        return _is_defined(catalog, scope, inner)
    raise RuntimeFailure("Invalid argument to 'defined'")
