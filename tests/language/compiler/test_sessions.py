"""Layers of inputs, and state after failures and interrupts."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

import pytest

from puppet_repl.session import Options, Session

Value = Callable[[str], Any]


def test_a_later_input_may_bind_again(session: Session, value: Value) -> None:
    value("$x = 1")
    assert value("$x = 2 $x") == 2
    assert session.execute("$x = 3 $x = 4").error is not None
    assert value("$x") == 2


def test_names_are_bound_once() -> None:
    session = Session(Options(bind_once=True), facts={})
    assert session.execute("$x = 1").error is None
    error = session.execute("$x = 2").error
    assert error is not None
    assert error.message == "Evaluation Error: Cannot reassign variable '$x'"


def test_facts_and_reserved_names_cannot_be_bound(session: Session) -> None:
    for name in ("facts", "trusted", "server_facts", "title", "kernel"):
        assert session.execute(f"${name} = 1").error is not None, name


def test_a_new_function_reaches_earlier_code(value: Value) -> None:
    value("function low() { 1 } function high() { low() + 10 }")
    assert value("high()") == 11
    value("function low() { 2 }")
    assert value("high()") == 12


def test_a_function_may_change_its_parameters(session: Session, value: Value) -> None:
    value("function f($a) { $a } function g() { f(1) }")
    value("function f($a, $b) { $b }")
    assert value("f(1, 2)") == 2
    error = session.execute("g()").error
    assert error is not None
    assert "'f' expects 2 arguments, got 1" in error.message


def test_functions_and_types_are_known_before_their_text(value: Value) -> None:
    assert value("$r = [f(2), 2 =~ T] function f($x) { $x * 2 } type T = Integer[1, 3] $r") == (
        4,
        True,
    )


def test_a_failed_input_leaves_no_trace(session: Session, value: Value) -> None:
    value("$x = 1 function f() { 'old' } type T = Integer")
    text = "$x = 2 $y = 3 function f() { 'new' } function g() { 1 } type T = String fail('x')"
    assert session.execute(text).error is not None
    assert value("[$x, f(), 1 =~ T]") == (1, "old", True)
    assert session.execute("$y").error is not None
    assert session.execute("g()").error is not None


def test_the_last_match_can_be_read_by_the_next_input(value: Value) -> None:
    assert value("'abc' =~ /(b)/") is True
    assert value("$1") == "b"


@pytest.mark.parametrize(
    "text",
    [
        "function f($n) { f($n + 1) } f(0)",
        "function f($n) { [1].map |$x| { f($x) } } f(0)",
        "function f($n) { with($n) |$x| { f($x) } } f(0)",
        "function f($n = f()) { $n } f()",
        "function f() { call('f') } f()",
        "function f() { [2, 1].sort |$a, $b| { f() } } f()",
        'function f() { "${f()}" } f()',
        "function f($x) { $x ? { f($x) => 1 } } f(1)",
        "function f($x) { inline_epp('<%= f(1) %>') } f(1)",
        "function f($x) { f([$x]) } f(1)",
        "1 << 9223372036854775807",
        "1 << -9223372036854775807",
        "9223372036854775807 * 9223372036854775807",
        "1.0e308 * 1.0e308",
        "'a' =~ '('",
    ],
)
def test_hostile_programs_end_and_leave_the_session_usable(session: Session, text: str) -> None:
    outcome = session.execute(text)
    assert outcome.error is None or outcome.error.message.startswith("Evaluation Error: ")
    assert session.execute("1 + 1").value == 2


def test_deep_but_finite_recursion_works(value: Value) -> None:
    text = "function f($n) { if $n == 0 { 0 } else { 1 + f($n - 1) } } f(4000)"
    assert value(text) == 4000


@pytest.mark.parametrize("opening", ["(", "[", "!", "-", "{a => "])
def test_deeply_nested_source_ends_in_an_error_or_a_value(session: Session, opening: str) -> None:
    closing = {"(": ")", "[": "]", "{a => ": "}"}.get(opening, "")
    session.execute(opening * 2000 + "1" + closing * 2000)
    assert session.execute("1 + 1").value == 2


@pytest.mark.skipif(
    "INTERRUPTS" not in os.environ,
    reason="an interrupt of this process that escapes ends the whole run: make stress",
)
@pytest.mark.parametrize("delay", [0.2, 0.25, 0.31])
def test_an_interrupt_leaves_the_session_as_it_was(session: Session, delay: float) -> None:
    import _thread
    import signal

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
    assert session.execute("$x = 1 function f($n) { $n }").error is None
    timer = threading.Timer(delay, _thread.interrupt_main)
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        session.execute("$y = 2 Integer[1, 1000000000].each |$i| { f($i) }")
    timer.join()
    assert session.execute("$x").value == 1
    assert session.execute("$y").error is not None
    assert session.execute("f(3)").value == 3


def test_two_sessions_share_nothing() -> None:
    first, second = Session(facts={}), Session(facts={})
    assert first.execute("$x = 1 function f() { 1 } type T = Integer").error is None
    for text in ("$x", "f()", "1 =~ T"):
        assert second.execute(text).error is not None
