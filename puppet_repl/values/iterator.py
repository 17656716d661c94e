"""Lazy sequences: what reverse_each, step and tree_each answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class PuppetIterator:
    """Values that are made when they are asked for, once: who goes on finds what is left.

    ``find_type`` answers the type of the values, None for "nobody knows"; it is asked when
    somebody wants to know, since that may mean a walk over all of them.
    """

    __slots__ = ("_element_type", "_find_type", "_values")

    puppet_label = "Object"

    def __init__(self, values: Iterable[Any], find_type: Callable[[], Any] | None = None) -> None:
        self._values: Iterator[Any] = iter(values)
        self._find_type = find_type
        self._element_type: Any = None

    def __iter__(self) -> Iterator[Any]:
        return self._values

    def puppet_elements(self) -> Iterator[Any]:
        """What is left of the values; taking them uses them up."""
        return self._values

    @property
    def element_type(self) -> Any:
        """The type of the values, or None."""
        if self._find_type is not None:
            self._element_type = self._find_type()
            self._find_type = None
        return self._element_type

    def puppet_text(self) -> str:
        """Name it; what is inside is not shown."""
        if self.element_type is None:
            return "Iterator-Value"
        return f"Iterator[{self.element_type.generalize()}]-Value"

    def puppet_equals(self, other: object) -> bool:
        """Only itself is equal to it."""
        return self is other

    def puppet_key(self) -> int:
        """Tell apart by identity."""
        return id(self)
