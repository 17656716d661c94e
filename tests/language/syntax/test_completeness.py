"""Unfinished, finished and wrong input."""

from __future__ import annotations

import pytest

from puppet_repl.language.syntax.completeness import Complete, Incomplete, Invalid, check
from tests import recorded


@pytest.mark.parametrize(
    "text",
    [
        "$x =",
        "[1,",
        "if true {",
        "case 1 { 1:",
        "class a (",
        "f() |$x|",
        "1 +",
        "1 /",
        "$x ?",
        'file { "a":',
        '"abc',
        "'abc",
        '"${abc',
        '"a ${ [1',
        "/* abc",
        "@(END)",
        "$a = @(END)\n text\n",
        "notice 1,",
        "$x.",
        "if x { } else",
        "File <| a",
    ],
)
def test_incomplete(text: str) -> None:
    assert isinstance(check(text), Incomplete)


@pytest.mark.parametrize("text", ["", " # c", "1;", "notice(1);", "notice", "if x { }", "1 2"])
def test_complete(text: str) -> None:
    assert isinstance(check(text), Complete)


@pytest.mark.parametrize(
    "text", [")", "@(EN", "/abc", "Foo::", "1 )", "1a", "x; ;", "else", "{ a => ]"]
)
def test_invalid(text: str) -> None:
    assert isinstance(check(text), Invalid)


@pytest.mark.parametrize(
    ("text", "indent"),
    [
        ("if true {", "  "),
        ("class a {\n  file { 'x':", "    "),
        ("class a {\n  file { 'x':\n    ensure => file,", "    "),
        ("f([", "  "),
        ("$x =", "  "),
        ("  $x =\n", "    "),
        ("x\n  f([1,\n2,\n", "    "),
        ("  f(1,\n    $x", "    "),
        ("f(  1,", "  "),
        ("'abc", ""),
        ("@(E)\n  text", ""),
    ],
)
def test_indent(text: str, indent: str) -> None:
    answer = check(text)
    assert isinstance(answer, Incomplete)
    assert answer.indent == indent


@pytest.mark.parametrize("name", ["parse", "epp", "catalog", "evaluate"])
def test_every_prefix_of_every_case(name: str) -> None:
    texts = [case["code"] for case in recorded.suite(name)]
    for text in texts:
        for end in range(0, len(text), 1 if len(text) < 200 else 7):
            assert isinstance(check(text[:end]), Complete | Incomplete | Invalid)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("'abc", "a string is not closed"),
        ('"abc', "a string is not closed"),
        ("/* abc", "a comment is not closed"),
        ("@(END)", "the text of a heredoc is missing"),
        ("@(END)\n text\n", "the end of a heredoc is missing"),
        ("f(1", "'(' is not closed"),
        ("f([1", "'[' is not closed"),
        ("f([1]", "'(' is not closed"),
        ("f({a => [1]", "'{' is not closed"),
        ("f({a => [1]}", "'(' is not closed"),
        ("if f([1]) {", "'{' is not closed"),
        ("$x =", "the last expression is not finished"),
        ("f([{}]) +", "the last expression is not finished"),
    ],
)
def test_reason(text: str, reason: str) -> None:
    answer = check(text)
    assert isinstance(answer, Incomplete)
    assert answer.reason == reason


@pytest.mark.parametrize("text", ["1; 2;", "f();", "$x = [1];", "class a { };", "\n1;\n"])
def test_one_semicolon_at_the_end_is_nothing(text: str) -> None:
    assert isinstance(check(text), Complete)


@pytest.mark.parametrize("text", [";;", "1;;", "f(1);;"])
def test_two_semicolons_are_wrong(text: str) -> None:
    assert isinstance(check(text), Invalid)


def test_a_semicolon_at_the_end_leaves_locations_alone() -> None:
    for text in ("1 2 3 ) 4;", "1 2 3 ) 4"):
        answer = check(text)
        assert isinstance(answer, Invalid)
        assert (answer.error.line, answer.error.column) == (1, 7)
