"""What is shown for an entry is the same at the prompt and in the line mode."""

from __future__ import annotations

import io

import pytest

from puppet_repl.base.errors import TimeLimitExceeded
from puppet_repl.frontends.shared import entry_display, entry_run
from puppet_repl.frontends.terminal.line_mode import LineMode
from puppet_repl.host.host import Host
from tests.frontends.terminal.prompt import open_prompt

# Those of the prompt.
FACTS: dict[str, object] = {"os": {"family": "Debian"}, "kernel": "Linux"}

ENTRIES = [
    ("1 + 1", ["2"]),
    ("undef", ["undef"]),
    ("function f() { 1 }", ["defined function f"]),
    ("$x = 1;", []),
    ("notice('a'); ", ["Notice: a"]),
    ("$facts['os']['famly']", ["undef", "hint: there is no $facts['os']['famly']"]),
    ("$facts['os']['famly'];", []),
    ("0644;", ["warning: 0644 is an octal number"]),
    ("file { '/x': mode => 0644 }", ["mode => 420,", "warning: a mode is a string"]),
    ("$facts['osfamily']", ["undef", "warning: ", "[legacy_facts]"]),
    ("1 + 'a'", ["Error: ", "cannot be converted to Numeric"]),
    ("fail('x');", ["Error: ", "x"]),
    (":type 1", ["Integer[1, 1]"]),
    (":nothing", ["Error: there is no command :nothing"]),
    (":tour\r1 + 1\r'a'", ["Tour 1", "2 is a value of the type Integer", "Tour 2"]),
]


def _at_the_prompt(entries: list[str]) -> str:
    with open_prompt(show_type=False, pager=False) as prompt:
        return "".join([prompt.run(entry) for entry in entries])


def _in_lines(entries: list[str]) -> str:
    output = io.StringIO()
    mode = LineMode(Host(facts=FACTS), io.StringIO(), output)
    for entry in entries:
        mode.handle(entry)
    return output.getvalue()


@pytest.mark.parametrize(("typed", "parts"), ENTRIES)
def test_both_show_the_same(typed: str, parts: list[str]) -> None:
    entries = typed.split("\r")
    shown = _in_lines(entries)
    at = 0
    for part in parts:
        assert part in shown[at:], shown
        at = shown.index(part, at)
    assert bool(shown) == bool(parts)
    assert " ".join(_at_the_prompt(entries).split()) == " ".join(shown.split())


def test_a_result_stays_when_the_time_for_what_is_said_below_is_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def expire(*_: object, **__: object) -> None:
        raise TimeLimitExceeded

    monkeypatch.setattr(entry_display, "hint_on_result", expire)
    for show in (_at_the_prompt, _in_lines):
        assert show(["40 + 2"]).startswith("42\nError: Time limit exceeded")


def test_an_entry_is_parsed_and_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what undef, hints, warnings and the tour ask for there is one tree."""
    done: list[str] = []
    parse, advise = entry_run.parse, entry_run.advise_input
    monkeypatch.setattr(entry_run, "parse", lambda source: done.append("parse") or parse(source))
    monkeypatch.setattr(
        entry_run, "advise_input", lambda *rest: done.append("advise") or advise(*rest)
    )
    output = io.StringIO()
    mode = LineMode(Host(facts=FACTS), io.StringIO(), output)
    mode.handle(":tour")
    mode.handle(":set show_assignments off")
    mode.handle("notice($facts['osfamily']) $facts['kernal']")
    assert "did you mean $facts['kernel']" in output.getvalue()
    assert "[legacy_facts]" in output.getvalue()
    assert sorted(done) == ["advise", "parse"]
