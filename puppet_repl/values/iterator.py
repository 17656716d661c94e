"""Lazy sequences: what reverse_each, step and tree_each answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class PuppetIterator:
    """Values that are made when they are asked for, once: who goes on finds what is left.

    ``source`` is the value whose element types they have, or None; ``type_text`` writes the type
    of an iterator.
    """

    __slots__ = ("_type_text", "_values", "source")

    puppet_label = "Object"

    def __init__(
        self,
        values: Iterable[Any],
        source: Any = None,
        type_text: Callable[[PuppetIterator], str] | None = None,
    ) -> None:
        self._values: Iterator[Any] = iter(values)
        self.source = source
        self._type_text = type_text

    def __iter__(self) -> Iterator[Any]:
        return self._values

    def puppet_elements(self) -> Iterator[Any]:
        """Answer the values that are left."""
        return self._values

    def puppet_text(self) -> str:
        """Name it; what is inside is not shown."""
        if self._type_text is None:
            return "Iterator-Value"
        return f"{self._type_text(self)}-Value"

    def puppet_equals(self, other: object) -> bool:
        """Only itself is equal to it."""
        return self is other

    def puppet_key(self) -> int:
        """Tell apart by identity."""
        return id(self)
