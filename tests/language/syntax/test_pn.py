"""PN as text and as data for JSON."""

from __future__ import annotations

import json

import pytest

from puppet_repl.base.float_text import float_text
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.pn import to_data, to_pn
from puppet_repl.language.syntax.source import Source


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (0.0001, "0.0001"),
        (0.00001, "1.0e-05"),
        (123456789012345.0, "123456789012345.0"),
        (1e15, "1.0e+15"),
        (1234567891234567.0, "1.234567891234567e+15"),
        (1.5e300, "1.5e+300"),
        (float("inf"), "Infinity"),
    ],
)
def test_floats_as_in_ruby(value: float, text: str) -> None:
    assert float_text(value) == text


def test_data() -> None:
    program = parse(Source("file { 'a': mode => 0644 }"))
    assert to_data(program) == {
        "^": [
            "resource",
            {
                "#": [
                    "type",
                    {"^": ["qn", "file"]},
                    "bodies",
                    [
                        {
                            "#": [
                                "title",
                                "a",
                                "ops",
                                [
                                    {
                                        "^": [
                                            "=>",
                                            "mode",
                                            {"^": ["int", {"#": ["radix", 8, "value", 420]}]},
                                        ]
                                    }
                                ],
                            ]
                        }
                    ],
                ]
            },
        ]
    }


def test_captured_rest_is_shown() -> None:
    """Puppet's own dump fails here; this is the form that its specification gives."""
    text = to_pn(parse(Source("f() |Integer *$x| { }")))
    assert '{:x {:type (qr "Integer") :splat true}}' in text


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("'\x01\x7f\u00e9'", '"\\o001\x7fé"'),
        ("$x =~ /é/", '(=~ (var "x") (regexp "(?-imx:é)"))'),
        ("-0x10", "-16"),
    ],
)
def test_text(text: str, tree: str) -> None:
    assert to_pn(parse(Source(text))) == tree


def test_parameters_of_one_name_as_data() -> None:
    program = parse(Source("f() |$a, $a| { 1 }"))
    assert '"a", {"#": []}, "a", {"#": []}' in json.dumps(to_data(program))
