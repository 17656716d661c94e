"""The session: layers, inputs that count whole or not at all, and interrupts at any point."""

from __future__ import annotations

import _thread
import json
import os
import sys
import threading
from types import FrameType
from typing import Any

import pytest

from puppet_repl.catalog.json import document
from puppet_repl.errors import PuppetError
from puppet_repl.session import NOTHING, Options, Outcome, Session

FACTS: dict[str, Any] = {"os": {"name": "Debian"}, "kernel": "Linux"}

INTERRUPTS = pytest.mark.skipif(
    "INTERRUPTS" not in os.environ,
    reason="an interrupt of this process that escapes ends the whole run: make stress",
)


@pytest.fixture
def session() -> Session:
    return Session(facts=FACTS)


def value(session: Session, code: str) -> Any:
    """The value of one input that has to succeed."""
    outcome = session.execute(code)
    assert outcome.error is None, outcome.error
    return outcome.value


def failed(session: Session, code: str) -> PuppetError:
    """The error of one input that has to fail."""
    outcome = session.execute(code)
    assert outcome.error is not None
    assert outcome.value is NOTHING
    assert outcome.number is None
    return outcome.error


# Layers


def test_a_later_input_may_bind_a_name_again(session: Session) -> None:
    assert value(session, "$x = 1") == 1
    assert value(session, "$x = $x + 1") == 2
    assert value(session, "$x") == 2


def test_within_one_input_puppets_rule_holds(session: Session) -> None:
    value(session, "$x = 1")
    error = failed(session, "$x = 2 $x = 3")
    assert error.message == "Evaluation Error: Cannot reassign variable '$x'"
    assert value(session, "$x") == 1


def test_functions_types_and_classes_can_be_defined_again(session: Session) -> None:
    value(session, "function f() { 1 } function g() { f() }")
    value(session, "type T = Integer")
    value(session, "class c { $v = 1 }")
    value(session, "include c")
    value(session, "function f() { 2 }")
    value(session, "type T = String")
    value(session, "class c { $v = 2 }")
    assert value(session, "g()") == 2
    assert value(session, "'a' =~ T") is True
    assert value(session, "include c $c::v") == 2


def test_facts_and_reserved_names_stay_bound(session: Session) -> None:
    message = "Evaluation Error: Attempt to assign to a reserved variable name: '$facts'"
    assert failed(session, "$facts = 1").message == message
    assert value(session, "$facts['kernel']") == "Linux"


def test_a_strict_session_binds_no_name_twice() -> None:
    session = Session(Options(bind_once=True), facts=FACTS)
    value(session, "$x = 1")
    assert "Cannot reassign variable '$x'" in failed(session, "$x = 2").message
    assert value(session, "$x") == 1


# Inputs count whole or not at all

FAILING = [
    "$kept = 2 fail('no')",
    "$new = 1 $nix",
    "function old() { 'new' } fail('no')",
    "function fresh() { 1 } 1 / 0",
    "type Old = String\nfail('no')",
    "class c { $v = 'new' } include c fail('no')",
    "notify { 'new': } fail('no')",
    "notify { 'a': } notify { 'a': }",
    "notify { 'late': require => File['/nowhere'] }",
    "Notify['old'] { message => 'new' } fail('no')",
    "define d() { fail('late') } d { 'x': }",
    "$kept = 2 )",
    "$kept = 2 $kept = 3",
    "[1, 2].each |$i| { notify { \"n${i}\": } if $i == 2 { fail('no') } }",
    "function down() { down() } down()",
    "'xyz' =~ /(y)/ fail('no')",
    "if 'xyz' =~ /(y)/ { fail('no') }",
    "class m { 'xyz' =~ /(y)/ fail('no') } include m",
    "case 'xyz' { /(y)/: { fail('no') } }",
    "'xyz' =~ /(y)/ $1 )",
]


@pytest.fixture
def furnished(session: Session) -> Session:
    value(session, "$kept = 1")
    value(session, "function old() { 'old' } type Old = Integer")
    value(session, "class c { $v = 'old' } include c")
    value(session, "notify { 'old': message => 'old' }")
    value(session, "'abc' =~ /(b)/")
    return session


def state(session: Session) -> object:
    """What a user can see of a session."""
    context = session._context
    return (
        {name: bound for name, bound in context.top.variables.items() if name not in context.fixed},
        sorted(context.functions),
        sorted(context.types.known),
        session.count,
        [text for _, text, _ in session.inputs],
        json.dumps(document(context.catalog)["resources"]) if context.has_catalog else "[]",
    )


