"""Programs that recur without end, or are nested very deep, end in an error and not with Python."""

from __future__ import annotations

import json

from tests.hostile.test_programs import PROGRAMS
from tests.pyodide.conftest import Run

# These have an answer in a terminal, whose stack is larger.
TOO_DEEP = ("stack level too deep", "The program is nested too deeply")
SHALLOWER = 2


def test_each_program_ends_as_in_a_terminal(run_in_browser: Run) -> None:
    answers = {}
    for line in run_in_browser("hostile"):
        answer = json.loads(line)
        answers[answer["number"]] = answer["error"]
    assert sum(PROGRAMS[number]["theme"] == "recursion" for number in answers) >= 30
    assert sum(PROGRAMS[number]["theme"] == "nesting" for number in answers) >= 15
    shallower = []
    for number, error in answers.items():
        program = PROGRAMS[number]
        if "error" in program:
            assert error is not None and program["error"] in error, (program, error)
        elif error is not None:
            assert any(each in error for each in TOO_DEEP), (program, error)
            shallower.append(program["code"])
    assert len(shallower) <= SHALLOWER, shallower
