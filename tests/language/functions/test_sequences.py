"""Iterators: what is used up, what restarts, and which type they have.

All results were recorded from Puppet 8.11.
"""

from __future__ import annotations

import pytest

from puppet_repl.language.types.text.format import program_text
from puppet_repl.session import Options, Session

TWICE = "$a = $i.{0} |$x| {{ $x }} $b = $i.{0} |$x| {{ $x }} [$a, $b]"

CASES = [
    ("$i = [1, 2, 3].reverse_each [String($i), String($i)]", "['[3, 2, 1]', '[3, 2, 1]']"),
    ("$i = [1, 2, 3].reverse_each [Array($i), Array($i)]", "[[3, 2, 1], [3, 2, 1]]"),
    ("$i = [1, 2, 3].reverse_each " + TWICE.format("map"), "[[3, 2, 1], []]"),
    ("$i = [1, 2, 3].reverse_each " + TWICE.format("filter"), "[[3, 2, 1], []]"),
    ("$i = [1, 2, 3].step(2) " + TWICE.format("map"), "[[1, 3], []]"),
    ("$i = [1, 2, 3].step(2) [String($i), String($i)]", "['[1, 3]', '[]']"),
    (
        "$i = [1, 2, 3].reverse_each $a = $i.reduce |$x, $y| { $x + $y } "
        "$b = $i.reduce |$x, $y| { $x + $y } [$a, $b]",
        "[6, 6]",
    ),
    ("$i = [1, 2, 3].step(1) [$i.slice(2), $i.slice(2)]", "[[[1, 2], [3]], [[1, 2], [3]]]"),
    (
        "[0.slice(2), 3.slice(2), Integer[1, 3].slice(2)]",
        "[[], [[0, 1], [2]], [[1, 2], [3]]]",
    ),
    (
        "$i = [1, 2, 3].step(1) $a = $i.map |$j, $x| { $x } $b = $i.map |$j, $x| { $x } [$a, $b]",
        "[[1, 2, 3], [1, 2, 3]]",
    ),
    ("$i = [1, 2, 3].step(1) [$i.index(2), $i.map |$x| { $x }]", "[1, [1, 2, 3]]"),
    ("$i = [1, 2, 3].reverse_each.step(1) [*$i, *$i]", "[3, 2, 1, 3, 2, 1]"),
    ("$i = Integer[1, 4].reverse_each [*$i, *$i]", "[4, 3, 2, 1]"),
    ("$i = Integer[1, 4].step(2) [*$i, *$i]", "[1, 3]"),
    ("$i = [1, 2, 3].reverse_each $i.each |$x| { if $x == 2 { break() } } [*$i]", "[3, 2, 1]"),
    ("$i = [1, [2]].tree_each [Array($i).length, Array($i)]", "[4, []]"),
    ("Array(Integer[1, 10].reverse_each.step(4))", "[10, 6]"),
    ("Array(Integer[0, 10].step(3).reverse_each)", "[9, 6, 3, 0]"),
    ("Array(Integer[0, 20].step(2).step(3))", "[0, 6, 12, 18]"),
    ('{a => 1}.step(1).map |$k, $v| { "${k}-${v}" }', "['a-1']"),
    ('{a => 1}.reverse_each.map |$k, $v| { "${k}-${v}" }', "['0-[a, 1]']"),
    ("{'a' => 1}.reverse_each.type", "Iterator[Tuple[String, Integer[1, 1], 2, 2]]"),
    ("[].step(2).type", "Iterator[Unit]"),
    ("3.step(2).type", "Iterator[Integer[0, 2]]"),
    ("Integer[1, 3].reverse_each.step(2).type", "Iterator[Integer[1, 3]]"),
    ("'abc'.reverse_each.type", "Iterator[String[1, 1]]"),
    ('"${[1, 2].step(1)}"', "'Iterator[Integer]-Value'"),
    ("$i = [1].step(1) [$i == $i, $i == [1]]", "[true, false]"),
    ("[0] + [1, 2].reverse_each", "[0, [2, 1]]"),
]


@pytest.mark.parametrize(("code", "expected"), CASES)
def test_sequence(code: str, expected: str) -> None:
    outcome = Session(Options(), facts={}).execute(code)
    assert outcome.error is None, outcome.error
    assert program_text(outcome.value) == expected


def test_nothing_is_copied() -> None:
    code = "Integer[1, 1000000000000].reverse_each.step(3).reduce |$a, $b| { break() }"
    assert Session(Options(), facts={}).execute(code).value == 1000000000000


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("Integer[0, 3].step(2)", "[0, 2]"),
        ("[1, 2, 3].reverse_each", "[3, 2, 1]"),
        ("{a => [[1, 2, 3].step(2)]}", "{'a' => [[1, 3]]}"),
        ("[1, 2].tree_each", "[[[], [1, 2]], [[0], 1], [[1], 2]]"),
    ],
)
def test_describing_uses_nothing_up(code: str, text: str) -> None:
    session = Session()
    value = session.execute(code).value
    for _ in range(2):
        described = session.describe(value)
        assert (described["value"], described["str"]) == (text, text)
    assert session.execute("String($_1)").value == text


def test_describing_leaves_iterators_that_have_advanced_where_they_are() -> None:
    session = Session()
    session.execute("$i = [1, 2, 3, 4].step(1).step(1) $i.all |$x| { $x < 2 }")
    described = session.describe(session.execute("$i").value)
    assert described["value"] == program_text(session.execute("Array($i)").value)
