"""Integers that compiled code works out by itself, against exact arithmetic."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from puppet_repl.session import Session

MIN, MAX = -(2**63), 2**63 - 1
NUMBERS = st.one_of(
    st.integers(-9, 9),
    st.integers(MIN + 1, MAX),
    st.sampled_from([0, 1, -1, MAX, MIN + 1, 2**62, -(2**62), 2**32]),
)
OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}
FORMS = (
    "{a} {op} {b}",
    "$a = {a}; $b = {b}; $a {op} $b",
    "$a = {a}; $a {op} {b}",
    "$b = {b}; {a} {op} $b",
    "with({a}, {b}) |$a, $b| {{ $a {op} $b }}",
    "with({a}, {b}) |Integer $a, Integer $b| {{ $a {op} $b }}",
    "with({a}) |Integer $a| {{ $a {op} {b} }}",
    "[{a}][0] {op} [{b}][0]",
)


@settings(max_examples=60, deadline=None)
@given(NUMBERS, NUMBERS, st.sampled_from(sorted(OPERATIONS)))
def test_every_form_of_operands_gives_the_same(left: int, right: int, operator: str) -> None:
    if right == 0 and operator in "/%":
        expected = None
    else:
        expected = OPERATIONS[operator](left, right)
        if not MIN <= expected <= MAX:
            expected = None
    session = Session(facts={})
    for form in FORMS:
        outcome = session.execute(form.format(a=left, b=right, op=operator))
        if expected is None:
            assert outcome.error is not None
            assert outcome.error.code in ("NUMERIC_OVERFLOW", "DIV_BY_ZERO")
        else:
            assert outcome.error is None
            assert outcome.value == expected
            assert type(outcome.value) is int


@settings(max_examples=60, deadline=None)
@given(NUMBERS, NUMBERS, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
def test_comparison_in_every_form(left: int, right: int, operator: str) -> None:
    expected = {
        "==": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[operator]
    session = Session(facts={})
    for form in FORMS:
        assert session.execute(form.format(a=left, b=right, op=operator)).value is expected
