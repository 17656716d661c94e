"""The thread of a sandbox and the conversation with it: what Ruby does is played by functions."""

from __future__ import annotations

import os
import resource
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from puppet_repl.environment.ruby.engine import (
    NO_ROOM,
    EngineBroken,
    EngineExit,
    EngineFailure,
    EngineMemoryFailure,
    EngineTimeFailure,
    NoRoom,
)
from puppet_repl.environment.ruby.sandbox import store
from puppet_repl.environment.ruby.sandbox.process import Exit
from tests.environment.ruby.engine import needs_sandbox

wasmtime = pytest.importorskip("wasmtime")

from puppet_repl.environment.ruby.sandbox import engine as module  # noqa: E402
from puppet_repl.environment.ruby.sandbox.engine import SandboxEngine  # noqa: E402
from puppet_repl.environment.ruby.sandbox.instance import (  # noqa: E402
    MAX_MEMORY,
    THREAD_STACK,
    RubyError,
)

MEGABYTE = 1 << 20


class Player:
    """Makes itself: a Ruby that runs a function on the channel."""

    libraries = "/libraries"

    def __init__(self, play: Callable[[Player], None], *, fail: Exception | None = None) -> None:
        self.play = play
        self.fail = fail
        self.memory = self
        self.size = 0
        self.is_full = False
        self.ended = threading.Event()
        self.interrupted = threading.Event()

    def __call__(self, channel: Any, printed: Any, sleep: Any) -> Player:
        if self.fail is not None:
            raise self.fail
        self.channel, self.printed, self.sleep = channel, printed, sleep
        return self

    def run(self) -> None:
        self.play(self)

    def interrupt(self) -> None:
        self.interrupted.set()

    def close(self) -> None:
        self.ended.set()

    def receive(self) -> str:
        text = b""
        while not text.endswith(b"\n"):
            data = self.channel.read(3)
            if not data:
                raise EOFError
            text += data
        return text[:-1].decode("utf-8", "surrogatepass")

    def send(self, text: str) -> None:
        self.channel.write(f"{text}\n".encode("utf-8", "surrogatepass"))


def echo(ruby: Player) -> None:
    while True:
        ruby.send("D" + ruby.receive())


def ask(ruby: Player) -> None:
    """Ask what the request is, and answer others meanwhile."""
    while True:
        ruby.send("Q" + ruby.receive()[1:])
        while (text := ruby.receive()).startswith("R"):
            ruby.send("D" + text)
        ruby.send("D" + text)


def no_answer(question: str) -> str:
    raise AssertionError(question)


@pytest.fixture
def start() -> Iterator[Callable[..., SandboxEngine]]:
    started: list[SandboxEngine] = []

    def make(maker: Any, **options: Any) -> SandboxEngine:
        if not isinstance(maker, Player):
            maker = Player(maker)
        started.append(SandboxEngine(maker, **options))
        return started[-1]

    yield make
    for each in started:
        each.close()


Start = Callable[..., SandboxEngine]


def test_requests_and_replies(start: Start) -> None:
    engine = start(echo)
    assert engine.name == "sandbox"
    assert engine.libraries == "/libraries"
    for text in ("", "é\ud800", "x" * 10_000):
        assert engine.converse(text, no_answer) == "R" + text


def test_a_question_with_a_request_inside(start: Start) -> None:
    engine = start(ask)
    questions = []

    def answer(question: str) -> str:
        questions.append(question)
        assert not engine.is_idle
        return engine.converse("inner", no_answer) + "!"

    assert engine.is_idle
    assert engine.converse("outer", answer) == "ARinner!"
    assert questions == ["outer"]
    assert engine.is_idle


def test_the_end(start: Start) -> None:
    ruby = Player(echo)
    engine = start(ruby)
    assert engine.is_alive
    engine.close()
    engine.close()
    assert not engine.is_alive
    assert ruby.interrupted.is_set()
    assert ruby.ended.is_set()
    with pytest.raises(EngineBroken, match=r"^Ruby has stopped$"):
        engine.converse("", no_answer)


def test_an_engine_that_nobody_has_any_more_ends() -> None:
    ruby = Player(echo)
    SandboxEngine(ruby)  # type: ignore[arg-type]
    assert ruby.ended.wait(5)


