"""Collectors as values, and their queries, against the answers of Puppet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import recorded

HERE = Path(__file__).parent
FILES = ("collector_values.jsonl", "collector_queries.jsonl", "collector_rounds.jsonl")
CASES = [case for file in FILES for case in recorded.read(HERE / file)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_as_puppet(case: recorded.Case, tmp_path: Path) -> None:
    assert recorded.check(case, tmp_path) == []
