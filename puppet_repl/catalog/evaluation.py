"""Running the bodies of classes, defines and nodes."""

from __future__ import annotations

from puppet_repl.catalog import declaring, issues
from puppet_repl.catalog.resource import Parameter, Resource
from puppet_repl.catalog.signatures import check_parameters, signature_of
from puppet_repl.errors import EvaluationError, RuntimeFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.signatures import Signature
    from puppet_repl.runtime.declarations import Definition
    from puppet_repl.runtime.scope import Scope


def evaluate(catalog: Catalog, resource: Resource) -> None:
    """Run the body of a class, a define instance or a node, once."""
    if resource.evaluated:
        return
    definition = resource.instance_of
    if definition is None:
        return
    catalog.state.touch(resource)
    resource.evaluated = True
    add_scope_tags(resource)
    context = catalog.context
    parent_scope = _parent_scope(catalog, definition)
    scope: Scope = context.new_scope(
        parent_scope or resource.scope, definition.kind, resource, definition
    )
    if parent_scope is not None:
        scope.inherited = parent_scope
    if definition.pattern is not None:
        scope.match = definition.pattern(catalog.node_name)
    if definition.kind != "define":
        tables = catalog.state.own()
        tables.classes[definition.name] = None
        tables.tags.update(resource.tags)
    _bind_parameters(catalog, resource, definition, scope)
    if resource.is_class:
        _add_to_stage(catalog, resource)
    if definition.body is not None:
        outer = context.scope
        context.scope = scope
        try:
            definition.body(scope)
        finally:
            context.scope = outer


def _parent_scope(catalog: Catalog, definition: Definition) -> Scope | None:
    if definition.parent is None or definition.kind != "class":
        return None
    parent = catalog.find_class(definition.parent)
    if parent is None:
        raise issues.parent_not_found(definition, catalog.context.options.environment_name)
    declared = catalog.find("class", parent.name)
    if declared is None:
        return None
    evaluate(catalog, declared)
    return catalog.class_scope(parent.name)


def _bind_parameters(
    catalog: Catalog, resource: Resource, definition: Definition, scope: Scope
) -> None:
    bind = scope.bind
    module_name = resource.value("module_name") or definition.module_name
    if module_name is not None:
        bind("module_name", module_name)
    caller = scope.parent.source if scope.parent is not None else None
    if caller is not None and caller.module_name is not None:
        bind("caller_module_name", caller.module_name)
    signature = signature_of(catalog, definition)
    if definition.kind == "class":
        _look_up_parameters(catalog, resource, definition, signature)
        bind("title", resource.title.lower())
        bind("name", str(resource.name).lower())
    else:
        bind("title", resource.title)
        bind("name", resource.name)
    if definition.kind != "define":
        catalog.state.own().class_scopes[definition.name] = scope
    given = {
        key: parameter.value
        for key, parameter in resource.parameters.items()
        if key != "name" and key != "title"
    }
    if signature.defaults:
        given = _with_defaults(catalog, resource, signature, scope, given)
    check_parameters(catalog, resource, signature, given)
    resource.checked = True
    for key, value in given.items():
        scope.assign(key, value)


def _look_up_parameters(
    catalog: Catalog, resource: Resource, definition: Definition, signature: Signature
) -> None:
    """Ask the data of the environment for what was not given to a class."""
    lookup = catalog.data_lookup
    if lookup is None:
        return
    for name in signature.names:
        parameter = resource.parameters.get(name)
        if parameter is not None and parameter.value is not None:
            continue
        found, value = lookup(f"{definition.name}::{name}", resource.scope)
        if found and not (value is None and name in signature.defaults):
            resource.parameters[name] = Parameter(name, value, resource.definer)


def _with_defaults(
    catalog: Catalog,
    resource: Resource,
    signature: Signature,
    scope: Scope,
    given: dict[str, Any],
) -> dict[str, Any]:
    """The values given and those of the defaults, evaluated from left to right."""
    missing = [name for name in signature.defaults if given.get(name) is None]
    if not missing:
        return given
    callee = resource.ref
    parameters = scope.parameter_scope(callee, signature.names)
    for name, value in given.items():
        parameters.bind(name, value)
    context = catalog.context
    outer = context.scope
    context.scope = parameters
    try:
        for name in missing:
            try:
                value = parameters.evaluate(name, signature.defaults[name])
                value = declaring.attribute(value)
            except RuntimeFailure as failure:
                if failure.message.startswith(f"{callee}: "):
                    raise RuntimeFailure(failure.message) from None
                raise context.locate(failure) from None
            except EvaluationError as error:
                raise context.locate(error) from None
            parameters.bind(name, value)
            resource.parameters[name] = Parameter(name, value, resource.definer)
            if name == "tag":
                declaring.tag_resource(resource, value)
    finally:
        context.scope = outer
    return parameters.values()


def _add_to_stage(catalog: Catalog, resource: Resource) -> None:
    stage_name = resource.value("stage")
    container = resource.container
    if stage_name is None and container is not None:
        stage_name = container.value("stage")
    stage = catalog.find("stage", "main" if stage_name is None else str(stage_name))
    if stage is None:
        raise issues.stage_not_found(str(resource.value("stage") or "main"), resource)
    if stage.title != "main" and resource.value("stage") is None:
        resource.parameters["stage"] = Parameter("stage", stage.title, resource.definer)
    catalog.state.own().edges[stage, resource] = None


def add_scope_tags(resource: Resource) -> None:
    """Give a resource the tags of its container, once."""
    if resource.tagged_by_scope:
        return
    resource.tagged_by_scope = True
    container = resource.container
    if container is not None and container is not resource:
        resource.tags.update(container.tags)
