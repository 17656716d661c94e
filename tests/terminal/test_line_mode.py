"""The plain line mode, fed with lines."""

from __future__ import annotations

import io

import pytest

from puppet_repl.frontend.settings import Settings
from puppet_repl.session import Session
from puppet_repl.terminal.line_mode import LineMode


def dialogue(text: str) -> str:
    output = io.StringIO()
    mode = LineMode(Session(facts={"kernel": "Linux"}), Settings(), io.StringIO(text), output)
    assert mode.run() == 0
    return output.getvalue()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1 + 1\n", "puppet [1]> 2\npuppet [2]> \n"),
        ("[1,\n2]\n", "puppet [1]> ... [1, 2]\npuppet [2]> \n"),
        ("[1,\n\n\n", "puppet [1]> ... ... Error: Syntax error at end of input In[1]\n"),
        ("@(END)\na\n| END\n", "puppet [1]> ... ... 'a\n"),
        ("notice('x')\n", "puppet [1]> Notice: x\npuppet [2]> \n"),
        ("if false { 1 }\nelse { 2 }\n", "puppet [1]> puppet [2]> 2\npuppet [2]> \n"),
        ("5\n.type\n", "puppet [1]> 5\npuppet [2]> Integer[5, 5]\n"),
        ("$x = 1;\n$x\n", "puppet [1]> puppet [2]> 1\n"),
        (":type 1\n", "puppet [1]> Integer[1, 1]\npuppet [1]> \n"),
        (":type [1,\n2]\n", "puppet [1]> ... Tuple[Integer[1, 1], Integer[2, 2]]\n"),
        (":quit\n1\n", "puppet [1]> "),
        ("\n\n1\n", "puppet [1]> puppet [1]> puppet [1]> 1\n"),
        ("$facts['kernel']", "puppet [1]> 'Linux'\npuppet [2]> \n"),
    ],
)
def test_lines(text: str, shown: str) -> None:
    written = dialogue(text)
    assert written.startswith(shown.split("'a\n")[0]), written
    assert "\x1b" not in written
