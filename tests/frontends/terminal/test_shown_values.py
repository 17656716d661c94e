"""Values in the terminal in other forms: tables, JSON, iterators as their elements, types."""

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
        screen.type(":show table [{name => web, port => 80}]\r")
        screen.wait_for("name  port")
        screen.wait_for("web   80")
        screen.type(":show yaml [{a => 1}]\r")
        screen.wait_for("- a: 1")


def test_an_alias_of_a_module_is_not_of_the_past_at_its_first_use(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path, rows=24, columns=80) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(":type Array[Stdlib::Port]\r")
        screen.wait_for("= Array[Stdlib::Port = Integer[0, 65535]]")
        screen.run("$t = Stdlib::Port")
        screen.type(":type $t\r")
        screen.wait_for("\nStdlib::Port = Integer[0, 65535]")
        assert "since" not in screen.text


def test_types_end_lines_at_words(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path, rows=15, columns=40) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(":type [{ 'alpha' => 'b', 'beta' => [1, 'x'] }]\r")
        screen.wait_for(
            "\nTuple[Struct[{'alpha' => String, 'beta'\n  => Tuple[Integer[1, 1], String]}]]"
        )
