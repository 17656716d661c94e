"""Lazy sequences: what reverse_each, step and tree_each answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.protocols import Elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.values.protocols import Value


def elements(value: Any) -> Iterable[Any]:
    """The elements of an Iterable value: characters, numbers from 0, pairs of a Hash...

    No list is built; the values of a type such as ``Integer[1, 1000000]`` are made one by one.
    """
    kind = type(value)
    if kind is tuple or kind is str:
        known: Iterable[Any] = value
        return known
    if kind is int:
        return range(value)
    if kind is PuppetHash:
        pairs: Iterable[Any] = value.items()
        return pairs
    own: Iterable[Any] = value.puppet_elements()
    return own


class PuppetIterator(Elements):
    """Values that are made when they are asked for.

    Every iterator has one place that advances as values are taken one by one, and that never
    goes back. An iterator that ``restarts`` can besides be gone through from its beginning, by
    all who go through it in one go; that is what Ruby's enumerators do. ``bounds`` are first and
    last number and step of a sequence of Integers; ``hash_style`` marks the entries of a Hash.

    ``find_type`` answers the type of the values, None for "nobody knows"; it is asked when
    somebody wants to know, since that may mean a walk over all of them.
    """

    __slots__ = (
        "_element_type",
        "_find_type",
        "_make",
        "_place",
        "bounds",
        "hash_style",
        "restarts",
    )

    ruby_class = "Puppet::Pops::Types::Iterator"

    def __init__(
        self,
        make: Callable[[], Iterable[Any]],
        find_type: Callable[[], Any] | None = None,
        *,
        restarts: bool = False,
        bounds: tuple[int, int, int] | None = None,
        hash_style: bool = False,
    ) -> None:
        self._make = make
        self._place: Iterator[Any] | None = None
        self._find_type = find_type
        self._element_type: Any = None
        self.restarts = restarts
        self.bounds = bounds
        self.hash_style = hash_style

    def __iter__(self) -> Iterator[Value]:
        return self.puppet_elements()

    @property
    def one_by_one(self) -> Iterator[Value]:
        """What is left from the place on; taking values moves it."""
        if self._place is None:
            self._place = iter(self._make())
        return self._place

    def puppet_elements(self) -> Iterator[Any]:
        """All values again where the iterator restarts, else what is left."""
        return iter(self._make()) if self.restarts else self.one_by_one

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
