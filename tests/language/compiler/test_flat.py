"""Long programs that are flat, as generators write them: time and memory in proportion."""

from __future__ import annotations

import ast
from collections import Counter
from types import CodeType
from typing import TYPE_CHECKING, Any

import pytest

from puppet_repl.language.compiler import program
from puppet_repl.language.compiler.ladder import MAX_LEVELS
from puppet_repl.language.compiler.program import SourceTree, compile_tree
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

MANY = 5_000
SEGMENTS = [
    ("${x}", "5"),
    ("$x", "5"),
    ("${true}${false}", "truefalse"),
    ("${$x + 1}", "6"),
    ("${y[1]['k']}", "v"),
    ("$y", "[, {k => v}]"),
    ("${$y[0]}${2}${1 + 0.5}", "1.5"),
    ("${[1].map |$e| { $e + $x }}", "[6]"),
    ('${"<${x}>"}', "<5>"),
    ('${if "${x}" =~ /(5)/ { $1 }}', "5"),
]


@pytest.mark.parametrize("place", ["{}", "function f($x, $y) {{ {} }} f($x, $y)"])
@pytest.mark.parametrize(("segment", "text"), SEGMENTS)
def test_a_string_of_many_segments(
    segment: str, text: str, place: str, value: Callable[[str], Any]
) -> None:
    """It is compiled to something else than a short one."""
    start = "$x = 5 $y = [undef, {k => v}] "
    for count in (1, 300):
        expected = "-" + f"{text}/" * count
        assert value(start + place.format('"-' + f"{segment}/" * count + '"')) == expected


@pytest.mark.parametrize(
    "items",
    [
        ["1", "'a'", "1.5", "true", "b", '"c"'],
        ["1", "undef"],
        ["-1", "0x1f"],
        ["*[1, 2]", "3"],
        ["default", "[4]"],
    ],
)
def test_a_long_array(items: list[str], value: Callable[[str], Any]) -> None:
    once = value(f"[{', '.join(items)}]")
    many = value(f"[{', '.join(items * 600)}]")
    assert many == once * 600
    assert [type(item) for item in many] == [type(item) for item in once * 600]


@pytest.mark.parametrize("operator", ["and", "or"])
def test_many_conditions(operator: str, value: Callable[[str], Any]) -> None:
    tests = f" {operator} ".join(f"$x == {i}" for i in range(2_000))
    assert value(f"$x = 1999 {tests}") is (operator == "or")
    assert value(f"[1].map |$x| {{ !({tests}) }}") == (operator == "and",)


def test_conditions_that_bind(value: Callable[[str], Any]) -> None:
    """What a later one binds is bound perhaps, and for those after it."""
    tests = "($a = $x) and ($b = $a) and ($c = $b) and $c == 3"
    assert value(f"function f($x) {{ if {tests} {{ [$a, $b, $c] }} }} f(3)") == (3, 3, 3)


