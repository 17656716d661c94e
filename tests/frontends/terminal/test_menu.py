"""The menu of completions on a screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from puppet_repl.frontends.terminal.completer import SessionCompleter
from puppet_repl.host.host import Host
from puppet_repl.session import Options
from tests.frontends.terminal.terminal_screen import TerminalScreen


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_texts_are_cut_with_one_sign(tmp_path: Path, columns: int) -> None:
    with TerminalScreen(tmp_path, columns=columns) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("fi")
        screen.wait_for("find_file")
        rows = screen.rows[screen.row_of("puppet [1]>") + 1 : screen.row_of(":help")]
        assert len(rows) > 5
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
        # The first row is what it was.
        assert b"A file, a directory" in screen.raw[:before]
        assert b"A file, a directory" not in written.split(b"\n")[1]


MODULE = """
# @param port The port to listen on.
class profile::base(Integer[1, 65535] $port, $other = 1) { }
# @param mode How it is done.
define profile::one(String $mode) { }
"""


def offered(text: str, tmp_path: Path) -> dict[str, str]:
    """Return what the menu offers while this is typed, and what it says of it."""
    module = tmp_path / "modules" / "profile"
    for name, content in {
        "templates/a.epp": "a",
        "files/f.txt": "f",
    }.items():
        (module / name).parent.mkdir(parents=True, exist_ok=True)
        (module / name).write_text(content)
    host = Host(options=Options(modulepath=(str(tmp_path / "modules"),)))
    assert host.session.execute(MODULE).error is None
    found = SessionCompleter(host).get_completions(Document(text), CompleteEvent())
    return {each.display_text: each.display_meta_text.partition(" ")[2].strip() for each in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fil", {"file", "filebucket", "filter"}),
        (":l", {":load", ":lookup"}),
        ("epp('", {"profile/"}),
        ("epp('profile/", {"profile/a.epp"}),
        ("file { '/x': source => 'puppet:///modules/", {"profile/"}),
    ],
)
def test_close_matches_leave_out_the_others(text: str, expected: set[str], tmp_path: Path) -> None:
    assert set(offered(text, tmp_path)) == expected


def test_scattered_letters_are_noise_beside_a_word(tmp_path: Path) -> None:
    names = offered("inc", tmp_path)
    assert "include" in names
    assert all("inc" in name for name in names)
    assert "upcase" in offered("'a'.upce", tmp_path)


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ('"abc".', True),
        ("[1].map |$x| { $x.", True),
        ("$x = 1; $x.", True),
        ("3.", False),
        ("", False),
        ("f", False),
    ],
)
def test_methods_are_offered_at_the_dot(text: str, is_open: bool, tmp_path: Path) -> None:
    assert bool(offered(text, tmp_path)) is is_open


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("class { 'profile::base': ", "port", "Integer[1, 65535]: The port to listen on."),
        ("class { 'profile::base': ", "other", "Any"),
        ("profile::one { 'a': ", "mode", "String: How it is done."),
    ],
)
def test_parameters_are_explained(text: str, name: str, said: str, tmp_path: Path) -> None:
    assert offered(text, tmp_path)[name] == said
