"""The engine "sandbox": a thread that runs Ruby, and the conversation with it.

Ruby runs in a thread of its own, so that the calling one can be interrupted and has its own stack
and recursion limit for the answers it gives. A request, a question and an answer are passed from
thread to thread; requests inside of an answer run in the same Ruby, where it waits.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from contextlib import suppress
from queue import Empty, SimpleQueue

from wasmtime import Trap, TrapCode, WasmtimeError

from puppet_repl.base.limited_threads import WAIT
from puppet_repl.base.memory import clear_frames, raise_limit
from puppet_repl.environment.ruby.engine import (
    EngineBroken,
    EngineExit,
    EngineFailure,
    EngineMemoryFailure,
    EngineTimeFailure,
    NoRoom,
    to_standard_error,
)
from puppet_repl.environment.ruby.sandbox.instance import MAX_MEMORY, THREAD_STACK, Ruby, RubyError
from puppet_repl.environment.ruby.sandbox.process import Exit
from puppet_repl.language.runtime.options import RUBY_SECONDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.environment.ruby.sandbox.startup import Maker

# Of what Ruby writes to its standard streams the last bytes are kept: until they are shown, and for
# an error.
_MAX_PRINTED = 1 << 20
_MAX_WRITTEN = 2000
_OF_PIECE = 64

# What Ruby in a sandbox takes: its memory, its compiled code, its stack.
_MEMORY = MAX_MEMORY + (96 << 20) + THREAD_STACK
_NO_ADDRESSES = "The process may not reserve the address space that Ruby needs, 4 GB (ulimit -v)"
_THREAD = "puppet-repl Ruby"
# Held while the process has the size of stacks that the thread of a Ruby needs.
_STARTING = threading.Lock()
# A Ruby ends at once, but for a call of the host that waits for the system.
_SECONDS_TO_END = 5.0

# What passes between the threads: to Ruby, with the first letter of a line, and from it.
_REQUEST, _ANSWER, _STOP = "R", "A", "stop"
_READY, _REPLY, _QUESTION, _FAILURE = "ready", "reply", "question", "failure"


class SandboxEngine:
    """One Ruby in a sandbox; see ``puppet_repl.environment.ruby.engine.Engine``.

    ``make`` makes the Ruby. ``max_seconds`` limits the time that Ruby itself takes for a request.
    ``show`` receives what the code prints.
    """

    name = "sandbox"

    def __init__(
        self,
        make: Maker,
        *,
        max_seconds: float = RUBY_SECONDS,
        show: Callable[[str], None] | None = None,
    ) -> None:
        self.max_seconds = max_seconds
        self.libraries = make.libraries
        self._show = show or to_standard_error
        self._printed = _Written(_MAX_PRINTED)
        self._depth = 0
        self._used = 0.0
        self.last_used = time.monotonic()
        self._user = threading.get_ident()
        self._is_alive = True
        self._failure: EngineFailure | None = None
        self._worker = _Worker(make, self._printed.add)
        try:
            self._wait()
        except BaseException:
            self.close()
            raise

    @property
    def is_alive(self) -> bool:
        """Whether requests can be sent."""
        return self._is_alive

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered, and no other thread may be about to send one."""
        is_of_other = self._user != threading.get_ident() and self._user in sys._current_frames()
        return not (self._depth or is_of_other)

    @property
    def is_worn(self) -> bool:
        """Whether most of the memory that Ruby may have is taken: it never gives any back."""
        return self._worker.memory_size > MAX_MEMORY // 2

    def converse(self, request: str, answer: Callable[[str], str]) -> str:
        """Send a request and return the reply; see Engine."""
        if not self._is_alive:
            raise EngineBroken("Ruby has stopped")
        if not self._depth:
            self._used = 0.0
        self._depth += 1
        try:
            self._worker.inbox.put((_REQUEST, request))
            while True:
                kind, text = self._wait()
                if kind == _REPLY:
                    return text
                reply = answer(text)
                if not self._is_alive:  # a request on the way to the answer has failed
                    raise self._failure or EngineBroken("Ruby has stopped")
                self._worker.inbox.put((_ANSWER, reply))
        except BaseException as error:
            if isinstance(error, EngineFailure) and self._failure is None:
                self._failure = error
            self.close()
            raise
        finally:
            self._depth -= 1
            self.last_used = time.monotonic()
            self._user = threading.get_ident()
            self._show_printed()

    def _wait(self) -> tuple[str, str]:
        """Return what the worker says next; raise EngineFailure."""
        start = time.monotonic()
        said = None
        while said is None:
            left = self.max_seconds - self._used - (time.monotonic() - start)
            with suppress(Empty):
                said = self._worker.outbox.get(timeout=max(0.001, min(left, WAIT)))
            if said is None and left <= WAIT:
                raise EngineTimeFailure(self.max_seconds)
        self._used += time.monotonic() - start
        kind, value = said
        if kind == _FAILURE:
            self._is_alive = False
            assert isinstance(value, EngineFailure)
            raise value
        assert isinstance(value, str)
        return kind, value

    def _show_printed(self) -> None:
        printed = self._printed.take()
        if printed:
            self._show(printed)

    def close(self) -> None:
        """End Ruby; the worker releases its memory."""
        self._is_alive = False
        self._worker.stop()

    def __del__(self) -> None:
        # At the end of Python what ends a thread may be gone; it ends with the process.
        if hasattr(self, "_worker") and not sys.is_finalizing():
            self.close()


