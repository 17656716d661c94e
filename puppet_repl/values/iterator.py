"""Lazy sequences: the results of reverse_each, step and tree_each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.protocols import Elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.values.protocols import Value


def elements(value: Any) -> Iterable[Any]:
    """Return the elements of an Iterable value: characters, numbers from 0, pairs of a Hash...

    No list is built: a type such as ``Integer[1, 1000000]`` yields its values one by one.
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
    """A sequence whose values are computed on demand.

    Every iterator has one position, which advances as values are taken one by one and never goes
    back. A loop over an iterator that ``restarts`` begins at the first value nevertheless, like
    Ruby's enumerators. ``bounds`` are first and last number and step of a sequence of Integers;
    ``hash_style`` marks the entries of a Hash.

    ``find_type`` returns the type of the values, None if it is unknown. It is called on demand,
    because it may have to visit all values.
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
        """The remaining values; taking one advances the position."""
        if self._place is None:
            self._place = iter(self._make())
        return self._place

    def puppet_elements(self) -> Iterator[Any]:
        """Return all values if the iterator restarts, else the remaining ones."""
        return iter(self._make()) if self.restarts else self.one_by_one

    @property
    def element_type(self) -> Any:
        """The type of the values, or None."""
        if self._find_type is not None:
            self._element_type = self._find_type()
            self._find_type = None
        return self._element_type

    def puppet_text(self) -> str:
        """Return its kind; the values are not shown."""
        if self.element_type is None:
            return "Iterator-Value"
        return f"Iterator[{self.element_type.generalize()}]-Value"
