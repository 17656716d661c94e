"""Times and operands, against what Puppet 8.11 answers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.values.recorded import answer, read_cases


def _run(case: dict[str, Any]) -> None:
    expected = {key: value for key, value in case.items() if key != "code"}
    assert answer(case["code"]) == expected


@pytest.mark.parametrize("case", read_cases(__file__, "times.jsonl"), ids=lambda case: case["code"])
def test_times(case: dict[str, Any]) -> None:
    _run(case)


@pytest.mark.parametrize(
    "case", read_cases(__file__, "operands.jsonl"), ids=lambda case: case["code"]
)
def test_operands(case: dict[str, Any]) -> None:
    _run(case)
