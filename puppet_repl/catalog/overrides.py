"""Who may override which attribute of a resource, and what comes of it."""

from __future__ import annotations

from puppet_repl.catalog import declaring, issues
from puppet_repl.values.array import flatten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.resource import Parameter, Resource
    from puppet_repl.runtime.declarations import Definition
    from puppet_repl.runtime.scope import Scope


def merge(catalog: Catalog, resource: Resource, override: Resource) -> None:
    """Apply an override, by Puppet's rules of who may override what."""
    definer = override.definer
    if definer is not resource.definer and not _is_child(catalog, definer, resource.definer):
        raise issues.only_subclasses_can_override(override)
    if resource.evaluated and resource.instance_of is not None:
        strict = catalog.context.options.strict
        message = issues.already_evaluated(resource)
        if strict == "error":
            raise issues.at_line(message, override.source, override.line)
        if strict == "warning":
            catalog.context.log("warning", message)
    catalog.state.touch(resource)
    resource.checked = False
    if resource.instance_of is not None:
        catalog.state.spread = True
    for parameter in override.parameters.values():
        _override_parameter(catalog, resource, parameter)


def _is_child(catalog: Catalog, definition: Definition, ancestor: Definition) -> bool:
    """Whether a class inherits from another; after a collector with overrides all is allowed."""
    if definition in catalog.state.tables.free_definers:
        return True
    while definition.parent is not None:
        parent = catalog.find_class(definition.parent)
        if parent is None:
            return False
        if parent is ancestor or parent in catalog.state.tables.free_definers:
            return True
        definition = parent
    return False


def _override_parameter(catalog: Catalog, resource: Resource, new: Parameter) -> None:
    name = new.name
    old = resource.parameters.get(name)
    if old is not None:
        if _is_default(catalog, resource, new):
            return
        allowed = _is_child(catalog, new.definer, old.definer) or (
            new.definer is old.definer and _is_default(catalog, resource, old)
        )
        if not allowed and not catalog.is_older(resource):
            raise issues.parameter_already_set(resource, new, old)
        if new.append:
            new = new.with_value(flatten((old.value, new.value)))
    if name == "tag":
        declaring.tag_resource(resource, new.value)
    resource.parameters[name] = new


def _is_default(catalog: Catalog, resource: Resource, parameter: Parameter) -> bool:
    from puppet_repl.values.compare import equals

    scope: Scope | None = resource.scope
    all_defaults = catalog.state.tables.defaults
    while scope is not None and all_defaults:
        default = all_defaults.get(scope, {}).get(resource.type, {}).get(parameter.name)
        if default is not None and equals(default.value, parameter.value):
            return True
        scope = scope.parent
    return False