class _Written:
    """The last bytes that Ruby has written; one thread adds them, another takes them.

    ``size`` is how many bytes of memory they may take.
    """

    __slots__ = ("_pieces", "_room", "_size")

    def __init__(self, size: int) -> None:
        self._size = self._room = size
        self._pieces: deque[bytes] = deque()

    def add(self, data: bytes) -> None:
        """Add bytes, and forget the first ones if there are too many."""
        piece = data[-self._size :]
        self._pieces.append(piece)
        self._room -= len(piece) + _OF_PIECE
        while self._room < 0 and len(self._pieces) > 1:
            self._drop()

    def take(self) -> str:
        """Return them as text; they are not kept any more."""
        pieces = []
        while self._pieces:
            pieces.append(self._drop())
        return b"".join(pieces).decode("utf-8", "replace")

    def _drop(self) -> bytes:
        piece = self._pieces.popleft()
        self._room += len(piece) + _OF_PIECE
        return piece


class _Worker:
    """The thread that Ruby runs in."""

    def __init__(self, make: Maker, printed: Callable[[bytes], None]) -> None:
        self.inbox: SimpleQueue[tuple[str, str]] = SimpleQueue()
        self.outbox: SimpleQueue[tuple[str, str | EngineFailure]] = SimpleQueue()
        self._make = make
        self._show = printed
        self._written = _Written(_MAX_WRITTEN)
        self._ruby: Ruby | None = None
        self.memory_size = 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=_THREAD, daemon=True)
        # The limit of memory is for Puppet code: Ruby has its own.
        raise_limit(_MEMORY)
        self._raised = [_MEMORY]
        try:
            with _STARTING:
                previous = threading.stack_size(THREAD_STACK)
                try:
                    self._thread.start()
                finally:
                    threading.stack_size(previous)
        except BaseException as error:
            # An interrupt comes before the thread begins or while it runs already.
            self._tell_to_end()
            if self._thread.ident is None:
                self._lower_limit()
            if isinstance(error, RuntimeError):  # there is no room for its stack
                raise NoRoom from None
            raise

    def stop(self) -> None:
        """End Ruby and the thread, whatever they are doing.

        The memory is free again at the end, unless a thread of Ruby is what calls: the collector
        of garbage runs anywhere, and the threads may wait for each other.
        """
        self._tell_to_end()
        if threading.current_thread().name != _THREAD:
            self._thread.join(_SECONDS_TO_END)

    def _tell_to_end(self) -> None:
        self._stopping.set()
        self.inbox.put((_STOP, ""))
        self._interrupt()

    def _lower_limit(self) -> None:
        """Take back what the limit of memory was raised by, once: two threads may do it."""
        with suppress(IndexError):
            raise_limit(-self._raised.pop())

    def _interrupt(self) -> None:
        ruby = self._ruby
        if ruby is not None:
            ruby.interrupt()

    def _run(self) -> None:
        channel = _Channel(self)
        try:
            if self._stopping.is_set():
                return
            self._ruby = ruby = self._make(channel, self._print, self._sleep)
            self.outbox.put((_READY, ""))
            ruby.run()
        except BaseException as error:
            if not self._stopping.is_set():
                self.outbox.put((_FAILURE, self._describe(error)))
            # The library's frames and the error refer to each other, and with them everything that
            # Ruby takes: it would stay until garbage is collected.
            clear_frames(error)
            error.__traceback__ = error.__context__ = None
        finally:
            made, self._ruby = self._ruby, None
            if made is not None:
                made.close()
            self._lower_limit()

    def next(self) -> tuple[str, str] | None:
        """Return the next message of the other thread, or None to end Ruby.

        Ruby then runs into a trap. An exception would end it as well, but the library never frees
        the trap that it makes of an exception, nor the compiled module.
        """
        kind, text = self.inbox.get()
        if kind != _STOP:
            return kind, text
        self._interrupt()
        return None

    def say(self, kind: str, text: str) -> None:
        """Pass a question or a reply on; Ruby waits meanwhile, so its memory can be measured."""
        if self._ruby is not None:
            self.memory_size = self._ruby.memory.size
        self.outbox.put((kind, text))

    def _print(self, data: bytes) -> None:
        self._written.add(data)
        self._show(data)

    def _sleep(self, seconds: float) -> None:
        self._stopping.wait(seconds)

    def _describe(self, error: BaseException) -> EngineFailure:
        written = self._written.take().strip()
        notes = (f"Ruby wrote: {written}",) if written else ()
        if isinstance(error, EngineFailure):
            return error
        if self._ruby is not None and self._ruby.is_full:
            return EngineMemoryFailure("The Ruby code needs more memory than it may have")
        if isinstance(error, WasmtimeError) and "mmap" in str(error):
            return EngineMemoryFailure(_NO_ADDRESSES) if _are_addresses_limited() else NoRoom()
        if isinstance(error, Exit):
            return EngineExit(
                f"The Ruby code has ended its Ruby (exit status {error.status})", notes=notes
            )
        if isinstance(error, Trap):
            return _describe_trap(error, notes)
        if self._ruby is None and (isinstance(error, MemoryError) or "grow memory" in str(error)):
            return NoRoom()
        if isinstance(error, RubyError | WasmtimeError | OSError):
            return EngineBroken(f"Ruby has failed: {str(error).strip()}", notes=notes)
        return EngineBroken(f"Ruby has failed: {type(error).__name__}: {error}", notes=notes)


