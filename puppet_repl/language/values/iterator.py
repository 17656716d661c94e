"""Lazy sequences: the results of reverse_each, step and tree_each."""

from __future__ import annotations

from itertools import chain, islice

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.sharing import once
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import Elements, Holder, PuppetValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Any

    from puppet_repl.language.values.protocols import Value


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


MAX_ELEMENTS = 50_000_000


def countable(value: Any, most: int = MAX_ELEMENTS) -> Iterable[Any]:
    """Return the elements of a value, to make a list of them.

    Raises RuntimeFailure if their number is known to be above ``most``.
    """
    found = elements(value)
    if isinstance(found, range):
        _check_count((found.stop - found.start) // found.step, most)
    elif type(value) is PuppetIterator:
        value.check_count(most)
    return found


def _check_count(count: int, most: int) -> None:
    if count > most:
        raise RuntimeFailure(f"an Array of {count} elements is too large")


def _passed_on(value: Any) -> Value:
    """Return what a block of Ruby gets from ``yield *value``, as one value.

    That is how the steps over a sequence call the blocks of most functions: a level is lost.
    """
    kind = type(value)
    parts: Collection[Any] | None
    if kind is tuple:
        parts = value
    elif value is None:
        parts = ()
    elif kind is PuppetHash:
        parts = tuple(value.items())
    else:
        parts = value.ruby_array() if isinstance(value, PuppetValue) else None
    if parts is None:
        return value
    if len(parts) > 1:
        return tuple(parts)
    return next(iter(parts), None)


class PuppetIterator(Elements, Holder):
    """A sequence whose values are computed on demand.

    Every iterator has one position, which advances as values are taken one by one and never goes
    back. A loop over an iterator that ``restarts`` begins at the first value nevertheless, like
    Ruby's enumerators. ``bounds`` are first and last number and step of a sequence of Integers;
    ``hash_style`` marks the entries of a Hash. ``is_step`` marks steps over other values: only
    who takes the values one by one gets them as they are. ``find_size`` returns the size that
    Ruby supposes, where it is not the number of values.

    ``find_type`` returns the type of the values, None if it is unknown. It is called on demand,
    because it may have to visit all values; so is ``find_count``, which returns about how many
    there are where only that tells. With ``runtime_class``, its class in Ruby, the iterator
    itself has a Runtime type.
    """

    __slots__ = (
        "_element_type",
        "_find_count",
        "_find_size",
        "_find_type",
        "_make",
        "_place",
        "bounds",
        "hash_style",
        "is_step",
        "restarts",
        "runtime_class",
    )

    def __init__(
        self,
        make: Callable[[], Iterable[Any]],
        find_type: Callable[[], Any] | None = None,
        *,
        find_count: Callable[[], int] | None = None,
        find_size: Callable[[], int | None] | None = None,
        restarts: bool = False,
        is_step: bool = False,
        bounds: tuple[int, int, int] | None = None,
        hash_style: bool = False,
        runtime_class: str | None = None,
    ) -> None:
        self._make = make
        self._place: Iterator[Any] | None = None
        self._find_type = find_type
        self._find_count = find_count
        self._find_size = find_size
        self._element_type: Any = None
        self.restarts = restarts
        self.is_step = is_step
        self.bounds = bounds
        self.hash_style = hash_style
        self.runtime_class = runtime_class

    def __reduce__(self) -> tuple[Any, ...]:
        """Make a copy for another process of the values that are left."""
        flags = {
            "restarts": self.restarts,
            "is_step": self.is_step,
            "bounds": self.bounds,
            "hash_style": self.hash_style,
            "runtime_class": self.runtime_class,
        }
        return _copied, (self.look(), self.element_type, self.ruby_size, flags)

    @property
    def ruby_class(self) -> str:
        """The class in Ruby."""
        return self.runtime_class or "Puppet::Pops::Types::Iterator"

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
        values = iter(self._make()) if self.restarts else self.one_by_one
        return map(_passed_on, values) if self.is_step else values

    def ruby_array(self) -> tuple[Value, ...]:
        """Return the values that a loop has."""
        self.check_count()
        return tuple(self.puppet_elements())

    @property
    def ruby_size(self) -> int | None:
        """The size that Ruby supposes; None where that is the number of values, or unknown."""
        return None if self._find_size is None else self._find_size()

    def check_count(self, most: int = MAX_ELEMENTS) -> None:
        """Raise RuntimeFailure if the number of values is known to be above ``most``."""
        if self._find_count is not None:
            _check_count(self._find_count(), most)

    def held(self, most: int) -> tuple[Value, ...] | None:
        """Return the values that a loop would have; see ``Holder``."""
        if self._find_count is not None and self._find_count() > most:
            return None
        values = tuple(islice(self._make() if self.restarts else self.one_by_one, most + 1))
        if not self.restarts:
            self._place = chain(values, self.one_by_one)
        if len(values) > most:
            return None
        return tuple(map(_passed_on, values)) if self.is_step else values

    def look(self) -> tuple[Value, ...]:
        """Return the values that are left; the position is unchanged.

        Raises MemoryError if the number of values is known to be too large.
        """
        if self._find_count is not None and self._find_count() > MAX_ELEMENTS:
            raise MemoryError
        values = tuple(self._make() if self.restarts else self.one_by_one)
        self.rewind(values)
        return values

    def rewind(self, values: tuple[Value, ...]) -> None:
        """Go back to where ``look`` returned ``values``."""
        if not self.restarts:
            self._place = iter(values)

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


def _copied(
    values: tuple[Value, ...], element_type: Any, size: int | None, flags: dict[str, Any]
) -> PuppetIterator:
    return PuppetIterator(lambda: values, lambda: element_type, find_size=lambda: size, **flags)


class Looking:
    """Lets a value be read repeatedly: each time its iterators begin at the same place."""

    __slots__ = ("_places",)

    def __init__(self, value: Value) -> None:
        found: dict[int, PuppetIterator] = {}

        def find(part: Any) -> None:
            kind = type(part)
            if kind is PuppetIterator:
                found[id(part)] = part
            elif kind is tuple or kind is PuppetHash:
                once(find_inside, part, len(part))

        def find_inside(part: Any) -> None:
            for item in part if type(part) is tuple else (*part.keys(), *part.values()):
                find(item)

        find(value)
        self._places = [(iterator, iterator.look()) for iterator in found.values()]

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        for iterator, values in self._places:
            iterator.rewind(values)
