"""What somebody who is new to Puppet types in the first minutes, in a real terminal of 80 x 24.

Beside each input are words that must be seen: what a beginner has to know to go on. They come from
Puppet and from other languages' habits, not from what the program shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.frontends.terminal.terminal_screen import TerminalScreen
from tests.readme import README

ROWS, COLUMNS = 24, 80
CTRL_C = "\x03"
CTRL_L = "\x0c"

SEEN = [
    # Values and variables
    ("7 * 6", ["42", "Integer"]),
    ("x = 5", ["$x"]),
    ("$x = 5", ["5", "Integer"]),
    ("$X = 5", ["small letter"]),
    ("$y", ["Unknown variable", "y"]),
    ("1/0", ["Division by 0"]),
    ("nil", ["undef"]),
    # Strings
    ('"a" + "b"', ["${"]),
    ('"x".upper', ["upcase"]),
    ("len('abc')", ["length"]),
    # Output
    ("print('hi')", ["notice"]),
    ("puts 'hi'", ["notice"]),
    ("notcie('hi')", ["did you mean notice"]),
    # Conditions and loops
    ("1 && 2", ["and"]),
    ("true || false", ["or"]),
    ("if true { 1 } else if false { 2 }", ["elsif"]),
    ("for i in [1, 2] { i }", ["each"]),
    ("[1, 2].each { |$i| notice($i) }", ["|$x| {"]),
    ("def f(x): x", ["function"]),
    # Facts
    ("$facts['os']['familly']", ["undef", "did you mean", "family"]),
    ("$facts.os.family", ["$facts['os']['family']"]),
    (":facts os.famly", ["did you mean :facts os.family"]),
    ("{a=>1}.a", ["['a']"]),
    # Resources
    ("file { ensure => present }", ["title"]),
    ("file { '/x' ensure => present }", ["colon"]),
    ("fil { '/x': ensure => present }", ["did you mean file"]),
    ("file { '/x': ensur => present }", ["ensure"]),
    ("file { 'x': ensure => present }", ["full path", "relative"]),
    ("file { '/x': mode => 0644 }", ["'0644'"]),
    ("package { 'nginx': ensure => instaled }", ["installed"]),
    # Classes
    ("include nginx", ["Could not find class", "nginx", "module path"]),
    ("class web(Integer $port) { }", ["defined class web"]),
    ("web", ["include web"]),
    ("nod 'x' { }", ["did you mean node"]),
    ("class a(Integer $port) { } include a", ["Class[A]", "port"]),
    # Help and the way out
    ("help", [":help"]),
    ("?", [":undo", ":help"]),  # the commands that are needed most
    (":hlep", ["did you mean :help"]),
    ("exit", [":quit"]),
]
# A row of code below an error, and the one with the carets.
QUOTED = re.compile(r"\s+\d* \| ")
# Left open: the prompt waits for the rest, and says so.
OPEN = ["[1, 2", "'it", '"the port is ${x', "file { '/x': ensure => present", "if true {", "f(1,"]


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TerminalScreen]:
    home: Path = tmp_path_factory.mktemp("home")
    with TerminalScreen(home, "--facts", "debian-12", rows=ROWS, columns=COLUMNS) as made:
        made.wait_for("puppet [1]>")
        made.type(":set complete_while_typing off\r")
        made.wait_until(lambda: len(prompts(made)) == 2)
        made.type(":set pager off\r")
        made.wait_until(lambda: len(prompts(made)) == 3)
        yield made


def prompts(terminal: TerminalScreen) -> list[str]:
    """Return the rows of the screen that have a prompt."""
    return [row for row in terminal.rows if re.match(r"puppet \[\d+\]>", row)]


def is_answered(terminal: TerminalScreen) -> bool:
    """Tell whether a prompt waits that is not the one in the first row."""
    found = prompts(terminal)
    return bool(found) and found[-1].endswith("]>") and terminal.row_of(found[-1]) > 0


def cleared(terminal: TerminalScreen) -> None:
    """Clear the screen, and wait for the prompt."""
    terminal.type(CTRL_L)
    terminal.wait_until(lambda: re.fullmatch(r"puppet \[\d+\]>", terminal.rows[0]) is not None)


@pytest.mark.parametrize(("text", "words"), SEEN, ids=[text for text, _ in SEEN])
def test_what_is_needed_is_seen(terminal: TerminalScreen, text: str, words: list[str]) -> None:
    cleared(terminal)
    terminal.type(text + "\r")
    shown = terminal.wait_until(lambda: is_answered(terminal), "the next prompt")
    seen = said(terminal)
    for word in words:
        assert is_word_of(word, seen), shown
    assert "Traceback" not in shown


def said(terminal: TerminalScreen) -> str:
    """Return what stands between the entry and the next prompt, without the code that it quotes."""
    rows = terminal.rows[1 : terminal.row_of(prompts(terminal)[-1])]
    return " ".join(" ".join(row for row in rows if not QUOTED.match(row)).split())


def is_word_of(word: str, text: str) -> bool:
    """Tell whether a word, or several, stand in a text and are no part of longer ones."""
    start = r"\b" if word[0].isalnum() else ""
    end = r"\b" if word[-1].isalnum() else ""
    return re.search(start + re.escape(word) + end, text) is not None


def test_what_was_typed_is_not_what_is_said(terminal: TerminalScreen) -> None:
    cleared(terminal)
    terminal.type("true || nix\r")
    terminal.wait_until(lambda: is_answered(terminal), "the next prompt")
    assert said(terminal).startswith("Error: Syntax error at '|'")
    assert not is_word_of("nix", said(terminal))
    assert not is_word_of("Err", said(terminal))
    assert not is_word_of(":help", said(terminal))  # the bar has that


@pytest.mark.parametrize("text", OPEN)
def test_what_is_open_waits(terminal: TerminalScreen, text: str) -> None:
    cleared(terminal)
    terminal.type(text + "\r")
    terminal.wait_until(lambda: terminal.rows[1].strip() == "...")
    terminal.type(CTRL_C)
    terminal.wait_until(lambda: len(prompts(terminal)) == 2)


def test_the_session_of_the_readme_is_what_is_seen(tmp_path: Path) -> None:
    text = README.read_text(encoding="utf-8")
    session = text.partition("```console\n$ puppet-repl\n")[2].partition("\n```")[0].split("\n")
    inputs = [row.partition("]> ")[2] for row in session if row.startswith("puppet [")]
    assert len(inputs) > 2
    with TerminalScreen(tmp_path, rows=ROWS, columns=COLUMNS) as screen:
        screen.wait_for("puppet [1]>")
        for count, entry in enumerate(inputs, start=2):
            screen.type(entry + "\r")
            screen.wait_until(lambda count=count: len(prompts(screen)) == count)
        start = screen.rows.index(session[0])
        assert screen.rows[start : start + len(session)] == session
