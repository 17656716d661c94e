"""The tour in a real terminal: the banner names it, and whoever follows it comes to the end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.frontends.terminal.terminal_screen import TerminalScreen

# What comes when somebody has typed what is proposed, time after time.
FOLLOWING = [f"Tour {step} of 10" for step in range(2, 8)]
FOLLOWING += ["Now call it", "Tour 8", "Look at that", "Tour 9", "Defined. Now", "Tour 10"]


def proposal(screen: TerminalScreen) -> str:
    """Return what the last step on the screen says to type, its rows joined."""
    found = re.findall(r"^Type: (.*?)\n(?=puppet \[|Anything)", screen.text, re.M | re.S)
    return " ".join(found[-1].split("\n"))


def has_empty_prompt(screen: TerminalScreen) -> bool:
    """Tell whether the last prompt on the screen waits for an entry."""
    prompts = [row for row in screen.rows if row.startswith("puppet [")]
    return bool(prompts) and prompts[-1].endswith("]>")


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (15, 40)])
def test_the_whole_tour(tmp_path: Path, rows: int, columns: int) -> None:
    with TerminalScreen(tmp_path, rows=rows, columns=columns) as screen:
        screen.wait_for("puppet [1]>")
        banner = screen.text.partition("puppet [1]>")[0].split("\n")[:-1]
        assert ":tour shows around" in " ".join(banner)
        assert len(banner) == (1 if columns == 80 else 2)
        screen.type(":set complete_while_typing off\r:tour\r")
        screen.wait_for("tour.\npuppet [1]>")
        for following in FOLLOWING:
            screen.type(proposal(screen) + "\r")
            screen.wait_for(following)
            screen.wait_until(lambda: has_empty_prompt(screen), "the prompt")
        screen.type(proposal(screen) + "\r")
        screen.wait_for("That was the tour.")
