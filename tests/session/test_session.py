"""The session: layers, inputs that count whole or not at all, and interrupts at any point."""

from __future__ import annotations

import _thread
import os
import signal
import threading

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.session import NOTHING, Options, Outcome, Session
from tests.session.interrupted import interrupt_restoring, over_before
from tests.session.session_inputs import FACTS, failed, furnish, state, value

INTERRUPTS = pytest.mark.skipif(
    "INTERRUPTS" not in os.environ,
    reason="an interrupt of this process that escapes ends the whole run: make stress",
)


@pytest.fixture
def session() -> Session:
    return Session(facts=FACTS)


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
    return furnish(session)


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


# Further things that a session does


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


def test_what_is_done_temporarily_leaves_no_trace(furnished: Session) -> None:
    before = state(furnished)
    with furnished.temporarily():
        value(furnished, "$new = 1 notify { 'new': }")
        assert furnished.names.has_variable("new")
        run = furnished.stopwatch("$other = $new + 1")
        assert run() > 0
        assert furnished.names.variables()["other"] == 2
        furnished.undo()
    assert state(furnished) == before
    assert not furnished.names.has_variable("new")


def test_a_stopwatch_raises_what_is_wrong_with_code(session: Session) -> None:
    with pytest.raises(PuppetError, match="Syntax error"):
        session.stopwatch("1 +")
    with pytest.raises(PuppetError, match="Unknown variable: 'nope'"):
        session.stopwatch("$nope")()


def test_a_front_end_may_number_inputs_itself(session: Session) -> None:
    session.number_next(7)
    assert session.execute("42").number == session.count == 7
    assert value(session, "$_7") == 42


def test_the_tables_of_a_session_are_copies(furnished: Session) -> None:
    furnished.names.variables().clear()
    furnished.names.functions().clear()
    furnished.names.types().clear()
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
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
    before = state(furnished)
    timer = threading.Timer(0.05, _thread.interrupt_main)
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        furnished.execute(code)
    timer.join()
    assert state(furnished) == before
    assert value(furnished, "$kept + 1") == 2


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
    while not (is_over := over_before(lambda: furnished.execute(code), line, ignored)):
        if is_over is None:
            furnished.undo()
        assert state(furnished) == before, line
        line += 1 + line // 200
    assert len(ignored) < 5
    assert value(furnished, "[$kept, old(), $c::v]") == (2, "new", "new")
    assert line > 400
    furnished.undo()
    assert state(furnished) == before
    assert value(furnished, "[$kept, old(), 1 =~ Old, $c::v]") == (1, "old", True, "old")


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
