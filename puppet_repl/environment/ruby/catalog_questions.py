"""Questions about scopes and the catalog."""

from __future__ import annotations

from puppet_repl.catalog.resource import (
    FunctionParameter,
    Parameter,
    Resource,
    TypeDefaultParameter,
)
from puppet_repl.catalog.resource_types import NativeType
from puppet_repl.catalog.tags import tag_resource
from puppet_repl.environment.ruby.variables import own_variables, visible_variables
from puppet_repl.language.runtime.control import group
from puppet_repl.language.runtime.declarations import Definition
from puppet_repl.language.runtime.issues import unknown_resource
from puppet_repl.language.runtime.scope import visible_match
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from puppet_repl.environment.ruby.host import RubyHost
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.values.protocols import Value

    Question: TypeAlias = dict[str, Any]
    Answer: TypeAlias = Callable[[RubyHost, Question], Any]


def _scope(host: RubyHost, question: Question) -> Scope:
    return host.scopes.get(question["scope"])


# Variables


def _lookupvar(host: RubyHost, question: Question) -> list[Any]:
    """Return the value of a variable as _numbered(), an empty array if there is none."""
    scope, name = _scope(host, question), question["name"]
    if name.isdecimal():
        match = visible_match(scope)
        return [] if match is None else [group(match, int(name))]
    if not scope.exists(name):
        return []
    host.learn_changes(in_other_calls=True)
    return _numbered(host, scope, name, scope.lookup(name))


def _numbered(host: RubyHost, scope: Scope, name: str, value: Value) -> list[Any]:
    """Return the value of a variable; the number of the variable follows if it may change.

    A fact with parts is only the number that fetches it once: a template may ask twenty times.
    """
    where, leaf = host.changes.place(scope, name)
    if where is not None and host.changes.is_fact(where, leaf):
        if isinstance(value, (tuple, PuppetHash)):
            return [None, None, host.templates.number(leaf, value)]
        return [host.codec.encode_frozen(value)]
    number = None if where is None else host.changes.number_of_variable(where, leaf, value)
    encoded = host.codec.encode(value)
    return [encoded] if number is None else [encoded, number]


def _bound(host: RubyHost, question: Question) -> bool:
    return _assigned(_scope(host, question)).bound(question["name"])


def _setvar(host: RubyHost, question: Question) -> None:
    value = host.codec.decode(question["value"])
    _assigned(_scope(host, question)).assign(question["name"], value)


def _assigned(scope: Scope) -> Scope:
    """Return the scope that an assignment changes; skip scopes that only hold a match."""
    while scope.kind == "local" and not scope.variables and scope.outer is not None:
        scope = scope.outer
    return scope


def _unknown_variable(host: RubyHost, question: Question) -> list[str | None]:
    """Return what becomes of reading an unknown variable: the setting, the name, the reason."""
    name = question["name"].removeprefix("::")
    reason = None
    if "::" in question["name"]:
        class_name, colons, _ = name.rpartition("::")
        reason = _why_unreadable(host, class_name) if colons else None
        if reason is None:
            name = f"::{name}"
    return [host.context.options.strict, name, reason]


def _why_unreadable(host: RubyHost, class_name: str) -> str | None:
    """Return why variables of a class cannot be read, None if they can."""
    catalog = host.context.catalog
    if catalog.definitions.find_class(class_name) is None:
        return f"class {class_name} could not be found"
    if catalog.bodies.class_scope(class_name) is None:
        return f"class {class_name} has not been evaluated"
    return None


def _variables(host: RubyHost, question: Question) -> Any:
    """Return the variables in reach by name; only those of the scope itself unless recursive."""
    scope = _scope(host, question)
    host.learn_changes(in_other_calls=True)
    variables = visible_variables if question["recursive"] else own_variables
    found = variables(scope, with_undef=question["with_undef"])
    return {name: _numbered(host, scope, name, value) for name, value in found.items()}


def _class_scope(host: RubyHost, question: Question) -> int | None:
    scope = host.context.catalog.bodies.class_scope(question["name"])
    return None if scope is None else host.scopes.number(scope)


def _scope_kind(host: RubyHost, question: Question) -> str:
    return _without_locals(_scope(host, question)).kind


