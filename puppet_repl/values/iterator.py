"""Lazy sequences: what reverse_each, step and tree_each answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class PuppetIterator:
    """Values that are made when they are asked for, once: who goes on finds what is left.

    ``element_type`` is the type of the values; None is "nobody knows". ``kind`` names the class
    of Ruby that messages show where the reference implementation has no type for it.
    """

    __slots__ = ("_values", "element_type", "kind", "reverse")

    puppet_label = "Object"

    def __init__(
        self,
        values: Iterable[Any],
        element_type: Any = None,
        kind: str | None = None,
        reverse: Any = None,
    ) -> None:
        self._values: Iterator[Any] = iter(values)
        self.element_type = element_type
        self.kind = kind
        self.reverse = reverse

    def __iter__(self) -> Iterator[Any]:
        return self._values

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
