"""The recorded cases in Pyodide: the answers are those of a terminal, but for those in lost.txt."""

from __future__ import annotations

import json

import pytest

from tests.conformance.run import FILES, RUBY_FILES, listed
from tests.pyodide.conftest import ROOT, Run
from tests.recorded import suite

LOST = listed("../pyodide/lost.txt")
KNOWN = listed("pending.txt").keys() | listed("divergent.txt").keys()
WITHOUT_RUBY = [name for name in FILES if name not in RUBY_FILES]
PAGE = ROOT / "docs" / "browser.md"


@pytest.mark.parametrize("names", [WITHOUT_RUBY[:5], WITHOUT_RUBY[5:]], ids="-".join)
def test_recorded_cases(names: list[str], run_in_browser: Run) -> None:
    answers = [json.loads(line) for line in run_in_browser("conformance", *names)]
    expected = {case["id"] for name in names for case in suite(name)}
    assert {answer["id"] for answer in answers} == expected
    differing = {answer["id"]: answer["differences"] for answer in answers if answer["differences"]}
    lost = {case: lines for case, lines in differing.items() if case not in KNOWN}
    new = {case: lines for case, lines in lost.items() if case not in LOST}
    assert not new, json.dumps(new, indent=1)
    assert not (LOST.keys() & expected) - lost.keys(), "these pass: take them from lost.txt"


def test_nearly_all_answers_are_those_of_puppet() -> None:
    cases = {case["id"] for name in WITHOUT_RUBY for case in suite(name)}
    assert len(cases - KNOWN - LOST.keys()) >= 0.995 * len(cases)
    assert LOST.keys() <= cases
    assert all(LOST.values()), "say why each is lost"


def test_the_page_states_the_share() -> None:
    cases = {case["id"] for name in WITHOUT_RUBY for case in suite(name)}
    kept = cases - KNOWN - LOST.keys()
    share = f"{100 * len(kept) / len(cases):.2f} % of the recorded cases"
    assert share in PAGE.read_text(encoding="utf-8")
