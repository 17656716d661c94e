"""What one look at a text says of its beginnings is what a check of each of them says."""

from __future__ import annotations

import random

import pytest

from puppet_repl.language.syntax.beginnings import Beginnings
from puppet_repl.language.syntax.completeness import Incomplete, check
from tests import recorded

# Lines that open, close, continue or break something, in any order.
LINES = [
    *("", "  ", "# a comment {", "/* open", "close */", ";", "1", "$x", "$x = 1;", "END;", "END"),
    *("{", "}", "(", ")", "[", "]", "},", "]}", "[1,", "2]", "{ a => 1,", "b => [", "} }", "})"),
    *("$x =", "1 +", "->", "a ->", "foo 1, 2", "notice 1, 2", "@file", "@file {", "@@notify {"),
    *("@notice { a => 1 }", "{ 'x': }", "'t': a => 1 }", "class c {", "class { 'c':", "class"),
    *(
        "if true {",
        "} else {",
        "case 1 {",
        "1: {",
        "default: { }",
        "$x ? {",
        "File <| a == 1",
        "|>",
    ),
    *("'a", "b'", '"a', '"b ${', '} c"', '"${x}"', '"${f("a', '"d ${ { a => [', ")} ", "''"),
    *("/a", "b/", "$x = /r {", "} e/ {", "/1a", "$x / 2", "1a", "Foo::", "::", "f(/a/)", "f(/a"),
    *("@(END)", '@("END")', "f(@(END), [", "f(@(END), @(B))", "B", "| END", "|- END", "x ${1", "-"),
    *('"${ @(END) }"', '@("END"/)', "f(|$a|", "[1].each |$i| {", "type X = [", "function f(", "\\"),
    *("é", "\x0b", "END\x0b", "x\r", "%vars", ":vars", "[[[[", "]]]]", "f 1, 2", "node a,", "b {"),
]


def agree(text: str) -> int:
    """Assert that what is said of a text is true; return of how many lines something is said."""
    beginnings = Beginnings(text)
    said = 0
    end = -1
    for line in text.split("\n"):
        end += len(line) + 1
        if beginnings.is_incomplete(end):
            said += 1
            for beginning in (text[:end], text[:end].rstrip(), text[:end].rstrip().rstrip(";")):
                assert isinstance(check(beginning), Incomplete), (text, beginning)
    return said


@pytest.mark.parametrize("seed", range(8))
def test_of_lines_at_random(seed: int) -> None:
    choose = random.Random(seed)
    said = 0
    for _ in range(250):
        lines = choose.choices(LINES, k=choose.randrange(2, 14))
        said += agree("\n".join(lines))
    assert said > 100


@pytest.mark.parametrize("file", ["catalog", "parse", "random", "specification"])
def test_of_recorded_programs_in_a_bracket(file: str) -> None:
    said = 0
    for case in recorded.suite(file)[3::23]:
        if len(case["code"]) < 2000:
            said += agree("{\n" + case["code"] + "\n}") + agree(case["code"])
    assert said > 20


@pytest.mark.parametrize(
    "text",
    [
        "class c {\n  file { '/x':\n    mode => '0644',\n  }\n  @user { 'a':\n  }\n  $x =\n  1\n}",
        '$x = @("END")\n  a ${y} {\n\n  b\n  | END',
        "f(@(A), @(B))\n  a\n  A\n  b\n  B",
        '$s = "a ${b.map |$c| {\n "${c}" }.join(\',\')\n} d\n e"',
        "$x = @(END)\n  never ${ended}\n  it",
        "'never\n\nended",
        "a ->\nb ->\nc",
    ],
)
def test_nothing_is_left_to_checks_that_is_plain(text: str) -> None:
    is_closed = not isinstance(check(text), Incomplete)
    assert agree(text) == text.count("\n") + 1 - is_closed


DEEP = "[" * 121


@pytest.mark.parametrize(
    "text",
    [
        "{\n@file\n{ 'a': } }",
        "{\n@notice { a => 1 }\n{ 'a': } }",
        "{ foo 1, 2\nif true { )",
        "{ foo 1, 2\n+ )",
        "{ $x / 2\n{ b /",
        '{ "${ /1a\nb/ }',
        '{ "${ /1a\nb/ }"\n}',
        "{ @notice { a => 1 }\n1a }",
        "{ @(END) . \"${ f(/1a\nt\nEND\nb/, 'c\nx",
        '{ "${ f(@(X), /1a\nt\nX\nb/) }"\n1 }',
        "{ Foo::\n}",
        f"[\n{DEEP}\n]",
        '{ "${ @("X"/) }"\n ${ /a\n b/ }\n X\n 1 }',
    ],
)
def test_nothing_is_said_where_what_follows_decides(text: str) -> None:
    agree(text)
