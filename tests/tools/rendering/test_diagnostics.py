"""Errors with their source line: the caret stands right, whatever stands before it."""

from __future__ import annotations

from typing import Any

import pyte
import pytest

from puppet_repl.base.errors import Frame, PuppetError, Report, ValidationErrors
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import ansi, plain
from puppet_repl.tools.rendering.logs import log_line


def error_in(text: str, marked: str, **more: Any) -> PuppetError:
    source = Source(text)
    start = text.index(marked)
    return PuppetError("m", source=source, start=start, end=start + len(marked), **more)


def columns_of(text: str) -> tuple[int, int]:
    """The first and the last column of the carets, on a real screen."""
    screen = pyte.Screen(120, 20)
    pyte.Stream(screen).feed(text.replace("\n", "\r\n"))
    row = next(row for row in screen.display if "^" in row)
    return row.index("^"), row.rindex("^")


def column_on_screen(line: str, marked: str) -> int:
    screen = pyte.Screen(120, 5)
    pyte.Stream(screen).feed(line[: line.index(marked)])
    return screen.cursor.x


@pytest.mark.parametrize(
    "before",
    ["", "abc ", "日本語 ", "é ", "e\u0301 ", "\U0001f600 ", "ｆｕｌｌ ", "\u200b"],
    ids=["nothing", "ascii", "wide", "latin", "combining", "emoji", "fullwidth", "zero width"],
)
def test_caret_stands_below_what_is_meant(before: str) -> None:
    shown = plain(render_error(error_in(f"{before}$x + 1", "$x")))
    first, last = columns_of(shown)
    line = shown.split("\n")[1]
    assert first == column_on_screen(line, "$x")
    assert last - first == 1


def test_tabs_are_shown_as_blanks() -> None:
    shown = plain(render_error(error_in("\tif\t$x", "$x")))
    line, carets = shown.split("\n")[1:]
    assert "\t" not in shown
    assert carets.index("^") == line.index("$x")


def test_the_whole_form() -> None:
    error = error_in(
        "$y = 1\n$x + 1",
        "$x",
        notes=("did you mean $y?",),
        frames=(Frame("function f", "lib.pp", 3, 4), Frame("main", None, 9, None)),
    )
    assert plain(render_error(error)) == (
        "Error: m (line: 2, column: 1)\n"
        "  2 | $x + 1\n"
        "    | ^^\n"
        "  hint: did you mean $y?\n"
        "  from function f at lib.pp:3:4\n"
        "  from main at input:9"
    )


def test_typed_text_is_named_by_its_number() -> None:
    assert plain(render_error(error_in("a\n$x", "$x"), "In[3]")).startswith("Error: m In[3]:2:1\n")


def test_long_lines_are_cut_around_the_place() -> None:
    shown = plain(render_error(error_in("a" * 300 + " $x " + "b" * 300, "$x"), width=60))
    line, carets = shown.split("\n")[1:]
    assert len(line) <= 60
    assert carets.index("^") == line.index("$x")


def test_several_findings_and_the_end() -> None:
    source = Source("1\n2")
    reports = (
        Report("err", "first", "A", source, 0, 1),
        Report("warning", "second", "B", source, 2, 3),
    )
    shown = plain(render_error(ValidationErrors("Giving up", reports, source)))
    assert shown.index("Error: first") < shown.index("Warning: second") < shown.index("Giving up")


def test_control_characters_do_not_reach_the_terminal() -> None:
    shown = plain(render_error(error_in("'\x1b[2J' + $x", "$x")))
    assert "\x1b" not in shown
    assert "\x1b" not in log_line("notice", "a\x1b[31mb")


def test_colours_end_with_their_line() -> None:
    for line in ansi(render_error(error_in("$x", "$x"))).split("\n"):
        assert line.count("\x1b[") == 2 * line.count("\x1b[0m")


@pytest.mark.parametrize(
    ("level", "text"),
    [
        ("notice", "Notice: a"),
        ("err", "Error: a"),
        ("warning", "Warning: a"),
        ("crit", "Critical: a"),
    ],
)
def test_logs(level: str, text: str) -> None:
    assert log_line(level, "a") == text
    assert "\x1b[" in log_line(level, "a", color=True)
