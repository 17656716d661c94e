"""The traversal of nested containers by tree_each()."""

from __future__ import annotations

from collections import deque

from puppet_repl.base.differences import warn_of_difference
from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.making.pcore import attribute_values
from puppet_repl.language.types.making.puppet_object import PuppetObject
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import PuppetIterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from puppet_repl.language.values.protocols import Value

    Path = tuple[Value, ...]
    Item = tuple[Path, Value]

_CONTAINERS = "Variant[Array, Hash, Object]"


class TreeWalk:
    """Which values are visited, and in which order, by the options of tree_each()."""

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

    def walk(self, tree: Value) -> Iterator[Item]:
        """Generate the pairs of path and value."""
        if type(tree) is PuppetIterator:
            warn_of_difference("tree_of_iterator")
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

    def _depth_first(self, tree: Value) -> Iterator[Item]:
        stack: list[tuple[Path, Iterator[tuple[Value, Value]]]] = [((), iter(self._inside(tree)))]
        while stack:
            path, children = stack[-1]
            for key, value in children:
                child_path = (*path, key)
                if self.is_container(value):
                    if self.containers:
                        yield child_path, value
                    stack.append((child_path, iter(self._inside(value))))
                    break
                if self.values:
                    yield child_path, value
            else:
                stack.pop()

    def _breadth_first(self, tree: Value) -> Iterator[Item]:
        """Generate the pairs by level. As in Puppet, ``include_values`` has no effect here."""
        waiting: deque[Item] = deque([((), tree)])
        while waiting:
            path, container = waiting.popleft()
            for key, value in self._inside(container):
                child_path = (*path, key)
                if self.is_container(value):
                    waiting.append((child_path, value))
                    if not self.containers:
                        continue
                yield child_path, value

    def _inside(self, container: Value) -> Iterable[tuple[Value, Value]]:
        if type(container) is tuple:
            return enumerate(container)
        if type(container) is PuppetHash:
            return container.items()
        return self._attributes(container)

    def _attributes(self, container: Value) -> Iterator[tuple[str, Value]]:
        """Generate the attributes that the type of an object adds to its parent type.

        Constants are included, references to other objects only with ``include_refs``.
        """
        if isinstance(container, PuppetType):
            yield from attribute_values(container)
            return
        if not isinstance(container, PuppetObject):
            return
        for name, attribute in container.base.definition.attributes.items():
            if self.references or attribute.kind != "reference":
                yield name, container.call_member(name)


def _given(options: PuppetHash, name: str) -> bool:
    value = options.get(name)
    return True if value is None else bool(value)
