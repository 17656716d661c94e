"""What create_resources makes of attributes that are undef, against the answers of Puppet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import recorded

CASES = recorded.read(Path(__file__).parent / "create_resources.jsonl")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_as_puppet(case: recorded.Case, tmp_path: Path) -> None:
    assert recorded.check(case, tmp_path) == []
