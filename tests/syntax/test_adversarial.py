"""Long and hostile texts: an answer within two seconds, a PuppetError or a tree, nothing else."""

from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puppet_repl.errors import PuppetError
from puppet_repl.syntax.completeness import check
from puppet_repl.syntax.parser import parse
from puppet_repl.syntax.pn import to_pn
from puppet_repl.syntax.source import Source
from puppet_repl.syntax.validate import validate

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


def answer(text: str, epp: bool = False) -> None:
    with contextlib.suppress(PuppetError):
        program = parse(Source(text), epp=epp)
        validate(program)
        to_pn(program)


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_repeated(unit: str) -> None:
    unit = unit.replace("\\n", "\n")
    text = unit * (SIZE // len(unit))
    start = time.process_time()
    answer(text)
    check(text)
    assert time.process_time() - start < 4  # two texts' worth


@pytest.mark.parametrize(
    "text",
    [
        "x" * SIZE,
        " " * SIZE,
        "1" * SIZE,
        "'" + "a\\" * (SIZE // 2),
        "@(E)\n" + " " * SIZE + "\nE\n",
        "@(E)\n" + "E " * (SIZE // 2) + "x\nE\n",
        '"' + "\\\\" * (SIZE // 2) + '"',
        "if x {} " + "elsif x {} " * (SIZE // 11),
        "[" + "1," * (SIZE // 2) + "]",
        "$x = " + "1 + " * (SIZE // 4) + "1",
    ],
    ids=range(10),
)
def test_long(text: str) -> None:
    start = time.process_time()
    answer(text)
    assert time.process_time() - start < 2


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
