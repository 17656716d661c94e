"""The iteration functions answer alike, called by name or compiled into the place of the call."""

from __future__ import annotations

import itertools

import pytest

from puppet_repl.language.types.text.format import program_text
from puppet_repl.session import Options, Session

VALUES = (
    "[]",
    "[3, undef, 'a', false]",
    "{}",
    "{a => 1, b => undef, 3 => false}",
    "'héy'",
    "3",
    "0",
    "Integer[2, 4]",
    "Enum[b, a]",
    "[1, 2, 3].reverse_each",
    "{a => 1, b => 2}.step(1)",
    "Integer[1, 9].step(3)",
)
FUNCTIONS = ("each", "map", "filter", "all", "any", "index")
BLOCKS = (
    "|$x| { notice($x) $x }",
    "|$x| { $x == 2 or $x == ['a', 1] }",
    '|$i, $x| { notice("${i}:${x}") $x }',
    "|$i, $x| { $i == 1 or $i == 'a' }",
    '|$i, $x = 5| { "${i}-${x}" }',
    "|*$all| { $all }",
    "|$x| { if $x == 3 { break() } $x }",
    "|$i, $x| { if $x == 1 { break() } $x }",
    "|$x| { if $x == 3 { next('three') } $x }",
    "|Integer $x| { $x }",
)


def run(code: str) -> tuple[str, list[tuple[str, str]]]:
    outcome = Session(Options(), facts={}).execute(code)
    if outcome.error is not None:
        return outcome.error.message.replace("Method call", "Function Call"), outcome.logs
    return program_text(outcome.value), outcome.logs


@pytest.mark.parametrize(("function", "block"), list(itertools.product(FUNCTIONS, BLOCKS)))
def test_by_name_and_compiled(function: str, block: str) -> None:
    for value in VALUES:
        compiled = run(f"{value}.{function} {block}")
        by_name = run(f"call('{function}', {value}) {block}")
        assert by_name == compiled, value


@pytest.mark.parametrize("value", VALUES)
def test_reduce_by_name_and_compiled(value: str) -> None:
    for rest, block in itertools.product(
        ("", ", 'start'"),
        (
            "|$memo, $x| { notice($x) [$memo, $x] }",
            "|$memo, $x| { if $x == 3 { break() } $x }",
            "|*$all| { $all }",
        ),
    ):
        compiled = run(f"reduce({value}{rest}) {block}")
        by_name = run(f"call('reduce', {value}{rest}) {block}")
        assert by_name == compiled


ENDLESS = (
    "Integer[1, 9223372036854775806]",
    "9223372036854775807",
    "Integer[1, 1000000000000].step(2)",
)
WITHOUT_END = (
    "map |$x| { $x }",
    "map |$i, $x| { $x + 1 }",
    "map |*$all| { $all }",
    "filter |$x| { if $x == 3 { next(true) } $x > 1 }",
    "filter |$i, $x| { true }",
    "unique |$x| { $x }",
    "step(2).lstrip",
    "step(2).unique",
)
WITH_END = (
    ("map |$x| { if $x > 5 { break() } 0 }.unique", (0,)),
    ("filter |$x| { if $x > 200000 { break() } false }", ()),
    ("any |$x| { $x > 200000 }", True),
    ("all |$x| { $x < 200000 }", False),
    ("any |$i, $x| { $i > 200000 }", True),
    ("index |$x| { $x > 3 }.type(generalized) == Integer", True),
    ("reduce |$m, $x| { if $x > 5 { break() } 7 }", 7),
)


@pytest.mark.parametrize("iterable", ENDLESS)
@pytest.mark.parametrize("call", WITHOUT_END)
def test_a_loop_without_end_is_refused(iterable: str, call: str) -> None:
    error = Session(Options(), facts={}).execute(f"{iterable}.{call}").error
    assert error is not None
    assert "elements is too large" in error.message


@pytest.mark.parametrize("iterable", ENDLESS)
@pytest.mark.parametrize(("call", "value"), WITH_END)
def test_a_loop_that_ends_early(iterable: str, call: str, value: object) -> None:
    outcome = Session(Options(), facts={}).execute(f"{iterable}.{call}")
    assert outcome.error is None
    assert outcome.value == value


@pytest.mark.parametrize(
    ("searched", "found"),
    [("5", 4), ("5.0", 4), ("5.5", None), ("a", None), ("true", None), ("0", None)],
)
def test_a_value_in_an_endless_range(searched: str, found: int | None) -> None:
    outcome = Session(Options(), facts={}).execute(f"{ENDLESS[0]}.index({searched})")
    assert outcome.error is None
    assert outcome.value == found


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("map", "an Array of 60000000 elements is too large"),
        # These may keep few elements of many, and the error is that of the element 200,000.
        ("filter", "Division by 0"),
        ("unique", "Division by 0"),
    ],
)
def test_a_long_loop_is_refused_only_for_a_long_result(name: str, message: str) -> None:
    code = f"Integer[1, 60000000].{name} |$x| {{ 1 / (200000 - $x) == 7 }}"
    error = Session(Options(), facts={}).execute(code).error
    assert error is not None
    assert message in error.message
