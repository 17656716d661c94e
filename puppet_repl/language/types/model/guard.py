"""Aliases that refer to themselves: what Puppet remembers while it asks about them.

A question about such an alias leads to itself again. Puppet remembers the aliases on the accepting
side, and the values or aliases on the offered side. As soon as something came again on both sides,
it gives up: a type is assignable, a value is refused. This may be too early. At an Optional Puppet
forgets both sides, and so may never end.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from puppet_repl.base.differences import warn_of_difference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.types.model.alias import TypeAliasType
    from puppet_repl.language.types.model.base import Predicate, PuppetType


class _EndlessError(Exception):
    """A question leads to itself again, and all that Puppet remembers is the same."""


class Seen(set[int]):
    """The aliases or values on one side of a question, and whether one came again."""

    __slots__ = ("again",)

    def __init__(self) -> None:
        self.again = False

    def enter(self, item: object) -> bool:
        """Remember an item; return whether it has to be left after its question."""
        key = id(item)
        if self.again or key in self:
            self.again = True
            return False
        self.add(key)
        return True

    def leave(self, item: object) -> None:
        """Forget an item, and that it came again."""
        self.again = False
        self.discard(id(item))


class Guard:
    """Answers a question about recursive aliases as Puppet does."""

    __slots__ = ("_accepting", "_asked", "_offered")

    def __init__(self) -> None:
        self._asked: set[tuple[object, ...]] = set()
        self._accepting = Seen()
        self._offered = Seen()

    def of_optional(self) -> Guard:
        """Return the guard for the type inside of an Optional that is to be assignable."""
        guard = Guard()
        guard._asked = self._asked
        return guard

    def once(self, question: tuple[object, ...], ask: Callable[[], bool], again: bool) -> bool:
        """Ask a question; on the way to the answer, it is ``again``."""
        if question in self._asked:
            return again
        self._asked.add(question)
        try:
            return ask()
        finally:
            self._asked.discard(question)

    def ask(self, target: PuppetType, other: PuppetType) -> bool:
        """Tell whether a type that is not taken apart is assignable."""
        return target._accepts(other, self)

    def holds(self, alias: TypeAliasType, value: object, check: Predicate) -> bool:
        """Tell whether a value is an instance of an alias; ``check`` tests its definition."""
        accepting, offered = self._accepting, self._offered
        is_new_value = offered.enter(value)
        is_new = accepting.enter(alias)
        is_instance = not self._is_settled() and check(value)
        if is_new:
            accepting.leave(alias)
        if is_new_value:
            offered.leave(value)
        return is_instance

    def accepts(self, alias: TypeAliasType, other: PuppetType) -> bool:
        """Tell whether a type is assignable to a recursive alias."""
        is_new = self._accepting.enter(alias)
        answer = self._is_settled() or self._deeper(
            other._offered_to, alias, ("accepts", alias, other)
        )
        if is_new:
            self._accepting.leave(alias)
        return answer

    def offers(self, alias: TypeAliasType, target: PuppetType) -> bool:
        """Tell whether a recursive alias is assignable to a type."""
        self._offered.enter(alias)  # never left, which is Puppet's way
        return self._is_settled() or self._deeper(
            target.accepts_type, alias.target(), ("offers", alias, target)
        )

    def _is_settled(self) -> bool:
        return self._accepting.again and self._offered.again

    def _deeper(
        self,
        ask: Callable[[PuppetType, Guard], bool],
        one: PuppetType,
        question: tuple[object, ...],
    ) -> bool:
        accepting, offered = self._accepting, self._offered
        remembered = (frozenset(accepting), accepting.again, frozenset(offered), offered.again)
        state = (question, remembered)
        if state in self._asked:
            raise _EndlessError
        self._asked.add(state)
        answer = ask(one, self)
        self._asked.discard(state)
        return answer


class _EndingGuard(Guard):
    """Answers the questions with which Puppet never ends.

    Asked again on the way, a type is taken to be assignable.
    """

    __slots__ = ()

    def of_optional(self) -> Guard:
        return self

    def accepts(self, alias: TypeAliasType, other: PuppetType) -> bool:
        question = (alias, alias, other)
        return other is alias or self.once(question, lambda: other._offered_to(alias, self), True)

    def offers(self, alias: TypeAliasType, target: PuppetType) -> bool:
        question = (alias, target, alias)
        return self.once(question, lambda: target.accepts_type(alias.target(), self), True)


def answered(ask: Callable[[Guard], bool]) -> bool:
    """Answer a question about recursive aliases; warn if Puppet never ends with it."""
    try:
        return ask(Guard())
    except _EndlessError:
        warn_of_difference("alias_of_itself")
        return ask(_EndingGuard())


_VALUES: ContextVar[Guard | None] = ContextVar("_VALUES", default=None)
guard_of_value: Callable[[], Guard | None] = _VALUES.get
"""Returns the guard of the question about a value that has led to the one at hand."""


def answered_for_value(alias: TypeAliasType, value: object, check: Predicate) -> bool:
    """Tell whether a value is an instance of an alias; ``check`` tests its definition."""
    return answered(lambda guard: _first(guard, alias, value, check))


def _first(guard: Guard, alias: TypeAliasType, value: object, check: Predicate) -> bool:
    before = _VALUES.set(guard)
    try:
        return guard.holds(alias, value, check)
    finally:
        _VALUES.reset(before)
