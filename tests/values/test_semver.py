"""Versions and ranges, against the semantic_puppet library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puppet_repl.errors import RuntimeFailure
from puppet_repl.values.semver import SemVer
from puppet_repl.values.semver_range import SemVerRange
from tests.recorded import read

VERSIONS = read(Path(__file__).with_name("versions.jsonl"))


@pytest.mark.parametrize("case", VERSIONS, ids=lambda case: case["version"])
def test_order(case: dict[str, Any]) -> None:
    version = SemVer.parse(case["version"])
    assert version.puppet_text() == case["version"]
    assert [version.order(SemVer.parse(other)) for other in case["others"]] == case["order"]


@pytest.mark.parametrize(
    "case", read(Path(__file__).with_name("ranges.jsonl")), ids=lambda case: case["range"]
)
def test_ranges(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(RuntimeFailure) as caught:
            SemVerRange.parse(case["range"])
        assert caught.value.message == case["error"]
        return
    made = SemVerRange.parse(case["range"])
    assert made.puppet_text() == (case["range"] if case["range"] != "" else "*")
    assert made.puppet_program() == case["ranges"]
    versions = [one["version"] for one in VERSIONS]
    assert [one for one in versions if made.includes_text(one)] == case["holds"]


def test_ranges_that_overlap_are_one() -> None:
    """Where the library fails (it misses a question mark) the ranges are joined all the same."""
    assert SemVerRange.parse(">=1.0.0 || >=2.0.0").puppet_program() == ">=1.0.0"


@pytest.mark.parametrize(
    ("one", "two", "both"),
    [
        (">=1.0.0", "<2.0.0", ">=1.0.0 <2.0.0"),
        ("1.x", "2.x", "<0.0.0"),
        ("1.x || 3.x", ">=1.5.0", ">=1.5.0 <2.0.0 || >=3.0.0 <4.0.0"),
        (">=1.0.0", "<=1.0.0", "1.0.0"),
    ],
)
def test_intersection(one: str, two: str, both: str) -> None:
    found = SemVerRange.parse(one).intersection(SemVerRange.parse(two))
    assert found.puppet_program() == both
    assert found.is_empty == (both == "<0.0.0")


def test_texts_that_are_no_versions() -> None:
    for text in ("1.2", "1.02.3", "v1.2.3", "1.2.3-", "1.2.3-01", ""):
        with pytest.raises(RuntimeFailure):
            SemVer.parse(text)
        assert not SemVerRange.parse("*").includes_text(text)