STATEMENTS = [
    "[1].each |$x| { 1 }",
    "notice([1].map |$x| { $x }.reduce |$m, $x| { $m })",
    "notice(\"${$facts['a']}\")",
    "if $facts['a'] { [1].each |$x| { 1 } } else { notice($facts['b'] + 1) }",
    "case $facts['a'] { 1: { [1].each |$x| { 1 } } default: { notice(\"${$facts['b']}\") } }",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statements_share_their_locals(statement: str, session: Session) -> None:
    """Python's compiler takes the functions in a function times its locals."""

    tree = parse(Source(f"{statement}\n" * 1_000, "x.pp"))
    code = compile_tree(SourceTree(tree.source, tree), session._context).code
    (main,) = [one for one in code.co_consts if isinstance(one, CodeType)]
    assert len(main.co_varnames) < 500


def test_the_same_lambda_on_many_lines(session: Session) -> None:
    """Python's compiler compares code of the same hash, one with each other."""
    tree = parse(Source("[1].each |$x| { 1 }\n" * 2_000, "x.pp"))
    code = compile_tree(SourceTree(tree.source, tree), session._context).code
    (main,) = [one for one in code.co_consts if isinstance(one, CodeType)]
    hashes = [hash(one) for one in main.co_consts if isinstance(one, CodeType)]
    assert max(Counter(hashes).values()) < 50


@pytest.mark.parametrize("kind", ["if", "case"])
def test_what_branches_compute_does_not_choose_others(kind: str, session: Session) -> None:
    """Their locals are not those that tell which branch has run."""
    body = 'notice("${$y[0]}${$y[1]}") [1].each |$e| { notice($e) } notice($y[1] + 1)'
    count = 3 * MAX_LEVELS
    options = {
        "if": "if $x == -1 { }" + "".join(f" elsif $x == {i} {{ {body} }}" for i in range(count)),
        "case": f"case $x {{{''.join(f' {i}: {{ {body} }}' for i in range(count))} }}",
    }[kind]
    code = f"$y = ['1', 7] Integer[0, {count}].each |$x| {{ {options} notice('after') }}"
    logs = [message for _, message in session.execute(code).logs]
    assert logs == ["17", "1", "8", "after"] * count + ["after"]


def test_many_parameters(value: Callable[[str], Any]) -> None:
    names = ", ".join(f"$a{i}" for i in range(MANY))
    numbers = ", ".join(map(str, range(MANY)))
    assert value(f"function f({names}) {{ [$a0, $a{MANY - 1}] }} f({numbers})") == (0, MANY - 1)


@pytest.mark.parametrize("count", [2, 1_000, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("first", "one", "found"),
    [
        ("title == a", " or title == 'a{i}'", ["a1", "a"]),
        ("title == a1", " or message == 'm' and title == 'a{i}'", ["a1"]),
        ("title != a1", " and title != 'b{i}'", ["a", "z"]),
        ("(title == a or title == z)", " or (title == 'b{i}')", ["a", "z"]),
    ],
)
def test_queries(count: int, first: str, one: str, found: list[str], session: Session) -> None:
    query = first + "".join(one.format(i=i) for i in range(count))
    code = "@notify { [a1, a, z]: } "
    outcome = session.execute(f"{code} Notify <| {query} |>")
    assert outcome.error is None
    assert sorted(each["title"] for each in outcome.resources) == sorted(found)


CHAINS = [
    ("seen({})", " + seen({})", sum(range(600)), range(600)),
    ("seen({})", " == seen({})", False, range(600)),
    ("seen({})", ".with |$x| {{ $x + seen({}) }}", sum(range(600)), range(600)),
    ("[seen({})]", " + seen({})", tuple(range(600)), range(600)),
    ("(seen({}) == 0)", " in [seen({}) > 0]", True, range(600)),
    ("seen({})", " + 1 / (seen({}) - 500)", "Division by 0 (line: 501,", range(501)),
    ("seen({}) == 0", " and seen({}) != 500", False, range(501)),
]


@pytest.mark.parametrize("place", ["{}", "function f() {{ {} }} f()", "[1].map |$y| {{ {} }}[0]"])
@pytest.mark.parametrize(("first", "one", "result", "seen"), CHAINS)
def test_chains_where_python_allows_few_levels(
    first: str,
    one: str,
    result: object,
    seen: range,
    place: str,
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As CPython 3.12.0 does; what is evaluated and in which order stays the same."""

    def compile_flat(module: ast.Module, file: str, mode: str) -> CodeType:
        levels: list[ast.AST] = [module]
        for _ in range(400):
            levels = [child for node in levels for child in ast.iter_child_nodes(node)]
        if levels:
            raise RecursionError
        return compile(module, file, mode)

    monkeypatch.setattr(program, "compile", compile_flat, raising=False)
    operands = [
        one.replace("{}", str(i)).replace("{{", "{").replace("}}", "}") for i in range(1, 600)
    ]
    chain = first.format(0) + "\n".join(operands)
    outcome = session.execute("function seen($x) { notice($x) $x }\n" + place.format(chain))
    assert [message for _, message in outcome.logs] == [str(i) for i in seen]
    if isinstance(result, str):
        assert result in str(outcome.error)
    else:
        assert outcome.value == result
