"""Ruby as a child process: an installed ``ruby`` that runs the shim, with the user's rights."""

from __future__ import annotations

import os
import subprocess
import tempfile

from puppet_repl.ruby.engine import EngineBroken, EngineExit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SHIM = os.path.join(os.path.dirname(__file__), "shim")
# How much of what Ruby wrote to its standard error is shown when it has stopped.
_MAX_SHOWN = 2000


class SystemEngine:
    """A process that speaks lines of JSON; see shim/system.rb for their first letters."""

    name = "system"

    def __init__(self, program: str = "ruby") -> None:
        command = [
            program,
            "--disable-gems",
            "--disable=did_you_mean,error_highlight",
            "-EUTF-8:UTF-8",
            os.path.join(SHIM, "system.rb"),
        ]
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
            )
        except OSError as error:
            self._errors.close()
            reason = error.strerror or str(error)
            raise EngineBroken(f"Ruby could not be started: {program}: {reason}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input = self._process.stdin
        self._output = self._process.stdout
        self._is_alive = True

    @property
    def is_alive(self) -> bool:
        """Whether the process answers."""
        return self._is_alive

    def converse(self, request: str, answer: Callable[[str], str]) -> str:
        """Send a request and return the reply; see Engine."""
        try:
            self._send("R", request)
            while True:
                line = self._output.readline()
                if not line.endswith(b"\n"):
                    raise self._failure()
                text = line[1:-1].decode("utf-8")
                if line.startswith(b"D"):
                    return text
                self._send("A", answer(text))
        except KeyboardInterrupt:
            self.close()
            raise

    def _send(self, letter: str, text: str) -> None:
        if not self._is_alive:
            raise EngineBroken("Ruby has stopped")
        try:
            self._input.write(f"{letter}{text}\n".encode())
            self._input.flush()
        except OSError:
            raise self._failure() from None

    def _failure(self) -> EngineBroken | EngineExit:
        """Return the error for a process that no longer answers, and close it."""
        status = self._process.wait()
        self._errors.seek(0)
        written = self._errors.read()[-_MAX_SHOWN:].decode("utf-8", "replace").strip()
        self.close()
        if status >= 0:
            return EngineExit(
                f"The code has ended its Ruby (exit status {status})", notes=_note(written)
            )
        return EngineBroken(f"Ruby was ended by signal {-status}", notes=_note(written))

    def close(self) -> None:
        """End the process."""
        if not self._is_alive:
            return
        self._is_alive = False
        self._process.kill()
        self._process.wait()
        for stream in (self._input, self._output, self._errors):
            try:
                stream.close()
            except OSError:
                continue

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            self.close()


def _note(written: str) -> tuple[str, ...]:
    return (f"Ruby wrote: {written}",) if written else ()