@pytest.mark.parametrize("code", FAILING)
def test_a_failed_input_leaves_no_trace(code: str, furnished: Session) -> None:
    before = state(furnished)
    failed(furnished, code)
    assert state(furnished) == before
    assert value(furnished, "[$kept, old(), 1 =~ Old, $c::v]") == (1, "old", True, "old")
    assert value(furnished, "[$0, $1]") == ("b", "b")
    assert failed(furnished, "$new").message == "Evaluation Error: Unknown variable: 'new'."
    assert failed(furnished, "fresh()").code == "UNKNOWN_FUNCTION"


# $_ and $_N


def test_results_can_be_named(session: Session) -> None:
    assert failed(session, "$_").message == "Evaluation Error: Unknown variable: '_'."
    assert session.execute("40 + 2").number == 1
    assert session.execute("$_ * 2").number == 2
    assert value(session, "[$_, $_1, $_2]") == (84, 42, 84)
    assert "Unknown variable: '_9'" in failed(session, "$_9").message
    assert value(session, "$_") == (84, 42, 84)


def test_inputs_that_are_not_recorded_have_no_number(session: Session) -> None:
    value(session, "1")
    outcome = session.execute("2", record=False)
    assert (outcome.value, outcome.number) == (2, None)
    assert value(session, "$_") == 1
    assert [text for _, text, _ in session.inputs] == ["1", "$_"]


def test_a_call_without_value_gives_undef(session: Session) -> None:
    assert value(session, "notice('x')") is None
    assert value(session, "$_ =~ Undef") is True


# Undo, forget, reset


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


def test_the_last_input_is_taken_back_alone(session: Session) -> None:
    value(session, "$x = 2")
    value(session, "$x")
    session.take_back_input()
    assert (session.count, value(session, "$x")) == (1, 2)
    session.take_back_input()
    session.take_back_input()
    assert session.count == 0
    assert failed(session, "$x").code == "UNKNOWN_VARIABLE"


@pytest.mark.parametrize("code", ["# a comment", "function f() { 3 }", "class c { } type P = Any"])
def test_comments_and_definitions_have_no_value(session: Session, code: str) -> None:
    value(session, "7")
    assert session.execute(code).value is NOTHING
    assert value(session, "[$_, $_2]") == (7, None)


def test_inputs_tell_what_they_define(session: Session) -> None:
    code = "function f() { } class c { class d { } } type P = Any define e() { }"
    outcome = session.execute(code)
    assert outcome.defined == ("function f", "class c::d", "class c", "type P", "define e")
    assert session.execute("node default { }").defined == ()


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


def test_what_is_done_temporarily_leaves_no_trace(furnished: Session) -> None:
    before = state(furnished)
    with furnished.temporarily():
        value(furnished, "$new = 1 notify { 'new': }")
        assert furnished.has_variable("new")
        run = furnished.stopwatch("$other = $new + 1")
        assert run() > 0
        assert furnished.variables()["other"] == 2
        furnished.undo()
    assert state(furnished) == before
    assert not furnished.has_variable("new")


def test_a_stopwatch_raises_what_is_wrong_with_code(session: Session) -> None:
    with pytest.raises(PuppetError, match="Syntax error"):
        session.stopwatch("1 +")
    with pytest.raises(PuppetError, match="Unknown variable: 'nope'"):
        session.stopwatch("$nope")()


def test_python_text(session: Session) -> None:
    assert "def main" in session.python_text("1 + $x")


def test_a_front_end_may_number_inputs_itself(session: Session) -> None:
    session.number_next(7)
    assert session.execute("42").number == session.count == 7
    assert value(session, "$_7") == 42


def test_the_tables_of_a_session_are_copies(furnished: Session) -> None:
    furnished.variables().clear()
    furnished.functions().clear()
    furnished.types().clear()
    assert value(furnished, "[$kept, old(), 1 =~ Old]") == (1, "old", True)


# Two sessions


def test_two_sessions_never_touch() -> None:
    one, other = Session(facts=FACTS), Session(facts={"os": {"name": "Plan 9"}})
    for session, word in ((one, "one"), (other, "other")):
        value(session, f"$x = '{word}' function f() {{ '{word}' }} class c {{ $v = '{word}' }}")
        value(session, f"include c type T = Enum['{word}'] notify {{ '{word}': }}")
    for session, word in ((one, "one"), (other, "other")):
        assert value(session, f"[$x, f(), $c::v, '{word}' =~ T]") == (word, word, word, True)
        assert value(session, "defined(Notify['one'])") is (word == "one")
    other.reset()
    assert value(one, "[$x, f(), $facts['os']['name']]") == ("one", "one", "Debian")
    assert value(other, "$facts['os']['name']") == "Plan 9"


