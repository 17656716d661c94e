"""The page of differences: each thing in which the specification counts has a case.

differences.jsonl: ``row`` is the first column of the table, ``puppet`` the value or the message
that Puppet 8.11 gives for ``code`` (null where it ends without an answer), ``here`` what is given
here. ``case`` says where another test has it, and words that stand there.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from puppet_repl.session import Session

ROOT = Path(__file__).parents[2]
CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("differences.jsonl").read_text("utf-8").splitlines()
]
PROGRAMS = [case for case in CASES if "code" in case]


def test_every_row_has_a_case() -> None:
    page = (ROOT / "docs" / "differences.md").read_text(encoding="utf-8")
    section = page.partition("## Where the specification counts\n")[2].partition("```")[0]
    rows = re.findall(r"(?m)^\| (.*?) \| .* \| .* \|$", section)[2:]
    assert sorted(set(rows)) == sorted({case["row"] for case in CASES})


@pytest.mark.parametrize("case", PROGRAMS, ids=[case["code"][:40] for case in PROGRAMS])
def test_the_answer_is_the_one_that_is_documented(case: dict[str, str]) -> None:
    session = Session(facts={})
    outcome = session.execute(case["code"])
    found = session.describe(outcome.value)["value"] if outcome.error is None else None
    assert case["here"] == (found if outcome.error is None else outcome.error.message)
    assert case["here"] != case["puppet"], "this is no difference"


def test_cases_in_other_tests_are_there() -> None:
    for case in CASES:
        if "case" in case:
            path, _, words = case["case"].partition(": ")
            assert words in (ROOT / path).read_text(encoding="utf-8"), case
