"""Times and operands, against what Puppet 8.11 answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.recorded import read, text_and_type


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
