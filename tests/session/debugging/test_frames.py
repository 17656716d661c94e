"""What is seen of Puppet code while it runs."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from puppet_repl.session import Session
from puppet_repl.session.debugging.frames import (
    block_variables,
    frame_name,
    frame_variables,
    puppet_frames,
)

CODE = """class site($port = 80) {
  [1].each |$index| {
    notice('here')
  }
}
function ask($what) {
  $answer = 42
  notice('here')
}
include site
ask('x')"""


@pytest.fixture(scope="module")
def seen() -> list[list[tuple[str, int, dict[str, Any], dict[str, Any]]]]:
    """At each log line: name, line, variables and block parameters of the frames."""
    found = []

    def look(level: str, message: str) -> None:
        frames = puppet_frames(sys._getframe())
        found.append(
            [
                (frame_name(each), each.f_lineno, frame_variables(each), block_variables(each))
                for each in frames
            ]
        )

    outcome = Session(facts={}, log=look).execute(CODE)
    assert outcome.error is None
    return found


def test_a_lambda_in_a_class(seen: list[list[Any]]) -> None:
    frames = seen[0]
    assert [(name, line) for name, line, _, _ in frames] == [
        ("lambda", 3),
        ("class site", 2),
        ("main", 10),
    ]
    assert frames[0][2]["index"] == 1
    assert frames[0][3] == {"index": 1}
    assert frames[1][2]["port"] == 80
    assert frames[1][3] == {}


def test_a_function(seen: list[list[Any]]) -> None:
    frames = seen[1]
    assert [(name, line) for name, line, _, _ in frames] == [("function ask", 8), ("main", 11)]
    assert frames[0][2] == {"what": "x", "answer": 42}


def test_there_are_none_outside() -> None:
    assert puppet_frames(sys._getframe()) == []
