"""Blocks, if, unless, case and selector.

If their value is needed they become expressions; as statements, and at the end of a function,
Python's statements. Match variables are put back after each of them; ordinary variables stay.
"""

from __future__ import annotations

import _ast

from puppet_repl.language.compiler.arithmetic import lower_truth
from puppet_repl.language.compiler.build import (
    assign,
    call,
    conditional,
    constant,
    expression,
    name,
    sequence,
    walrus,
    when,
)
from puppet_repl.language.compiler.ladder import Ladder, first_of
from puppet_repl.language.compiler.literals import without_parentheses
from puppet_repl.language.compiler.matching import lower_options
from puppet_repl.language.compiler.statements import emit_body, emit_statement
from puppet_repl.language.compiler.static_kinds import kind_of
from puppet_repl.language.compiler.unit import may_match
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from puppet_repl.language.compiler.build import Expr, Span, Stmt
    from puppet_repl.language.compiler.static_kinds import StaticKind
    from puppet_repl.language.compiler.unit import Bound, Emitters, Lowerings, Unit

# Statements


def _emit_branch(unit: Unit, node: ast.Node | None, last: bool, span: Span) -> None:
    if last:
        emit_body(unit, node, span)
    elif node is not None:
        emit_statement(unit, node)


def _branch_block(
    unit: Unit, node: ast.Node | None, last: bool, span: Span
) -> tuple[list[Stmt], Bound]:
    """Return the statements of a branch, and the variables it binds."""
    return unit.branch(lambda: unit.block(lambda: _emit_branch(unit, node, last, span)))


def _branch_value(unit: Unit, node: ast.Node) -> tuple[Expr, Bound]:
    """Return the value of a branch, and the variables it binds."""
    return unit.branch(lambda: unit.lower(node))


def emit_if(unit: Unit, node: ast.IfExpression | ast.UnlessExpression, last: bool) -> None:
    """Emit ``if``, with its ``elsif``, or ``unless``; as the ``last`` statement it returns."""
    span = unit.span(node)
    restore = _save_match(unit, node, span, last)
    if isinstance(node, ast.UnlessExpression):
        test = lower_truth(unit, node.test)
        then, bound_then = _branch_block(unit, node.then_expr, last, span)
        other, bound_other = _branch_block(unit, node.else_expr, last, span)
        unit.merge([bound_then, bound_other], exhaustive=True)
        unit.statements.append(when(test, other, then, span))
    else:
        _emit_tests(unit, node, last, span)
    unit.statements.extend(restore)


def _emit_tests(unit: Unit, node: ast.IfExpression, last: bool, span: Span) -> None:
    """Emit the branches of ``if`` and ``elsif``."""
    ladder = Ladder(unit, last, span)
    tests = _Tests(unit)
    for one in _with_elsif(node):
        span = unit.span(one)
        test = tests.test(one)
        body, bound = _branch_block(unit, one.then_expr, last, span)
        tests.bounds.append(bound)
        ladder.add(test, body, span)
        node = one
    rest, bound = _branch_block(unit, node.else_expr, last, span)
    tests.bounds.append(bound)
    ladder.end(rest)
    tests.end()


def _with_elsif(node: ast.IfExpression) -> Iterator[ast.IfExpression]:
    """Yield an ``if`` and those that are nothing but its ``else``."""
    while True:
        yield node
        if not isinstance(node.else_expr, ast.IfExpression):
            return
        node = node.else_expr


class _Tests:
    """The tests of ``if`` and ``elsif``: the later ones may not be evaluated.

    ``bounds`` are what the branches bind.
    """

    __slots__ = ("_first", "_unit", "bounds")

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._first: tuple[Bound, dict[str, StaticKind | None]] | None = None
        self.bounds: list[Bound] = []

    def test(self, node: ast.IfExpression) -> Expr:
        """Lower the test of the next branch; later branches see the variables that it binds."""
        unit = self._unit
        if self.bounds and self._first is None:
            self._first = unit.bound, unit.kinds
            unit.bound = dict(unit.bound)
            unit.kinds = dict(unit.kinds)
        return lower_truth(unit, node.test)

    def end(self) -> None:
        """Go on after all of them."""
        if self._first is not None:
            self._unit.bound, self._unit.kinds = self._first
        self._unit.merge(self.bounds, exhaustive=True)


def _save_match(unit: Unit, node: ast.Node, span: Span, last: bool) -> list[_ast.stmt]:
    """Emit code that saves the match variables; return the code that puts them back."""
    if last or unit.match is None or not may_match(node):
        return []
    saved = unit.temporary()
    unit.statements.append(assign(saved, name(unit.match, span), span))
    return [expression(unit.set_match(name(saved, span), span), span)]


