"""The branches of long ``if``, ``case`` and selectors: flat, however many there are.

Python has no ``case``, and each of its ``elif`` is an ``if`` in the ``else`` of the one before: for
its compiler a list of a thousand options is a thousand levels deep, too deep. So MAX_LEVELS
branches are nested, and the others follow them.
"""

from __future__ import annotations

import _ast

from puppet_repl.language.compiler.build import (
    all_of,
    any_of,
    assign,
    conditional,
    constant,
    name,
    sequence,
    walrus,
    when,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.language.compiler.build import Expr, Span, Stmt
    from puppet_repl.language.compiler.unit import Unit

MAX_LEVELS = 50
"""How many branches are put into each other."""


class Ladder:
    """Statements that run the first of several branches whose test is true.

    While it is built, the unit's statements run when no test so far was true: there a test may put
    statements that it needs before it. With ``last`` every branch returns.
    """

    __slots__ = (
        "_is_bound",
        "_last",
        "_levels",
        "_outer",
        "_span",
        "_start",
        "_undecided",
        "_unit",
    )

    def __init__(self, unit: Unit, last: bool, span: Span) -> None:
        self._unit = unit
        self._last = last
        self._span = span
        self._outer = unit.statements
        self._start = len(unit.statements)
        self._levels = 0
        # The local that tells, after the nested branches, that none of them ran. It is chosen
        # before the branches, since a branch might use the same local otherwise.
        self._undecided = "" if last else unit.temporary()
        self._is_bound = False

    def add(self, test: Expr, body: list[Stmt], span: Span) -> None:
        """Add a branch."""
        unit = self._unit
        if self._levels == MAX_LEVELS:
            self._begin_anew()
        made = when(test, body, [], span)
        assert isinstance(made, _ast.If)
        unit.statements.append(made)
        unit.statements = made.orelse
        self._levels += 1

    def _begin_anew(self) -> None:
        """Go on after the branches so far, for the case that none of them ran."""
        unit, span = self._unit, self._span
        if not self._last:
            undecided = self._undecided
            no, yes = constant(False, span), constant(True, span)
            if not self._is_bound:
                self._is_bound = True
                self._outer.insert(self._start, assign(undecided, no, span))
            unit.statements.append(assign(undecided, yes, span))
            rest = when(name(undecided, span), [assign(undecided, no, span)], [], span)
            assert isinstance(rest, _ast.If)
            self._outer.append(rest)
            unit.statements = rest.body
        else:
            unit.statements = self._outer
        self._levels = 0

    def end(self, otherwise: Sequence[Stmt]) -> None:
        """Set the statements for when no test was true; the unit continues after the ladder."""
        self._unit.statements.extend(otherwise)
        self._unit.statements = self._outer


def first_of(
    unit: Unit, branches: Sequence[tuple[Expr, Expr, Span]], otherwise: Expr, span: Span
) -> Expr:
    """Return the value of the first branch (test, value, span) whose test is true."""
    if len(branches) <= MAX_LEVELS:
        made = otherwise
        for test, value, where in reversed(branches):
            made = conditional(test, value, made, where)
        return made
    # ``t1 and (x := a, True)[-1] or t2 and (x := b, True)[-1] or ...``, then x: flat.
    result = unit.temporary()
    taken: list[Expr] = []
    for test, value, where in branches:
        found = sequence([walrus(result, value, where), constant(True, where)], where)
        taken.append(all_of([test, found], where))
    taken.append(walrus(result, otherwise, span))
    return sequence([any_of(taken, span), name(result, span)], span)
