"""The names in data and in code that are about data: each is marked with brackets."""

from __future__ import annotations

import re

import pytest

from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.data_uses import use_at, uses_in_code, uses_in_data

_MARK = re.compile(r"⟦(\w+) (.*?)⟧", re.DOTALL)


def marked(text: str, uses: list[tuple[int, str]]) -> str:
    """Put marks back where uses are."""
    for offset, mark in sorted(uses, reverse=True):
        text = text[:offset] + mark + text[offset:]
    return text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "⟦key a::port⟧: 80\n'⟦key b⟧': x\n"),
        ("a.yaml", '---\n"⟦key a::b⟧": {c: d}\n? ⟦key e⟧\n: f\n'),
        (
            "a.yaml",
            "⟦key a⟧: \"%{lookup('⟦lookup b::c⟧')} %{facts.os}\"\n".replace(
                "facts.os", "⟦variable facts.os⟧"
            ),
        ),
        ("a.yaml", '⟦key a⟧: "%{hiera(\\"⟦lookup b⟧\\")}"\n'),
        ("a.yaml", "⟦key a⟧: \"%{alias('⟦lookup b⟧.c.0')}\"\n# %{lookup('d')}\n"),
        (
            "a.yaml",
            "⟦key a⟧: |\n  %{ ⟦variable trusted.certname⟧ }\n  %{::⟦variable x⟧}\n".replace(
                "::⟦variable x", "⟦variable ::x"
            ),
        ),
        ("a.yaml", "⟦key a⟧: \"%{scope('⟦variable x⟧')}%{literal('%')}%{}\"\n"),
        ("a.yaml", "lookup_options:\n  ⟦options a::b⟧: {merge: deep}\n  '^c': {merge: hash}\n"),
        (
            "a.yaml",
            "⟦key classes⟧:\n  - ⟦class apache⟧\n  - '⟦class a::b⟧'\n  - \"%{⟦variable x⟧}\"\n",
        ),
        (
            "a.yaml",
            "⟦key a::b⟧: [1\n⟦key c⟧: \"%{lookup('⟦lookup d⟧')\"\n".replace("')\"", "')}\""),
        ),
        (
            "a.json",
            '{"⟦key a::b⟧": {"c": "%{lookup(\'⟦lookup d⟧\')}"}, "⟦key classes⟧": ["⟦class e⟧"]}',
        ),
        ("a.yaml", "- a\n- b: c\n"),
        ("a.yaml", ""),
    ],
)
def test_uses_in_data(name: str, text: str) -> None:
    plain = _MARK.sub(r"\2", text)
    found = uses_in_data(Source(plain, name))
    marks = [(use.start, f"⟦{use.kind} ") for use in found]
    ends = [(use.end, "⟧") for use in found]
    assert marked(plain, [*marks, *ends]) == text
    for use in found:
        assert plain[use.start : use.end].removeprefix("::") == use.name


@pytest.mark.parametrize(
    "text",
    [
        "class a (Integer ⟦parameter $port⟧ = 1, ⟦parameter $x⟧) { lookup('⟦lookup b⟧') }",
        'hiera("⟦lookup a::b⟧", 3)',
        "$x = lookup(['⟦lookup a⟧', '⟦lookup b⟧.c'])",
        "'⟦lookup a⟧'.lookup",
        'define a ($port) { lookup("b${port}") }',
    ],
)
def test_uses_in_code(text: str) -> None:
    plain = _MARK.sub(r"\2", text)
    found = [*uses_in_code(parse(Source(plain)))]
    marks = [(use.start, f"⟦{use.kind} ") for use in found]
    assert marked(plain, [*marks, *[(use.end, "⟧") for use in found]]) == text
    assert all(use.name.startswith("a::") for use in found if use.kind == "parameter")


def test_the_innermost_use_counts() -> None:
    text = "lookup(['a', 'b'])"
    uses = [*uses_in_code(parse(Source(text)))]
    assert use_at(uses, text.index("b")) == uses[1]
    assert use_at(uses, 0) is None
