"""Syntax errors while typing: found by a thread once the user pauses, then underlined."""

from __future__ import annotations

from collections.abc import Callable
from threading import Timer

from puppet_repl.commands import is_command, meant_input
from puppet_repl.session import Session
from puppet_repl.syntax.completeness import Invalid

PAUSE = 0.25
# Longer texts are checked only when they are entered.
MAX_CHARACTERS = 40_000


class Problem:
    """The span of a syntax error: a line, and columns in it, all counted from 0."""

    __slots__ = ("end", "line", "message", "start")

    def __init__(self, line: int, start: int, end: int, message: str) -> None:
        self.line = line
        self.start = start
        self.end = end
        self.message = message


class Checker:
    """A background check of texts; ``found`` is called when there is a new problem."""

    def __init__(self, session: Session, found: Callable[[], None]) -> None:
        self.session = session
        self.enabled = True
        self._found = found
        self._timer: Timer | None = None
        self._text = ""
        self._problem: Problem | None = None

    def look_at(self, text: str) -> None:
        """Check a text soon, unless another one comes before."""
        self.stop()
        if not self.enabled or len(text) > MAX_CHARACTERS or not text.strip():
            return
        timer = Timer(PAUSE, self._check, (text,))
        timer.daemon = True
        self._timer = timer
        timer.start()

    def stop(self) -> None:
        """Cancel a check that has not begun."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def problem(self, text: str) -> Problem | None:
        """Return what is wrong with a text, if that is known by now."""
        return self._problem if text == self._text else None

    def _check(self, text: str) -> None:
        try:
            problem = find_problem(self.session, text)
        except Exception:
            # Enter will show what is wrong; a thread must not write to the screen.
            return
        self._text, self._problem = text, problem
        if problem is not None:
            self._found()


def find_problem(session: Session, text: str) -> Problem | None:
    """Return the syntax error of a text; an incomplete text has none."""
    if is_command(meant_input(text)):
        return None
    state = session.check(text)
    error = state.error if isinstance(state, Invalid) else None
    if error is None or error.line is None:
        return None
    start = (error.column or 1) - 1
    length = 1
    if error.start is not None and error.end is not None:
        length = max(error.end - error.start, 1)
    return Problem(error.line - 1, start, start + length, error.message)
