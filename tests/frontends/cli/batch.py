"""One long ``puppet-repl batch``: requests and answers through pipes, and what it uses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

COMMAND = (os.fspath(Path(sys.executable).with_name("puppet-repl")), "batch")
PATIENCE = 120
"""Seconds that one answer may take."""
SETTLING = 2
"""Seconds that threads have to end; one Ruby may stay for later requests."""


class Usage(NamedTuple):
    """What a process uses: resident memory in MB, open files, threads."""

    memory: float
    files: int
    threads: int


class Batch:
    """One process that answers requests, and a new one after it died.

    ``command`` is ``puppet-repl batch`` if it is not given; ``temporary`` is its directory for
    temporary files. ``starts`` tells how many processes there were.
    """

    def __init__(
        self,
        command: tuple[str, ...] = COMMAND,
        patience: float = PATIENCE,
        temporary: Path | None = None,
    ) -> None:
        self.command = command
        self.starts = 0
        self._patience = patience
        self._environment = os.environ | ({"TMPDIR": os.fspath(temporary)} if temporary else {})
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        if self._process is not None:
            with suppress(BrokenPipeError):
                self._process.communicate()
            self._process = None

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            self.starts += 1
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                env=self._environment,
            )
        return self._process

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request, an error with the code INTERNAL if there is none."""
        process = self._running()
        assert process.stdin is not None and process.stdout is not None
        watch = threading.Timer(self._patience, process.kill)
        watch.start()
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            watch.cancel()
        if not line:
            status = process.wait()
            self._close()
            message = f"no answer: the process ended with {status}"
            return {"error": {"message": message, "code": "INTERNAL"}}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def address_space(self) -> float:
        """Return how much address space the process has, in MB."""
        import psutil

        return float(psutil.Process(self._running().pid).memory_info().vms / 1e6)

    def usage(self) -> Usage:
        """Return what the process uses once it has let go what the last request needed.

        A thread that Ruby ran in may take a moment to end.
        """
        import psutil

        self.ask({"code": "1"})
        process = psutil.Process(self._running().pid)
        end = time.monotonic() + SETTLING
        while process.num_threads() > 1 and time.monotonic() < end:
            time.sleep(0.02)
        return Usage(process.memory_info().rss / 1e6, process.num_fds(), process.num_threads())
