"""What is explained below the input: the documentation scrolls, the signatures are paged."""

from __future__ import annotations

from pathlib import Path

from tests.terminal.prompt import DOWN, ESCAPE, F1
from tests.terminal.terminal_screen import TerminalScreen

PAGE_DOWN = "\x1b[6~"
PAGE_UP = "\x1b[5~"
ALT_DOWN = "\x1b[1;3B"
ALT_UP = "\x1b[1;3A"
CTRL_U = "\x15"


def open_screen(home: Path) -> TerminalScreen:
    screen = TerminalScreen(home, rows=24, columns=80)
    screen.wait_for("puppet [1]>")
    return screen


def test_the_menu_tells_two_things_of_the_same_name_apart(tmp_path: Path) -> None:
    with open_screen(tmp_path) as screen:
        screen.type(":doc fil")
        screen.wait_until(lambda: sum(row.split()[:1] == ["file"] for row in screen.rows) == 2)
        rows = [row for row in screen.rows if row.split()[:1] == ["file"]]
        assert {row.split()[1] for row in rows} == {"fn", "res"}
        at = [screen.style_at(screen.rows.index(row), f" {row.split()[1]} ") for row in rows]
        colours = {
            screen.screen.buffer[screen.rows.index(row)][row.index(f" {row.split()[1]} ") + 1].fg
            for row in rows
        }
        assert len(at) == len(colours) == 2


def test_the_documentation_of_f1_scrolls_to_its_end_and_back(tmp_path: Path) -> None:
    with open_screen(tmp_path) as screen:
        screen.type(f"split{F1}")
        screen.wait_for("more (Page Down)")
        screen.read(0.3)
        first = screen.text
        assert "Examples" not in first
        seen = [*screen.rows]
        for _ in range(12):
            screen.type(PAGE_DOWN)
            screen.read(0.1)
            seen += screen.rows
        assert "end (Page Up)" in screen.text
        assert any("Examples" in row for row in seen)
        for _ in range(12):
            screen.type(PAGE_UP)
        screen.wait_for("more (Page Down)")
        screen.wait_until(lambda: screen.text == first)
        screen.type("x")
        screen.wait_gone("Page Down")


def test_the_documentation_of_a_chosen_completion_scrolls(tmp_path: Path) -> None:
    with open_screen(tmp_path) as screen:
        screen.type("spl")
        screen.wait_for("split ")
        screen.type(DOWN)
        screen.wait_for("more (Page Down)")
        screen.type(PAGE_DOWN * 12)
        screen.wait_for("end (Page Up)")
        screen.type(DOWN)  # another one begins at its first row
        screen.wait_gone("end (Page Up)")


def test_the_signatures_of_a_call_are_paged_also_below_an_open_menu(tmp_path: Path) -> None:
    with open_screen(tmp_path) as screen:
        screen.type("slice(")
        screen.wait_for("slice(Hash $hash, Integer[1] $slice_size")
        screen.wait_for("1 of 2 (Alt-Down)")
        screen.type(ALT_DOWN)
        screen.wait_for("slice(Iterable $enumerable")
        screen.wait_for("2 of 2 (Alt-Down)")
        screen.type("spl")
        screen.wait_for("split ")
        screen.type(ALT_UP)
        screen.wait_for("slice(Hash $hash")
        screen.type(ESCAPE)
        screen.wait_gone("split ")
        screen.type(f"{CTRL_U}split(")
        screen.wait_for("split(String $str")


def test_a_wide_signature_shows_the_parameter_at_the_cursor(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path, rows=15, columns=40) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("regsubst('a', 'b', 'c', ")
        row = screen.wait_for("$flags")
        assert "regsubst(…, " in row
        assert all(len(line) <= 40 for line in screen.rows)