def _related_scope(host: RubyHost, question: Question) -> int | None:
    """Return the scope that declared one, the one around it or that of its parent class."""
    scope = _without_locals(_scope(host, question))
    found = {"parent": scope.parent, "enclosing": scope.outer, "inherited": scope.inherited}
    related = found[question["relation"]]
    return None if related is None else host.scopes.number(related)


def _without_locals(scope: Scope) -> Scope:
    """Return the scope of the class or the like that the code of a lambda is in."""
    while scope.kind == "local" and scope.outer is not None:
        scope = scope.outer
    return scope


# Resource types


def _type_source(host: RubyHost, question: Question) -> dict[str, Any] | None:
    """Return the file of a resource type, or the attributes of one that Puppet itself has."""
    name = question["name"]
    environment = host.context.environment
    path = None if environment is None else environment.type_file(name)
    if path is not None:
        return {"path": path}
    native = host.context.catalog.definitions.find_native_type(name)
    if native is None:
        return None
    return {
        "properties": list(native.properties),
        "parameters": list(native.parameters),
        "namevars": list(native.namevars),
    }


# Resources


def describe(resource: Resource, host: RubyHost) -> dict[str, Any]:
    """Return a resource as the shim's Puppet::Resource takes it."""
    definition = resource.definition
    namevar = definition.namevars[0] if isinstance(definition, NativeType) else "name"
    return {
        "type": resource.type,
        "title": resource.title,
        "v": host.codec.handles.add(resource),
        "namevar": namevar,
        "file": resource.file,
        "line": resource.line,
        "virtual": resource.virtual,
        "exported": resource.exported,
    }


def _namevar(host: RubyHost, question: Question) -> str:
    """Return the attribute that names resources of a type."""
    native = host.context.catalog.definitions.find_native_type(question["type"].lower())
    return "name" if native is None else native.namevars[0]


def _found(host: RubyHost, data: dict[str, Any]) -> Resource:
    """Return the resource that a description is about."""
    if data.get("v") is not None:
        resource = host.codec.handles.get(data["v"])
        assert isinstance(resource, Resource)
        return resource
    found = host.context.catalog.resources.find(data["type"], data["title"])
    if found is None:
        raise unknown_resource(data["type"], data["title"])
    return found


def _scope_resource(host: RubyHost, question: Question) -> Any:
    resources = host.context.catalog.resources
    return describe(resources.resource_of(_scope(host, question)), host)


def _resources(host: RubyHost, question: Question) -> Any:
    return [describe(one, host) for one in host.context.catalog.tables.members]


def _resource(host: RubyHost, question: Question) -> Any:
    found = host.context.catalog.resources.find(question["type"], question["title"])
    return None if found is None else describe(found, host)


def _resource_parameters(host: RubyHost, question: Question) -> Any:
    resource = _found(host, question["resource"])
    number = host.changes.number_of_parameter
    return {
        name: _described(host, one, number(resource, name, one.value))
        for name, one in resource.parameters.items()
    }


def _described(host: RubyHost, one: Parameter, number: int | None = None) -> list[Any]:
    """Return what Ruby makes a parameter of: value, number, line, file, if it was appended to."""
    file = None if one.source is None else one.source.name
    return [host.codec.encode(one.value), number, one.line, file, one.append]


def _set_parameter(host: RubyHost, question: Question) -> None:
    resource = _found(host, question["resource"])
    name, value = question["name"], host.codec.decode(question["value"])
    host.context.catalog.state.touch(resource)
    _put(host, resource, FunctionParameter(name, value, resource.definer))
    if name == "tag":
        tag_resource(resource, value)


def _change_parameter(host: RubyHost, question: Question) -> None:
    """Give a parameter another value."""
    resource = _found(host, question["resource"])
    host.context.catalog.state.touch(resource)
    value = host.codec.decode(question["value"])
    _put(host, resource, resource.parameters[question["name"]].with_value(value))


def _put(host: RubyHost, resource: Resource, parameter: Parameter) -> None:
    resource.parameters[parameter.name] = parameter
    resource.checked = False
    host.context.catalog.state.count_change(parameter.name)


def _delete_parameter(host: RubyHost, question: Question) -> None:
    resource = _found(host, question["resource"])
    host.context.catalog.state.touch(resource)
    del resource.parameters[question["name"]]


