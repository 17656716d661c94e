"""Running the bodies of classes, defines and nodes, and what waits for the end of an input."""

from __future__ import annotations

from puppet_repl.catalog import declaring, issues, relationships
from puppet_repl.catalog.resource import Parameter, Resource
from puppet_repl.catalog.resource_types import (
    INHERITED_METAPARAMETERS,
    METAPARAMETER_SET,
    METAPARAMETERS,
    ResourceType,
)
from puppet_repl.errors import EvaluationError, PuppetError, RuntimeFailure
from puppet_repl.runtime.declarations import Definition
from puppet_repl.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.catalog.compiler import Catalog
    from puppet_repl.runtime.scope import Scope
    from puppet_repl.types.base import PuppetType
    from puppet_repl.types.collection import StructType

_ROUNDS = 1000


class Signature:
    """The parameters of a class or define, with their types known."""

    __slots__ = ("checks", "defaults", "names", "required", "types")

    def __init__(self, definition: Definition) -> None:
        parameters = definition.parameters
        self.names = tuple(parameter.name for parameter in parameters)
        self.types: dict[str, PuppetType | None] = {}
        self.checks: dict[str, Callable[[object], bool]] = {}
        for parameter in parameters:
            type_ = None if parameter.type is None else parameter.type()
            self.types[parameter.name] = type_
            if type_ is not None:
                self.checks[parameter.name] = type_.predicate()
        self.defaults = {
            parameter.name: parameter.default
            for parameter in parameters
            if parameter.default is not None
        }
        self.required = tuple(name for name in self.names if name not in self.defaults)

    def accepts(self, given: dict[str, Any]) -> bool:
        """Whether values can be given to the parameters as they are."""
        types = self.types
        checks = self.checks
        for name, value in given.items():
            check = checks.get(name)
            if check is not None:
                if not check(value):
                    return False
            elif name not in types and name not in METAPARAMETER_SET and name != "name":
                return False
        return all(name in given for name in self.required)

    def struct(self) -> StructType:
        """The Struct that the parameters have to match."""
        from puppet_repl.types.base import ANY
        from puppet_repl.types.collection import StructElement, StructType

        elements = [StructElement("name", True, ANY)]
        elements += [StructElement(name, True, ANY) for name in METAPARAMETERS]
        elements = [one for one in elements if one.name not in self.types]
        for name, type_ in self.types.items():
            elements.append(StructElement(name, name in self.defaults, type_ or ANY))
        return StructType(tuple(elements))


def signature_of(catalog: Catalog, definition: Definition) -> Signature:
    """The signature of a definition, made once."""
    signature = catalog.signatures.get(definition)
    if signature is None:
        signature = catalog.signatures[definition] = Signature(definition)
    return signature


def check_parameters(
    catalog: Catalog, resource: Resource, signature: Signature, given: dict[str, Any]
) -> None:
    """Raise what is wrong with the values given to a class or define, all of it."""
    if signature.accepts(given):
        return
    from puppet_repl.types.mismatch import parameters_mismatch
    from puppet_repl.values.hash import PuppetHash

    problem = parameters_mismatch(
        resource.ref, signature.struct(), PuppetHash.of_strings(dict(given))
    )
    if problem is not None:
        raise RuntimeFailure(problem)


# Bodies


def evaluate(catalog: Catalog, resource: Resource) -> None:
    """Run the body of a class, a define instance or a node, once."""
    if resource.evaluated:
        return
    definition = resource.instance_of
    if definition is None:
        return
    catalog.state.touch(resource)
    resource.evaluated = True
    _add_scope_tags(resource)
    context = catalog.context
    parent_scope = _parent_scope(catalog, resource, definition)
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


def _parent_scope(catalog: Catalog, resource: Resource, definition: Definition) -> Scope | None:
    if definition.parent is None or definition.kind != "class":
        return None
    parent = catalog.find_class(definition.parent)
    if parent is None:
        raise issues.parent_not_found(definition, catalog.environment_name)
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
        title, name = resource.title.lower(), str(resource.name).lower()
    else:
        title, name = resource.title, resource.name  # type: ignore[assignment]  # any value may name it
    bind("title", title)
    bind("name", name)
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
            except RuntimeFailure as failure:
                if failure.message.startswith(f"{callee}: "):
                    raise RuntimeFailure(failure.message) from None
                raise context.locate(failure) from None
            except EvaluationError as error:
                raise context.locate(error) from None
            parameters.bind(name, value)
            resource.parameters[name] = Parameter(name, value, resource.definer)
            if name == "tag":
                declaring.tag_resource(catalog, resource, value)
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


def _add_scope_tags(resource: Resource) -> None:
    if resource.tagged_by_scope:
        return
    resource.tagged_by_scope = True
    container = resource.container
    if container is not None and container is not resource:
        resource.tags.update(container.tags)


# Overrides


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
            both = []
            for value in (old.value, new.value):
                both += list(value) if type(value) is tuple else [value]
            new = new.with_value(_flat(both))
    if name == "tag":
        declaring.tag_resource(catalog, resource, new.value)
    resource.parameters[name] = new


def _flat(values: list[Any]) -> tuple[Any, ...]:
    flat: list[Any] = []
    for value in values:
        if type(value) is tuple:
            flat += _flat(list(value))
        else:
            flat.append(value)
    return tuple(flat)


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


# The end of an input


def evaluate_generators(catalog: Catalog) -> None:
    """Run collectors and the bodies of defines until nothing new comes of it."""
    for _ in range(_ROUNDS):
        collected = False
        for collector in list(catalog.state.tables.collectors):
            collected = collector.evaluate(catalog) or collected
        if not (_evaluate_definitions(catalog) or collected):
            return
    raise issues.looped_too_often()


