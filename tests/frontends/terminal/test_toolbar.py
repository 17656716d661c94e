"""The line at the bottom: it keeps :help and the machine at any width, and never breaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.formatted_text import fragment_list_to_text, fragment_list_width

from puppet_repl.frontends.terminal.toolbar import OF_INPUT, status_of, toolbar
from puppet_repl.language.runtime.options import Options
from puppet_repl.session import Session
from tests.frontends.terminal.terminal_screen import TerminalScreen


@given(st.integers(20, 250), st.text(st.characters(exclude_categories=("C", "M")), max_size=60))
def test_it_fits_and_begins_with_the_help(width: int, status: str) -> None:
    shown = toolbar(OF_INPUT, status, width)
    assert fragment_list_width(shown) <= width
    assert fragment_list_to_text(shown).startswith(" :help ")


@pytest.mark.parametrize(
    ("options", "facts", "status"),
    [
        (Options(), None, ""),
        (Options(node="web01"), {"os": {"name": "Debian"}}, "web01 · Debian"),
        (Options(), {"os": {"name": "Rocky", "release": {"major": "9"}}}, "Rocky 9"),
        (Options(), {"os": {"name": "macOS", "release": "14"}}, "macOS"),
        (Options(strict="off"), {"os": 1}, "strict off"),
        (Options(environment="/srv/code/test/"), {}, "test"),
    ],
)
def test_the_status_says_what_was_chosen(
    options: Options, facts: dict[str, object] | None, status: str
) -> None:
    assert status_of(Session(options, facts=facts)) == status


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_the_status_follows_the_session(tmp_path: Path, columns: int) -> None:
    with TerminalScreen(tmp_path, "--facts", "debian-12", columns=columns) as screen:
        screen.wait_for("puppet [1]>")
        screen.wait_for("Debian 12")
        assert screen.rows[screen.row_of("Debian 12")].startswith(" :help")
        screen.type(":facts rocky-9\r")
        screen.wait_gone("Debian 12")
        screen.wait_for("Rocky 9")
        screen.type(":node web01\r")
        screen.wait_for("web01 · Rocky 9")
        screen.type(":set strict off\r")
        screen.wait_for("strict off" if columns > 40 else "web01 · Rocky 9")
