"""The walk through nested containers that tree_each() offers."""

from __future__ import annotations

from collections import deque

from puppet_repl.errors import RuntimeFailure
from puppet_repl.types.making.parse import parse_type
from puppet_repl.types.making.pcore import attribute_values
from puppet_repl.types.model.base import PuppetType
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    Item = tuple[tuple[Any, ...], Any]

_CONTAINERS = "Variant[Array, Hash, Object]"


class TreeWalk:
    """What to visit, and in which order; the options are those of tree_each()."""

    def __init__(self, options: PuppetHash) -> None:
        self.container_type = options.get("container_type")
        self.containers = _given(options, "include_containers")
        self.values = _given(options, "include_values")
        self.root = self.containers and _given(options, "include_root")
        self.references = options.get("include_refs") is True
        self.breadth_first = options.get("order") == "breadth_first"
        every = parse_type(_CONTAINERS)
        chosen = self.container_type or every
        if not every.accepts_type(chosen):
            raise RuntimeFailure(
                f"Only Array, Hash, and Object types can be used as container types. Got {chosen}"
            )
        if not self.containers and not self.values:
            raise RuntimeFailure(
                "Options 'include_containers' and 'include_values' cannot both be false"
            )
        self.is_container = chosen.predicate()

    def walk(self, tree: Any) -> Iterator[Item]:
        """The pairs of path and value, lazily."""
        if not self.is_container(tree):
            if self.root:
                yield (), tree
            return
        if self.root:
            yield (), tree
        if self.breadth_first:
            yield from self._breadth_first(tree)
        else:
            yield from self._depth_first(tree)

    def _depth_first(self, tree: Any) -> Iterator[Item]:
        stack: list[tuple[tuple[Any, ...], Iterator[tuple[Any, Any]]]] = [
            ((), iter(self._inside(tree)))
        ]
        while stack:
            path, children = stack[-1]
            for key, value in children:
                place = (*path, key)
                if self.is_container(value):
                    if self.containers:
                        yield place, value
                    stack.append((place, iter(self._inside(value))))
                    break
                if self.values:
                    yield place, value
            else:
                stack.pop()

    def _breadth_first(self, tree: Any) -> Iterator[Item]:
        """Level by level. As in Puppet, values are visited here whatever include_values says."""
        waiting: deque[Item] = deque([((), tree)])
        while waiting:
            path, container = waiting.popleft()
            for key, value in self._inside(container):
                place = (*path, key)
                if self.is_container(value):
                    waiting.append((place, value))
                    if not self.containers:
                        continue
                yield place, value

    def _inside(self, container: Any) -> Iterable[tuple[Any, Any]]:
        if type(container) is tuple:
            return enumerate(container)
        if type(container) is PuppetHash:
            return container.items()
        return self._attributes(container)

    def _attributes(self, container: Any) -> Iterator[tuple[str, Any]]:
        """The attributes that the type of an object adds to its parent, constants among them;
        references to others only where they are asked for.
        """
        if isinstance(container, PuppetType):
            yield from attribute_values(container)
            return
        base = getattr(container, "base", None)
        if base is None:
            return
        for name, attribute in base.definition.attributes.items():
            if self.references or attribute.kind != "reference":
                yield name, container.call_member(name)


def _given(options: PuppetHash, name: str) -> bool:
    value = options.get(name)
    return True if value is None else bool(value)
