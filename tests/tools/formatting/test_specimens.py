"""The page about the form: of each pair of blocks the second is what the first becomes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from puppet_repl.tools.formatting import format_text

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "format.md"
_PAIR = re.compile(
    r"^### (?P<rule>[^\n]+)\n(?:(?!```)[^\n]*\n)+"
    r"```(?P<kind>puppet|epp)\n(?P<before>.*?)^```\n\n```(?:puppet|epp)\n(?P<after>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
PAIRS = list(_PAIR.finditer(PAGE.read_text(encoding="utf-8")))


def test_each_rule_has_a_pair() -> None:
    assert len(PAIRS) == PAGE.read_text(encoding="utf-8").count("\n### ") == 7


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["rule"])
def test_specimen(pair: re.Match[str]) -> None:
    is_template = pair["kind"] == "epp"
    assert format_text(pair["before"], is_template=is_template) == pair["after"]
    assert format_text(pair["after"], is_template=is_template) == pair["after"]
