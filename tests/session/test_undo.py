"""The ways of a session back: undo, inputs that are taken back, forget, reset."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from puppet_repl.session import Session
from tests.session.interrupted import SCENARIOS, interrupt_restoring, run_interrupted
from tests.session.session_inputs import FACTS, failed, furnish, state, value


@pytest.fixture
def session() -> Session:
    return Session(facts=FACTS)


@pytest.fixture
def furnished(session: Session) -> Session:
    return furnish(session)


def test_undo_takes_inputs_back_one_by_one(session: Session) -> None:
    value(session, "$x = 1")
    value(session, "$x = 2")
    failed(session, "$x = 3 fail('no')")
    value(session, "notify { 'n': }")
    assert session.undo() == ["notify { 'n': }"]
    assert session.undo() == ["$x = 2"]
    assert value(session, "$x") == 1
    assert session.count == 2
    assert session.undo(99) == ["$x = 1"]
    assert (session.undo(), session.count, session.inputs) == ([], 0, [])
    assert failed(session, "$x").code == "UNKNOWN_VARIABLE"


def test_undo_brings_functions_types_and_resources_back(furnished: Session) -> None:
    before = state(furnished)
    value(furnished, "function old() { 'new' } type Old = String")
    value(furnished, "notify { ['old', 'more']: message => 'new' }")
    assert len(furnished.undo(2)) == 2
    assert state(furnished) == before
    assert value(furnished, "[old(), 1 =~ Old, Notify['old']['message']]") == ("old", True, "old")


def test_undo_brings_match_variables_back(session: Session) -> None:
    value(session, "'abc' =~ /(b)/")
    value(session, "'xyz' =~ /(y)/")
    value(session, "'pqr' =~ /(q)(r)/")
    assert value(session, "[$1, $2]") == ("q", "r")
    assert session.undo() == ["'pqr' =~ /(q)(r)/"]
    assert value(session, "[$1, $2]") == ("y", None)
    assert len(session.undo(99)) == 2
    assert value(session, "$1") is None


def test_mere_looks_are_not_undone(session: Session) -> None:
    value(session, "1")
    value(session, "$x = 2")
    for look in ("$x", "$x + 1", "# nothing", "notice($x)", "$facts['os']", "defined(File['/x'])"):
        value(session, look)
    assert session.undo() == ["$x = 2"]
    assert value(session, "$_") == 1
    assert session.count == 2
    assert session.undo() == []


ANNOTATED = {
    "array": "$v = [1, 2]",
    "hash": "$v = {a => 1}",
    "instance": "type Car = Object[attributes => {name => String}] $v = Car('a')",
    "object type": "type Car = Object[{}] $v = Car",
    "type set": "type Cars = TypeSet[{pcore_version => '1.0.0', version => '1.0.0'}] $v = Cars",
    "alias": "type Car = Integer $v = Car",
}


@pytest.fixture(params=ANNOTATED.values(), ids=ANNOTATED)
def annotated(request: pytest.FixtureRequest, session: Session) -> Session:
    """A session with two types of annotations and a value without any."""
    spec = "Annotation{attributes => {x => Integer}}"
    value(session, f"type MyA = {spec} type MyB = {spec}")
    value(session, request.param)
    return session


def test_annotations_of_a_failed_input_are_gone(annotated: Session) -> None:
    failed(annotated, "MyA.annotate($v, {x => 1}) fail('no')")
    failed(annotated, "annotate(MyA, $v) || { {x => 1} } fail('no')")
    assert value(annotated, "MyA.annotate($v)") is None
    value(annotated, "MyA.annotate($v, {x => 2})")
    failed(annotated, "MyA.annotate($v, {x => 3}) fail('no')")
    failed(annotated, "MyA.annotate($v, clear) MyB.annotate($v, {x => 4}) fail('no')")
    assert value(annotated, "[MyA.annotate($v).x, MyB.annotate($v)]") == (2, None)


def test_annotating_is_undone(annotated: Session) -> None:
    for code in ("MyA.annotate($v, {x => 1})", "MyB.annotate($v, {x => 2})"):
        value(annotated, code)
    value(annotated, "MyA.annotate($v, {x => 3})")
    value(annotated, "MyA.annotate($v, clear)")
    assert value(annotated, "[MyA.annotate($v), MyB.annotate($v).x]") == (None, 2)
    assert annotated.undo() == ["MyA.annotate($v, clear)"]
    assert value(annotated, "MyA.annotate($v).x") == 3
    assert annotated.undo() == ["MyA.annotate($v, {x => 3})"]
    assert value(annotated, "[MyA.annotate($v).x, MyB.annotate($v).x]") == (1, 2)
    assert len(annotated.undo(2)) == 2
    assert value(annotated, "[MyA.annotate($v), MyB.annotate($v)]") == (None, None)


def test_looking_for_annotations_changes_nothing(annotated: Session) -> None:
    value(annotated, "$last = 1")
    value(annotated, "[MyA.annotate($v), MyA.annotate($v, clear), MyA.annotate([3])]")
    assert annotated._context.annotations == {}
    value(annotated, "type Own = Object[{annotations => {MyA => {x => 1}}}]")
    value(annotated, "MyA.annotate(Own)")
    assert annotated._context.annotations == {}
    assert annotated.undo() == ["type Own = Object[{annotations => {MyA => {x => 1}}}]"]
    assert annotated.undo() == ["$last = 1"]


def test_redo_brings_back_what_was_there(session: Session) -> None:
    """Values, numbers and what only looked: as if nothing had been undone."""
    for code in ("$a = 1", "5", "$b = $_", "'look'", "$c = $_2", "$c"):
        value(session, code)
    before = state(session)
    assert session.undo(2) == ["$c = $_2", "$b = $_"]
    value(session, "defined('$b')")
    assert session.redo() == ["$b = $_", "$c = $_2"]
    assert state(session) == before
    assert value(session, "[$a, $b, $c, $_4, $_]") == (1, 5, 5, "look", 5)
    assert session.redo() == []


CHANGES = {
    "input": lambda session: value(session, "$y = 1"),
    "forget": lambda session: session.forget("$x"),
    "assign": lambda session: session.assign("z", 1),
    "replace": lambda session: session.replace_inputs(1, "$x = 3"),
    "reset": Session.reset,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_ends_what_can_be_redone(
    session: Session, change: Callable[[Session], object]
) -> None:
    value(session, "$x = 1")
    value(session, "$x = 2")
    session.undo()
    value(session, "$x")
    failed(session, "$y = 1 fail('no')")
    session.undo()
    assert session.redo() == ["$x = 1"]
    change(session)
    assert session.redo() == []


STEPS = [
    *("$x = 1", "$x = 2 $y = [$x]", "'abc' =~ /(b)/", "$x", "1", "fail('no')", "defined(c)"),
    *("function f() { 1 }", "function f() { 2 }", "type T = Integer", "type T = String"),
    *("notify { 'a': message => 'one' }", "notify { 'a': message => 'two' }", "include c"),
    *(
        "class c { notify { 'b': } }",
        "Notify <| |> { tag => 't' }",
        "file { '/x': }",
        "Notify['a']",
    ),
]


@pytest.mark.parametrize("seed", range(30))
def test_any_number_of_undos_is_redone(seed: int) -> None:
    """After the redos the state is that before the undos; between them it can be looked at."""
    chosen = random.Random(seed)
    session = Session(facts=FACTS)
    for _ in range(12):
        states = []
        for step in chosen.choices(STEPS, k=chosen.randint(1, 4)):
            session.execute(step)
        for _ in range(chosen.randint(1, 3)):
            states.append(state(session))
            if not session.undo(chosen.randint(1, 3)):
                states.pop()
        if chosen.random() < 0.5:
            session.execute(chosen.choice(["$facts", "2 + 2", "fail('no')"]))
        redone = chosen.randint(0, len(states))
        for _ in range(redone):
            assert session.redo()
            assert state(session) == states.pop()


def test_inputs_are_replaced_together_with_what_they_changed(session: Session) -> None:
    value(session, "$x = 2")
    value(session, "$x")
    assert session.replace_inputs(1, "4").value == 4
    assert (session.count, value(session, "$x")) == (2, 2)
    assert session.replace_inputs(3, "defined('$x')").value is False
    assert (session.count, len(session.inputs)) == (1, 1)
    assert failed(session, "$x").code == "UNKNOWN_VARIABLE"


def test_undo_takes_back_what_was_forgotten(session: Session) -> None:
    for code in ("$x = 1", "function f() { 2 }", "class c { notice 3 }", "type P = Integer"):
        session.execute(code)
        value(session, "4")
    for name in ("$x", "f", "c", "P"):
        assert session.forget(name)
    assert session.undo() == [":forget P"]
    assert session.undo(3) == [":forget c", ":forget f", ":forget $x"]
    assert value(session, "[$x, f(), 5 =~ P, defined(c)]") == (1, 2, True, True)
    assert session.undo() == ["type P = Integer"]


def test_forget(furnished: Session) -> None:
    for name in ("$kept", "old", "Old"):
        assert furnished.forget(name)
        assert not furnished.forget(name)
    assert failed(furnished, "$kept").code == "UNKNOWN_VARIABLE"
    assert failed(furnished, "old()").code == "UNKNOWN_FUNCTION"
    assert "Resource type not found: Old" in failed(furnished, "1 =~ Old").message
    assert not furnished.forget("$never")


def test_reset_forgets_all_but_the_settings(furnished: Session) -> None:
    furnished.reset()
    assert state(furnished) == state(Session(facts=FACTS))
    assert value(furnished, "$facts['os']['name']") == "Debian"
    assert failed(furnished, "$kept").code == "UNKNOWN_VARIABLE"
    assert furnished.undo() == []


def test_other_facts(furnished: Session) -> None:
    furnished.use_facts({"os": {"name": "Plan 9"}})
    assert value(furnished, "$facts['os']['name']") == "Plan 9"
    assert failed(furnished, "$kept").code == "UNKNOWN_VARIABLE"


def test_inputs_of_one_number_are_taken_back_one_by_one() -> None:
    session = Session(facts={})
    for code in ("$a = 1", "$b = 2"):
        session.number_next(3)
        value(session, code)
    assert session.undo() == ["$b = 2"]
    assert [(number, text) for number, text, _ in session.inputs] == [(3, "$a = 1")]
    assert value(session, "[$_3, $a]") == (1, 1)
    session.number_next(3)
    assert failed(session, "$c = 1 + 'x'").code
    assert [text for _, text, _ in session.inputs] == ["$a = 1", "[$_3, $a]"]


# Interrupts


@pytest.mark.parametrize("scenario", [name for name in SCENARIOS if not name.startswith("els")])
def test_an_interrupt_at_any_line_leaves_the_session_as_it_was(scenario: str) -> None:
    run_interrupted(scenario)


@pytest.mark.parametrize("times", [1, 3])
def test_interrupts_while_the_way_back_is_taken_back(furnished: Session, times: int) -> None:
    value(furnished, "notify { 'more': } Notify['old'] { tag => 't' } $kept = 2")
    before = state(furnished)
    left = interrupt_restoring(furnished, times)
    with pytest.raises(KeyboardInterrupt):
        furnished.undo(2)
    assert left == [0]
    assert state(furnished) == before
