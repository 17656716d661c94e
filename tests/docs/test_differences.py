"""The page of differences: each row of the table where the specification counts has a case.

differences.jsonl: ``row`` is the name of a row, ``puppet`` the value or the message that Puppet
8.11 gives for ``code`` (null where it ends without an answer), ``here`` what is given here.
``case`` says where another test has it, and words that stand there.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_repl.base.differences import DIFFERENCES, ENDS_IN_ERROR, warning_of
from puppet_repl.base.profiles import LANGUAGES, PROFILES
from puppet_repl.session import Options, Session

ROOT = Path(__file__).parents[2]
CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("differences.jsonl").read_text("utf-8").splitlines()
]
PROGRAMS = [case for case in CASES if "code" in case]


def test_every_row_has_a_case() -> None:
    assert set(DIFFERENCES) == {case["row"] for case in CASES}


def test_the_page_has_the_table() -> None:
    page = (ROOT / "docs" / "differences.md").read_text(encoding="utf-8")
    section = page.partition("## Where the specification counts\n")[2].partition("```puppet")[0]
    assert "{difference-table}" in section
    assert ENDS_IN_ERROR in page


@pytest.mark.parametrize("case", PROGRAMS, ids=[case["code"][:40] for case in PROGRAMS])
def test_the_answer_is_the_one_that_is_documented(case: dict[str, str]) -> None:
    """Where Puppet fails and there is an answer here, a warning says so."""
    row = DIFFERENCES[case["row"]]
    for language in LANGUAGES:
        session = Session(Options(language=language), facts={})
        outcome = session.execute(case["code"])
        found = session.describe(outcome.value)["value"] if outcome.error is None else None
        assert case["here"] == (found if outcome.error is None else outcome.error.message)
        assert case["here"] != case["puppet"], "this is no difference"
        warnings = [text.partition(" (file: ")[0] for _, text in outcome.logs]
        is_puppet = PROFILES[language].product == "Puppet"
        assert warnings == ([warning_of(row.name)] if row.fails and is_puppet else [])


def test_a_warning_is_given_once_a_place() -> None:
    session = Session(facts={})
    code = "[1, 2].each |$x| { SemVerRange('<=x') }\nSemVerRange('<=x')"
    places = [text.rpartition("line: ")[2] for _, text in session.execute(code).logs]
    assert places == ["1)", "2)"]


def test_cases_in_other_tests_are_there() -> None:
    for case in CASES:
        if "case" in case:
            path, _, words = case["case"].partition(": ")
            assert words in (ROOT / path).read_text(encoding="utf-8"), case
