"""What inputs are made from: the programs, templates and requests of the recorded cases."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from tests.recorded import read

__all__ = ["programs", "requests", "templates"]

HERE = Path(__file__).parent
# Its programs are made to take all time or memory that they are given, and have tests of their own.
GREEDY = HERE.parent / "hostile"
MAX_LENGTH = 1500
# What a request of ``puppet-repl batch`` has besides its code. Files and Ruby are left out: an
# input has to be quick, and the readers of files have a fuzzer of their own.
REQUEST_KEYS = ("id", "mode", "facts", "params", "strict", "language", "storeconfigs", "node")


@functools.cache
def _cases() -> list[dict[str, Any]]:
    """Return the recorded cases that have a program or template of moderate length."""
    found = []
    for path in sorted(HERE.parent.glob("**/*.jsonl")):
        if path.parent not in (HERE, GREEDY):
            found += [case for case in read(path) if isinstance(case, dict)]
    return [case for case in found if 0 < len(_code(case)) <= MAX_LENGTH]


def _code(case: dict[str, Any]) -> str:
    code = case.get("code")
    return code if isinstance(code, str) else ""


def programs() -> list[str]:
    """Return the distinct programs."""
    return list(dict.fromkeys(_code(case) for case in _cases() if case.get("mode") != "epp"))


def templates() -> list[str]:
    """Return the distinct EPP templates."""
    return list(dict.fromkeys(_code(case) for case in _cases() if case.get("mode") == "epp"))


def requests() -> list[str]:
    """Return requests of ``puppet-repl batch``, a JSON text each."""
    found = []
    for case in _cases():
        request = {"code": case["code"]}
        request |= {key: case[key] for key in REQUEST_KEYS if key in case}
        found.append(json.dumps(request))
    return found
