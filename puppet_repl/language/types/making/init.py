"""Init[T]: the values that a T can be made from."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.algebra.infer import infer_set
from puppet_repl.language.types.making.new import construct, constructor_signatures
from puppet_repl.language.types.model import issues
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.collection import TUPLE, TupleType
from puppet_repl.language.types.model.data import RICH_DATA
from puppet_repl.language.types.model.guard import answered
from puppet_repl.language.types.model.wrapper import (
    NotUndefType,
    OptionalType,
    WrappingType,
    variant,
)
from puppet_repl.language.values.hash import hash_key
from puppet_repl.language.values.quote import literal_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.types.model.base import Expansion, Predicate
    from puppet_repl.language.types.model.guard import Guard
    from puppet_repl.language.values.protocols import Value


class InitType(WrappingType):
    """``Init``, ``Init[T]``, or ``Init[T, further constructor arguments...]``."""

    __slots__ = ("_accepted", "arguments")
    kind = "Init"
    _accepted: Accepted

    def __init__(self, inner: PuppetType | None = None, arguments: tuple[Value, ...] = ()) -> None:
        super().__init__(inner)
        self.arguments = arguments
        if inner is None and arguments:
            raise RuntimeFailure(
                "Init cannot be parameterized with an undefined type and additional arguments"
            )

    def with_type(self, inner: PuppetType) -> PuppetType:
        return InitType(inner, self.arguments)

    @property
    def default(self) -> PuppetType:
        return INIT

    def parts(self) -> tuple[object, ...]:
        return (self.type, hash_key(self.arguments))

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        if self.type is None:
            return []
        return [self.type.text(expansion), *[literal_text(one) for one in self.arguments]]

    @property
    def accepted(self) -> Accepted:
        """What constructors of the type take; found when first needed, since it may be costly."""
        try:
            return self._accepted
        except AttributeError:
            assert self.type is not None
            # A constructor may take what the type itself is an Init of.
            self._accepted = Accepted(self.type, None, False)
            try:
                self._accepted = _accepted(self, self.type, self.arguments)
            except BaseException:
                del self._accepted
                raise
            return self._accepted

    def _compile(self) -> Predicate:
        if self.type is None:
            return RICH_DATA.predicate()

        # Values under test: a constructor may take what this Init takes.
        active: set[int] = set()

        def check(value: object) -> bool:
            mark = id(value)
            if mark in active:
                return False
            active.add(mark)
            try:
                return self.accepted.takes(value)
            finally:
                active.discard(mark)

        return check

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        accepted = None if self.type is None else self.accepted
        if isinstance(other, InitType):
            if accepted is None or self.type is None:
                return True
            return other.type is not None and self.type.accepts_type(other.type, guard)
        if accepted is None:
            return RICH_DATA.accepts_type(other, guard)
        if guard is None:
            return answered(lambda guard: self._takes_type(other, guard))
        return self._takes_type(other, guard)

    def _takes_type(self, other: PuppetType, guard: Guard) -> bool:
        return guard.once((self, other), lambda: self._constructs(other, guard), False)

    def _constructs(self, other: PuppetType, guard: Guard) -> bool:
        accepted = self.accepted
        if accepted.single.accepts_type(other, guard):
            return True
        return accepted.several is not None and (
            accepted.several.accepts_type(other, guard)
            or (accepted.wraps_single and accepted.several.accepts_type(TupleType((other,)), guard))
        )

    def access(self, keys: tuple[Value, ...], context: Value) -> PuppetType:
        """``Init[T, arguments...]``; arrays among the arguments stay arrays."""
        if not keys or not isinstance(keys[0], PuppetType):
            raise issues.not_a_type("Init-Type", keys[0] if keys else None, 0)
        return InitType(keys[0], keys[1:])


def construct_init(target: InitType, args: tuple[Value, ...], context: Value = None) -> Value:
    """Return a T from one value; an array is the arguments unless one argument may be an array."""
    if target.type is None:
        raise RuntimeFailure("Creation of new instance of type 'Init' is not supported")
    accepted = target.accepted
    if len(args) != 1:
        given = "none" if not args else str(len(args))
        raise RuntimeFailure(f"'new_Init' expects 1 argument, got {given}")
    value = args[0]
    if target.arguments:
        return construct(target.type, (value, *target.arguments), context)
    if type(value) is tuple and not accepted.takes_as_one(value):
        return construct(target.type, value, context)
    return construct(target.type, (value,), context)


class Accepted:
    """What constructors take: ``single`` one value, ``several`` tuples of arguments."""

    __slots__ = ("several", "single", "wraps_single")

    def __init__(self, single: PuppetType, several: PuppetType | None, wraps_single: bool) -> None:
        self.single = single
        self.several = several
        self.wraps_single = wraps_single

    def takes(self, value: Value) -> bool:
        """Tell whether a T can be made from a value."""
        if self.single.accepts_value(value):
            return True
        if self.several is None:
            return False
        return self.several.accepts_value(value) or (
            self.wraps_single and self.several.accepts_value((value,))
        )

    def takes_as_one(self, value: Value) -> bool:
        """Tell whether an array is one argument rather than all of them."""
        if self.single.accepts_value(value):
            return True
        return (
            self.several is not None
            and not self.several.accepts_value(value)
            and self.wraps_single
            and self.several.accepts_value((value,))
        )


def _accepted(init: InitType, inner: PuppetType, arguments: tuple[Value, ...]) -> Accepted:
    tuples = _constructor_tuples(inner)
    if not arguments:
        singles = [one for one in tuples if one.size_range.low == 1 and one.size_range.high == 1]
        others = tuple([one for one in tuples if one not in singles])
        single = variant((inner, *[one.types[0] for one in singles]))
        if not others:
            return Accepted(single, None, False)
        wraps = any(one.size_range.low == 1 for one in others)
        return Accepted(single, variant(others), wraps)
    types = tuple(map(infer_set, arguments))
    count = 1 + len(types)
    fitting = [
        one
        for one in tuples
        if one.size_range.low <= count <= one.size_range.high
        and one.accepts_type(TupleType((*one.types[:1], *types)))
    ]
    if not fitting:
        raise RuntimeFailure(
            f"The type '{init}' does not represent a valid set of parameters for "
            f"{inner.generalize().name}.new()"
        )
    return Accepted(variant((inner, *[one.types[0] for one in fitting])), None, False)


def _constructor_tuples(inner: PuppetType) -> list[TupleType]:
    """Return the parameters of each signature of the constructor of a type."""
    unsupported = RuntimeFailure(f"Creation of new instance of type '{inner}' is not supported")
    if type(inner) in (InitType, OptionalType, NotUndefType):
        raise unsupported
    signatures = constructor_signatures(inner.resolved())
    if signatures is None:
        raise unsupported
    return [signature.type.params or TUPLE for signature in signatures]


INIT = InitType()
