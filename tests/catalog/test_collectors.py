"""Collectors as values, and their queries, against the answers of Puppet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import recorded

HERE = Path(__file__).parent
CASES = recorded.read(HERE / "collector_values.jsonl")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_as_puppet(case: recorded.Case, tmp_path: Path) -> None:
    assert recorded.check(case, tmp_path) == []
