"""The skeleton that every Puppet type shares, and the types that have no parts.

A type is immutable, and so may be shared by everybody. Three questions are asked of it:

* is this value an instance (``accepts_value``, and ``predicate`` for hot places),
* is everything of another type an instance (``accepts_type``, Puppet's "assignable"),
* how is it written (``str``; ``expanded_text`` spells aliases and Object types out).

Assignability is dispatched twice. ``accepts_type`` asks the other type to offer itself, because
Variant, Optional, NotUndef, aliases and Unit are taken apart on the offering side, whatever the
accepting side is; what remains comes back to ``_accepts`` of the accepting type.
"""

from __future__ import annotations

from puppet_repl.base.sharing import once, once_for_both, walk
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.protocols import Identity, PuppetValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from puppet_repl.language.types.model.guard import Guard
    from puppet_repl.language.types.model.predicate_code import PredicateCode
    from puppet_repl.language.types.model.typeset import TypeSetType
    from puppet_repl.language.values.protocols import Value

    Predicate: TypeAlias = Callable[[object], bool]


# Writing one type takes as long as so many steps through a value.
_TEXT_STEPS = 10


class Expansion:
    """How much a text spells out. Without one a text has names, and no type set is open.

    ``aliases`` are those that are being spelled out; names are relative to ``type_set``.
    """

    __slots__ = ("aliases", "in_full", "type_set")

    def __init__(
        self,
        in_full: bool = True,
        aliases: tuple[PuppetType, ...] = (),
        type_set: TypeSetType | None = None,
    ) -> None:
        self.in_full = in_full
        self.aliases = aliases
        self.type_set = type_set

    def name_of(self, one: PuppetType, name: str) -> str:
        """Return how the open type set calls a type, ``name`` if it does not know it."""
        return name if self.type_set is None else self.type_set.name_for(one) or name


_OF_THIS_PROCESS = frozenset(("_check", "_hash"))


