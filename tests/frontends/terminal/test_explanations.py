"""What is explained below the input: the documentation scrolls, the signatures are paged."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from prompt_toolkit.buffer import CompletionState
from prompt_toolkit.completion import Completion
from prompt_toolkit.document import Document

from tests.frontends.terminal.prompt import CTRL_C, DOWN, ESCAPE, F1, F2, open_prompt
from tests.frontends.terminal.terminal_screen import TerminalScreen

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
        screen.settle(0.3)
        first = screen.text
        assert "Examples" not in first
        seen = [*screen.rows]
        for _ in range(12):
            screen.type(PAGE_DOWN)
            screen.settle(0.1)
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
        screen.wait_for("slice(Hash $hash, $slice_size, $block?)")
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


def test_a_wide_signature_has_names_where_types_have_no_room(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path, rows=15, columns=80) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("regsubst(")
        screen.wait_for("regsubst($target, $pattern, $replacement")
        screen.type("'a', 'b', 'c', ")
        screen.wait_for("regsubst(…, $flags?, $encoding?)")


def test_a_wide_signature_shows_the_parameter_at_the_cursor(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path, rows=15, columns=40) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("regsubst('a', 'b', 'c', ")
        row = screen.wait_for("$flags")
        assert "regsubst(…, " in row
        assert all(len(line) <= 40 for line in screen.rows)


def test_the_signature_of_a_dropped_call_is_not_shown_any_more(tmp_path: Path) -> None:
    with open_screen(tmp_path) as screen:
        screen.type("slice(")
        screen.wait_for("1 of 2 (Alt-Down)")
        screen.type(CTRL_C)
        screen.wait_until(lambda: screen.text.count("puppet [1]>") == 2, "the next prompt")
        screen.settle(0.3)
        assert "Alt-Down" not in screen.text


def test_the_documentation_of_an_entry_that_was_run_is_not_shown_any_more(tmp_path: Path) -> None:
    with open_screen(tmp_path) as screen:
        screen.type(f"split{F1}")
        screen.wait_for("more (Page Down)")
        screen.run("")
        screen.settle(0.3)
        assert "Page Down" not in screen.text


def test_what_was_defined_anew_is_documented_anew(tmp_path: Path) -> None:
    with open_screen(tmp_path) as screen:
        for number, parameter in enumerate(("String $old", "Integer $new"), start=1):
            screen.type(f":set complete_while_typing off\rfunction seen({parameter}) {{ 1 }}\r")
            prompt = f"puppet [{number + 1}]>"
            screen.wait_for(prompt)
            screen.type(":set complete_while_typing on\r\x0c")
            screen.wait_until(lambda prompt=prompt: screen.rows[0] == prompt)
            screen.type("see")
            screen.wait_for("seen ")
            screen.type(DOWN)
            screen.wait_for(f"seen({parameter})")
            screen.type(CTRL_C)


def test_a_look_up_that_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_prompt() as prompt:
        inspect = prompt.session.inspect
        failures = [LookupError("lost")]

        def fail_once(text: str, cursor: int) -> object:
            if failures:
                raise failures.pop()
            return inspect(text, cursor)

        monkeypatch.setattr(prompt.session, "inspect", fail_once)
        buffer = prompt.terminal.buffer
        buffer.document = Document("split")
        buffer.complete_state = CompletionState(Document("spl"), [Completion("split", -3)], 0)
        deadline = time.monotonic() + 10
        shown = []
        while not shown and time.monotonic() < deadline:
            shown = prompt.terminal.documentation_text()
            time.sleep(0.01)
        assert not failures
        assert any("Split" in fragment[1] for fragment in shown)


@pytest.mark.parametrize(
    ("typed", "opens", "shown"),
    [
        ("no_such_name", "", "There is no documentation for no_such_name"),
        # The menu is open, and nothing is chosen in it.
        ("filebuck", "filebucket", "Stores backups of files."),
        ("", "", "F1 explains the name at the cursor. :help lists commands, :tour shows around."),
        ("$no::such", "", "There is no documentation for $no::such"),
    ],
)
def test_f1_always_says_something(tmp_path: Path, typed: str, opens: str, shown: str) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(typed)
        screen.wait_for(typed)
        screen.wait_for(opens)
        screen.settle()
        screen.type(F1)
        screen.wait_until(lambda: any(row.strip().startswith(shown) for row in screen.rows))
        assert typed or re.search(r"^ *F1  key$", screen.text, re.MULTILINE)


def test_f1_explains_nothing_while_the_settings_are_open(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(F2)
        screen.wait_for("editing_mode")
        screen.type(F1)
        screen.settle()
        screen.type(F2)
        screen.wait_gone("editing_mode")
        screen.settle()
        assert "F1 explains the name" not in screen.text