def emit_case(unit: Unit, node: ast.CaseExpression, last: bool) -> None:
    """Emit ``case``; as the ``last`` statement it returns."""
    span = unit.span(node)
    restore = _save_match(unit, node, span, last)
    kind = kind_of(unit, node.test)
    test = unit.temporary()
    unit.statements.append(assign(test, unit.lower(node.test), unit.span(node.test)))
    default: ast.CaseOption | None = None
    bounds: list[Bound] = []
    ladder = Ladder(unit, last, span)
    for option in node.options:
        if _has_default(option.values):
            default = option
        matches = lower_options(unit, test, kind, option.values, unit.span(option))
        if matches is None:
            continue
        body, bound = _branch_block(unit, option.then_expr, last, span)
        bounds.append(bound)
        ladder.add(matches, body, unit.span(option))
    rest, bound = _branch_block(unit, default and default.then_expr, last, span)
    bounds.append(bound)
    ladder.end(rest)
    unit.merge(bounds, exhaustive=True)
    unit.statements.extend(restore)


def _has_default(values: Sequence[ast.Node]) -> bool:
    return any(isinstance(without_parentheses(value), ast.LiteralDefault) for value in values)


# Expressions


def lower_if(unit: Unit, node: ast.IfExpression | ast.UnlessExpression) -> Expr:
    """Lower ``if`` and ``unless`` where a value is needed."""
    span = unit.span(node)

    def make() -> Expr:
        if isinstance(node, ast.IfExpression):
            return _first_value(unit, node)
        test = lower_truth(unit, node.test)
        then, bound_then = unit.branch(lambda: _value(unit, node.then_expr, span))
        other, bound_other = unit.branch(lambda: _value(unit, node.else_expr, span))
        unit.merge([bound_then, bound_other], exhaustive=True)
        return conditional(test, other, then, span)

    return unit.saved_match(node, make, span)


def _first_value(unit: Unit, node: ast.IfExpression) -> Expr:
    """Return the value of the first branch of ``if`` and ``elsif`` whose test is true."""
    whole = unit.span(node)
    tests = _Tests(unit)
    branches: list[tuple[Expr, Expr, Span]] = []
    for one in _with_elsif(node):
        span = unit.span(one)
        test = tests.test(one)
        then, bound = _branch_value(unit, one.then_expr)
        tests.bounds.append(bound)
        branches.append((test, then, span))
        node = one
    last = node.else_expr
    other, bound = unit.branch(lambda: _value(unit, last, span))
    tests.bounds.append(bound)
    tests.end()
    return first_of(unit, branches, other, whole)


def _value(unit: Unit, node: ast.Node | None, span: Span) -> Expr:
    return constant(None, span) if node is None else unit.lower(node)


def lower_case(unit: Unit, node: ast.CaseExpression) -> Expr:
    """Lower ``case`` where a value is needed."""
    span = unit.span(node)
    entries = [(option.values, option.then_expr, option) for option in node.options]

    def make() -> Expr:
        return _choice(unit, node.test, entries, span, None)

    return unit.saved_match(node, make, span)


def lower_selector(unit: Unit, node: ast.SelectorExpression) -> Expr:
    """Lower ``left ? { a => b }``."""
    span = unit.span(node)
    entries = [((entry.matching,), entry.value, entry) for entry in node.selectors]

    def make() -> Expr:
        return _choice(unit, node.left, entries, span, "unmatched_selector")

    return unit.saved_match(node, make, span)


def _choice(
    unit: Unit,
    tested: ast.Node,
    entries: Sequence[tuple[tuple[ast.Node, ...], ast.Node, ast.Node]],
    span: Span,
    failure: str | None,
) -> Expr:
    """Return the value of the first entry that fits; the value under test is bound before."""
    kind = kind_of(unit, tested)
    subject = unit.lower(tested)
    test = unit.temporary()
    binding = walrus(test, subject, unit.span(tested))
    default: ast.Node | None = None
    branches: list[tuple[Expr, Expr, Span]] = []
    bounds: list[Bound] = []
    for options, result, entry in entries:
        if _has_default(options):
            default = result
        matches = lower_options(unit, test, kind, options, unit.span(entry))
        if matches is None:
            continue
        value, bound = _branch_value(unit, result)
        bounds.append(bound)
        branches.append((matches, value, unit.span(entry)))
    if default is not None:
        last, bound = unit.branch(lambda: unit.lower(default))
        bounds.append(bound)
    elif failure is not None:
        last = call(failure, [name(test, span)], span)
    else:
        last = constant(None, span)
        bounds.append(dict(unit.bound))
    unit.merge(bounds, exhaustive=True)
    return sequence([binding, first_of(unit, branches, last, span)], span)


LOWERINGS: Lowerings = {
    ast.IfExpression: lower_if,
    ast.UnlessExpression: lower_if,
    ast.CaseExpression: lower_case,
    ast.SelectorExpression: lower_selector,
}

EMITTERS: Emitters = {
    ast.IfExpression: emit_if,
    ast.UnlessExpression: emit_if,
    ast.CaseExpression: emit_case,
}
