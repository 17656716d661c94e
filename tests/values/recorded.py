"""Reads cases that were recorded from Puppet 8.11 and from Ruby 3.1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_cases(beside: str, name: str) -> list[dict[str, Any]]:
    """Read the JSON lines of a file in the directory of a test module."""
    path = Path(beside).with_name(name)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def answer(code: str) -> dict[str, Any]:
    """Run a program in a session of its own; answer text and type of its value, or the error."""
    from puppet_repl.session import Session

    session = Session()
    outcome = session.execute(code)
    if outcome.error is not None:
        return {"error": outcome.error.message}
    described = session.describe(outcome.value)
    return {"str": described["str"], "type": described["type"]}
