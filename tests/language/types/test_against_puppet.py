"""Types, their parameters, assignability, common types and mismatches, against Puppet 8.11.

types.jsonl holds programs and what Puppet answered; half of them are generated at random.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puppet_repl.session import Session
from tests.recorded import read


@pytest.mark.parametrize(
    "case", read(Path(__file__).with_name("types.jsonl")), ids=lambda case: case["code"]
)
def test_case(case: dict[str, Any]) -> None:
    session = Session()
    outcome = session.execute(case["code"])
    if outcome.error is not None:
        error = outcome.error
        assert error.message == case.get("error")
        assert (error.line, error.column) == (case.get("line"), case.get("column"))
    else:
        described = session.describe(outcome.value)
        assert (described["str"], described["type"]) == (case.get("str"), case.get("type"))