def _are_addresses_limited() -> bool:
    """Tell whether this process may reserve only so many addresses."""
    try:
        import resource
    except ImportError:  # Windows
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def _describe_trap(trap: Trap, notes: tuple[str, ...]) -> EngineFailure:
    if trap.trap_code in (
        TrapCode.STACK_OVERFLOW,
        TrapCode.MEMORY_OUT_OF_BOUNDS,  # the stack in the memory has grown below its begin
        TrapCode.UNREACHABLE,  # the room to unwind the stack is too small
    ):
        return EngineBroken("The Ruby code calls too deep (stack level too deep)", notes=notes)
    return EngineBroken(f"Ruby has failed: {str(trap).strip().splitlines()[-1]}", notes=notes)


class _Channel:
    """The device of the shim, in the thread of Ruby; see shim/sandbox.rb for the first letters.

    A request that comes while Ruby waits for an answer is read in its place: Ruby answers it where
    it waits, and WebAssembly is never entered a second time.
    """

    def __init__(self, worker: _Worker) -> None:
        self._worker = worker
        self._to_read = b""

    def read(self, size: int) -> bytes:
        """Wait for a request or an answer, and return its next bytes."""
        if not self._to_read:
            message = self._worker.next()
            if message is None:
                return b""
            self._to_read = "{}{}\n".format(*message).encode("utf-8", "surrogatepass")
        data, self._to_read = self._to_read[:size], self._to_read[size:]
        return data

    def write(self, data: bytes) -> None:
        """Pass on a question or a reply."""
        text = data[1:-1].decode("utf-8", "surrogatepass")
        self._worker.say(_QUESTION if data[:1] == b"Q" else _REPLY, text)
