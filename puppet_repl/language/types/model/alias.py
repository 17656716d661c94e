"""Named types: aliases, which may be recursive, and references to types that nobody knows."""

from __future__ import annotations

from collections.abc import Callable

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.model.base import Expansion, Guard, PuppetType, each_type
from puppet_repl.language.types.model.defined import DefinedType
from puppet_repl.language.types.model.wrapper import (
    NotUndefType,
    OptionalType,
    VariantType,
    variant,
)
from puppet_repl.language.values.protocols import Elements
from puppet_repl.language.values.quote import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.language.types.model.base import Predicate
    from puppet_repl.language.values.protocols import Value


class TypeReferenceType(PuppetType):
    """An unknown type, which has no instances."""

    __slots__ = ("type_string",)
    kind = "TypeReference"

    def __init__(self, type_string: str) -> None:
        self.type_string = type_string

    @property
    def default(self) -> PuppetType:
        return UNRESOLVED

    def parts(self) -> tuple[object, ...]:
        return (self.type_string,)

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return [quote(self.type_string)]

    def _compile(self) -> Predicate:
        return lambda value: False

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return self == other


class TypeAliasType(DefinedType, Elements):
    """``type Name = T``. ``resolve`` makes the T, normalized, when it is first needed.

    While it runs the alias stands for an unresolved reference, so that a definition may name
    itself. Assignability of recursive aliases assumes the relation that it is about to prove.
    """

    __slots__ = ("_endless", "_name", "_recursive", "_resolve", "_resolved")
    kind = "TypeAlias"
    _recursive: bool

    def __init__(self, name: str, resolve: Callable[[], PuppetType]) -> None:
        super().__init__()
        self._name = name
        self._resolve = resolve
        self._resolved: PuppetType | None = None
        self._recursive = True
        self._endless = 0

    @property
    def name(self) -> str:
        return self._name

    @property
    def default(self) -> PuppetType:
        return self.resolved().default

    def parts(self) -> tuple[object, ...]:
        return (self._name, self.generation)

    @property
    def is_read(self) -> bool:
        return self._resolved is not None

    def read_parts(self) -> tuple[PuppetType, ...]:
        return () if self._resolved is None else (self._resolved,)

    def renewed(self) -> DefinedType:
        return TypeAliasType(self._name, self._resolve)

    def contained(self) -> tuple[PuppetType, ...]:
        return (self.target(),)

    def target(self) -> PuppetType:
        """Return the right side of the definition; an alias there is not followed."""
        target = self._resolved
        if target is None:
            self._resolved = UNRESOLVED
            try:
                target = self._resolve()
                self._resolved = target
                self._recursive = False
                if not _is_real(target):
                    text = f"Type alias '{self._name}' cannot be resolved to a real type"
                    raise RuntimeFailure(text)
            except BaseException:
                self._resolved = None
                raise
            self._recursive = _reaches(target, self)
            if self._recursive:
                is_rest = isinstance(target, VariantType)
                if isinstance(target, VariantType):
                    target = self._resolved = self._without_itself(target)
                self._endless = self._endless_questions(target, is_rest)
        return target

    def settled(self) -> PuppetType:
        self.target()
        return self

    def resolved(self) -> PuppetType:
        return self.target().resolved()

    def _without_itself(self, target: VariantType) -> PuppetType:
        """Members that lead to nothing but this alias again say nothing."""
        real = tuple([one for one in target.types if one != self and _is_real(one)])
        return target if len(real) == len(target.types) else variant(real)

    def _endless_questions(self, target: PuppetType, is_rest: bool) -> int:
        """Return for which types Puppet recurs without end when it compares them with this one.

        ``is_rest``: other members of a Variant have been left out.
        """
        if isinstance(target, OptionalType):
            return _OF_ITSELF | _OF_OTHERS if _asks_itself(self) else 0
        if isinstance(target, VariantType):
            return _OF_OTHERS if _asks_itself(self) else 0
        return _OF_ITSELF if is_rest and _reaches(target, self) else 0

    def same_as(self, other: object) -> bool:
        """Puppet's ``==`` of types."""
        if other is self and self.is_recursive and self._endless & _OF_ITSELF:
            from puppet_repl.base.differences import warn_of_difference

            warn_of_difference("alias_of_itself")
        return super().same_as(other)

    @property
    def is_recursive(self) -> bool:
        """Tell whether the definition leads back to this alias."""
        self.target()
        return self._recursive

    def _compile(self) -> Predicate:
        if not self.is_recursive:
            return self.target().predicate()
        tests: list[Predicate] = []
        # Values under test: an alias that tests one of them again learns nothing new.
        active: set[int] = set()

        def check(value: object) -> bool:
            if not tests:
                tests.append(self.target().predicate())
            mark = id(value)
            if mark in active:
                return False
            active.add(mark)
            try:
                return tests[0](value)
            finally:
                active.discard(mark)

        def check_parts(value: object) -> bool:
            if not tests:
                tests.append(self.target().predicate())
            return tests[0](value)

        def check_through(value: object) -> bool:
            if not tests:
                tests.append(self.target().predicate())
            mark = id(value)
            active.add(mark)
            try:
                is_instance = tests[0](value)
            finally:
                active.discard(mark)
            if is_instance and active:
                from puppet_repl.base.differences import warn_of_difference

                warn_of_difference("alias_of_recursive_alias")
            return is_instance

        if _asks_itself(self):
            return check
        is_indirect = not _names(self.target(), self) and _leads_back_by_a_name(self)
        return check_through if is_indirect else check_parts

    def accepts_type(self, other: PuppetType, guard: Guard | None = None) -> bool:
        if not self.is_recursive:
            return super().accepts_type(other, guard)
        if self._endless & (_OF_ITSELF if other is self else _OF_OTHERS):
            from puppet_repl.base.differences import warn_of_difference

            warn_of_difference("alias_of_itself")
        if other is self:
            return True
        return self._guarded((self, other), guard, lambda inner: other._offered_to(self, inner))

    def _offered_to(self, target: PuppetType, guard: Guard | None) -> bool:
        if not self.is_recursive:
            return target.accepts_type(self.target(), guard)
        return self._guarded(
            (target, self), guard, lambda inner: target.accepts_type(self.target(), inner)
        )

    def _guarded(
        self,
        pair: tuple[PuppetType, PuppetType],
        guard: Guard | None,
        ask: Callable[[Guard], bool],
    ) -> bool:
        """Ask once about a pair; asked again on the way, it is taken to hold."""
        inner = Guard() if guard is None else guard
        marked = (self, *pair)
        if marked in inner:
            return True
        inner.add(marked)
        try:
            return ask(inner)
        finally:
            inner.discard(marked)

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return self.target().accepts_type(other, guard)

    def is_iterable(self) -> bool:
        return self.resolved().is_iterable()

    def element_type(self) -> PuppetType | None:
        return self.resolved().element_type()

    def is_callable_kind(self) -> bool:
        return self.resolved().is_callable_kind()

    def puppet_elements(self) -> Iterable[Value] | None:
        """Return the elements of the type when iterated over."""
        resolved = self.resolved()
        return resolved.puppet_elements() if isinstance(resolved, Elements) else None

    def text(self, expansion: Expansion | None = None) -> str:
        if expansion is None:
            return self._name
        opened = expansion.in_full and not any(one is self for one in expansion.aliases)
        type_set = expansion.type_set
        if not opened or not (type_set is None or type_set.defines(self)):
            return expansion.name_of(self, self._name)
        target = self.target().text(Expansion(True, (*expansion.aliases, self), type_set))
        return f"{self._name} = {target}" if type_set is None else target

    def __str__(self) -> str:
        return self.expanded_text()


