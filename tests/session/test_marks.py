"""Marks: whatever happens after one, returning to it brings everything back, in any order."""

from __future__ import annotations

import sys
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from puppet_repl.catalog.json import edges
from puppet_repl.session import Session
from puppet_repl.session.debugging.frames import puppet_frames
from tests.session.session_inputs import FACTS, furnish, state, value

CODES = (
    *("$x = 1", "$x = 2 $kept = [$x]", "'xyz' =~ /(y)/", "fail('no')", "1", "$facts"),
    *("function f() { 1 }", "function old() { 2 }", "type T = Integer", "type Old = String"),
    *("type Both = Tuple[Old, T]", "class c { $v = 'new' notify { 'in c': } } include c"),
    *("notify { 'old': message => 'new' }", "notify { ['a', 'b']: } Notify['a'] -> Notify['b']"),
    *("Notify['old'] { tag => 't' }", "Notify <| |> { message => 'collected' }"),
    *("@notify { 'v': } realize(Notify['v'])", "Notify['old'] -> Notify['a']", "tag('marked')"),
    *("define d($p = 1) { notify { \"${title} ${p}\": } } d { 'one': }", "d { 'two': p => 3 }"),
    *("MyA.annotate($list, {x => 1})", "MyA.annotate($list, {x => 2})"),
    *("Notify { message => 'default' } notify { 'plain': }", "include nothing", "1 +"),
)
FORGOTTEN = ("$x", "f", "old", "Old", "c", "d")
STEPS = st.one_of(
    st.tuples(st.just("execute"), st.sampled_from(CODES)),
    st.tuples(st.just("forget"), st.sampled_from(FORGOTTEN)),
    st.tuples(st.just("undo"), st.integers(1, 3)),
    st.tuples(st.just("redo"), st.none()),
    st.tuples(st.just("mark"), st.none()),
    st.tuples(st.just("return"), st.integers(0, 9)),
)
LOOKS = (
    "[defined(Notify['old']), 1 =~ Old, old(), $kept, $1, getvar('x'), getvar('_'), "
    "MyA.annotate($list)]"
)


def everything(session: Session) -> tuple[object, ...]:
    """What the session has, and what code would see of it."""
    catalog = session.catalog
    record = session._execution.record
    past = [change.text for change in record.past], [each.texts for each in record.undone]
    with session.temporarily():
        found = session.execute(LOOKS, record=False)
    seen = found.value if found.error is None else str(found.error)
    finished = session.finish_catalog(found).error
    tables = catalog.tables
    collected = [[each.ref for each in collector.collected] for collector in tables.collectors]
    return state(session), edges(tables, tables.members), collected, past, seen, str(finished)


COLLECTOR = "Notify <| |> { message => 'collected' }"


@given(st.lists(STEPS, min_size=1, max_size=25))
@example(
    # What is undone, and what is changed instead, are kept apart.
    [
        *(("execute", "Notify['old'] { tag => 't' }"), ("mark", None), ("return", 0)),
        *(("execute", COLLECTOR), ("return", 1), ("return", 0)),
    ]
)
@example(
    [
        *(("execute", COLLECTOR), ("mark", None), ("execute", "notify { 'a': }"), ("mark", None)),
        *(("return", 1), ("execute", "notify { 'b': }"), ("return", 2), ("return", 1)),
    ]
)
@example(
    [
        *(("execute", "type Old = Integer"), ("mark", None), ("execute", "type Old = String")),
        *(("return", 1), ("execute", "MyA.annotate($list, {x => 1})"), ("return", 0)),
    ]
)
def test_returning_to_a_mark_brings_everything_back(steps: list[tuple[str, Any]]) -> None:
    """Earlier marks and later ones, again and again, after undo, redo, forget and failures."""
    session = furnish(Session(facts=FACTS))
    value(session, "type MyA = Annotation{attributes => {x => Integer}} $list = [1]")
    execution = session._execution
    marks = [(execution.mark(), everything(session))]
    for verb, argument in (*steps, ("return", 0)):
        if verb == "mark":
            marks.append((execution.mark(), everything(session)))
        elif verb == "return":
            mark, before = marks[argument % len(marks)]
            execution.return_to(mark)
            assert everything(session) == before
        elif verb == "redo":
            session.redo()
        else:
            getattr(session, verb)(argument)


PROGRAM = """
$x = 0
class inner { notify { 'i': } notice('here') }
define pair() { notify { "${title} of pair": } notice('here') }
notify { 'first': require => Notify['i'] }
notice('here')
@notify { 'v': }
pair { 'p': }
include inner
notice('here')
notify { 'last': }
realize(Notify['v'])
notice('here')
"""


EXPRESSIONS = (
    *("$made = 1", "notify { 'added': }", "notify { 'last': }", "include inner", "fail('no')"),
    *("pair { 'q': }", "Notify['first'] { message => 'changed' }", "Notify { tag => 't' }"),
    *("Notify <| |> { message => 'collected' }", "Notify['first'] -> Notify['i']", "tag('u')"),
    *("realize(Notify['v'])", "@notify { 'v': }", "'abc' =~ /b/", "old()"),
)


def result_of(expressions: list[str]) -> tuple[object, ...]:
    """What a program leaves that is stopped to evaluate expressions, one inside of another.

    Whatever each of them and those inside of it do, afterwards all is there that was before.
    """
    is_looking = False

    def look(level: str, text: str) -> None:
        nonlocal is_looking
        if text == "here" and not is_looking:
            is_looking = True
            evaluate(expressions)
            is_looking = False

    def evaluate(left: list[str]) -> None:
        if not left:
            return
        before = now()
        with session.expressions.evaluating_in(puppet_frames(sys._getframe())[0]) as run:
            run(left[0])
            evaluate(left[1:])
            run(left[0])
        assert now() == before

    def now() -> tuple[object, ...]:
        fresh = session.catalog.state.fresh
        return state(session), [(each.ref, dict(each.parameters)) for each in fresh]

    session = Session(facts=FACTS, log=look)
    value(session, "function old() { 'old' } type Old = Integer $kept = 1")
    value(session, PROGRAM)
    return everything(session)


@given(st.lists(st.sampled_from(EXPRESSIONS), min_size=1, max_size=4))
def test_a_mark_inside_of_an_input_brings_the_input_back(expressions: list[str]) -> None:
    assert result_of(expressions) == result_of([])
