"""What a session knows keeps warnings about an input away."""

from __future__ import annotations

import pytest

from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import Session
from puppet_repl.tools.advice.inputs import advise_input
from puppet_repl.tools.advice.rules import RULES, Rule

CASES = [
    ("Cron { minute => 0 }", "cron { 'x': hour => 2 }", "cron_without_minute"),
    ("File { target => '/x' }", "file { '/y': ensure => link }", "link_without_target"),
    ("Exec { path => '/bin' }", "exec { 'ls': }", "exec_without_path"),
    ("$hostname = 'x'", "notice($::hostname)", "legacy_facts"),
]


@pytest.mark.parametrize(("before", "text", "rule"), CASES, ids=[each[2] for each in CASES])
def test_an_earlier_input_counts(before: str, text: str, rule: str) -> None:
    session = Session()
    program = parse(Source(text))
    assert [each.rule for each in advise_input(session, program)] == [rule]
    session.execute(before)
    assert advise_input(session, program) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rules_of_files_say_nothing_of_inputs(rule: Rule) -> None:
    found = advise_input(Session(), parse(Source(rule.example)))
    assert [each.rule for each in found] == [rule.name] * rule.in_inputs
