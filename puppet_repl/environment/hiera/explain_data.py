"""Explanations as the Hash that ``puppet lookup --explain --render-as json`` prints."""

from __future__ import annotations

from puppet_repl.environment.hiera.explain_text import merge_options
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.environment.hiera.explanation import Event, Explanation, Kind, Step
    from puppet_repl.language.values.protocols import Value

_EVENTS: dict[Event, str] = {
    "found": "found",
    "in overrides": "found_in_overrides",
    "in defaults": "found_in_defaults",
    "not found": "not_found",
    "not asked": "not_asked",
    "missing": "location_not_found",
    "result": "result",
    "no module": "module_not_found",
    "no data": "module_provider_not_found",
}
_WITH_VALUE = ("found", "in overrides", "in defaults", "result")
_TYPES: dict[Kind, str] = {
    "key": "root",
    "options": "root",
    "invalid key": "invalid_key",
    "merge source": "merge_source",
    "layer": "data_provider",
    "level": "data_provider",
    "sub key": "sub_key",
    "interpolation": "interpolate",
}


def explain_data(explanation: Explanation) -> PuppetHash:
    """Return an explanation as a Hash of strings, values, and lists of such hashes."""
    steps = explanation.root.steps
    if len(steps) == 1:
        return _hash(steps[0])
    return PuppetHash([("branches", _hashes(steps))] if steps else ())


def _hashes(steps: list[Step]) -> tuple[PuppetHash, ...]:
    return tuple([_hash(step) for step in steps])


def _hash(step: Step) -> PuppetHash:
    if step.kind == "merge source":
        return PuppetHash([("type", "merge_source"), ("merge_source", step.name)])
    if step.kind == "merge" and len(step.steps) == 1:
        return _hash(step.steps[0])
    return PuppetHash([*_outcome(step), *_details(step)])


def _outcome(step: Step) -> Iterator[tuple[str, Value]]:
    if step.steps:
        yield "branches", _hashes(step.steps)
    key = step.name if step.kind in ("key", "options", "invalid key") else step.key
    if key is not None:
        yield "key", key
    if step.event in _WITH_VALUE:
        yield "value", step.value
    if step.event is not None:
        yield "event", _EVENTS[step.event]
    if step.texts:
        yield "texts", tuple(step.texts)
    yield "type", _TYPES.get(step.kind, step.kind)


def _details(step: Step) -> Iterator[tuple[str, Value]]:
    kind = step.kind
    if kind == "interpolation":
        yield "expression", step.name
    elif kind == "merge":
        yield "merge", step.name
        options = merge_options(step)
        if options is not None:
            yield "options", options
    elif kind in ("layer", "level"):
        yield "name", step.title
        if step.config is not None:
            yield "configuration_path", step.config
        if step.owner is not None:
            yield "module", step.owner
    elif kind in ("path", "uri"):
        yield f"original_{kind}", step.original
        yield kind, step.name
    elif kind == "scope":
        yield "name", step.name
