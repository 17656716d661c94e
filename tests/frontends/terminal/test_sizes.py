"""The faces of the prompt at usual and small sizes, on dark and light grounds.

Whatever is shown, words are whole and can be read: what a message says stands on the screen at any
width, and on a light ground nothing has a colour that only dark ones show.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from puppet_repl.frontends.terminal.theme import LIGHT
from tests.frontends.terminal.terminal_screen import TerminalScreen

SIZES = ((80, 24), (40, 15), (200, 50))
GROUNDS = {"dark": "\x1b]11;rgb:1e1e/1e1e/1e1e\x07", "light": "\x1b]11;rgb:ffff/ffff/ffff\x07"}
# Colours of the terminal's own that may not be seen on white.
DARK_ONLY = {"green", "cyan", "magenta", "brown", "red", "blue", "brightblack", "white", "black"}

# What is typed, and words that have to be on the screen then, each of them whole, or a pattern of
# them. What was typed is no proof, so that some scenes clear the screen before the last line.
SCENES: dict[str, tuple[str, str | re.Pattern[str]]] = {
    "error": ("1 + 'abc'\r", "The value 'abc' cannot be converted to Numeric. hint: adds numbers;"),
    "undef": ("$facts['os']['famly']\r", "undef hint: there is no $facts['os']['family']?"),
    "advice": ("file { '/x': mode => 0644 }\r", "mode => 420, warning: a string, '0644'"),
    "definition": ("class web($port = 80) { }\r", "defined class web"),
    "match": (":why Struct[{a=>Array[Integer]}] {a=>['x']}\r", "expects an Integer value, got"),
    "why": (":why if 1 > 2 { 3 } elsif 2 > 1 { 4 }\r", "false; true: the block of this elsif ran"),
    "array": ("Integer[1, 12].map |$x| { 100000 + $x }\r", "100001, 100012 Array[Integer]"),
    "wrong command": (":hlep\r", "there is no command :hlep hint: did you mean :help?"),
    "history": (
        "1 + 1\r:set theme\r\x0c:history\r",
        re.compile(r"\d\d:\d\d +\d+ +1 \+ 1 .*\d\d:\d\d +:set theme "),
    ),
    "settings": ("\x1bOQ", "theme puppet"),
    "documentation": (":doc split\r", "a secret string that is split Examples"),
    "search": ("\x12split", "Escape close Enter take :doc split"),
    "menu": ("[1].f\t", "filter Return"),
    "keys": (":help keys f2\r", "Open or close the settings"),
    "graph": ("package { 'a': } -> file { '/a': }\r:graph\r", "Package['a'] → File['/a']"),
    "json": (":show json [{ 'a' => undef }]\r", '"a": null'),
    "redo": ("$q = 41\r:undo\r\x0c:redo\r$q + 1\r", "redid: $q = 41 42 Integer"),
    "where": (
        "function g($x) { 1 + $x }\rg('a')\r:where\r:frame\r",
        "function g main $x String 'a'",
    ),
    "watch": (
        ":watch 1 + 1\r",
        "Integer took nothing to watch: this uses no files",
    ),
    "tour": (":tour\r", "values What you type is evaluated, :tour off ends"),
    "module": (
        "include nginx\r",
        "the module puppet-nginx, :modulepath DIR names where modules are",
    ),
    "stop": (
        "function f($x) { $x + 1 }\r:break f\rf(41)\r",
        "stopped in function f, (breakpoint 1) => debug :next :step",
    ),
}
# What is typed behind a scene to end it.
LEAVING = {"tour": ":tour off\r", "stop": ":continue\r:break --delete 1\r"}


def _is_shown(screen: TerminalScreen, words: str | re.Pattern[str]) -> Callable[[], bool]:
    def is_shown() -> bool:
        shown = " ".join(screen.rows)
        if isinstance(words, re.Pattern):
            return words.search(shown) is not None
        return all(word in shown for word in words.split())

    return is_shown


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_words_are_whole_and_legible(tmp_path: Path, columns: int, rows: int, ground: str) -> None:
    with TerminalScreen(
        tmp_path,
        "--facts",
        "debian-12",
        rows=rows,
        columns=columns,
        COLORTERM="truecolor",
        PAGER="cat",
    ) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(GROUNDS[ground])
        # What was written before the terminal replied has its own colours.
        screen.type("\x0c")
        for name, (keys, words) in SCENES.items():
            screen.wait_until(lambda: _is_empty(screen), "an empty screen")
            screen.type(keys)
            screen.wait_until(_is_shown(screen, words), f"{name}: {words}")
            if ground == "light":
                assert not _lost_on_light(screen), name
            screen.type(LEAVING.get(name, ""))
            screen.type("\x1b")  # closes what is open
            screen.wait_for(":help")
            screen.type("\x15\x0c")


def _is_empty(screen: TerminalScreen) -> bool:
    """Tell whether there is a prompt at the top, and the bar."""
    rows = [row for row in screen.rows if row]
    return len(rows) == 2 and rows[0].startswith("puppet [") and rows[0].endswith("]>")


def _lost_on_light(screen: TerminalScreen) -> list[tuple[str, str]]:
    """The characters without a ground of their own whose colours only dark grounds show."""
    allowed = {color.removeprefix("#") for color in LIGHT.values()} | {"default"}
    return [
        (cell.data, cell.fg)
        for row in screen.screen.buffer.values()
        for cell in row.values()
        if cell.data.strip() and cell.bg == "default" and not cell.reverse
        if cell.fg in DARK_ONLY or cell.fg not in allowed
    ]
