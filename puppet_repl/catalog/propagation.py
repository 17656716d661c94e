"""Propagation of metaparameters and tags from containers to what they contain."""

from __future__ import annotations

from puppet_repl.catalog import tags
from puppet_repl.catalog.resource import ContainerParameter
from puppet_repl.catalog.resource_types import INHERITED_METAPARAMETERS
from puppet_repl.language.runtime.declarations import Definition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.catalog.state import State
    from puppet_repl.language.values.protocols import Value

_INHERITED = frozenset(INHERITED_METAPARAMETERS)
_NOT_PROPAGATED_TO = frozenset(("Class", "Node", "Stage"))


class Propagation:
    """What resources inherit from their containers; ``main`` is the container at the top."""

    def __init__(self, state: State, main: Resource) -> None:
        self.state = state
        self.main = main

    def to_fresh(self) -> None:
        """Propagate to the resources that this input declared.

        This suffices if classes are not contained in classes: every resource below the top was
        declared in it or in an instance of a define, and containers precede their members.
        """
        main = self.main
        reached: dict[Resource, bool] = {main: True}
        inherited: dict[Resource, dict[str, Value]] = {}
        for target in self.state.fresh:
            container = target.scope.resource
            if container is None or target.type in _NOT_PROPAGATED_TO:
                reached[target] = target is main
                continue
            is_reached = reached.get(container)
            if is_reached is None:
                is_reached = reached[container] = self._is_reached(container)
            if type(target.definition) is Definition:
                reached[target] = is_reached
            if is_reached:
                values = inherited.get(container)
                if values is None:  # complete by now, since containers come first
                    values = inherited[container] = _metaparameters(container)
                if values or not target.has_tags_of(container):
                    self._propagate(container, target, values)

    def _is_reached(self, resource: Resource | None) -> bool:
        main = self.main
        while resource is not None and resource is not main:
            if resource.type in _NOT_PROPAGATED_TO:
                return False
            resource = resource.container
        return resource is main

    def to_all(self) -> None:
        """Propagate to everything that is contained in something."""
        members: dict[Resource, list[Resource]] = {}
        for source, target in self.state.tables.containment():
            members.setdefault(source, []).append(target)
        inherited: dict[Resource, dict[str, Value]] = {}
        queue = [self.main]
        seen: set[Resource] = set()
        for source in queue:
            if source in seen:
                continue
            seen.add(source)
            targets = members.get(source)
            if not targets:
                continue
            values = inherited.get(source)
            if values is None:
                values = _metaparameters(source)
            for target in targets:
                self._propagate(source, target, values)
                if values:
                    inherited[target] = {**values, **_metaparameters(target)}
            queue += targets

    def _propagate(self, source: Resource, target: Resource, values: dict[str, Value]) -> None:
        for name, value in values.items():
            if target.value(name) is None:
                self.state.touch(target)
                target.parameters[name] = ContainerParameter(name, value, target.definer)
                if name == "tag":
                    tags.tag_resource(target, value)
        if not target.has_tags_of(source):
            self.state.touch(target)
            target.tags = {**target.tags, **source.tags}


def _metaparameters(resource: Resource) -> dict[str, Value]:
    parameters = resource.parameters
    if _INHERITED.isdisjoint(parameters):
        return {}
    return {
        name: parameters[name].value
        for name in INHERITED_METAPARAMETERS
        if name in parameters and parameters[name].value is not None
    }
