"""The checks of heredocs that name a syntax; the messages are those of Puppet with Ruby 3.1."""

from __future__ import annotations

from functools import partial

import pytest

from puppet_repl.base.profiles import DEFAULT_LANGUAGE
from puppet_repl.language.syntax.external import external_problem
from puppet_repl.language.syntax.json_syntax import json_problem
from puppet_repl.language.syntax.validate import check_source


@pytest.mark.parametrize(
    "text",
    ["1", "[]", ' { "a" : [1, -0.5e3, null] } ', '"\\x"', "/* c */ true", "[" * 100 + "]" * 100],
)
def test_json(text: str) -> None:
    assert json_problem(text) is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "859: unexpected token at ''"),
        ("{ not", "859: unexpected token at '{ not'"),
        ('{"a":1} x', "859: unexpected token at 'x'"),
        ("[1,]", "451: unexpected token at ']'"),
        ('{"a":[1,{"b":x}]}', "451: unexpected token at '{\"b\":x}]}'"),
        ("[NaN]", "225: unexpected token at 'NaN]'"),
        ("[01]", "451: unexpected token at '01]'"),
        ("[" * 101 + "]" * 101, "nesting of 101 is too deep"),
    ],
)
def test_no_json(text: str, problem: str) -> None:
    assert json_problem(text) == problem


@pytest.mark.parametrize(
    ("text", "syntax", "code"),
    [
        ("YQ==", "base64", None),
        ("YQ==\n", "text/x+base64".removeprefix("text/"), None),
        ("!!", "base64", "ILLEGAL_BASE64"),
        ("1 +", "pp", "ILLEGAL_PP"),
        ("<% } %>", "epp", "ILLEGAL_EPP"),
        ("}", "no+such", None),
    ],
)
def test_which_check(text: str, syntax: str, code: str | None) -> None:
    check = partial(check_source, language=DEFAULT_LANGUAGE)
    problem = external_problem(text, syntax, check)
    assert (problem and problem[1]) == code


LETTERS = "contains letters outside strict base 64 range (or whitespace)"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("abc", LETTERS),
        ("YQ=", LETTERS),
        ("YWJj!", "padding is not correct"),
        ("YWJjZ", "padding is not correct"),
    ],
)
def test_what_is_wrong_with_base64(text: str, problem: str) -> None:
    check = partial(check_source, language=DEFAULT_LANGUAGE)
    message = f"Base64 syntax checker: Cannot parse invalid Base64 string - {problem}"
    assert external_problem(text, "x+base64", check) == (message, "ILLEGAL_BASE64")
    assert external_problem(text, "base64+x", check) is None


def test_blanks_in_base64_do_not_count() -> None:
    check = partial(check_source, language=DEFAULT_LANGUAGE)
    assert external_problem("YQ ==\r\n", "base64", check) is None
