"""``=~``, ``!~``, ``in`` and the options of case and selector.

What a pattern finds is kept in the match variable of the unit where anybody can read it.
"""

from __future__ import annotations

import _ast

from puppet_repl.compiler.build import (
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
from puppet_repl.compiler.literals import literal_regexp, without_parentheses
from puppet_repl.compiler.typing import accepts
from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from puppet_repl.compiler.build import Expr, Place
    from puppet_repl.compiler.unit import LowerTable, Unit


def lower_match(unit: Unit, node: ast.MatchExpression) -> Expr:
    """``=~`` and ``!~``."""
    place = unit.place(node)
    found = _lower_found(unit, node, place)
    return negation(found, place) if node.operator == "!~" else found


def _lower_found(unit: Unit, node: ast.MatchExpression, place: Place) -> Expr:
    pattern = without_parentheses(node.right)
    left = unit.lower(node.left)
    if isinstance(pattern, ast.LiteralRegularExpression):
        return _search(unit, left, pattern, place)
    check = accepts(unit, pattern)
    if check is not None:
        return call(check, [left], place)
    return keep(unit, call("match", [left, unit.lower(node.right)], place), place)


def _search(unit: Unit, left: Expr, pattern: ast.LiteralRegularExpression, place: Place) -> Expr:
    """Search in what should be a String; the error for anything else names the left side."""
    value = literal_regexp(pattern)
    regexp = unit.program.constant(value, "regexp_")
    search = unit.program.constant(value.search, "search_")
    if isinstance(left, _ast.Name):
        subject: Expr = left
        again = name(left.id, place)
    else:
        temporary = unit.temporary()
        subject, again = walrus(temporary, left, place), name(temporary, place)
    made = conditional(
        type_is(subject, ("str",), place),
        call(search, [again], place),
        call("search_string", [again, name(regexp, place)], place),
        place,
    )
    return keep_match(unit, made, place)


def keep_match(unit: Unit, found: Expr, place: Place) -> Expr:
    """The truth of a match or None; a match is kept, a failed one changes nothing."""
    if unit.match is None:
        return compare(found, "is not", constant(None, place), place=place)
    temporary = unit.temporary()
    return all_of(
        [
            compare(walrus(temporary, found, place), "is not", constant(None, place), place=place),
            compare(
                unit.set_match(name(temporary, place), place),
                "is not",
                constant(None, place),
                place=place,
            ),
        ],
        place,
    )


def keep(unit: Unit, found: Expr, place: Place) -> Expr:
    """The truth of what may be a Boolean as well as a match or None."""
    if unit.match is None:
        return call("is_found", [found], place)
    temporary = unit.temporary()
    subject = name(temporary, place)
    is_true = compare(walrus(temporary, found, place), "is", constant(True, place), place=place)
    is_kept = all_of(
        [
            call("is_found", [subject], place),
            compare(unit.set_match(subject, place), "is not", constant(None, place), place=place),
        ],
        place,
    )
    return any_of([is_true, is_kept], place)


def lower_in(unit: Unit, node: ast.InExpression) -> Expr:
    """``left in right``."""
    place = unit.place(node)
    found = call("contains", [unit.lower(node.left), unit.lower(node.right)], place)
    return keep(unit, found, place)


# Options


def lower_options(
    unit: Unit, test: str, kind: str | None, options: Sequence[ast.Node], place: Place
) -> Expr | None:
    """Whether an option fits the value in the local ``test``; None where all are default."""
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
            tests.append(_integer_options(unit, test, kind, numbers, place))
            numbers = []
        tests.append(_lower_option(unit, test, bare))
    if numbers:
        tests.append(_integer_options(unit, test, kind, numbers, place))
    return any_of(tests, place) if tests else None


def _integer(node: ast.Node) -> int | None:
    if isinstance(node, ast.LiteralInteger):
        return node.value
    if isinstance(node, ast.UnaryMinusExpression) and isinstance(node.expr, ast.LiteralInteger):
        return -node.expr.value
    return None


def _integer_options(
    unit: Unit, test: str, kind: str | None, numbers: list[int], place: Place
) -> Expr:
    subject = name(test, place)
    if len(numbers) == 1:
        quick = compare(subject, "==", constant(numbers[0], place), place=place)
        slow = call("equals", [subject, constant(numbers[0], place)], place)
    else:
        group = frozenset(numbers) if len(numbers) > 3 else tuple(numbers)
        quick = compare(subject, "in", constant(group, place), place=place)
        slow = call("any_option_matches", [subject, constant(tuple(numbers), place)], place)
    if kind == "int":
        return quick
    return conditional(type_is(subject, ("int",), place), quick, slow, place)


def _lower_option(unit: Unit, test: str, option: ast.Node) -> Expr:
    place = unit.place(option)
    subject = name(test, place)
    kind = type(option)
    if isinstance(option, ast.LiteralString | ast.QualifiedName):
        from puppet_repl.values.compare import fold

        return any_of(
            [
                compare(subject, "==", constant(option.value, place), place=place),
                call("is_text_option", [subject, constant(fold(option.value), place)], place),
            ],
            place,
        )
    if isinstance(option, ast.LiteralBoolean):
        return compare(subject, "is", constant(option.value, place), place=place)
    if kind is ast.LiteralUndef:
        return compare(subject, "is", constant(None, place), place=place)
    if isinstance(option, ast.LiteralRegularExpression):
        regexp = unit.program.constant(literal_regexp(option), "regexp_")
        found = conditional(
            type_is(subject, ("str",), place),
            call(attribute(regexp, "search", place), [subject], place),
            constant(None, place),
            place,
        )
        return keep_match(unit, found, place)
    check = accepts(unit, option)
    if check is not None:
        return call(check, [subject], place)
    if isinstance(option, ast.UnfoldExpression):
        found = call("any_option_matches", [subject, unit.lower(option)], place)
        return keep(unit, found, place)
    return keep(unit, call("option_matches", [subject, unit.lower(option)], place), place)


def saved_match(unit: Unit, node: ast.Node, make: Callable[[], Expr], place: Place) -> Expr:
    """An expression after which the match variables are what they were before it."""
    from puppet_repl.compiler.unit import may_match

    if unit.match is None or not may_match(node):
        return make()
    saved = unit.temporary()
    before = walrus(saved, name(unit.match, place), place)
    value = make()
    after = unit.set_match(name(saved, place), place)
    from puppet_repl.compiler.build import item, tuple_of

    return item(tuple_of([before, value, after], place), 1, place)


LOWERINGS: LowerTable = {
    ast.MatchExpression: lower_match,
    ast.InExpression: lower_in,
}
