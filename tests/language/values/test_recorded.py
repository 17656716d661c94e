"""Times, operands, URIs and limits, against what Puppet 8.11 answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.recorded import Case, check, read, text_and_type


def _run(case: dict[str, Any]) -> None:
    expected = {key: value for key, value in case.items() if key != "code"}
    assert text_and_type(case["code"]) == expected


@pytest.mark.parametrize(
    "case", read(Path(__file__).with_name("times.jsonl")), ids=lambda case: case["code"]
)
def test_times(case: dict[str, Any]) -> None:
    _run(case)


@pytest.mark.parametrize(
    "case", read(Path(__file__).with_name("operands.jsonl")), ids=lambda case: case["code"]
)
def test_operands(case: dict[str, Any]) -> None:
    _run(case)


@pytest.mark.parametrize(
    "case", read(Path(__file__).with_name("uri_components.jsonl")), ids=lambda case: case["id"]
)
def test_uris(case: Case, tmp_path: Path) -> None:
    assert check(case, tmp_path) == []


@pytest.mark.parametrize(
    "case", read(Path(__file__).with_name("time_equality.jsonl")), ids=lambda case: case["id"]
)
def test_times_and_numbers(case: Case, tmp_path: Path) -> None:
    assert check(case, tmp_path) == []


@pytest.mark.parametrize(
    "case", read(Path(__file__).with_name("limits.jsonl")), ids=lambda case: case["id"]
)
def test_large_repetitions_and_widths(case: Case, tmp_path: Path) -> None:
    assert check(case, tmp_path) == []


def test_fractions_count_where_times_meet_integers() -> None:
    """Puppet drops them: to it, Timespan(1.5) is 1 and 1.5, and comes before 1 in a sort."""
    code = "[Timespan(1.5) == 1, 1 == Timespan(1.5), Timestamp(0.1) == 0, 0 != Timespan(0.1)]"
    assert text_and_type(code)["str"] == "[false, false, false, true]"
    code = '[2, Timespan(1.5), 1].sort.map |$x| { "$x" }'
    assert text_and_type(code)["str"] == "['1', '0-00:00:01.5', '2']"
