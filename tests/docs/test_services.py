"""Each promise about services, and about what sessions share, names the tests that show it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/what-code-may-do.md").read_text(encoding="utf-8")
TABLE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
_COMMENTS = re.compile(r"((?:<!-- .+? -->\s*)+)")
_NAMED = re.compile(r"<!-- (?P<path>\S+): (?P<names>.+?) -->")
_END_OF_SENTENCE = re.compile(r"\.\s+(?=[A-Z`\[])")
_BATCH = "tests/frontends/cli/test_batch.py"
_LASTING = "tests/frontends/cli/test_batch_lasting.py"
_SESSIONS = "tests/frontends/cli/test_batch_sessions.py"
_HERMETIC = "tests/environment/modules/test_hermetic.py"

PROMISES = {
    "`--hermetic` holds": f"{_HERMETIC}: test_batch_makes_every_session_hermetic",
    "Write the [requests]": (
        f"{_HERMETIC}: test_who_writes_the_keys_of_a_request_decides_what_is_read"
    ),
    "Keep `max_seconds`": f"{_LASTING}: test_a_request_may_have_another_limit_of_time",
    "Choose names": f"{_BATCH}: test_sessions_are_kept_and_apart",
    "With `--max-sessions`": f"{_SESSIONS}: test_the_least_recently_used_session_ends",
    "Code of one stranger": (
        "tests/hostile/test_strangers.py: test_requests_of_batch, test_sessions_side_by_side"
    ),
    "Code opens no file": (
        "tests/audit/test_reach.py: test_a_hermetic_session_reads_its_environment_only,"
        " test_so_does_its_ruby"
    ),
    "A request that exceeds": f"{_LASTING}: test_limits_of_the_process",
    "The process does not grow": f"{_LASTING}: test_a_process_does_not_grow",
    "A response hides": (
        f"{_BATCH}: test_secrets_stay_secret,"
        " test_secrets_are_in_catalogs_unless_they_are_to_be_redacted"
    ),
    "Fairness": f"{_BATCH}: test_answers_come_as_requests_come",
    "Isolation": f"{_HERMETIC}: test_batch_makes_every_session_hermetic",
    "Protection": "",  # advice
}
"""The tests of each item on the page, by its first words."""


def statements() -> list[tuple[str, str]]:
    """Return what the rows of the table say, sentence by sentence, with the tests named there."""
    shared = TABLE.split("<!-- shared -->")[1].split("<!-- end of shared -->")[0]
    rows = [line.strip("|").split("|")[1].strip() for line in shared.strip().splitlines()[2:]]
    assert all(_COMMENTS.split(row)[-1] == "" for row in rows), "no test is named for the end"
    return [
        (" ".join(sentence.split()), tests)
        for row in rows
        for sentence, tests in zip(*[iter(_COMMENTS.split(row))] * 2, strict=False)
    ]


def exist(path: str, names: str) -> bool:
    code = (ROOT / path).read_text(encoding="utf-8")
    return all(f"\ndef {name}(" in code for name in names.split(", "))


def test_each_item_of_the_page_has_its_tests() -> None:
    section = PAGE.partition("## Code of strangers\n")[2].partition("\n## ")[0]
    items = re.findall(r"^- (.+)", section, re.MULTILINE)
    for words in PROMISES:
        assert [item for item in items if item.startswith(words)], words
    assert len(items) == len(PROMISES)


@pytest.mark.parametrize("words", [words for words, tests in PROMISES.items() if tests])
def test_the_tests_of_an_item_exist(words: str) -> None:
    path, names = PROMISES[words].split(": ")
    assert exist(path, names), PROMISES[words]


@pytest.mark.parametrize(("sentence", "tests"), statements(), ids=lambda text: text[:40])
def test_a_statement_names_its_tests(sentence: str, tests: str) -> None:
    assert not _END_OF_SENTENCE.search(sentence), f"two sentences, one test: {sentence}"
    named = [*_NAMED.finditer(tests)]
    assert named, tests
    for each in named:
        assert exist(each["path"], each["names"]), each[0]