class BuiltinAliasType(TypeAliasType):
    """A built-in alias; messages never spell it out."""

    __slots__ = ("_test",)

    def __init__(
        self,
        name: str,
        resolve: Callable[[], PuppetType],
        test: Callable[[object], bool] | None = None,
    ) -> None:
        super().__init__(name, resolve)
        self._test = test

    def _compile(self) -> Predicate:
        return super()._compile() if self._test is None else self._test

    def text(self, expansion: Expansion | None = None) -> str:
        return self._name


def _is_real(target: PuppetType) -> bool:
    """Tell whether a type is more than aliases and Variants of aliases."""

    def named(one: PuppetType) -> tuple[PuppetType, ...]:
        if isinstance(one, TypeAliasType):
            return (one.target() if one._resolved is None else one._resolved,)
        return one.types if isinstance(one, VariantType) else ()

    return not all(isinstance(one, TypeAliasType | VariantType) for one in each_type(target, named))


def _names(target: PuppetType, alias: TypeAliasType) -> bool:
    """Tell whether a type names an alias itself, and not through another one."""

    def written(one: PuppetType) -> tuple[PuppetType, ...]:
        return () if isinstance(one, DefinedType) else one.contained()

    return any(one is alias for one in each_type(target, written))


def _leads_back_by_a_name(alias: TypeAliasType) -> bool:
    """Tell whether an alias refers to itself through another one that is only a name for one.

    A Variant with such a name counts too.
    """
    for one in each_type(alias, lambda part: part.contained()):
        if isinstance(one, TypeAliasType):
            named = one.target()
            names = named.types if isinstance(named, VariantType) else (named,)
            if any(isinstance(it, TypeAliasType) and _reaches(it, alias) for it in names):
                return True
    return False


def _asks_itself(alias: TypeAliasType) -> bool:
    """Tell whether testing a value leads to the alias again for the same value."""

    def same_value(one: PuppetType) -> tuple[PuppetType, ...]:
        return one.contained() if isinstance(one, _SAME_VALUE) else ()

    return any(one == alias for one in each_type(alias.target(), same_value))


def _reaches(target: PuppetType, alias: TypeAliasType) -> bool:
    """Tell whether an alias is found inside a type, through other aliases too."""
    return any(
        one is alias or one == alias for one in each_type(target, lambda part: part.contained())
    )


_SAME_VALUE = (TypeAliasType, VariantType, OptionalType, NotUndefType)
# Which types Puppet cannot compare with an alias that is a Variant or an Optional of itself.
_OF_ITSELF, _OF_OTHERS = 1, 2
UNRESOLVED = TypeReferenceType("UnresolvedReference")
UNRESOLVED_ALIAS = TypeAliasType("UnresolvedAlias", lambda: UNRESOLVED)
UNRESOLVED_ALIAS._resolved = UNRESOLVED
UNRESOLVED_ALIAS._recursive = False
