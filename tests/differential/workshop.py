"""What tries need: directories and long-lived processes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from playground.site import PYODIDE, write_worker
from puppet_kernel.worker import Worker
from puppet_repl.language.compiler.cache import NO_CACHE, programs
from tests.differential.answers import FACTS

__all__ = ["BATCH", "Workshop", "has_other_python"]

ROOT = Path(__file__).parent.parent.parent
# What runs a Python program in Pyodide, and the program.
RUNNER = ROOT / "tests" / "pyodide" / "run.mjs"
PIPED = ROOT / "tests" / "pyodide" / "programs" / "piped.py"
BATCH = (sys.executable, "-m", "puppet_repl", "batch")
# For an answer, and for an end.
SECONDS = 120.0


def has_other_python() -> bool:
    """Tell whether Pyodide and Node.js are installed."""
    return PYODIDE.is_dir() and shutil.which("node") is not None


class Lines:
    """A process that answers each line with a line; if it takes too long it is killed."""

    def __init__(self, command: Sequence[str], **settings: Any) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            **settings,
        )

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        timer = threading.Timer(SECONDS, self._process.kill)
        timer.start()
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            reply = "\n"
            while reply == "\n":
                reply = self._process.stdout.readline()
        finally:
            timer.cancel()
        assert reply, "the process has ended, or took too long"
        found: dict[str, Any] = json.loads(reply)
        return found

    def close(self) -> None:
        """End the process."""
        try:
            self._process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            raise


class Workshop:
    """Directories and processes for tries; ``close`` removes and ends them.

    Meanwhile the user's own files are out of reach.
    """

    def __init__(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="differential-"))
        self._batch: Lines | None = None
        self._other_python: Lines | None = None
        self._outside = dict(os.environ)
        for kind in ("CACHE", "CONFIG", "DATA"):
            os.environ[f"XDG_{kind}_HOME"] = os.fspath(self.directory / kind.lower())
        os.environ[NO_CACHE] = "1"

    def close(self) -> None:
        """End the processes and remove the directories."""
        with ExitStack() as ending:
            ending.callback(shutil.rmtree, self.directory)
            ending.callback(os.environ.update, self._outside)
            ending.callback(os.environ.clear)
            for process in (self._batch, self._other_python):
                if process is not None:
                    ending.callback(process.close)

    # Front ends

    def batch(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer of ``puppet-repl batch`` to a request."""
        if self._batch is None:
            self._batch = Lines(BATCH)
        return self._batch.ask(request)

    def other_python(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer of Python in WebAssembly to a request of batch."""
        if self._other_python is None:
            site = self.directory / "site"
            site.mkdir()
            write_worker(site)
            command = ("node", os.fspath(RUNNER), os.fspath(site), os.fspath(PIPED))
            self._other_python = Lines(command, cwd=ROOT)
        return self._other_python.ask(request)

    @cached_property
    def _worker(self) -> Worker:
        return Worker(lambda text: self._sent.append(json.loads(text)))

    @cached_property
    def _sent(self) -> list[dict[str, Any]]:
        return []

    def cell(self, code: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return the reply of a kernel to a cell, which is its first one, and what it sent."""
        self._worker.answer(json.dumps({"type": "reset", "facts": FACTS}))
        self._sent.clear()
        reply = json.loads(self._worker.answer(json.dumps({"type": "execute", "code": code})))
        return reply, list(self._sent)

    # The cache

    def forget_compiled(self) -> None:
        """Forget the compiled files in memory."""
        programs().clear()

    @contextmanager
    def cache(self) -> Iterator[None]:
        """Use the cache of compiled files, which is empty."""
        shutil.rmtree(self.directory / "cache", ignore_errors=True)
        del os.environ[NO_CACHE]
        try:
            yield
        finally:
            os.environ[NO_CACHE] = "1"
