"""References without names or titles, stages, and break() in bodies, as Puppet answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.session import Session
from tests import recorded

CASES = recorded.read(Path(__file__).with_name("references.jsonl"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_as_puppet(case: recorded.Case, tmp_path: Path) -> None:
    assert recorded.check(case, tmp_path) == []


@pytest.mark.parametrize("name", ["break", "next", "return"])
def test_signals_in_defaults_are_errors(name: str) -> None:
    """Puppet fails inside with the name of a class of its own."""
    error = Session().execute(f"define d($a = {name}()) {{ }}\nd {{ 'x': }}").error
    assert error is not None
    assert error.message.endswith(f"{name}() from context where this is illegal")
    assert error.line == 1
