"""Jobs that the server gives to the worker: one at a time, in a process that can be killed.

The process is started for the first job. It is killed if the job is cancelled or takes too long,
and at the end of the server; the next job starts another one. A thread waits for each answer; it
touches nothing but the streams of the process and the queue of the loop.

Imports inside functions are for what the first job needs: ``initialize`` does not wait for them.
"""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from time import monotonic

from puppet_repl.frontends.language_server.wire import (
    REQUEST_CANCELLED,
    REQUEST_FAILED,
    RequestError,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from typing import Any

# Seconds that a job may take longer than its code: to start the process, and to stop the code.
_GRACE = 10.0
_PROGRAM = "puppet_repl.frontends.language_server.worker"


class Job:
    """A request for the worker, and what becomes of its answer.

    ``number`` is that of the client's request, ``seconds`` limit its code. ``result`` is set at the
    end, or the ``error``. If it ``is_shown``, the client is asked to show the text of the result.
    ``scratch`` is the directory for its files, which is removed when it ends; '' before it runs.
    """

    __slots__ = ("error", "is_shown", "number", "request", "result", "scratch", "seconds")

    def __init__(self, request: dict[str, Any], seconds: float) -> None:
        self.request = request
        self.seconds = seconds
        self.number: Any = None
        self.is_shown = False
        self.result: Any = None
        self.error: RequestError | None = None
        self.scratch = ""

    def remove_files(self) -> None:
        """Remove the files of the worker for it."""
        if self.scratch:
            import shutil

            shutil.rmtree(self.scratch, ignore_errors=True)
            self.scratch = ""


class Said:
    """The line that the worker has answered to a job; empty if it has ended."""

    __slots__ = ("job", "line")

    def __init__(self, job: Job, line: bytes) -> None:
        self.job = job
        self.line = line


class Jobs:
    """The jobs that have not ended; ``inbox`` gets what the worker says.

    ``ended`` are those whose result the client does not have yet.
    """

    def __init__(self, inbox: SimpleQueue[Any]) -> None:
        self.inbox = inbox
        self.ended: list[Job] = []
        self._waiting: deque[Job] = deque()
        self._running: Job | None = None
        self._deadline = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._scratch = ""

    @property
    def scratch(self) -> str:
        """The directory for files of the worker and the server, which is made at the first use."""
        if not self._scratch:
            import tempfile

            self._scratch = os.path.realpath(tempfile.mkdtemp(prefix="puppet-repl-"))
        return self._scratch

    @property
    def seconds_left(self) -> float | None:
        """The seconds that the running job has, None without one."""
        return None if self._running is None else max(self._deadline - monotonic(), 0.0)

    def add(self, job: Job) -> Job:
        """Run a job after those before it."""
        self._waiting.append(job)
        self._go_on()
        return job

    def cancel(self, number: object) -> None:
        """End the job of a request; if it runs, kill the process."""
        for job in (*self._waiting, *([] if self._running is None else [self._running])):
            if job.number == number:
                self._end(job, RequestError(REQUEST_CANCELLED, "cancelled"))
                return

    def check(self) -> None:
        """End the running job if its time is up."""
        job = self._running
        if job is not None and monotonic() >= self._deadline:
            text = f"stopped after {job.seconds:g} seconds (the setting maxSeconds)"
            self._end(job, RequestError(REQUEST_FAILED, text))

    def hear(self, said: Said) -> None:
        """Take what the worker has said."""
        job = said.job
        if job is not self._running:
            return  # it has been cancelled
        if not said.line.endswith(b"\n"):
            status = self._kill()
            self._end(job, RequestError(REQUEST_FAILED, _ended(status)))
            return
        answer = json.loads(said.line)
        problem = answer.get("problem")
        if problem is not None:
            job.error = RequestError(REQUEST_FAILED, problem)
        else:
            job.result = answer
        self._running = None
        job.remove_files()
        self.ended.append(job)
        self._go_on()

    def close(self) -> None:
        """End all jobs, kill the process, and remove its files."""
        idle = self._process if self._running is None else None
        self._kill()
        if idle is not None:  # otherwise the thread that waits for the answer closes them
            _close_streams(idle)
        left = [*([] if self._running is None else [self._running]), *self._waiting]
        self._running = None
        self._waiting.clear()
        for job in left:
            job.error = RequestError(REQUEST_CANCELLED, "the server is shut down")
        self.ended += left
        if self._scratch:
            import shutil

            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = ""

    def _end(self, job: Job, error: RequestError) -> None:
        job.error = error
        self.ended.append(job)
        if job is self._running:
            self._running = None
            self._kill()
            job.remove_files()
            self._go_on()
        else:
            self._waiting.remove(job)

    def _go_on(self) -> None:
        """Start the next job, if none runs."""
        if self._running is not None or not self._waiting:
            return
        job = self._running = self._waiting.popleft()
        self._deadline = monotonic() + job.seconds + _GRACE
        try:
            if self._process is None:
                self._process = _started(self.scratch)
            import tempfile

            job.scratch = job.request["scratch"] = tempfile.mkdtemp(prefix="job-", dir=self.scratch)
        except OSError as error:
            self._end(job, RequestError(REQUEST_FAILED, f"no process for it: {error.strerror}"))
            return
        given = (self._process, job, self.inbox)
        Thread(target=_talk, args=given, name="worker", daemon=True).start()

    def _kill(self) -> int | None:
        """End the process and all that it has started; return its status, None without one.

        Nobody has waited for the process before, so no other process has its number.
        """
        process, self._process = self._process, None
        if process is None:
            return None
        import signal

        try:
            if os.name == "posix":  # with the programs that it has started
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        except OSError:
            pass  # it has ended
        return process.wait()


def _started(scratch: str) -> subprocess.Popen[bytes]:
    """Return a new process of the worker. Raises OSError."""
    import subprocess

    return subprocess.Popen(
        # The working directory may have modules with the names of Python's own.
        [sys.executable, "-P", "-m", _PROGRAM, scratch],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=scratch,
        start_new_session=True,
    )


def _talk(process: subprocess.Popen[bytes], job: Job, inbox: SimpleQueue[Any]) -> None:
    """Send a job to the worker, and put its answer into the queue."""
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(json.dumps(job.request).encode("ascii") + b"\n")
        process.stdin.flush()
        line = process.stdout.readline()
    except OSError:  # it was killed
        line = b""
    if not line.endswith(b"\n"):
        _close_streams(process)
    inbox.put(Said(job, line))


def _close_streams(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):  # the rest of a request cannot be sent
            assert stream is not None
            stream.close()


def _ended(status: int | None) -> str:
    if status is not None and status < 0:
        return f"the process that evaluates was ended by signal {-status}"
    return f"the process that evaluates has ended with status {status}"
