"""Iteration with a lambda on the spot answers as the built-in function does."""

from __future__ import annotations

import itertools

import pytest

from puppet_repl.session import Session

RECEIVERS = (
    "[]",
    "[1, 2, 3]",
    "[[1, 2], [3, 4]]",
    "{}",
    "{a => 1, b => undef, 3 => true}",
    "'abc'",
    "''",
    "3",
    "0",
    "-1",
    "Integer[2, 5]",
    "Integer[2, default]",
    "Enum[b, a]",
    "undef",
    "true",
    "1.5",
    "[1, 2, 3].reverse_each",
    "{a => 1}.reverse_each",
    "Integer[1, 9].step(4)",
)
BLOCKS = (
    "|$x| { $x }",
    "|$x, $y| { $y }",
    "|$x| { [$x] =~ Array[Integer] }",
    "|$x, $y| { if $y == 2 { next(false) } $y }",
    "|$x| { if $x == 2 { break() } $x }",
    "|Integer $x| { $x }",
)


def answer(text: str) -> tuple[object, str | None]:
    outcome = Session(facts={}).execute(text)
    if outcome.error is not None:
        return None, outcome.error.message
    return Session.describe(Session(facts={}), outcome.value), None


@pytest.mark.parametrize("function", ["each", "map", "filter", "any", "all", "reduce"])
def test_same_answer_as_the_function(function: str) -> None:
    for receiver, block in itertools.product(RECEIVERS, BLOCKS):
        quick = answer(f"{function}({receiver}) {block}")
        general = answer(f"call({function}, {receiver}) {block}")
        if quick[1] is not None and "break()" not in quick[1]:
            assert general[1] is not None, (receiver, block)
        else:
            assert quick == general, (receiver, block)
