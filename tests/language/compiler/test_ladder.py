"""Long lists of options: Puppet takes 8,000 of a case, and generated code has more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from puppet_repl.language.compiler.ladder import MAX_LEVELS
from puppet_repl.session import Session

MANY = 20_000
EDGES = [1, MAX_LEVELS, MAX_LEVELS + 1, 2 * MAX_LEVELS, 2 * MAX_LEVELS + 1]


def _if(count: int) -> str:
    first = "if $x == -1 { 'first' }"
    return first + "".join(f" elsif $x == {i} {{ {i} }}" for i in range(count)) + " else { 'else' }"


def _case(count: int) -> str:
    return "case $x {" + "".join(f" {i}: {{ {i} }}" for i in range(count)) + " default: {'else'} }"


def _selector(count: int) -> str:
    return "$x ? {" + "".join(f" {i} => {i}," for i in range(count)) + " default => 'else' }"


@pytest.mark.slow
@pytest.mark.parametrize("options", [_if, _case, _selector])
@pytest.mark.parametrize("form", ["{}", "$y = {} $y"])
def test_many_options(
    form: str, options: Callable[[int], str], value: Callable[[str], Any]
) -> None:
    """As the value of a function they are statements, elsewhere an expression."""
    function = f"function f($x) {{ {form.format(options(MANY))} }}"
    assert value(f"{function} [f(0), f({MANY - 1}), f({MANY})]") == (0, MANY - 1, "else")


@pytest.mark.parametrize("count", EDGES)
@pytest.mark.parametrize("kind", ["if", "case"])
def test_one_branch_runs_and_what_follows(count: int, kind: str, session: Session) -> None:
    options = {
        "if": "if $x == -1 { notice('first') }"
        + "".join(f" elsif $x == {i} {{ notice({i}) }}" for i in range(count))
        + " else { notice('else') }",
        "case": "case $x {"
        + "".join(f" {i}: {{ notice({i}) }}" for i in range(count))
        + " default: { notice('else') } }",
    }[kind]
    code = f"Integer[0, {count}].each |$x| {{ {options} notice('after') }}"
    logs = [message for _, message in session.execute(code).logs]
    expected = []
    for x in range(count + 1):
        expected += [str(x) if x < count else "else", "after"]
    assert logs == expected


@pytest.mark.parametrize("count", [2, 3 * MAX_LEVELS])
def test_options_without_a_match(count: int, value: Callable[[str], Any], session: Session) -> None:
    options = "".join(f" {i}: {{ {i} }}" for i in range(count))
    assert value(f"$x = -1 $y = case $x {{ {options} }} $y") is None
    assert value(f"function f($x) {{ case $x {{ {options} }} }} f(-1)") is None
    entries = ", ".join(f"{i} => {i}" for i in range(count))
    error = session.execute(f"$z = -1 ? {{ {entries} }}").error
    assert error is not None
    assert error.message == (
        "Evaluation Error: No matching entry for selector parameter with value '-1'"
    )


@pytest.mark.parametrize("where", [0, MAX_LEVELS, 3 * MAX_LEVELS - 1])
def test_an_error_is_at_its_option(where: int, session: Session) -> None:
    count = 3 * MAX_LEVELS
    options = "\n".join(f"{i}: {{ {'fail(x)' if i == where else i} }}" for i in range(count))
    for begin, end in (("", ""), ("$y = ", ""), ("", "\nnotice(1)")):
        error = session.execute(f"$x = {where}\n{begin}case $x {{\n{options}\n}}{end}").error
        assert error is not None
        assert error.line == where + 3


@pytest.mark.parametrize("count", [2, 3 * MAX_LEVELS])
def test_matches_and_variables_of_tests(count: int, value: Callable[[str], Any]) -> None:
    """Each test may match, bind a variable and hold a lambda; branches see what the tests did."""
    tests = "".join(
        f" elsif ($v{i} = 'a{i}') == $x or $x =~ /^(b){i}$/ or [$x].any |$e| {{ $e == 'c{i}' }}"
        f" {{ [$v{i}, $v0, $1] }}"
        for i in range(count)
    )
    code = f"function f($x) {{ if $x == 'none' {{ 0 }}{tests} }} [f('a{count - 1}'), f('c0')]"
    last = count - 1
    assert value(code) == ((f"a{last}", "a0", None), ("a0", "a0", None))
    matched = f"function g($x) {{ if $x == 'none' {{ 0 }}{tests} }} g('b{last}')"
    assert value(matched) == (f"a{last}", "a0", "b")


@pytest.mark.parametrize("count", [2, 3 * MAX_LEVELS])
def test_variables_of_branches(count: int, value: Callable[[str], Any], session: Session) -> None:
    """What all branches bind is bound behind them, what some do only if they ran."""
    branches = "".join(f" {i}: {{ $a = {i} $b{i} = 1 }}" for i in range(count))
    code = f"function f($x) {{ case $x {{ {branches} default: {{ $a = 'd' }} }} "
    last = count - 1
    assert value(f"{code} $a }} [f({last}), f(-1)]") == (last, "d")
    assert value(f"{code} $b{last} }} f({last})") == 1
    error = session.execute("f(0)").error
    assert error is not None
    assert f"Unknown variable: 'b{last}'" in error.message