class PuppetType(PuppetValue):
    """Any Puppet type; ``kind`` is its name without parameters, as error messages say it."""

    __slots__ = ("_check",)
    kind = "Any"
    _check: Predicate

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        """Return the attributes that a copy in another process can use."""
        state: dict[str, object] = {}
        for kind in type(self).__mro__:
            for name in getattr(kind, "__slots__", ()):
                if name not in _OF_THIS_PROCESS and hasattr(self, name):
                    state[name] = getattr(self, name)
        return None, state

    # Defined by subclasses.

    def parts(self) -> tuple[object, ...]:
        """Return what tells two types of one class apart; hashable."""
        return ()

    def _compile(self) -> Predicate:
        """Make the predicate; called once."""
        raise NotImplementedError

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        """Tell the same for an ``other`` that is not an alias, Variant, Optional, or Unit."""
        raise NotImplementedError

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        """Return the texts between the brackets; no texts for a type without parameters."""
        return []

    def generalize(self) -> PuppetType:
        """Return the type without ranges, sizes and literal values."""
        return self

    def contained(self) -> tuple[PuppetType, ...]:
        """Return the types directly inside this one, for walks."""
        return ()

    def key_parts(self) -> tuple[PuppetType, ...]:
        """Return the types inside that tell keys apart; none for a type that has a name."""
        return self.contained()

    def times(self) -> tuple[Value, ...]:
        """Return the ends of a range of times. As keys Ruby tells equal times apart."""
        return ()

    def is_iterable(self) -> bool:
        """Tell whether instances of this type can be iterated over."""
        return False

    def element_type(self) -> PuppetType | None:
        """Return the T of the Iterable[T] that takes the instances, None if unknown."""
        return None

    def pcore_names(self) -> frozenset[str]:
        """Return the names of the Object types of Pcore that this type is an instance of."""
        classes = [it for it in type(self).__mro__ if issubclass(it, PuppetType)]
        return frozenset([f"Pcore::{it.kind}Type" for it in classes])

    def is_callable_kind(self) -> bool:
        """Tell whether this is the type of a block: Callable, Optional or Variant of it."""
        return False

    def access(self, keys: tuple[Value, ...], context: Value) -> Value:
        """Return ``T[keys...]``: a type, an array of types, or the value of a parameter.

        A type that takes parameters has this method, or a function in ``making.access``.
        """
        raise NotImplementedError

    # Common to all types.

    @property
    def name(self) -> str:
        """The name without parameters."""
        return self.kind

    @property
    def simple_name(self) -> str:
        """The name in a message that would gain nothing from parameters."""
        return self.kind

    @property
    def default(self) -> PuppetType:
        """The type of this class without parameters."""
        return ANY

    def resolved(self) -> PuppetType:
        """Return the type that an alias stands for; other types return themselves."""
        return self

    def unnamed(self) -> PuppetType:
        """Return the type that an alias stands for, unless it refers to itself."""
        return self

    def settled(self) -> PuppetType:
        """Return the type itself after reading its definition; raise the errors in that."""
        return self

    def member(self, name: str) -> PuppetType | None:
        """Return the type ``Name`` of a type set that has been read; None for other types."""
        return None

    def entitled(self, title: str) -> PuppetType | None:
        """Return the reference with a title: ``File['a']`` of ``File``; None for other types."""
        return None

    def predicate(self) -> Predicate:
        """Return a function from a value to whether it is an instance, specialised to this type."""
        try:
            return self._check
        except AttributeError:
            check = self._check = self._compile()
            return check

    def inline_test(self, code: PredicateCode, subject: str) -> str:
        """Return an expression of generated code that is true for an instance."""
        return f"{code.named(self.predicate())}({subject})"

    def write_test(self, code: PredicateCode, subject: str) -> None:
        """Write code that goes on only where ``subject`` is an instance."""
        code.require(self.inline_test(code, subject))

    def accepts_value(self, value: object) -> bool:
        """Tell whether ``value`` is an instance."""
        return self.predicate()(value)

    def accepts_type(self, other: PuppetType, guard: Guard | None = None) -> bool:
        """Tell whether all instances of ``other`` are instances of this type."""
        return other._offered_to(self, guard)

    def _offered_to(self, target: PuppetType, guard: Guard | None) -> bool:
        return target._accepts(self, guard)

    def same_as(self, other: object) -> bool:
        """Puppet's ``==`` of types: equal, or each assignable to the other."""
        return isinstance(other, PuppetType) and (
            self == other or (other.accepts_type(self) and self.accepts_type(other))
        )

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(self) is type(other) and self.parts() == other.parts()

    def __hash__(self) -> int:
        return hash((self.kind, self.parts()))

    def text(self, expansion: Expansion | None = None) -> str:
        """Return program text; the ``expansion`` chooses the types to spell out."""
        texts = self.parameter_texts(expansion)
        return f"{self.kind}[{', '.join(texts)}]" if texts else self.kind

    def expanded_text(self) -> str:
        """Program text with aliases as ``Name = Type`` and Object types in full."""
        return self._whole_text(Expansion())

    def __str__(self) -> str:
        return self._whole_text(None)

    def _whole_text(self, expansion: Expansion | None) -> str:
        """Return the text, cut short where the type is nested deeper than Python can follow."""
        try:
            return self.text(expansion)
        except RecursionError:
            return f"{self.kind}[...]"

    def __repr__(self) -> str:
        return f"<{self.text()}>"

    # Used by the values modules for values that are not native.

    @property
    def puppet_label(self) -> str:
        """How messages call this type when it is the operand of an operator."""
        return f"{self}-Type"

    @property
    def ruby_class(self) -> str:
        """The class that stands for the type in the reference implementation."""
        return f"Puppet::Pops::Types::P{self.kind}Type"

    def puppet_text(self) -> str:
        """Return the text in an interpolated string."""
        return str(self)

    def puppet_literal(self) -> str:
        """Return the text inside the parameters of another type."""
        return self.text()

    def puppet_program(self) -> str:
        """Program text, as ``%p`` writes it."""
        return str(self)

    def puppet_equals(self, other: object) -> bool:
        """Puppet's ``==``."""
        return self.same_as(other)

    def puppet_key(self) -> object:
        """Return what distinguishes the value as a key of a hash.

        The order of the members of a Variant counts there, which it does not for equality.
        """
        return (self, self.text(), *map(Identity, times_in(self)))


