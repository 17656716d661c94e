"""How long whole processes take that evaluate next to nothing, beside an empty Python."""

from __future__ import annotations

import sys

from tests.benchmarks.rows import Row, Rows
from tests.benchmarks.timing import PROGRAM, in_turns

GROUP = "start"
BESIDE = "python3 -c pass"
TIMES = 41
GOALS = {"-e 1": 1 / 2.2}
CODES = {
    "-e 1": "1",
    "-e, a first function": "function f($a) { $a } f(1)",
    "-e, a first class": "class a { notify { 'a': } } include a",
}


def start() -> Rows:
    """Yield the CPU seconds of whole processes, as medians."""
    commands = [[PROGRAM, "-e", code] for code in CODES.values()]
    bare, *ours = in_turns([[sys.executable, "-c", "pass"], *commands], TIMES)
    for name, seconds in zip(CODES, ours, strict=True):
        yield Row(GROUP, name, seconds, bare, BESIDE, GOALS.get(name))
