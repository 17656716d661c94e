"""Ruby as a child process: an installed ``ruby`` that runs the shim, with the user's rights.

The process leads a group of its own: Ctrl-C reaches only the interpreter, which then ends the
whole group, so that no program stays after that the code has started.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import time

from puppet_repl.base.limited_threads import WAIT
from puppet_repl.base.programs import find_program
from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.ruby.engine import (
    EngineBroken,
    EngineExit,
    EngineFailure,
    EngineTimeFailure,
    to_standard_error,
)
from puppet_repl.language.runtime.options import RUBY_SECONDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SHIM = os.path.join(os.path.dirname(__file__), "shim")

# How much of what Ruby wrote to its standard error is shown when it has stopped.
_MAX_SHOWN = 2000
_PIECE = 1 << 16


class SystemEngine:
    """A process that speaks lines of JSON; see shim/system.rb for their first letters.

    ``show`` receives what the code prints, on either stream.
    """

    name = "system"
    libraries = None

    def __init__(
        self,
        program: str = "ruby",
        *,
        max_seconds: float = RUBY_SECONDS,
        show: Callable[[str], None] | None = None,
    ) -> None:
        command = [
            program,
            "--disable-gems",
            "-W0",
            "--disable=did_you_mean,error_highlight",
            "-EUTF-8:UTF-8",
            os.path.join(SHIM, "system.rb"),
        ]
        self.max_seconds = max_seconds
        self._show = show or to_standard_error
        self._used = 0.0
        self._depth = 0
        self._failure: EngineFailure | None = None
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        self._shown = 0
        try:
            command[0] = find_program(program)
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._printed,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            self._printed.close()
            reason = why_unusable(error)
            raise EngineBroken(f"Ruby could not be started: {program}: {reason}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input = self._process.stdin
        self._output = self._process.stdout
        self._read = bytearray()
        self._is_alive = True
        self._has_answered = False

    @property
    def is_alive(self) -> bool:
        """Whether the process answers."""
        return self._is_alive

    @property
    def is_worn(self) -> bool:
        """Never: the system has memory enough, and Ruby gives it back."""
        return False

    def converse(self, request: str, answer: Callable[[str], str]) -> str:
        """Send a request and return the reply; see Engine."""
        if not self._depth:
            self._used = 0.0
        self._depth += 1
        try:
            self._send("R", request)
            while True:
                line = self._receive()
                text = line[1:].decode("utf-8")
                if line.startswith(b"D"):
                    return text
                self._send("A", answer(text))
        except BaseException as error:
            if isinstance(error, EngineFailure) and self._failure is None:
                self._failure = error
            self.close()
            raise
        finally:
            self._depth -= 1
            self._show_printed()

    def _send(self, letter: str, text: str) -> None:
        if not self._is_alive:
            raise self._failure or EngineBroken("Ruby has stopped")
        data = memoryview(f"{letter}{text}\n".encode())
        try:
            while data:
                data = data[self._input.write(data) :]
        except OSError:
            raise self._ended() from None

    def _receive(self) -> bytes:
        """Return the next line; raise EngineFailure."""
        start = time.monotonic()
        searched = 0
        while (end := self._read.find(b"\n", searched)) < 0:
            searched = len(self._read)
            left = self.max_seconds - self._used - (time.monotonic() - start)
            if left <= 0:
                raise EngineTimeFailure(self.max_seconds)
            if not select.select([self._output], [], [], min(left, WAIT))[0]:
                continue
            piece = os.read(self._output.fileno(), _PIECE)
            if not piece:
                raise self._ended()
            self._read += piece
            self._has_answered = True
        self._used += time.monotonic() - start
        line = bytes(self._read[:end])
        del self._read[: end + 1]
        return line

    def _ended(self) -> EngineFailure:
        """Return the error for a process that has ended."""
        status = self._process.wait()
        written = self._take_printed()[-_MAX_SHOWN:].strip()
        notes = (f"Ruby wrote: {written}",) if written else ()
        is_limited = not self._has_answered and _is_limited()
        if is_limited:
            notes = ("the limit of memory counts for it, too", *notes)
        failure: EngineFailure = EngineBroken(f"Ruby was ended by signal {-status}", notes=notes)
        if status >= 0:
            message = f"The Ruby code has ended its Ruby (exit status {status})"
            failure = EngineExit(message, notes=notes)
        if is_limited:
            failure.limit = "max_memory"
        return failure

    def _show_printed(self) -> None:
        if not self._printed.closed:
            text = self._take_printed()
            if text:
                self._show(text)

    def _take_printed(self) -> str:
        """Return the text that was printed since the last call."""
        size = os.fstat(self._printed.fileno()).st_size
        if size == self._shown:
            return ""
        data = os.pread(self._printed.fileno(), size - self._shown, self._shown)
        self._shown = size
        return data.decode("utf-8", "replace")

    def close(self) -> None:
        """End the process, and those that it has started."""
        if not self._is_alive:
            return
        self._is_alive = False
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._show_printed()
        for stream in (self._input, self._output, self._printed):
            with contextlib.suppress(OSError):
                stream.close()

    def __del__(self) -> None:
        # At the end of Python what ends a process may be gone; Ruby ends with its input.
        if hasattr(self, "_process") and not sys.is_finalizing():
            self.close()


def _is_limited() -> bool:
    """Tell whether the memory of this process is limited, and with it that of its children."""
    try:
        import resource
    except ImportError:  # Windows
        return False
    return resource.getrlimit(resource.RLIMIT_DATA)[0] != resource.RLIM_INFINITY
