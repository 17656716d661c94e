"""Warnings of probable mistakes at the prompt: dim, below the result, and only if wanted."""

from __future__ import annotations

from tests.frontends.terminal.prompt import open_prompt

CODE = "file { '/x': mode => 0644 }"
# Bright black, as all that is no result.
DIM = "\x1b[0;90m"


def test_a_warning_stands_below_the_result_in_dim_letters() -> None:
    with open_prompt(pager=False) as prompt:
        shown = prompt.run(CODE)
        result, _, advice = shown.partition("warning: ")
        assert "mode => 420" in result
        assert advice == (
            "a mode is a string, and 0644 is the number 420: write '0644' [unquoted_file_mode]\n"
            f"  1 | {CODE}\n"
            "    |                      ^^^^\n"
        )
        assert f"{DIM}warning: " in prompt.written.getvalue()
        assert "warning" not in prompt.run(":set advice off", CODE)
        assert "warning: " in prompt.run(":set advice on", "$x = 0644;")


def test_a_warning_marks_the_entry_that_it_is_about() -> None:
    with open_prompt(pager=False) as prompt:
        shown = prompt.run("if false { 1 }", "else { 0644 }")
        assert "  2 | else { 0644 }\n" in shown
        assert "warning" not in prompt.run(":type 0644", "fail('0644')")
