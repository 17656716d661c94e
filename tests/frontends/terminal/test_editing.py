"""Enter, indenting, brackets, pasting: what keys make of an entry (through a pipe input)."""

from __future__ import annotations

import pytest
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.keys import Keys

from puppet_repl.frontends.terminal.keys import make_keys
from tests.frontends.terminal.prompt import (
    BACKSPACE,
    CTRL_C,
    CTRL_D,
    CTRL_UNDERSCORE,
    DOWN,
    END,
    ENTER,
    ESCAPE,
    F4,
    F5,
    HOME,
    LEFT,
    NEWLINE,
    SHIFT_ENTER,
    UP,
    open_prompt,
)


def typed(keys: str, **settings: object) -> str:
    with open_prompt(**settings) as prompt:
        return prompt.entry(keys)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        pytest.param("1 + 1" + ENTER, "1 + 1", id="a complete entry runs"),
        pytest.param(
            "if true {" + ENTER + "1" + ENTER + "}" + ENTER,
            "if true {\n  1\n}",
            id="indent, dedent",
        ),
        pytest.param("[1," + ENTER + "2]" + ENTER, "[1,\n  2]", id="an open bracket goes on"),
        pytest.param("'a" + ENTER + "b'" + ENTER, "'a\nb'", id="an open quote goes on"),
        pytest.param(
            "@(END)" + ENTER + "text" + ENTER + "| END" + ENTER, "@(END)\ntext\n| END", id="heredoc"
        ),
        pytest.param("1 +" + ENTER + "2" + ENTER, "1 +\n  2", id="an operator wants its operand"),
        pytest.param("1 )" + ENTER, "1 )", id="what is wrong runs, so that it is explained"),
        pytest.param("each?" + ENTER, "each?", id="a question runs, and a hint answers it"),
        pytest.param(
            "$x ?" + ENTER + "{ 1 => 2 }" + ENTER, "$x ?\n  { 1 => 2 }", id="a selector goes on"
        ),
        pytest.param("1" + NEWLINE + "2" + ENTER, "1\n2", id="Alt-Enter opens a line"),
        pytest.param("1" + SHIFT_ENTER + "2" + ENTER, "1\n2", id="Shift-Enter opens a line"),
        pytest.param("[1" + ENTER + ENTER + ENTER, "[1\n  \n  ", id="two empty lines submit"),
        pytest.param(
            "[1," + NEWLINE + "2]" + UP + ENTER + "3," + "\x1b>" + ENTER,
            "[1,\n  3,\n  2]",
            id="Enter in the middle opens a line",
        ),
        pytest.param("$x = 1;" + ENTER, "$x = 1;", id="a semicolon at the end is enough"),
        pytest.param(":type [1," + ENTER + "2]" + ENTER, ":type [1,\n  2]", id="code of commands"),
        pytest.param(":vars" + ENTER, ":vars", id="a command runs"),
        pytest.param(ENTER, "", id="nothing is an entry too"),
        pytest.param("é日本" + ENTER, "é日本", id="letters of any width"),
    ],
)
def test_enter(keys: str, text: str) -> None:
    result = typed(keys)
    assert [line.rstrip() for line in result.split("\n")] == [
        line.rstrip() for line in text.split("\n")
    ]


SHIFTED_ENTERS = (
    *("\x1b[27;2;13~", "\x1b[27;5;13~", "\x1b[27;3;13~"),
    *("\x1b[13;2u", "\x1b[13;5u", "\x1b[13;3u"),
)


@pytest.mark.parametrize("keys", SHIFTED_ENTERS)
@pytest.mark.parametrize("mode", ["emacs", "vi"])
def test_enter_with_shift_control_or_alt_opens_a_line(keys: str, mode: str) -> None:
    with open_prompt(editing_mode=mode) as prompt:
        assert prompt.entry(f"1{keys}2{ENTER}") == "1\n2"


def test_the_key_table_of_the_library_stays_as_it_is() -> None:
    before = dict(ANSI_SEQUENCES)
    assert typed("1" + SHIFT_ENTER + "2" + ENTER) == "1\n2"
    assert before == ANSI_SEQUENCES
    assert ANSI_SEQUENCES[SHIFT_ENTER] == Keys.ControlM


