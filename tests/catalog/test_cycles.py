"""Cycles among resources are found, through containers too, and nothing else is called one."""

from __future__ import annotations

import pytest

from puppet_repl.catalog.cycles import find_cycle
from puppet_repl.frontends.commands import run
from puppet_repl.session import Session
from puppet_repl.tools.reports.parts import Message

Pairs = list[tuple[str, str]]


@pytest.mark.parametrize(
    ("order", "contained", "cycle"),
    [
        ([], [], None),
        ([("a", "b"), ("b", "c"), ("a", "c")], [], None),
        ([("a", "b"), ("b", "a")], [], ["a", "b", "a"]),
        ([("a", "a")], [], ["a", "a"]),
        ([("x", "a"), ("a", "b"), ("b", "c"), ("c", "a")], [], ["a", "b", "c", "a"]),
        ([("C", "x")], [("C", "a"), ("C", "b")], None),
        ([("a", "b")], [("C", "a"), ("C", "b")], None),
        ([("a", "x"), ("x", "C")], [("C", "a")], True),
        ([("a", "C")], [("C", "a")], True),
        ([("C", "D"), ("b", "a")], [("C", "a"), ("D", "b")], True),
        ([("C", "D"), ("a", "b")], [("C", "a"), ("D", "b")], None),
        # Through a container inside of a container that is in no relationship itself.
        ([("a", "x"), ("x", "C")], [("C", "D"), ("D", "a")], ["a", "x", "C", "D", "a"]),
        ([("C", "x"), ("x", "a")], [("C", "D"), ("D", "a")], ["C", "x", "a", "D", "C"]),
        ([("C", "x"), ("x", "a")], [("C", "a")], ["C", "x", "a", "C"]),
        # Of several cycles, that of the relationship that is there first.
        ([("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")], [], ["a", "b", "a"]),
        ([("p", "q"), ("d", "c"), ("c", "d"), ("b", "a"), ("a", "b")], [], ["d", "c", "d"]),
    ],
)
def test_cycles(order: Pairs, contained: Pairs, cycle: list[str] | bool | None) -> None:
    found = find_cycle(order, contained)
    if cycle is True:
        assert found is not None
        assert found[0] == found[-1]
        assert len(found) > 2
    else:
        assert found == cycle


def test_a_long_chain_is_no_cycle() -> None:
    chain = [(f"r{number}", f"r{number + 1}") for number in range(20_000)]
    assert find_cycle(chain, []) is None
    found = find_cycle([*chain, ("r20000", "r0")], [])
    assert found is not None
    assert len(found) == 20_002


def test_graph_tells_it() -> None:
    session = Session(facts={})
    session.execute("notify { 'a': before => Notify['b'] } notify { 'b': before => Notify['a'] }")
    part = run(session, ":graph").parts[-1]
    assert isinstance(part, Message)
    assert part.text == "dependency cycle: (Notify['a'] => Notify['b'] => Notify['a'])"
    session.reset()
    session.execute(
        "class c { notify { 'a': } } include c notify { 'b': } Class['c'] -> Notify['b']"
    )
    assert not any(isinstance(part, Message) for part in run(session, ":graph").parts)
