"""Titles of resources, and what else names them, against the answers of Puppet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import recorded

CASES = recorded.read(Path(__file__).with_name("titles.jsonl"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_as_puppet(case: recorded.Case, tmp_path: Path) -> None:
    assert recorded.check(case, tmp_path) == []
