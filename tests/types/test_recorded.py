"""String formats and new(), against what Puppet 8.11 answers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.values.recorded import answer, read_cases


@pytest.mark.parametrize(
    "case", read_cases(__file__, "formats.jsonl"), ids=lambda case: case["code"]
)
def test_formats(case: dict[str, Any]) -> None:
    expected = {key: value for key, value in case.items() if key != "code"}
    assert answer(case["code"]) == expected


@pytest.mark.parametrize("case", read_cases(__file__, "new.jsonl"), ids=lambda case: case["code"])
def test_new(case: dict[str, Any]) -> None:
    expected = {key: value for key, value in case.items() if key != "code"}
    assert answer(case["code"]) == expected
