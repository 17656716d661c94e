"""``=~``, ``!~``, ``in`` and the options of case and selector.

A match is kept in the match variable of the unit if any code can read it.
"""

from __future__ import annotations

import _ast

from puppet_repl.language.compiler.build import (
    all_of,
    any_of,
    attribute,
    call,
    compare,
    conditional,
    constant,
    name,
    negation,
    type_is,
    walrus,
)
from puppet_repl.language.compiler.literals import literal_regexp, without_parentheses
from puppet_repl.language.compiler.type_expressions import accepts
from puppet_repl.language.syntax import ast
from puppet_repl.language.values.compare import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.language.compiler.build import Expr, Span
    from puppet_repl.language.compiler.static_kinds import StaticKind
    from puppet_repl.language.compiler.unit import Lowerings, Unit


def lower_match(unit: Unit, node: ast.MatchExpression) -> Expr:
    """Lower ``=~`` and ``!~``."""
    span = unit.span(node)
    found = _lower_found(unit, node, span)
    return negation(found, span) if node.operator == "!~" else found


def _lower_found(unit: Unit, node: ast.MatchExpression, span: Span) -> Expr:
    pattern = without_parentheses(node.right)
    left = unit.lower(node.left)
    if isinstance(pattern, ast.LiteralRegularExpression):
        return _search(unit, left, pattern, span)
    is_plain = isinstance(left, (_ast.Name, _ast.Constant))
    temporary = "" if is_plain else unit.temporary()
    check = accepts(unit, pattern, None if is_plain else walrus(temporary, left, span))
    if isinstance(check, _ast.IfExp) and not is_plain:
        return call(check, [name(temporary, span)], span)
    if check is not None:
        return call(check, [left], span)
    return keep(unit, call("match", [left, unit.lower(node.right)], span), span)


def _search(unit: Unit, left: Expr, pattern: ast.LiteralRegularExpression, span: Span) -> Expr:
    """Search in what should be a String; the error for anything else names the left side."""
    value = literal_regexp(pattern)
    regexp = unit.program.constant(value, ("regexp", pattern.pattern), "regexp_")
    search = unit.program.constant(value.search, ("search", pattern.pattern), "search_")
    if isinstance(left, _ast.Name):
        subject: Expr = left
        again = name(left.id, span)
    else:
        temporary = unit.temporary()
        subject, again = walrus(temporary, left, span), name(temporary, span)
    made = conditional(
        type_is(subject, ("str",), span),
        call(search, [again], span),
        call("search_string", [again, name(regexp, span)], span),
        span,
    )
    return keep_match(unit, made, span)


def keep_match(unit: Unit, found: Expr, span: Span) -> Expr:
    """Return the truth of a match or None; a match is kept, a failed one changes nothing."""
    if unit.match is None:
        return compare(found, "is not", constant(None, span), span=span)
    temporary = unit.temporary()
    return all_of(
        [
            compare(walrus(temporary, found, span), "is not", constant(None, span), span=span),
            compare(
                unit.set_match(name(temporary, span), span),
                "is not",
                constant(None, span),
                span=span,
            ),
        ],
        span,
    )


def keep(unit: Unit, found: Expr, span: Span) -> Expr:
    """Return the truth of a result that is a Boolean, a match or None; keep a match."""
    if unit.match is None:
        return call("is_found", [found], span)
    temporary = unit.temporary()
    subject = name(temporary, span)
    is_true = compare(walrus(temporary, found, span), "is", constant(True, span), span=span)
    is_kept = all_of(
        [
            call("is_found", [subject], span),
            compare(unit.set_match(subject, span), "is not", constant(None, span), span=span),
        ],
        span,
    )
    return any_of([is_true, is_kept], span)


def lower_in(unit: Unit, node: ast.InExpression) -> Expr:
    """Lower ``left in right``."""
    span = unit.span(node)
    found = call("contains", [unit.lower(node.left), unit.lower(node.right)], span)
    return keep(unit, found, span)


# Options


def lower_options(
    unit: Unit, test: str, kind: StaticKind | None, options: Sequence[ast.Node], span: Span
) -> Expr | None:
    """Lower the test whether an option fits the local ``test``; None if all are default."""
    tests: list[Expr] = []
    numbers: list[int] = []
    for option in options:
        bare = without_parentheses(option)
        if isinstance(bare, ast.LiteralDefault):
            continue
        number = _integer(bare)
        if number is not None:
            numbers.append(number)
            continue
        if numbers:
            tests.append(_integer_options(test, kind, numbers, span))
            numbers = []
        tests.append(_lower_option(unit, test, bare))
    if numbers:
        tests.append(_integer_options(test, kind, numbers, span))
    return any_of(tests, span) if tests else None


def _integer(node: ast.Node) -> int | None:
    if isinstance(node, ast.LiteralInteger):
        return node.value
    if isinstance(node, ast.UnaryMinusExpression) and isinstance(node.expr, ast.LiteralInteger):
        return -node.expr.value
    return None


def _integer_options(test: str, kind: StaticKind | None, numbers: list[int], span: Span) -> Expr:
    subject = name(test, span)
    if len(numbers) == 1:
        quick = compare(subject, "==", constant(numbers[0], span), span=span)
        slow = call("equals", [subject, constant(numbers[0], span)], span)
    else:
        group = frozenset(numbers) if len(numbers) > 3 else tuple(numbers)
        quick = compare(subject, "in", constant(group, span), span=span)
        slow = call("any_option_matches", [subject, constant(tuple(numbers), span)], span)
    if kind == "int":
        return quick
    return conditional(type_is(subject, ("int",), span), quick, slow, span)


def _lower_option(unit: Unit, test: str, option: ast.Node) -> Expr:
    span = unit.span(option)
    subject = name(test, span)
    kind = type(option)
    if isinstance(option, ast.LiteralString | ast.QualifiedName):
        return any_of(
            [
                compare(subject, "==", constant(option.value, span), span=span),
                call("is_text_option", [subject, constant(fold(option.value), span)], span),
            ],
            span,
        )
    if isinstance(option, ast.LiteralBoolean):
        return compare(subject, "is", constant(option.value, span), span=span)
    if kind is ast.LiteralUndef:
        return compare(subject, "is", constant(None, span), span=span)
    if isinstance(option, ast.LiteralRegularExpression):
        recipe = ("regexp", option.pattern)
        regexp = unit.program.constant(literal_regexp(option), recipe, "regexp_")
        found = conditional(
            type_is(subject, ("str",), span),
            call(attribute(regexp, "search", span), [subject], span),
            constant(None, span),
            span,
        )
        return keep_match(unit, found, span)
    check = accepts(unit, option)
    if check is not None:
        return call(check, [subject], span)
    if isinstance(option, ast.UnfoldExpression):
        found = call("any_option_matches", [subject, unit.lower(option)], span)
        return keep(unit, found, span)
    return keep(unit, call("option_matches", [subject, unit.lower(option)], span), span)


LOWERINGS: Lowerings = {
    ast.MatchExpression: lower_match,
    ast.InExpression: lower_in,
}
