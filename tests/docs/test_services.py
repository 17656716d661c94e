"""Each statement about services, and about what sessions share, names the tests that show it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/howto/services.md").read_text(encoding="utf-8")
TABLE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
_COMMENTS = re.compile(r"((?:<!-- .+? -->\s*)+)")
_NAMED = re.compile(r"<!-- (?P<path>\S+): (?P<names>.+?) -->")
_END_OF_SENTENCE = re.compile(r"\.\s+(?=[A-Z`\[])")


def texts() -> list[str]:
    """Return the items of the page, and what the rows of the table say."""
    items = re.findall(r"^- (.+?)(?=^- |^#|^\[|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    shared = TABLE.split("<!-- shared -->")[1].split("<!-- end of shared -->")[0]
    rows = [line.strip("|").split("|") for line in shared.strip().splitlines()[2:]]
    return [text.strip() for text in [*items, *(row[1] for row in rows)]]


STATEMENTS = [
    (" ".join(sentence.split()), tests)
    for text in texts()
    for sentence, tests in zip(*[iter(_COMMENTS.split(text))] * 2, strict=False)
]


def test_there_are_statements_and_nothing_else() -> None:
    assert len(STATEMENTS) >= 30
    for text in texts():
        assert _COMMENTS.split(text)[-1] == "", f"no test is named for: {text[-80:]}"


@pytest.mark.parametrize(("sentence", "tests"), STATEMENTS, ids=lambda text: text[:40])
def test_a_statement_names_its_tests(sentence: str, tests: str) -> None:
    assert not _END_OF_SENTENCE.search(sentence), f"two sentences, one test: {sentence}"
    if tests.strip() == "<!-- not tested: advice -->":
        return
    named = [*_NAMED.finditer(tests)]
    assert named, tests
    for each in named:
        code = (ROOT / each["path"]).read_text(encoding="utf-8")
        for name in each["names"].split(", "):
            assert f"\ndef {name}(" in code, f"{each['path']} has no {name}"
