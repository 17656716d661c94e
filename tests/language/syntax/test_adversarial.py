"""Long and hostile texts: an answer in proportion to their length, a PuppetError or a tree."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.completeness import check
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.pn import to_pn
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate

pytestmark = pytest.mark.untraced


SIZE = 200_000
UNITS = [
    "(",
    "[",
    "{",
    '"${',
    "/*",
    "@(",
    "1",
    "a",
    "x$",
    "/",
    "$",
    "${",
    "|",
    "!",
    "*",
    "::",
    "A::",
    "a::",
    ".",
    "a(",
    "$x[",
    "@",
    "=",
    "->",
    "\\",
    '"',
    "'",
    "%",
    "<|",
    "é",
    "#",
    "a{",
    "a{b:",
    ")",
    "]",
    "}",
    "@(a)\\n",
    "/x/",
    '"$$',
    '"${x}',
    "a?b=>",
    "0x",
    "~",
    "f()|",
    "1+",
    ".a",
    "a,",
]
PIECES = st.sampled_from(
    [
        *UNITS,
        " ",
        "\n",
        "\t",
        "if",
        "case",
        "class",
        "node",
        "=>",
        "$x",
        "'",
        "${",
        "}",
        "|",
        "<%",
        "%>",
        "\0",
        "😀",
    ]
)


def is_in_proportion(work: Callable[[str], object], short: str, long: str) -> bool:
    """Tell whether a text of twice the length takes some twice the time, and not four times.

    The least of several runs counts, as other programs only add to a time.
    """
    least_short = least_long = math.inf
    for _ in range(8):
        least_short = min(least_short, _seconds(work, short))
        least_long = min(least_long, _seconds(work, long))
        if least_long < 3 * least_short + 0.1:
            return True
    return False


def _seconds(work: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start


def answer_and_check(text: str) -> None:
    answer(text)
    check(text)


def answer(text: str, epp: bool = False) -> None:
    with contextlib.suppress(PuppetError):
        program = parse(Source(text), epp=epp)
        validate(program)
        to_pn(program)


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_repeated(unit: str) -> None:
    unit = unit.replace("\\n", "\n")
    count = SIZE // len(unit)
    assert is_in_proportion(answer_and_check, unit * (count // 2), unit * count)


@pytest.mark.parametrize(
    ("before", "unit", "behind"),
    [
        ("", "x", ""),
        ("", " ", ""),
        ("", "1", ""),
        ("'", "a\\", ""),
        ("@(E)\n", " ", "\nE\n"),
        ("@(E)\n", "E ", "x\nE\n"),
        ('"', "\\\\", '"'),
        ("if x {} ", "elsif x {} ", ""),
        ("[", "1,", "]"),
        ("$x = ", "1 + ", "1"),
    ],
    ids=range(10),
)
def test_long(before: str, unit: str, behind: str) -> None:
    count = SIZE // len(unit)
    short, long = (before + unit * size + behind for size in (count // 2, count))
    assert is_in_proportion(answer, short, long)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join), st.booleans())
def test_any_pieces(text: str, epp: bool) -> None:
    answer(text, epp)
    check(text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.booleans())
def test_any_text(text: str, epp: bool) -> None:
    answer(text, epp)
    check(text)
