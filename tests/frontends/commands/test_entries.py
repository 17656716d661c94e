"""Entries that continue earlier inputs: these stay unless the whole succeeds."""

from __future__ import annotations

import pytest

from puppet_repl.frontends.shared.entry_run import run_entry
from puppet_repl.session import Session
from tests.session.interrupted import run_interrupted
from tests.session.session_inputs import FACTS, furnish, state, value


@pytest.mark.parametrize("entry", ["else { nix( }", "else { notify { 'n': } fail('no') }"])
def test_the_inputs_stay_where_the_whole_fails(entry: str) -> None:
    session = furnish(Session(facts=FACTS))
    value(session, "if false { 1 } else { Notify['old'] { tag => 't' } $y = 2 }")
    value(session, "if $y == 3 { 1 }")
    before, inputs = state(session), list(session.inputs)
    assert run_entry(session, entry).outcome.error is not None
    assert state(session) == before
    assert session.inputs == inputs
    assert session.undo() == ["if false { 1 } else { Notify['old'] { tag => 't' } $y = 2 }"]
    assert value(session, "Notify['old']['tag']") is None


def test_the_whole_replaces_the_inputs() -> None:
    session = furnish(Session(facts=FACTS))
    value(session, "if true { $y = 1 }")
    value(session, "# a comment")
    run = run_entry(session, "else { $y = 2 }")
    assert (run.label, run.outcome.number) == ("In[6]", 6)
    assert [text for _, text, _ in session.inputs][5:] == [
        "if true { $y = 1 }\n# a comment\nelse { $y = 2 }"
    ]
    assert value(session, "$y") == 1


@pytest.mark.parametrize(
    "scenario", ["else", "else of changes", "else that fails", "elsif that fails"]
)
def test_an_interrupt_at_any_line_loses_nothing(scenario: str) -> None:
    run_interrupted(scenario)
