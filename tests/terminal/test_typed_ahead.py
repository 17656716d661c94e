"""Keys that are typed faster than the program answers are not lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.terminal_screen import TerminalScreen


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ("[1].\t", "Tell whether a block"),
        ('"abc".u\t', "unique"),
        ("spl\t", "puppet [1]> split"),
        ("$facts['ker\t", "puppet [1]> $facts['kernel"),
    ],
)
def test_tab_right_behind_the_first_text_completes_it(
    tmp_path: Path, keys: str, wanted: str
) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(keys)
        screen.wait_for(wanted)


def test_a_tab_is_dropped_where_typing_went_on(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("spl\tx = 1\r")
        screen.wait_for("puppet [1]> splx = 1")