def test_every_key_says_what_it_does() -> None:
    with open_prompt() as prompt:
        for binding in make_keys(prompt.terminal).bindings:
            if binding.handler.__module__.startswith("puppet_repl"):
                assert binding.handler.__doc__, binding


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("$x=[1,2]", "$x = [1, 2]"),
        (
            "file{'/a':ensure=>file,mode=>'0644'}",
            "file { '/a':\n  ensure => file,\n  mode   => '0644',\n}",
        ),
        ("$x = 1", "$x = 1"),
        ("$x=]", "$x=]"),
        (":doc  each", ":doc  each"),
        ("else{1}", "else{1}"),
        ("$x=1;", "$x = 1;"),
        ("$x=1 # one", "$x = 1 # one"),
        (
            "class a{$x=@(E)" + NEWLINE + "  text" + NEWLINE + "  | E" + NEWLINE + "}",
            "class a {\n  $x = @(E)\n    text\n    | E\n}",
        ),
    ],
)
def test_f5_brings_an_entry_into_its_form(typed: str, text: str) -> None:
    with open_prompt() as prompt:
        assert prompt.entry(f"{typed}{F5}{END}{ENTER}") == text


def test_f5_keeps_the_place_of_the_cursor_and_is_undone_in_one_step() -> None:
    written = "$x=[1,2]" + NEWLINE + "$yy=3"
    with open_prompt() as prompt:
        assert prompt.entry(f"{written}{UP}{END}{LEFT}{F5},0{DOWN}{END}{ENTER}") == (
            "$x  = [1, 2,0]\n$yy = 3"
        )
        assert prompt.entry(f"{written}{F5}{CTRL_UNDERSCORE}{END}{ENTER}") == "$x=[1,2]\n$yy=3"


def test_closing_brace_goes_under_its_partner() -> None:
    keys = "class a {" + ENTER + "if true {" + ENTER + "1" + ENTER + "}" + ENTER + "}" + ENTER
    assert typed(keys) == "class a {\n  if true {\n    1\n  }\n}"


def test_ctrl_c_gives_a_clean_prompt() -> None:
    with open_prompt() as prompt:
        with pytest.raises(KeyboardInterrupt):
            prompt.entry("if true {" + ENTER + "abc" + CTRL_C)
        assert prompt.entry("1" + ENTER) == "1"


def test_ctrl_d_leaves_an_empty_entry_only() -> None:
    with open_prompt() as prompt:
        assert prompt.entry("ab" + HOME + CTRL_D + ENTER) == "b"
        with pytest.raises(EOFError):
            prompt.entry(CTRL_D)


def test_brackets_and_quotes_close_themselves_if_switched_on() -> None:
    assert typed("[(" + ENTER + ENTER + ENTER, close_brackets=False).startswith("[(")
    assert typed("[1, 'a" + "\x05" + ENTER, close_brackets=True) == "[1, 'a']"
    assert typed("['a'] + [1]" + ENTER, close_brackets=True) == "['a'] + [1]"
    assert typed("[" + BACKSPACE + "1" + ENTER, close_brackets=True) == "1"
    keys = "if true {" + ENTER + "1" + "\x1b>" + ENTER
    assert typed(keys, close_brackets=True) == "if true {\n  1\n}"


def test_backspace_takes_a_whole_indent() -> None:
    assert typed("if true {" + ENTER + BACKSPACE + "}" + ENTER) == "if true {\n}"


def test_paste_is_one_entry() -> None:
    code = "if true {\r\n  1\r\n}\r\nelse {\r\n  2\r\n}"
    text = typed("\x1b[200~" + code + "\x1b[201~" + ENTER)
    assert text == "if true {\n  1\n}\nelse {\n  2\n}"


def test_an_entry_goes_on_with_the_one_before() -> None:
    with open_prompt() as prompt:
        prompt.run("if false { 1 }")
        assert prompt.run("else { 2 }").startswith("2")
        prompt.run("[3, 1, 2]")
        assert prompt.run(".sort").startswith("[1, 2, 3]")
        prompt.run("notify { 'a': }")
        prompt.run("-> notify { 'b': }")
        assert "Notify['a']  → Notify['b']" in prompt.run(":graph text")


def test_vi_mode_and_escape_without_delay() -> None:
    with open_prompt(editing_mode="vi") as prompt:
        # A delay would not end by itself.
        assert prompt.entry("abc" + ESCAPE + "0x" + "i" + "1 + " + ENTER) == "1 + bc"


def test_f4_switches_the_editing_mode() -> None:
    with open_prompt() as prompt:
        prompt.entry(F4 + ENTER)
        assert prompt.terminal.settings["editing_mode"] == "vi"
        prompt.entry(F4 + ENTER)
        assert prompt.terminal.settings["editing_mode"] == "emacs"


def test_external_editor(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: object) -> None:
    monkeypatch.setenv("VISUAL", "sh -c 'printf 40+2 > \"$0\"'")
    with open_prompt() as prompt:
        assert prompt.run(":edit").split("\n")[1].startswith("42")


def test_up_on_the_first_line_recalls() -> None:
    with open_prompt() as prompt:
        prompt.history.add("$a = 1")
        assert prompt.entry(UP + ENTER) == "$a = 1"
