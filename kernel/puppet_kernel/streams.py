"""Log lines on their way to the notebook: sent at once, but joined where there are many.

A server drops the output of a kernel that sends more than some thousand messages a second, so
lines that follow each other closely are sent together. The first is sent when it is logged.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

# Seconds that text waits at most before it is sent.
MAX_DELAY = 0.05


class LogStream:
    """Collects text for stdout and stderr in order; ``send`` is given a name and a text."""

    def __init__(self, send: Callable[[str, str], object]) -> None:
        self._send = send
        self._lock = Lock()
        self._waiting: list[tuple[str, str]] = []
        self._sent = 0.0

    def write(self, name: str, text: str) -> None:
        """Send text, or keep it for a moment if other text was sent just now."""
        with self._lock:
            self._waiting.append((name, text))
            if time.monotonic() - self._sent >= MAX_DELAY:
                self._send_all()

    def flush(self) -> None:
        """Send the text that waits."""
        if self._waiting:
            with self._lock:
                self._send_all()

    def _send_all(self) -> None:
        waiting, self._waiting = self._waiting, []
        start = 0
        for end in range(1, len(waiting) + 1):
            if end == len(waiting) or waiting[end][0] != waiting[start][0]:
                text = "".join([text for _, text in waiting[start:end]])
                self._send(waiting[start][0], text)
                start = end
        self._sent = time.monotonic()