# Outcomes


def test_logs_come_at_once_and_with_the_outcome() -> None:
    told: list[tuple[str, str]] = []
    session = Session(facts=FACTS, log=lambda level, text: told.append((level, text)))
    outcome = session.execute("notice('a', 1) warning('b') debug('c') fail('d')")
    assert told == outcome.logs == [("notice", "a 1"), ("warning", "b"), ("debug", "c")]
    assert outcome.error is not None
    session.execute("notice('next')")
    assert told[3:] == [("notice", "next")]
    assert outcome.logs == [("notice", "a 1"), ("warning", "b"), ("debug", "c")]


def test_resources_and_edges_of_one_input(session: Session) -> None:
    value(session, "notify { 'first': }")
    outcome = session.execute("class c { file { '/x': mode => '0644' } } include c")
    shown = [(each["type"], each["title"]) for each in outcome.resources]
    assert shown == [("Class", "C"), ("File", "/x")]
    assert outcome.resources[1]["parameters"] == {"mode": "0644"}
    assert {"source": "Class[C]", "target": "File[/x]"} in outcome.edges
    assert session.execute("1").resources == []
    assert Outcome().resources == Outcome().edges == []


# Each with the hint that it should get; the message stays Puppet's.
HINTS = [
    ("$kepp", "Evaluation Error: Unknown variable: 'kepp'.", "kept"),
    ("upcas('a')", "Evaluation Error: Unknown function: 'upcas'.", "upcase"),
    ("notfy { 'a': }", "Unknown resource type: 'notfy'", "notify"),
    ("include cc", "Could not find class ::cc for", "c"),
    ("1 =~ Intger", "Resource type not found: Intger", "Integer"),
    ("zzzzqqqq(1)", "Evaluation Error: Unknown function: 'zzzzqqqq'.", None),
    ("Notfy <| |>", "Resource type notfy doesn't exist", "notify"),
    ("call('upcas', 'a')", "Unknown function 'upcas'", "upcase"),
    # Names that only the place of the error knows: of a lambda, of the body of a class.
    (
        "[1].each |$number| { notice($numer) }",
        "Evaluation Error: Unknown variable: 'numer'.",
        "$number",
    ),
    ("class d { $inner = 1 notice($iner) } include d", "Unknown variable: 'iner'", "$inner"),
    ("class d(Integer $size = 1) { } class { 'd': siez => 2 }", "has no parameter named", "size"),
    ("define d($size = 1) { } d { 'x': siez => 2 }", "no parameter named", "size"),
    ("notify { 'x': mesage => 'm' }", "no parameter named 'mesage'", "message"),
    ("notify { 'x': requir => 'm' }", "no parameter named 'requir'", "require"),
    # A default value that is a fact which nothing knows.
    (
        "class d(String $size = $facts['bulk']) { } include d",
        "parameter 'size' expects a String value, got Undef",
        "$size is the fact bulk, which is not known; :facts bulk=VALUE sets it",
    ),
    (
        "define d(Integer $a = 1, Enum['x'] $size = $facts.get('bulk.size')) { } d { 'x': }",
        "parameter 'size' expects a match for Enum['x'], got Undef",
        "$size is the fact bulk.size, which is not known",
    ),
    ("class d(String $size = $facts['os']['nope']) { } include d", "got Undef", None),
    ("class d(String $size = undef) { } include d", "got Undef", None),
]


@pytest.mark.parametrize(("code", "message", "hint"), HINTS)
def test_hints_never_change_messages(
    code: str, message: str, hint: str | None, furnished: Session
) -> None:
    error = failed(furnished, code)
    assert message in error.message
    if message.startswith("Evaluation"):
        assert error.message == message
    if hint is None:
        assert error.notes == ()
    else:
        assert any(hint in note for note in error.notes), error.notes


def test_types_of_values_too_large_to_look_through(session: Session) -> None:
    found = value(session, "Integer[1, 60].reduce([1]) |$m, $i| { [$m, $m] }")
    assert session.type_text(found) == "Array"
    assert session.type_text(value(session, "{a => $_1}")) == "Hash"
    assert session.type_text((1, 2)) == "Array[Integer[1, 2], 2, 2]"


# Interrupts


