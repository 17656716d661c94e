"""Formatted code is the same program with the same comments, and stays as it is."""

from __future__ import annotations

import random

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.formatting import format_text
from tests.recorded import suite
from tests.tools.formatting.laws import WIDTHS, broken_laws, with_noise


def programs() -> list[str]:
    """Return recorded programs of several lines that can be parsed."""
    found = []
    for case in suite("parse"):
        code = case["code"]
        try:
            parse(Source(code))
        except (PuppetError, UnicodeError):
            continue
        found.append(code)
    return found


PROGRAMS = programs()


def test_recorded_programs() -> None:
    assert len(PROGRAMS) > 1000
    broken = {code: laws for code in PROGRAMS if (laws := broken_laws(code))}
    assert broken == {}


@pytest.mark.parametrize("width", [20, 80])
def test_widths(width: int) -> None:
    longest = sorted(PROGRAMS, key=len)[-150:]
    broken = {code: laws for code in longest if (laws := broken_laws(code, width=width))}
    assert broken == {}


@pytest.mark.parametrize("kind", ["comments", "blanks", "breaks"])
def test_noise(kind: str) -> None:
    chance = random.Random(kind)
    longest = sorted(PROGRAMS, key=len)[-400:]
    tried = 0
    for code in longest:
        noisy = with_noise(code, kind, chance, share=0.1)
        if noisy is None or noisy == code:
            continue
        tried += 1
        width = chance.choice(WIDTHS)
        assert broken_laws(noisy, width=width) == [], noisy
        if kind == "blanks":
            assert format_text(noisy, width=width) == format_text(code, width=width), noisy
    assert tried > 100


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("file { '/a': , }", "file { '/a': }\n"),
        ("file { '/a': ; }", "file { '/a': }\n"),
        ("notice('a  \nb')", "notice('a  \nb')\n"),
        ('notice("a  \n b",  1)', 'notice("a  \n b", 1)\n'),
        ('realize(X/* z */["a"])', "realize(X['a']) /* z */\n"),
        ("$a = [] # c\n", "$a = [] # c\n"),
    ],
)
def test_odd_programs(code: str, wanted: str) -> None:
    assert format_text(code) == wanted
    assert broken_laws(code) == []
