"""Hints below results, and the word for undef: at the prompt, by -e, and in the line mode."""

from __future__ import annotations

import io
import re

import pytest

from puppet_repl.frontends.cli import main
from puppet_repl.frontends.shared.entry_run import Run
from puppet_repl.frontends.shared.result_hints import hint_on_result, shows_undef
from puppet_repl.frontends.terminal.line_mode import LineMode
from puppet_repl.host.host import Host
from puppet_repl.session import Session
from puppet_repl.session.outcome import Outcome
from tests import recorded
from tests.frontends.terminal.prompt import open_prompt

FACTS = {"os": {"family": "Debian", "name": "Debian"}, "kernel": "Linux"}
FAMILY = "there is no $facts['os']['famly'], did you mean $facts['os']['family']?"
HINTS = [
    ("$facts['os']['famly']", FAMILY),
    ("$facts[os][famly]", FAMILY),
    ('$::facts["os"]["famly"]', FAMILY),
    ("$x = 1\n$facts['os']['famly']", FAMILY),
    ("$facts['kernl']", "there is no $facts['kernl'], did you mean $facts['kernel']?"),
    ("$facts['osfamily']", "there is no $facts['osfamily'], did you mean $facts['os']['family']?"),
    ("if $facts['os']['famly'] { 1 }", FAMILY),
    ("$facts['hostnam']", "did you mean $facts['networking']['hostname']?"),
    ("$facts['os']['operatingsystm']", "did you mean $facts['os']['name']?"),
    ("$facts['os']['famly'] == 'Debian'", FAMILY),
    ("[1].map |$x| { \"${x} ${facts['os']['famly']}\" }", FAMILY),
    ('"$facts[os][name]"', "the text [os][name]: write ${facts[os][name]}"),
]
NO_HINTS = [
    "$facts['os']['family']",
    "$facts['os']['distro']",
    "$facts['ec2_metadata']",
    "$facts['kernel']['x']",
    "class a { if $facts['os']['famly'] { 1 } }",
    "$facts['os']['name6'] == undef",
    "$h = { 'a' => 1 } $h['b']",
    "\"${facts['os']['name']}\"",
    "undef",
]


@pytest.mark.parametrize(("text", "part"), HINTS)
def test_a_hint(text: str, part: str) -> None:
    session = Session(facts=FACTS)
    assert part in str(hint_on_result(session, Run(text, "", session.execute(text))))


@pytest.mark.parametrize("text", NO_HINTS)
def test_no_hint(text: str) -> None:
    session = Session(facts=FACTS)
    assert hint_on_result(session, Run(text, "", session.execute(text))) is None


@pytest.mark.parametrize(
    ("text", "is_hint"),
    [
        ("$facts['osfamily']", False),
        ("$facts['kernal']", True),
        ("notice($facts['osfamily']) $facts['kernal']", True),
    ],
)
def test_what_a_rule_warns_of_has_no_hint_besides(text: str, is_hint: bool) -> None:
    session = Session(facts=FACTS)
    run = Run(text, "", session.execute(text))
    assert hint_on_result(session, run) is not None
    assert (hint_on_result(session, run, with_advice=True) is not None) == is_hint


@pytest.mark.parametrize("name", ["evaluate", "functions", "specification"])
def test_recorded_programs_have_no_hint(name: str) -> None:
    """What Puppet answers is right, whatever it looks like; undef is what most hints are about."""
    session = Session(facts=FACTS)
    found = {}
    for row in recorded.suite(name):
        if not row.get("error") and "code" in row:
            value = None if row.get("value") in ("undef", None) else row["value"]
            hint = hint_on_result(session, Run(row["code"], "", Outcome(value)))
            if hint is not None:
                found[row["code"]] = hint
    assert [code for code in found if not re.search(r'"\$\w+\[', code)] == []


def test_the_command_line_says_it_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-e", "$facts['os']['famly']"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"hint: {FAMILY}\n"


def test_the_line_mode_says_it_below_the_result() -> None:
    output = io.StringIO()
    typed = io.StringIO("$facts['os']['famly']\n$facts['os']['famly'];\n")
    LineMode(Host(facts=FACTS), typed, output).run()
    assert output.getvalue().count(f"  hint: {FAMILY}\n") == 1


UNDEF = [
    ("undef", True),
    ("$x = undef", True),
    ("[1][3]", True),
    ("{ 'a' => 1 }.get('b')", True),
    ("undef;", False),
    ("notice('x')", False),
    ("'x'.notice", False),
    ("if false { 1 }", False),
    ("class a { }", False),
    ("function f() { }", False),
    ("type T = Integer", False),
    ("", False),
    ("# nothing", False),
    ("1", False),
]


@pytest.mark.parametrize(("text", "is_shown"), UNDEF)
def test_undef_at_the_prompt(text: str, is_shown: bool) -> None:
    with open_prompt() as prompt:
        shown = prompt.run(text)
    assert ("undef\n" in shown.replace("= undef", "")) == is_shown, shown


def test_definitions_answer_at_the_prompt() -> None:
    with open_prompt() as prompt:
        assert "defined function f\n" in prompt.run("function f() { }")
        assert "defined class a\n" in prompt.run("class a { }")


def test_the_prompt_says_it_below_undef() -> None:
    with open_prompt() as prompt:
        assert prompt.run("$facts['os']['famly']").endswith(f"undef\n  hint: {FAMILY}\n")


def test_undef_is_not_shown_by_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-e", "undef"]) == 0
    assert capsys.readouterr() == ("", "")


def test_what_may_be_undef_is_no_statement() -> None:
    assert shows_undef(Run("$x", "", Outcome(None)))
    assert not shows_undef(Run("unless true { 1 }", "", Outcome(None)))