def test_an_interrupt_from_a_log(furnished: Session) -> None:
    def interrupt(level: str, text: str) -> None:
        raise KeyboardInterrupt

    before = state(furnished)
    for code in (
        "$kept = 2 notify { 'n': } notice('now')",
        "class d { notice('now') } include d",
        "define e() { notice('now') } e { 'x': }",
        "[1, 2].map |$x| { notice('now') }",
        "function old() { notice('now') } old()",
    ):
        furnished.log = interrupt
        with pytest.raises(KeyboardInterrupt):
            furnished.execute(code)
        furnished.log = None
        assert state(furnished) == before
    assert value(furnished, "[$kept, old()]") == (1, "old")


@INTERRUPTS
@pytest.mark.parametrize(
    "code",
    [
        "$kept = 2 Integer[1, 1000000000].each |$x| { $x }",
        "function spin($x) { spin($x) } Integer[1, 1000000000].map |$x| { [$x].map |$y| { $y } }",
        "Integer[1, 1000000000].reduce |$m, $x| { $m }",
        'Integer[1, 1000000000].each |$x| { notify { "n${x}": } }',
        "Integer[1, 1000000000].reverse_each.filter |$x| { false }",
    ],
)
def test_an_interrupt_while_a_loop_runs(code: str, furnished: Session) -> None:
    before = state(furnished)
    timer = threading.Timer(0.05, _thread.interrupt_main)
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        furnished.execute(code)
    timer.join()
    assert state(furnished) == before
    assert value(furnished, "$kept + 1") == 2


class Interrupter:
    """Raises KeyboardInterrupt at the Nth line that Python runs."""

    def __init__(self, line: int) -> None:
        self.left = line

    def __call__(self, frame: FrameType, event: str, argument: object) -> Interrupter:
        if event == "line":
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt
        return self


def over_before(session: Session, code: str, line: int, ignored: list[object]) -> bool:
    """Run an input and interrupt it; whether it was over before that.

    An interrupt in a destructor is ignored by Python itself, and noted in ``ignored``.
    """
    previous, hook = sys.gettrace(), sys.unraisablehook
    interrupter = Interrupter(line)
    sys.unraisablehook = ignored.append
    sys.settrace(interrupter)
    try:
        session.execute(code)
    except KeyboardInterrupt:
        return False
    finally:
        sys.settrace(previous)
        sys.unraisablehook = hook
    if interrupter.left <= 0:
        assert ignored, "somebody swallowed the interrupt"
        session.undo()
        return False
    return True


@INTERRUPTS
def test_an_interrupt_at_any_line(furnished: Session) -> None:
    code = (
        "$kept = 2 function old() { 'new' } type Old = String class c { $v = 'new' } include c"
        " notify { ['old', 'n']: message => old() } [1].each |$x| { notice($x) } $nix"
    )
    failed(furnished, code)  # what is imported once is imported now
    code = code.removesuffix(" $nix")
    value(furnished, code)
    furnished.undo()
    before = state(furnished)
    line = 1
    ignored: list[object] = []
    while not over_before(furnished, code, line, ignored):
        assert state(furnished) == before, line
        line += 1 + line // 200
    assert len(ignored) < 5
    assert value(furnished, "[$kept, old(), $c::v]") == (2, "new", "new")
    assert line > 400
    furnished.undo(2)
    assert state(furnished) == before
    assert value(furnished, "[$kept, old(), 1 =~ Old, $c::v]") == (1, "old", True, "old")


def interrupt_restoring(session: Session, times: int) -> list[int]:
    """Let the next attempts to restore the state be interrupted; return how many are left."""
    restore = session._context.restore
    left = [times]

    def interrupted(found: object) -> None:
        session._context.top.variables.clear()
        if left[0]:
            left[0] -= 1
            raise KeyboardInterrupt
        restore(found)

    session._context.restore = interrupted
    return left


def test_an_interrupt_while_the_state_is_put_back(furnished: Session) -> None:
    before = state(furnished)
    left = interrupt_restoring(furnished, 3)
    furnished.log = lambda level, text: (_ for _ in ()).throw(KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        furnished.execute("$kept = 2 notice('now')")
    furnished.log = None
    assert left == [0]
    assert state(furnished) == before


@pytest.mark.parametrize("stop", [None, KeyboardInterrupt("first")], ids=["ended", "stopped"])
def test_an_interrupt_while_what_was_temporary_is_put_back(
    furnished: Session, stop: KeyboardInterrupt | None
) -> None:
    before = state(furnished)
    left: list[int] = []
    with pytest.raises(KeyboardInterrupt) as caught, furnished.temporarily():
        furnished.execute("$new = 1 notify { 'new': }", record=False)
        left = interrupt_restoring(furnished, 2)
        if stop is not None:
            raise stop
    # Where the code was stopped already, that is told.
    assert stop is None or caught.value is stop
    assert left == [0]
    assert state(furnished) == before
