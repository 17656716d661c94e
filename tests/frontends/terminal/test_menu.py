"""The menu of completions on a screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.terminal.terminal_screen import TerminalScreen


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_texts_are_cut_with_one_sign(tmp_path: Path, columns: int) -> None:
    with TerminalScreen(tmp_path, columns=columns) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("fi")
        screen.wait_for("find_file")
        rows = screen.rows[screen.row_of("puppet [1]>") + 1 : screen.row_of(":help")]
        assert len(rows) == 10
        assert any("…" in row for row in rows)
        assert not any("..." in row for row in rows)
        assert all(len(row) <= columns for row in rows)


@pytest.mark.parametrize("no_color", ["", "1"])
def test_the_chosen_row_differs_without_colours(tmp_path: Path, no_color: str) -> None:
    with TerminalScreen(tmp_path, NO_COLOR=no_color) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("fi")
        screen.wait_for("find_file")
        screen.type("\x1b[B")
        screen.wait_for("puppet [1]> file")
        row = screen.row_of(" filter ") - 1
        assert screen.style_at(row, "file").reverse is bool(no_color)
        assert not screen.style_at(row + 1, "filter").reverse


def test_columns_keep_their_place_while_a_word_is_typed(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("fi")
        screen.wait_for("find_file")
        place = screen.rows[screen.row_of(" filter ")].index(" fn ")
        screen.type("lte")
        screen.wait_gone("find_file")
        screen.wait_for(" filter ")
        assert screen.rows[screen.row_of(" filter ")].index(" fn ") == place


def test_the_menu_is_changed_and_not_drawn_anew(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("fi")
        screen.wait_for("find_file")
        screen.settle()
        before = len(screen.raw)
        screen.type("l")
        screen.wait_for("puppet [1]> fil")
        screen.wait_gone("find_template")
        screen.settle()
        written = screen.raw[before:]
        # The first row is what it was, and the bar below the menu stays where it is.
        assert b"A file, a directory" in screen.raw[:before]
        assert b"A file, a directory" not in written.split(b"\n")[1]
        assert b"Ctrl-R" not in written
