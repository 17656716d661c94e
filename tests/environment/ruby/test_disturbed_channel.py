"""Ruby code that writes to the channel between Ruby and the interpreter by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.environment.ruby.engine import needs_sandbox
from tests.environment.ruby.sandbox import Probe, make_module

pytestmark = needs_sandbox

LINES = [
    "D",
    "Dx",
    "D[]",
    "D1",
    "D{}",
    'D{"e":{}}',
    'D{"e":[]}',
    'D{"r":{"~":"nope"}}',
    'D{"r":{"~":"bytes"}}',
    'D{"c":[[1,2]],"r":1}',
    'D{"c":1,"r":1}',
    'D{"f":7,"r":1}',
    "Qx",
    "Q[]",
    "x",
    "",
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_makes_no_sense_is_an_error(line: str, tmp_path: Path) -> None:
    probe = Probe(make_module(tmp_path))
    message = probe.error(f"PuppetRepl::Sandbox::CHANNEL.syswrite({line!r} + 10.chr); 1")
    assert message.endswith(
        "The Ruby code has disturbed the conversation between Ruby and puppet-repl; Ruby is "
        "restarted"
    )
    assert probe.value("1 + 1") == 2
