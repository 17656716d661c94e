"""hiera.yaml, data files and the functions that look data up, against Puppet's answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import recorded

HERE = Path(__file__).parent
CASES = [
    case
    for name in ("yaml_data", "hiera_functions", "hiera", "file_contents")
    for case in recorded.read(HERE / f"{name}.jsonl")
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_as_puppet(case: recorded.Case, tmp_path: Path) -> None:
    assert recorded.check(case, tmp_path) == []