def _evaluate_definitions(catalog: Catalog) -> bool:
    waiting = [
        resource
        for resource in catalog.state.fresh
        if not (resource.evaluated or resource.virtual or resource.instance_of is None)
    ]
    for resource in waiting:
        try:
            evaluate(catalog, resource)
        except (EvaluationError, RuntimeFailure) as error:
            raise _in_resource(resource, error.message, error) from None
        except PuppetError as error:
            raise _in_resource(resource, str(error), error) from None
    return bool(waiting)


def _in_resource(resource: Resource, detail: str, cause: PuppetError) -> PuppetError:
    """An error in a body that ran late: Puppet reports it at the resource, without a column."""
    error = issues.at_line(
        f"Evaluation Error: Error while evaluating a Resource Statement, {detail}",
        resource.source,
        resource.line,
    )
    error.frames = cause.frames
    error.__cause__ = cause
    return error


def compile_additions(catalog: Catalog) -> None:
    """Evaluate what was put off, finish the resources, and check what they refer to."""
    evaluate_generators(catalog)
    relationships.evaluate(catalog)
    state = catalog.state
    _merge_waiting(catalog)
    for resource in list(state.fresh):
        if not resource.finished:
            resource.finished = True
            _add_scope_tags(resource)
        _check(resource, catalog)
    if state.spread or state.tables.has_contained_classes:
        _hand_down(catalog)
    else:
        _hand_down_to_fresh(catalog)
    relationships.validate(catalog, state.tables.members if state.removed else state.fresh)


def _merge_waiting(catalog: Catalog) -> None:
    """Apply the overrides that came before their resource."""
    tables = catalog.state.tables
    for key, waiting in list(tables.overrides.items()):
        resource = tables.resources.get(key)
        if resource is not None:
            del catalog.state.own().overrides[key]
            for override in waiting:
                merge(catalog, resource, override)


def fail_on_unevaluated(catalog: Catalog) -> None:
    """Refuse overrides without a resource, and realize() of what never came."""
    tables = catalog.state.tables
    left = [override.ref for overrides in tables.overrides.values() for override in overrides]
    if left:
        raise issues.overrides_left(left)
    from puppet_repl.catalog.references import reference_text

    wanted = [reference_text(item) for collector in tables.collectors for item in collector.wanted]
    if wanted:
        raise issues.realizations_left(wanted)


def _check(resource: Resource, catalog: Catalog) -> None:
    """Check the attributes of a resource, and unwrap Sensitive values."""
    parameters = resource.parameters
    definition = resource.definition
    if isinstance(definition, ResourceType):
        allowed = definition.attributes
        for name in parameters:
            if name not in allowed and name not in METAPARAMETER_SET:
                raise issues.unknown_attribute(name, resource)
    elif definition is not None and not resource.checked and definition.kind != "node":
        given = {name: parameter.value for name, parameter in parameters.items()}
        for name in resource.sensitive:
            given[name] = Sensitive(given[name])
        try:
            check_parameters(catalog, resource, signature_of(catalog, definition), given)
        except RuntimeFailure as failure:
            raise PuppetError(failure.message) from None
    resource.checked = True
    for name, parameter in list(parameters.items()):
        value = parameter.value
        if type(value) is Sensitive:
            parameters[name] = parameter.with_value(value.value)
            if name not in resource.sensitive:
                resource.sensitive += (name,)


def _hand_down_to_fresh(catalog: Catalog) -> None:
    """Hand metaparameters and tags down to what is new.

    It is enough where no class is contained in another: then everything below the top was
    declared in it or in instances of defines, each of them before what it contains.
    """
    main = catalog.main_resource
    reached: dict[Resource, bool] = {main: True}
    for target in catalog.state.fresh:
        container = target.container
        if container is None or target.is_class or target.type in ("Stage", "Node"):
            reached[target] = target is main
            continue
        known = reached.get(container)
        if known is None:
            known = reached[container] = _is_reached(container, main)
        reached[target] = known
        if known:
            _hand(catalog, container, target, _metaparameters(container))


def _is_reached(resource: Resource | None, main: Resource) -> bool:
    while resource is not None and resource is not main:
        if resource.is_class or resource.type in ("Stage", "Node"):
            return False
        resource = resource.container
    return resource is main


def _hand(catalog: Catalog, source: Resource, target: Resource, handed: dict[str, Any]) -> None:
    for name, value in handed.items():
        if target.value(name) is None:
            catalog.state.touch(target)
            target.parameters[name] = Parameter(name, value, target.definer)
            if name == "tag":
                declaring.tag_resource(catalog, target, value)
    if not source.tags.keys() <= target.tags.keys():
        catalog.state.touch(target)
        target.tags.update(source.tags)


def _hand_down(catalog: Catalog) -> None:
    """Hand metaparameters and tags of containers down to what they contain, all of them."""
    tables = catalog.state.tables
    members: dict[Resource, list[Resource]] = {}
    for source, target in tables.edges:
        members.setdefault(source, []).append(target)
    own: dict[Resource, dict[str, Any]] = {}
    queue = [catalog.main_resource]
    seen: set[Resource] = set()
    for source in queue:
        if source in seen:
            continue
        seen.add(source)
        targets = members.get(source)
        if not targets:
            continue
        handed = own.get(source)
        if handed is None:
            handed = _metaparameters(source)
        for target in targets:
            _hand(catalog, source, target, handed)
            if handed:
                own[target] = {**handed, **_metaparameters(target)}
        queue += targets


def _metaparameters(resource: Resource) -> dict[str, Any]:
    parameters = resource.parameters
    found = {}
    for name in INHERITED_METAPARAMETERS:
        if name in parameters and parameters[name].value is not None:
            found[name] = parameters[name].value
    return found