def test_an_error_in_an_answer_ends_ruby(start: Start) -> None:
    engine = start(ask)

    def answer(question: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.converse("a", answer)
    assert not engine.is_alive
    assert engine.is_idle


def test_a_failure_that_an_answer_hides_is_told(start: Start) -> None:
    def play(ruby: Player) -> None:
        ruby.send("Q" + ruby.receive())
        ruby.receive()
        raise RubyError("the first")

    engine = start(play)

    def answer(question: str) -> str:
        with pytest.raises(EngineBroken, match="the first"):
            engine.converse("inner", no_answer)
        return ""

    with pytest.raises(EngineBroken, match=r"^Ruby has failed: the first$"):
        engine.converse("outer", answer)


def test_an_engine_that_an_answer_ends(start: Start) -> None:
    engine = start(ask)

    def answer(question: str) -> str:
        engine.close()
        return ""

    with pytest.raises(EngineBroken, match=r"^Ruby has stopped$"):
        engine.converse("outer", answer)


def test_the_limit_of_time(start: Start) -> None:
    engine = start(lambda ruby: ruby.sleep(60), max_seconds=0.1)
    begin = time.monotonic()
    with pytest.raises(EngineTimeFailure, match=r"more than 0\.1 seconds"):
        engine.converse("", no_answer)
    assert 0.05 < time.monotonic() - begin < 4
    assert not engine.is_alive


class Clock:
    """A clock in place of the module ``time``, which stands still."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


def test_only_the_time_of_ruby_counts(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)

    def play(ruby: Player) -> None:
        while True:
            text = ruby.receive()
            clock.now += 10
            ruby.send("Q" + text)
            text = ruby.receive()
            clock.now += 10
            ruby.send("D" + text)

    def answer(question: str) -> str:
        clock.now += 1000
        return question

    engine = start(play, max_seconds=25)
    for _ in range(3):
        assert engine.converse("", answer) == "AR"
        assert engine.last_used == clock.now


def test_when_it_was_used(start: Start) -> None:
    before = time.monotonic()
    engine = start(echo)
    made = engine.last_used
    engine.converse("", no_answer)
    assert before <= made < engine.last_used <= time.monotonic()


@pytest.mark.parametrize(("size", "is_worn"), [(128, False), (129, True)])
def test_one_that_has_taken_most_of_its_memory_is_worn(
    start: Start, size: int, is_worn: bool
) -> None:
    def play(ruby: Player) -> None:
        ruby.receive()
        ruby.size = size * MEGABYTE
        ruby.send("D")
        ruby.receive()

    engine = start(play)
    assert not engine.is_worn
    engine.converse("", no_answer)
    assert engine.is_worn is is_worn


def test_what_ruby_prints(start: Start) -> None:
    written = (["a", "é"], [], ["a", "b" + "x" * MEGABYTE], ["123456789"] * 20_000)

    def play(ruby: Player) -> None:
        for texts in written:
            ruby.receive()
            for text in texts:
                ruby.printed(text.encode())
            ruby.send("D")
        ruby.receive()

    shown: list[str] = []
    engine = start(play, show=shown.append)
    for _ in written:
        engine.converse("", no_answer)
    # Of a megabyte the last texts are kept; each takes 64 bytes more than its length.
    assert shown == ["aé", "x" * MEGABYTE, "123456789" * (MEGABYTE // (64 + 9))]


def test_what_is_printed_goes_to_standard_error(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(ruby: Player) -> None:
        ruby.receive()
        ruby.printed(b"a\xff\n")
        ruby.send("D")

    start(play).converse("", no_answer)
    assert capsys.readouterr().err == "a\ufffd\n"


# How Ruby fails


def failing(error: BaseException) -> Callable[[Player], None]:
    def play(ruby: Player) -> None:
        raise error

    return play


def trap_of(code: str) -> Exception:
    """Return the trap that WebAssembly runs into with some code."""
    wasm_store = wasmtime.Store(wasmtime.Engine())
    text = f'(module (memory 1) (func (export "f") {code}))'
    instance = wasmtime.Instance(wasm_store, wasmtime.Module(wasm_store.engine, text), [])
    with pytest.raises(wasmtime.Trap) as found:
        instance.exports(wasm_store)["f"](wasm_store)
    error: Exception = found.value
    return error


TOO_DEEP = "The Ruby code calls too deep (stack level too deep)"
FAILURES = [
    (RubyError(" a text\n"), EngineBroken, "Ruby has failed: a text"),
    (OSError("no file "), EngineBroken, "Ruby has failed: no file"),
    (wasmtime.WasmtimeError("odd"), EngineBroken, "Ruby has failed: odd"),
    (ValueError("odd"), EngineBroken, "Ruby has failed: ValueError: odd"),
    (MemoryError("much"), EngineBroken, "Ruby has failed: MemoryError: much"),
    (Exit(3), EngineExit, "The Ruby code has ended its Ruby (exit status 3)"),
    (trap_of("call 0"), EngineBroken, TOO_DEEP),
    (trap_of("unreachable"), EngineBroken, TOO_DEEP),
    (trap_of("(drop (i32.load (i32.const 70000)))"), EngineBroken, TOO_DEEP),
    (
        trap_of("(drop (i32.div_s (i32.const 1) (i32.const 0)))"),
        EngineBroken,
        "Ruby has failed: wasm trap: integer divide by zero",
    ),
]


@pytest.mark.parametrize(("error", "kind", "message"), FAILURES, ids=[each[2] for each in FAILURES])
def test_failures(start: Start, error: Exception, kind: type[EngineFailure], message: str) -> None:
    def play(ruby: Player) -> None:
        ruby.receive()
        ruby.printed(b"first\n" + b"x" * 1990 + b" last\n")
        raise error

    engine = start(play, show=[].append)
    with pytest.raises(EngineFailure) as found:
        engine.converse("", no_answer)
    assert type(found.value) is kind
    assert " ".join(found.value.message.split()) == message
    # What was written last is told, 2000 bytes of it.
    assert found.value.notes == (f"Ruby wrote: {'rst' + chr(10) + 'x' * 1990 + ' last'}",)


def test_a_failure_without_anything_written(start: Start) -> None:
    engine = start(failing(RubyError("odd")))
    with pytest.raises(EngineBroken) as found:
        engine.converse("", no_answer)
    assert found.value.notes == ()


def test_a_failure_passes_as_it_is(start: Start) -> None:
    failure = EngineFailure("the same")
    engine = start(failing(failure))
    with pytest.raises(EngineFailure) as found:
        engine.converse("", no_answer)
    assert found.value is failure


def test_full_memory(start: Start) -> None:
    def play(ruby: Player) -> None:
        ruby.is_full = True
        raise RubyError("failed to allocate memory")

    engine = start(play)
    with pytest.raises(EngineMemoryFailure) as found:
        engine.converse("", no_answer)
    assert found.value.message == "The Ruby code needs more memory than it may have"


@pytest.mark.parametrize(
    "error",
    [MemoryError(), wasmtime.WasmtimeError("mmap failed"), OSError("failed to grow memory")],
)
def test_no_memory_to_start_in(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY,) * 2)
    with pytest.raises(NoRoom) as found:
        SandboxEngine(Player(echo, fail=error))  # type: ignore[arg-type]
    assert found.value.message == NO_ROOM


def test_no_addresses_to_start_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1 << 30, resource.RLIM_INFINITY))
    error = wasmtime.WasmtimeError("mmap failed")
    with pytest.raises(EngineMemoryFailure, match=r"address space .* 4 GB \(ulimit -v\)$") as found:
        SandboxEngine(Player(echo, fail=error))  # type: ignore[arg-type]
    assert type(found.value) is EngineMemoryFailure


def test_a_thread_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[int] = []
    monkeypatch.setattr(module, "raise_limit", raised.append)

    def fail(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    before = threading.stack_size()
    monkeypatch.setattr(threading.Thread, "start", fail)
    with pytest.raises(NoRoom):
        SandboxEngine(Player(echo))  # type: ignore[arg-type]
    assert threading.stack_size() == before
    assert sum(raised) == 0


@needs_sandbox
def test_the_limit_of_memory_leaves_room_for_ruby(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[int] = []
    monkeypatch.setattr(module, "raise_limit", raised.append)
    compiled = store.compiled()
    assert compiled is not None
    code = os.path.getsize(store.files().path(compiled))
    engine = start(echo)
    assert len(raised) == 1
    assert MAX_MEMORY + THREAD_STACK + code < raised[0] < MAX_MEMORY + THREAD_STACK + 4 * code
    engine.close()
    assert sum(raised) == 0


def test_sleeping_ends_with_the_engine(start: Start) -> None:
    ruby = Player(lambda ruby: ruby.sleep(60))
    engine = start(ruby)
    begin = time.monotonic()
    engine.close()
    assert time.monotonic() - begin < 4
    assert ruby.ended.is_set()
