"""Long headings are shortened: required parameters come first, the others are counted."""

from __future__ import annotations

import pytest

from puppet_repl.language.syntax.headings import heading_of, shortened_heading
from puppet_repl.language.syntax.source import Source

MANY = "class m(" + ", ".join(f"Integer $p{i} = {i}" for i in range(200)) + ", String $name)"


@pytest.mark.parametrize(
    ("heading", "limit", "shortened"),
    [
        ("class m(Integer $a, String $b)", 40, "class m(Integer $a, String $b)"),
        ("class m inherits n", 5, "class m inherits n"),
        (MANY, 45, "class m(String $name, Integer $p0 = 0, and 199 more)"),
        (MANY, 10, "class m(201 parameters)"),
        (
            "function f(Hash $h = { 'a' => [1, 2] }, Enum['=', ','] $e) >> Array[Integer]",
            60,
            "function f(Enum['=', ','] $e, and 1 more) >> Array[Integer]",
        ),
        (
            "class m(String $x = 'y' , Integer $z) inherits m::params",
            45,
            "class m(Integer $z, and 1 more) inherits m::params",
        ),
    ],
    ids=["short", "no parameters", "many", "none fits", "result", "parent"],
)
def test_long_headings_are_shortened(heading: str, limit: int, shortened: str) -> None:
    assert shortened_heading(heading, limit) == shortened


def test_headings_of_sources_are_shortened() -> None:
    source = Source("define d (\n  $a,\n  $b = [1,\n    2], # with default\n) { }")
    assert shortened_heading(heading_of(source, 0), 14) == "define d ($a, and 1 more)"
