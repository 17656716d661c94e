"""How many bytes a key costs: over a slow line each of them is waited for."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pyte
import pytest

from puppet_repl.frontends.terminal import screen
from puppet_repl.frontends.terminal.screen import without_idle
from tests.frontends.terminal.prompt import BACKSPACE, CTRL_C, DOWN, LEFT, NEWLINE, TAB, open_prompt

IDLE = ("\x1b[?25l", "\x1b[?7l", "\x1b[?7h", "\x1b[0m", "\x1b[?12l\x1b[?25h")


def drawing(*pieces: str) -> list[str]:
    """Return a drawing as prompt_toolkit writes it."""
    return [*IDLE[:2], *pieces, *IDLE[2:]]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (drawing(), ""),
        (drawing("\x1b[C"), "\x1b[C"),
        (drawing("\x1b[0m", "a"), "\x1b[?7la\x1b[?7h"),
        (drawing("\x1b[0;31m", "a"), "\x1b[?7l\x1b[0;31ma\x1b[?7h\x1b[0m"),
        (
            drawing("\b", "\x1b[0;31m", "$", "a"),
            "\x1b[?25l\b\x1b[?7l\x1b[0;31m$a\x1b[?7h\x1b[0m\x1b[?25h",
        ),
        # A new line would get the colour of the ground, and so would what is erased.
        (
            drawing("\x1b[0;41m", "a", "\x1b[0m", "\r\n", "\x1b[0m", "\x1b[K"),
            "\x1b[?25l\x1b[?7l\x1b[0;41ma\x1b[0m\r\n\x1b[K\x1b[?7h\x1b[?25h",
        ),
        # The cursor stays hidden, or comes back, where only one of both is asked for.
        (["\x1b[?25l", "\x1b[?7l", "a", "\x1b[?7h"], "\x1b[?25l\x1b[?7la\x1b[?7h"),
        (["\x1b[?12l\x1b[?25h"], "\x1b[?12l\x1b[?25h"),
        # Another program may have left colours before the first drawing of a prompt.
        (["\x1b[?2004h", *drawing()], "\x1b[?2004h" + "".join(drawing())),
        # A text with colours of its own.
        (["\x1b[0m", "\x1b[31mred", "\x1b[0m"], "\x1b[31mred\x1b[0m"),
    ],
)
def test_what_changes_nothing_is_not_written(pieces: list[str], expected: str) -> None:
    assert without_idle(pieces) == expected


def test_the_screen_is_the_same_after_each_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    drawings: list[list[str]] = []

    def noted(pieces: list[str]) -> str:
        drawings.append(pieces)
        return without_idle(pieces)

    monkeypatch.setattr(screen, "without_idle", noted)
    with open_prompt(complete_while_typing=True) as prompt:
        keys = f"file {{ '/etc/x{BACKSPACE}motd': ens{TAB} => fi{DOWN} }}{LEFT}{NEWLINE}"
        with pytest.raises(KeyboardInterrupt):
            prompt.entry(keys + CTRL_C)
        prompt.run("notice('a')")
    whole, spared = (pyte.Screen(100, 40) for _ in range(2))
    streams = [pyte.Stream(each) for each in (whole, spared)]
    written = [0, 0]
    for pieces in drawings:
        for at, text in enumerate(("".join(pieces), without_idle(pieces))):
            streams[at].feed(text)
            written[at] += len(text)
        assert whole.buffer == spared.buffer
        assert (whole.cursor.y, whole.cursor.x) == (spared.cursor.y, spared.cursor.x)
        assert whole.cursor.hidden == spared.cursor.hidden
        assert whole.mode == spared.mode
    assert len(drawings) > 5
    assert written[1] < written[0]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only there IPython's prompt is driven")
def test_a_key_costs_no_more_than_twice_that_of_ipython(tmp_path: Path) -> None:
    from tests.benchmarks.terminals import PROGRAMS, bytes_per_key

    counts = {}
    for program in PROGRAMS[:2]:
        with tempfile.TemporaryDirectory(dir=tmp_path) as home:
            counts[program.name] = bytes_per_key(program, home)
    assert 0 < counts["puppet-repl"] <= 2 * counts["IPython"]
