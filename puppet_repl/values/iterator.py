"""Iterators: what step(), reverse_each() and tree_each() answer without a block."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from typing import Any


class PuppetIterator:
    """Elements that are handed out once, one at a time.

    ``source`` is the value that the elements come from: what its elements are is what the type
    of the iterator is made of; None where nothing is known about them. ``describe`` writes the
    type of the elements.
    """

    __slots__ = ("_elements", "describe", "source")

    puppet_label = "Object"

    def __init__(
        self, elements: Iterator[Any], source: Any, describe: Callable[[Any], str]
    ) -> None:
        self._elements = elements
        self.source = source
        self.describe = describe

    def __iter__(self) -> Iterator[Any]:
        return self._elements

    def puppet_elements(self) -> Iterator[Any]:
        """What is left of the elements; taking them uses them up."""
        return self._elements

    def puppet_text(self) -> str:
        """Name the kind of the elements, without taking any."""
        return f"{self.describe(self)}-Value"

    def puppet_equals(self, other: object) -> bool:
        """An iterator is equal to nothing but itself."""
        return self is other

    def puppet_key(self) -> Hashable:
        """Every iterator is a key of its own."""
        return id(self)
