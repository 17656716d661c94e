"""String formats and new(), against what Puppet 8.11 answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.recorded import read, text_and_type


@pytest.mark.parametrize(
    "case", read(Path(__file__).with_name("formats.jsonl")), ids=lambda case: case["code"]
)
def test_formats(case: dict[str, Any]) -> None:
    expected = {key: value for key, value in case.items() if key != "code"}
    assert text_and_type(case["code"]) == expected


@pytest.mark.parametrize(
    "case", read(Path(__file__).with_name("new.jsonl")), ids=lambda case: case["code"]
)
def test_new(case: dict[str, Any]) -> None:
    expected = {key: value for key, value in case.items() if key != "code"}
    assert text_and_type(case["code"]) == expected