class CompositeType(PuppetType):
    """A type whose parameters are types. They may be shared: each is asked and written once.

    The steps of a walk that has begun and remembers nothing yet are counted here: these methods
    are called for every type inside of a type, and a call more would be felt.
    """

    __slots__ = ("_hash",)
    _hash: int

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return False
        steps = walk.steps
        if steps > 0:
            walk.steps = steps - 1 or -1
            return self.parts() == other.parts()
        return once_for_both(_same_parts, self, other)

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            for part in self.contained():
                part.__hash__()  # kept there, so that hash() goes one level down the C stack
            self._hash = hash((self.kind, self.parts()))
            return self._hash

    def _offered_to(self, target: PuppetType, guard: Guard | None) -> bool:
        steps = walk.steps
        if steps > 0:
            walk.steps = steps - 1 or -1
            return target._accepts(self, guard)
        if guard is None:
            return once_for_both(_accepted, target, self)
        return once_for_both(guard.ask, target, self)

    def generalize(self) -> PuppetType:
        """Return the type without ranges, sizes and literal values."""
        steps = walk.steps
        if steps > 0:
            walk.steps = steps - 1 or -1
            return self.generalized()
        return once(_generalized, self)

    def generalized(self) -> PuppetType:
        """Return what generalize() returns."""
        raise NotImplementedError

    def text(self, expansion: Expansion | None = None) -> str:
        """Return program text; the ``expansion`` chooses the types to spell out."""
        steps = walk.steps
        if expansion is None and steps <= 0:
            return once(_text, self, _TEXT_STEPS)
        if expansion is None:
            walk.steps = steps - _TEXT_STEPS or -1
        texts = self.parameter_texts(expansion)
        return f"{self.kind}[{', '.join(texts)}]" if texts else self.kind


def times_in(type_: PuppetType) -> list[Value]:
    """Return the ends of all ranges of times in a type that has no name."""
    return [end for one in each_type(type_, lambda part: part.key_parts()) for end in one.times()]


def each_type(
    type_: PuppetType, parts: Callable[[PuppetType], Iterable[PuppetType]]
) -> Iterator[PuppetType]:
    """Yield a type and the types inside of it, each once; ``parts`` returns those directly inside.

    Types may contain themselves.
    """
    seen: set[int] = set()
    pending = [type_]
    while pending:
        one = pending.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            pending.extend(parts(one))


def _same_parts(left: PuppetType, right: PuppetType) -> bool:
    return left.parts() == right.parts()


def _accepted(target: PuppetType, other: PuppetType) -> bool:
    return target._accepts(other, None)


def _text(composite: CompositeType) -> str:
    return PuppetType.text(composite)


def _generalized(composite: CompositeType) -> PuppetType:
    return composite.generalized()


def _always(_value: object) -> bool:
    return True


def _is_undef(value: object) -> bool:
    return value is None


class AnyType(PuppetType):
    """Everything."""

    __slots__ = ()

    def _compile(self) -> Predicate:
        return _always

    def write_test(self, code: PredicateCode, subject: str) -> None:
        """Write nothing: everything is an instance."""

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return True


class UndefType(PuppetType):
    """``undef`` alone."""

    __slots__ = ()
    kind = "Undef"

    @property
    def default(self) -> PuppetType:
        return UNDEF

    def _compile(self) -> Predicate:
        return _is_undef

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return type(other) is UndefType


class DefaultType(PuppetType):
    """``default`` alone."""

    __slots__ = ()
    kind = "Default"

    @property
    def default(self) -> PuppetType:
        return DEFAULT_TYPE

    def _compile(self) -> Predicate:
        return lambda value: value is DEFAULT

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return type(other) is DefaultType


class UnitType(PuppetType):
    """Assignable both ways, whatever the other type is. The element type of an empty array."""

    __slots__ = ()
    kind = "Unit"

    @property
    def default(self) -> PuppetType:
        return UNIT

    def _compile(self) -> Predicate:
        return _always

    def accepts_type(self, other: PuppetType, guard: Guard | None = None) -> bool:
        return True

    def _offered_to(self, target: PuppetType, guard: Guard | None) -> bool:
        return True

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return True


ANY = AnyType()
UNDEF = UndefType()
DEFAULT_TYPE = DefaultType()
UNIT = UnitType()


def type_text(item: object, expansion: Expansion | None) -> str:
    """Program text of a parameter of a type: a type, or a literal value."""
    if isinstance(item, PuppetType):
        return item.text(expansion)
    from puppet_repl.language.values.quote import literal_text

    return literal_text(item)


def range_texts(low: float | None, high: float | None) -> list[str]:
    """Return the parameters of a range; None means an open end."""
    if high is None:
        return [] if low is None else [number_text(low)]
    return ["default" if low is None else number_text(low), number_text(high)]


def number_text(number: float) -> str:
    """Return a number as Puppet prints it."""
    if type(number) is int:
        return str(number)
    from puppet_repl.language.values.text import to_text

    return to_text(number)
