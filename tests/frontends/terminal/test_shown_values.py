"""Values in the terminal in other forms: tables, JSON, iterators as their elements."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.terminal.terminal_screen import TerminalScreen

SIZES = [(24, 80), (15, 40)]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_iterators_collectors_and_tables(tmp_path: Path, rows: int, columns: int) -> None:
    with TerminalScreen(tmp_path, rows=rows, columns=columns) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("Integer[1, 5].step(2)\r")
        screen.wait_for("[1, 3, 5]  Iterator[Integer]")
        screen.type("User<| |>\r")
        screen.wait_for("[]  Catalog-Collector[User]")
        screen.type(":table [{name => web, port => 80}]\r")
        screen.wait_for("name  port")
        screen.wait_for("web   80")
        screen.type(":yaml [{a => 1}]\r")
        screen.wait_for("- a: 1")
