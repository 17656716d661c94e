"""Cases recorded from Puppet for one part of the program, in JSONL files beside its tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from puppet_repl.cli.batch import answer
from tests.conformance.run import Case, differences, recorded_form, request_of

__all__ = ["Case", "check", "read"]


def read(path: Path) -> list[Case]:
    """Return the cases of a file."""
    # Not splitlines(): strings hold U+2028 and the like.
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def check(case: Case, directory: Path, **settings: Any) -> list[str]:
    """Return in what the answer to a case differs from Puppet's, a line each.

    ``settings`` are further keys of the request.
    """
    request = {**request_of(case, directory), **settings}
    return differences(case, recorded_form(request, answer(request)))
