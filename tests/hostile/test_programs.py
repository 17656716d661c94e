"""Programs that mean no good, each run by the shipped command in a child of its own.

``programs.jsonl`` has one a line: ``code`` (a text, or parts of which some are repeated), how it
ends (``value``: what the output begins with, or ``error``: a part of the message), and, where they
differ from the usual ones, the bounds of its CPU ``seconds`` and ``mb``. With ``mode`` it is a
request of batch, ``limit`` is its --max-memory; ``slow`` ones run with STRESS set (make stress).
``puppet`` is what Puppet 8.11 answered to the same text, in 3 GB and 40 seconds: ``same``, ``none``
where it came to no end, ran out of stack or memory or could not be recorded, and otherwise the
beginning of its own answer: a limit is met here, or Ruby's own error is told there.
Values of 2^40 shared parts are in tests/session/test_shared_structures.py.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.measuring import measured

PROGRAMS = [
    json.loads(line)
    for line in Path(__file__).with_name("programs.jsonl").read_text("utf-8").splitlines()
]
QUICK = [each for each in PROGRAMS if not each.get("slow")]
CHOSEN = PROGRAMS if os.environ.get("STRESS") else QUICK
# Bounds, many times what the programs take: the limits themselves are tested elsewhere.
MAX_SECONDS = 20
MAX_MEGABYTES = 200
# The longest argument that Linux takes.
MAX_ARGUMENT = 100_000

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="measures as Linux does")


def text_of(code: str | list[Any]) -> str:
    """Return the text of a program; a part is a text, or a text and how often it is repeated."""
    if isinstance(code, str):
        return code
    return "".join(part if isinstance(part, str) else part[0] * part[1] for part in code)


def test_there_are_enough_of_all_kinds() -> None:
    assert len(QUICK) >= 100
    assert len({each["theme"] for each in PROGRAMS}) >= 12


def test_puppet_answers_nearly_all_in_the_same_way() -> None:
    asked = [each["puppet"] for each in PROGRAMS]
    differ = len(asked) - asked.count("same") - asked.count("none")
    assert asked.count("same") >= 185
    assert differ <= 12


@pytest.mark.parametrize(
    "program", CHOSEN, ids=lambda each: f"{each['theme']}-{text_of(each['code'])[:50]}"
)
def test_it_ends_within_bounds(program: dict[str, Any]) -> None:
    code = text_of(program["code"])
    limit = ["--max-memory", program["limit"]] if "limit" in program else []
    if "mode" in program:
        request = json.dumps({"code": code, "mode": program["mode"]})
        done = measured(["batch", *limit], request)
        assert (done.status, done.errors) == (0, "")
        answer = json.loads(done.output)
        if "error" in program:
            assert program["error"] in answer["error"]["message"]
        else:
            assert "error" not in answer, answer["error"]
            assert answer.get("str", "").startswith(program["value"])
    else:
        is_argument = len(code) < MAX_ARGUMENT
        done = measured([*limit, *(["-e", code] if is_argument else ["-"])], code)
        assert "Traceback" not in done.errors
        assert "defect" not in done.errors
        if "error" in program:
            assert (done.status, done.output) == (1, "")
            assert done.errors.startswith("Error: ")
            assert program["error"] in done.errors
        else:
            assert done.status == 0, done.errors
            assert done.output.startswith(program["value"])
    assert done.seconds < program.get("seconds", MAX_SECONDS)
    assert done.megabytes < program.get("mb", MAX_MEGABYTES)
