"""Named types: aliases, which may be recursive, and references to types that nobody knows."""

from __future__ import annotations

from collections.abc import Callable

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.model.base import Expansion, PuppetType, each_type
from puppet_repl.language.types.model.defined import DefinedType
from puppet_repl.language.types.model.wrapper import VariantType, variant
from puppet_repl.language.values.protocols import Elements
from puppet_repl.language.values.quote import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.language.types.model.base import Predicate
    from puppet_repl.language.types.model.guard import Guard
    from puppet_repl.language.types.model.predicate_code import PredicateCode
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
    itself.
    """

    __slots__ = (
        "_is_guarded",
        "_is_read_without_end",
        "_is_recursive",
        "_name",
        "_resolve",
        "_resolved",
    )
    kind = "TypeAlias"

    def __init__(self, name: str, resolve: Callable[[], PuppetType]) -> None:
        super().__init__()
        self._name = name
        self._resolve = resolve
        self._resolved: PuppetType | None = None
        self._is_recursive = True
        self._is_guarded = True
        self._is_read_without_end: bool | None = None

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
                self._is_recursive = False
                if not _is_real(target):
                    text = f"Type alias '{self._name}' cannot be resolved to a real type"
                    raise RuntimeFailure(text)
            except BaseException:
                self._resolved = None
                raise
            self._is_recursive = _reaches(target, self)
            if not self._is_recursive:
                self._is_guarded = False
            else:
                from puppet_repl.language.types.model.recursion import set_guards

                set_guards(self)
                if isinstance(target, VariantType):
                    target = self._resolved = self._without_itself(target)
                for one in each_type(target, lambda part: part.contained()):
                    if isinstance(one, TypeAliasType) and _reaches(one.target(), self):
                        # It was read first if it is on the way: then this alias led nowhere.
                        one._is_recursive = True
        return target

    def settled(self) -> PuppetType:
        is_again = self._resolved is not None and self._resolved is not UNRESOLVED
        self.target()
        if is_again and self.is_read_without_end:
            from puppet_repl.base.differences import warn_of_difference

            warn_of_difference("alias_read_again")
        return self

    @property
    def is_read_without_end(self) -> bool:
        """Tell whether Puppet never ends when the name is evaluated again."""
        if self._is_read_without_end is None:
            from puppet_repl.language.types.model.recursion import is_read_without_end

            self._is_read_without_end = is_read_without_end(self)
        return self._is_read_without_end

    def resolved(self) -> PuppetType:
        return self.target().resolved()

    def unnamed(self) -> PuppetType:
        return self if self.is_recursive else self.target().unnamed()

    def inline_test(self, code: PredicateCode, subject: str) -> str:
        if self.is_recursive:
            return super().inline_test(code, subject)
        return self.target().inline_test(code, subject)

    def write_test(self, code: PredicateCode, subject: str) -> None:
        if self.is_recursive:
            super().write_test(code, subject)
        else:
            self.target().write_test(code, subject)

    def _without_itself(self, target: VariantType) -> PuppetType:
        """Members that lead to nothing but this alias again say nothing."""
        real = tuple([one for one in target.types if one != self and _is_real(one)])
        return target if len(real) == len(target.types) else variant(real)

    @property
    def is_recursive(self) -> bool:
        """Tell whether the definition leads back to this alias."""
        self.target()
        return self._is_recursive

    @property
    def is_guarded(self) -> bool:
        """Tell whether Puppet knows that it refers to itself, and remembers questions about it."""
        self.target()
        return self._is_guarded

    def _compile(self) -> Predicate:
        if not self.is_recursive:
            return self.target().predicate()
        tests: list[Predicate] = []

        def check(value: object) -> bool:
            if not tests:
                tests.append(self.target().predicate())
            return tests[0](value)

        if not self.is_guarded:
            return check
        from puppet_repl.language.types.model.recursion import guarded_predicate

        return guarded_predicate(self, check)

    def accepts_type(self, other: PuppetType, guard: Guard | None = None) -> bool:
        if not self.is_guarded:
            return super().accepts_type(other, guard)
        if guard is not None:
            return guard.accepts(self, other)
        from puppet_repl.language.types.model.guard import answered

        return answered(lambda guard: guard.accepts(self, other))

    def _offered_to(self, target: PuppetType, guard: Guard | None) -> bool:
        if not self.is_guarded:
            return target.accepts_type(self.target(), guard)
        if guard is not None:
            return guard.offers(self, target)
        from puppet_repl.language.types.model.guard import answered

        return answered(lambda guard: guard.offers(self, target))

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return self.target().accepts_type(other, guard)

    def is_iterable(self) -> bool:
        return self.resolved().is_iterable()

    def element_type(self) -> PuppetType | None:
        return self.resolved().element_type()

    def is_callable_kind(self) -> bool:
        if self.is_recursive:
            from puppet_repl.language.types.model.recursion import asks_itself

            if asks_itself(self):
                return False
        return self.resolved().is_callable_kind()

    def puppet_elements(self) -> Iterable[Value] | None:
        """Return the elements of the type when iterated over."""
        resolved = self.resolved()
        return resolved.puppet_elements() if isinstance(resolved, Elements) else None

    def text(self, expansion: Expansion | None = None) -> str:
        if expansion is None:
            return self._name
        is_open = any(one is self for one in expansion.aliases) and self.is_guarded
        opened = expansion.in_full and not is_open
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
        test = self._test
        if test is None:
            return super()._compile()
        from puppet_repl.language.types.model.guard import guard_of_value

        checks: list[Predicate] = []

        def check(value: object) -> bool:
            if guard_of_value() is None:
                return test(value)
            if not checks:
                checks.append(super(BuiltinAliasType, self)._compile())
            return checks[0](value)

        return check

    def text(self, expansion: Expansion | None = None) -> str:
        return self._name


def _is_real(target: PuppetType) -> bool:
    """Tell whether a type is more than aliases and Variants of aliases."""

    def named(one: PuppetType) -> tuple[PuppetType, ...]:
        if isinstance(one, TypeAliasType):
            return (one.target() if one._resolved is None else one._resolved,)
        return one.types if isinstance(one, VariantType) else ()

    return not all(isinstance(one, TypeAliasType | VariantType) for one in each_type(target, named))


def _reaches(target: PuppetType, alias: TypeAliasType) -> bool:
    """Tell whether an alias is found inside a type, through other aliases too."""
    return any(
        one is alias or one == alias for one in each_type(target, lambda part: part.contained())
    )


UNRESOLVED = TypeReferenceType("UnresolvedReference")
UNRESOLVED_ALIAS = TypeAliasType("UnresolvedAlias", lambda: UNRESOLVED)
UNRESOLVED_ALIAS._resolved = UNRESOLVED
UNRESOLVED_ALIAS._is_recursive = UNRESOLVED_ALIAS._is_guarded = False
