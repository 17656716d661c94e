"""What a relationship adds to an array that several resources have, against Puppet's answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import recorded

CASES = recorded.read(Path(__file__).parent / "shared_attributes.jsonl")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_as_puppet(case: recorded.Case, tmp_path: Path) -> None:
    assert recorded.check(case, tmp_path) == []