def _definer(host: RubyHost, question: Question) -> Any:
    """Return the class or define that has declared a resource, or set a parameter of it."""
    resource = _found(host, question["resource"])
    at = resource.parameters[question["name"]] if "name" in question else resource
    return _describe_definition(at.definer)


def _resource_tags(host: RubyHost, question: Question) -> list[str]:
    return list(_found(host, question["resource"]).tags)


def _resource_scope(host: RubyHost, question: Question) -> int:
    return host.scopes.number(_found(host, question["resource"]).scope)


def _scope_tags(host: RubyHost, question: Question) -> list[str]:
    return list(host.context.catalog.resources.resource_of(_scope(host, question)).tags)


def _catalog_tags(host: RubyHost, question: Question) -> list[str]:
    return ["settings", *host.context.catalog.tables.tags]


def _classes(host: RubyHost, question: Question) -> list[str]:
    return list(host.context.catalog.tables.classes)


# Definitions


def _describe_definition(definition: Definition) -> dict[str, Any]:
    return {
        "name": definition.name,
        "kind": {"class": "hostclass", "define": "definition"}.get(definition.kind, "node"),
        "module": definition.module_name or "",
        "file": definition.file,
        "line": definition.line,
        "arguments": {one.name: None for one in definition.parameters},
    }


def _definition(host: RubyHost, question: Question) -> Any:
    definitions = host.context.catalog.definitions
    name = question["name"].removeprefix("::").lower()
    found = (
        definitions.find_class(name)
        if question["kind"] == "class"
        else definitions.find_define(name)
    )
    return None if found is None else _describe_definition(found)


def _scope_source(host: RubyHost, question: Question) -> Any:
    source = _scope(host, question).source
    return None if source is None else _describe_definition(source)


# Defaults


def _defaults(host: RubyHost, question: Question) -> Any:
    """Return the defaults that hold in a scope for a type."""
    scope = _without_locals(_scope(host, question))
    found = host.context.catalog.defaults.for_type(scope, question["type"])
    return {name: _described(host, one) for name, one in found.items()}


def _change_defaults(host: RubyHost, question: Question) -> None:
    """Ask Ruby for the defaults in a scope from now on: its code has redefined how they are found.

    The scope keeps the number that Ruby code knows it by.
    """
    scope, generation = _without_locals(_scope(host, question)), host.generation
    catalog = host.context.catalog
    definer = catalog.definitions.definer_of(scope)

    def change(type_name: str, given: dict[str, Parameter]) -> dict[str, Parameter]:
        if host.generation != generation:
            host.context.log("warning", "Ruby was started again: defaults of a scope are as before")
            return given
        own = host.scopes.number(scope)
        sent = {name: _described(host, one) for name, one in given.items()}
        found = host.request(
            "lookupdefaults", n=question["scope"], scope=own, type=type_name, given=sent
        )
        return {
            name: given[name] if data is None else TypeDefaultParameter(name, data[0], definer)
            for name, data in host.codec.decode(found).items()
        }

    catalog.defaults.change(scope, change)


def _node_name(host: RubyHost, question: Question) -> str:
    return host.context.node_name


CATALOG_QUESTIONS: dict[str, Answer] = {
    "type_source": _type_source,
    "bound": _bound,
    "catalog_tags": _catalog_tags,
    "change_defaults": _change_defaults,
    "change_parameter": _change_parameter,
    "class_scope": _class_scope,
    "classes": _classes,
    "defaults": _defaults,
    "definer": _definer,
    "definition": _definition,
    "delete_parameter": _delete_parameter,
    "lookupvar": _lookupvar,
    "namevar": _namevar,
    "node_name": _node_name,
    "related_scope": _related_scope,
    "resource": _resource,
    "resource_parameters": _resource_parameters,
    "resource_scope": _resource_scope,
    "resource_tags": _resource_tags,
    "resources": _resources,
    "scope_kind": _scope_kind,
    "scope_resource": _scope_resource,
    "scope_source": _scope_source,
    "scope_tags": _scope_tags,
    "set_parameter": _set_parameter,
    "setvar": _setvar,
    "unknown_variable": _unknown_variable,
    "variables": _variables,
}
