"""Syntax errors while typing: found by a thread once the user pauses, then underlined."""

from __future__ import annotations

from collections.abc import Callable
from threading import Timer

from puppet_repl.frontends.commands import is_command, meant_input
from puppet_repl.frontends.commands.entries import with_previous
from puppet_repl.language.syntax.completeness import Invalid
from puppet_repl.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import PuppetError

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
        self._wanted = ""
        self._checked: tuple[str, Problem | None] = ("", None)

    def look_at(self, text: str) -> None:
        """Check a text soon, unless another one comes before."""
        self._cancel()
        self._wanted = text
        if not self.enabled or len(text) > MAX_CHARACTERS or not text.strip():
            return
        timer = Timer(PAUSE, self._check, (text,))
        timer.daemon = True
        self._timer = timer
        timer.start()

    def forget(self) -> None:
        """Cancel a check that has not ended, and forget the last one: an input is going to run."""
        self._cancel()
        self._wanted = ""
        self._checked = ("", None)

    def show(self, text: str, error: PuppetError) -> None:
        """Show an error of a text now, until the text changes."""
        self._cancel()
        self._wanted = ""
        if error.line is None:  # it is at the end
            before, _, last = text.rstrip().rpartition("\n")
            line, start = before.count("\n") + bool(before), max(len(last) - 1, 0)
        else:
            line, start = error.line - 1, (error.column or 1) - 1
        self._checked = (text, Problem(line, start, start + 1, error.message))

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def problem(self, text: str) -> Problem | None:
        """Return the problem of a text if its check has ended, else None."""
        checked, problem = self._checked
        return problem if text == checked else None

    def _check(self, text: str) -> None:
        try:
            problem = find_problem(self.session, text)
        except Exception:
            # Enter will show the error; a thread must not write to the screen.
            return
        if text != self._wanted:
            return  # the check of a newer text may have ended before
        self._checked = (text, problem)
        if problem is not None:
            self._found()


def find_problem(session: Session, text: str) -> Problem | None:
    """Return the syntax error of a text; an incomplete text has none."""
    if is_command(meant_input(text)):
        return None
    joined = with_previous(session, text)[0]
    if len(joined) > MAX_CHARACTERS:
        return None
    state = session.check(joined)
    error = state.error if isinstance(state, Invalid) else None
    if error is None or error.line is None:
        return None
    line, start = _position_in(text, joined, error.line - 1, (error.column or 1) - 1)
    if line < 0 or start < 0:
        return None
    length = 1
    if error.start is not None and error.end is not None:
        length = max(error.end - error.start, 1)
    return Problem(line, start, start + length, error.message)


def _position_in(text: str, joined: str, line: int, column: int) -> tuple[int, int]:
    """Convert a position in ``joined``, the text after the inputs that it continues, to the text.

    Lines and columns count from 0. The line of a position before the text is negative.
    """
    if joined == text:
        return line, column
    stripped = text.lstrip()
    before, blank = joined[: -len(stripped)], text[: -len(stripped)]
    line -= before.count("\n")
    if line == 0:
        column += len(blank.rpartition("\n")[2]) - len(before.rpartition("\n")[2])
    return line + blank.count("\n") if line >= 0 else line, column
