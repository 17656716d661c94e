"""The end of an input: what waited until all of its code had run, and the checks."""

from __future__ import annotations

from puppet_repl.catalog import declaring, issues, relationships
from puppet_repl.catalog.evaluation import add_scope_tags, evaluate
from puppet_repl.catalog.overrides import merge
from puppet_repl.catalog.resource import Parameter, Resource
from puppet_repl.catalog.resource_types import (
    INHERITED_METAPARAMETERS,
    METAPARAMETERS,
    ResourceType,
)
from puppet_repl.catalog.signatures import check_parameters, signature_of
from puppet_repl.errors import EvaluationError, PuppetError, RuntimeFailure
from puppet_repl.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.catalog.catalog import Catalog

_ROUNDS = 1000


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
    error.subject = cause.subject
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
            add_scope_tags(resource)
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
    """Check the attributes of a resource, and note which of them are Sensitive."""
    parameters = resource.parameters
    definition = resource.definition
    if isinstance(definition, ResourceType):
        allowed = definition.attributes
        for name in parameters:
            if name not in allowed and not definition.has_attribute(name):
                raise issues.unknown_attribute(name, resource, (*allowed, *METAPARAMETERS))
    elif definition is not None and not resource.checked and definition.kind != "node":
        given = {name: parameter.value for name, parameter in parameters.items()}
        try:
            check_parameters(catalog, resource, signature_of(catalog, definition), given)
        except RuntimeFailure as failure:
            raise PuppetError(failure.message, subject=failure.subject) from None
    resource.checked = True
    for name, parameter in parameters.items():
        if type(parameter.value) is Sensitive and name not in resource.sensitive:
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
                declaring.tag_resource(target, value)
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
