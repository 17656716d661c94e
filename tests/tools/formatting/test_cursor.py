"""The cursor of an editor stays where it was in the code that is formatted."""

from __future__ import annotations

import re

import pytest

from puppet_repl.tools.formatting import format_text
from puppet_repl.tools.formatting.cursor import moved_cursor
from tests.tools.formatting.test_specimens import PAIRS


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("$x=|1", "$x = |1"),
        ("$x=1|", "$x = 1|"),
        ("|$x=1", "|$x = 1"),
        ("$long_n|ame=1", "$long_n|ame = 1"),
        ("file{'/a':mode=>'06|44'}", "file { '/a': mode => '06|44' }"),
        ("f( 'a'|,'b' )", "f('a'|, 'b')"),
        ('f("a"|)', "f('a'|)"),
        ("f(\n  'a'\n)|", "f(\n  'a',\n)|"),
        ("if $x {\n|1 }", "if $x {\n  |1\n}"),
        ("$a=1\n|\n$b=2", "$a = 1\n|\n$b = 2"),
        ("$a=1\n\n|\n$b=2", "$a = 1\n|\n$b = 2"),
        ("$a=1\n  # a no|te\n$b=2", "$a = 1\n# a no|te\n$b = 2"),
        ("$a=1\n\n|", "$a = 1|"),
        ("|", "|"),
    ],
)
def test_where_it_stays(before: str, after: str) -> None:
    code, wanted = before.replace("|", ""), after.replace("|", "")
    result = format_text(code).rstrip("\n")
    assert result == wanted
    assert moved_cursor(code, result, before.index("|")) == after.index("|")


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["rule"])
def test_it_stays_in_its_word(pair: re.Match[str]) -> None:
    before, after = pair["before"], pair["after"]
    words = re.findall(r"\w+", before)
    assert sorted(words) == sorted(re.findall(r"\w+", after))
    lost = []
    for found in re.finditer(r"\w+", before):
        start = moved_cursor(before, after, found.start())
        if after[start : start + len(found[0])] != found[0]:
            lost.append(found[0])
    # A comment that moves takes its words along.
    assert not lost or words != re.findall(r"\w+", after)
