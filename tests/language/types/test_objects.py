"""Object types, type sets and annotations, against what Puppet 8.11 answers.

The cases have Puppet's answers; those with the key ``ruby`` need the Ruby of modules. A case with
the key ``divergence``, which says why, is answered differently; when it no longer is, the key has
to go.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puppet_repl.environment.ruby import engines
from tests.recorded import check, read

HERE = Path(__file__).parent
CASES = [*read(HERE / "objects.jsonl"), *read(HERE / "type_sets.jsonl")]


@pytest.mark.parametrize(
    "case", [case for case in CASES if "divergence" not in case], ids=lambda case: str(case["id"])
)
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    if case.get("ruby") and engines.missing():
        pytest.skip(str(engines.missing()))
    assert check(case, tmp_path) == []


@pytest.mark.parametrize(
    "case", [case for case in CASES if "divergence" in case], ids=lambda case: str(case["id"])
)
def test_divergence(case: dict[str, Any], tmp_path: Path) -> None:
    differences = check(case, tmp_path)
    assert differences
    assert not any("CRASH" in one or "internal error: " in one for one in differences)
