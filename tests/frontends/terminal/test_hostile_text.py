"""The full-screen prompt writes no control, bidirectional or hidden character of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.terminal.terminal_screen import TerminalScreen

HOSTILE = "\x9b31m\u202e\u2066\u2028\ufeff\u3164Z"
IN_PUPPET = "".join(f"\\u{{{ord(character):X}}}" for character in HOSTILE)
SHOWN = "\\u{202E}\\u{2066}\\u{2028}\\u{FEFF}\\u{3164}Z"


def forbidden(raw: bytes) -> set[str]:
    """Return which of the characters the terminal got."""
    return set(raw.decode(errors="replace")) & set("\x9b\u202e\u2066\u2028\ufeff\u3164")


@pytest.mark.parametrize(
    "code",
    [
        f'Notify["{IN_PUPPET}"]',
        f'Regexp("{IN_PUPPET}")',
        f'notice("{IN_PUPPET}")',
        f'fail("{IN_PUPPET}")',
        f":nope-{HOSTILE.replace(chr(0x9B), '')}",
        f":load {HOSTILE}.pp",
    ],
    ids=ascii,
)
def test_values_logs_and_errors(code: str, tmp_path: Path) -> None:
    with TerminalScreen(tmp_path, columns=160) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(code + "\r")
        screen.type("'finished'.upcase\r")
        screen.wait_for("'FINISHED'")
        assert SHOWN in screen.text
        assert not forbidden(screen.raw)


def test_the_input_the_menu_and_earlier_inputs(tmp_path: Path) -> None:
    (tmp_path / f"menu{HOSTILE}.pp").write_text("1")
    with TerminalScreen(tmp_path, columns=160) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(f"'{HOSTILE}'")
        screen.wait_for(SHOWN)
        screen.type("\r")
        screen.wait_for("puppet [2]>")
        screen.type(f":load {tmp_path}/m\t")
        screen.wait_for("menu")
        screen.type("\x03")
        screen.type("\x12")
        screen.wait_for("Z")
        screen.settle(0.3)
        assert not forbidden(screen.raw)
