"""The frames that a user looks at: those of code that is stopped, or that an error has left."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.compiler.frames import lexical_frames
from puppet_repl.language.runtime.scope import Scope
from puppet_repl.session.debugging.frames import frame_matches, frame_variables, shown_name, tree_of
from puppet_repl.session.outcome import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from types import FrameType

    from puppet_repl.language.compiler.failures import Failure
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session


def names_in_reach(frame: FrameType) -> set[str]:
    """Return the names of the variables of a frame and those around its code."""
    found: set[str] = set()
    for each in lexical_frames(frame):
        found.update(frame_variables(each))
    return found


class Level:
    """One frame of a stack: what runs there, and at which line of its source."""

    def __init__(self, frame: FrameType, line: int) -> None:
        self.frame = frame
        self.line = line

    @property
    def name(self) -> str:
        """What runs in the frame: ``function f``, ``class a``, ``lambda``, ``main``..."""
        return shown_name(self.frame)

    @property
    def source(self) -> Source:
        """The text whose code the frame runs."""
        return tree_of(self.frame).source

    @property
    def place(self) -> str:
        """File and line, or ``In[3]:2``."""
        return f"{self.source.name or 'input'}:{self.line}"


class Stack:
    """Frames, the innermost first; ``selected`` is the number, from 0, of the one looked at.

    ``skipped`` are left out between the innermost and the outermost of too many.
    """

    def __init__(self, session: Session, levels: Sequence[Level]) -> None:
        self._session = session
        self.selected = 0
        self.skipped = 0
        self.levels = tuple(levels)

    @property
    def level(self) -> Level:
        """The selected frame."""
        return self.levels[self.selected]

    def select(self, number: int) -> None:
        """Look at another frame, by its number from 0."""
        self.selected = number

    def variables(self) -> dict[str, Value]:
        """Return the variables of the code in the selected frame, by name."""
        return frame_variables(self.level.frame)

    def matches(self) -> dict[str, Value]:
        """Return the match variables there, by name."""
        return frame_matches(self.level.frame)

    def evaluate(self, text: str) -> Outcome:
        """Evaluate an expression in the selected frame; then undo its changes."""
        try:
            return self._session.expressions.compile(text).evaluate(self.level.frame)
        except PuppetError as error:
            return Outcome(error=error)

    def evaluating(self) -> AbstractContextManager[Callable[[str], Outcome]]:
        """Return ``Expressions.evaluating_in`` for the selected frame."""
        return self._session.expressions.evaluating_in(self.level.frame)

    def names_in_reach(self) -> set[str]:
        """Return the names of the variables of the selected frame and those around its code."""
        return names_in_reach(self.level.frame)


class FailedStack(Stack):
    """The frames that the last error has left, with the variables as they were."""

    def __init__(self, session: Session, failure: Failure) -> None:
        super().__init__(session, [Level(each.frame, each.line) for each in failure.frames])
        self._failure = failure
        self.selected = failure.selected
        self.skipped = failure.skipped

    def select(self, number: int) -> None:
        """Look at another frame; the failure remembers which."""
        self.selected = self._failure.selected = number

    def variables(self) -> dict[str, Value]:
        """Return the variables that the code in the selected frame had, by name."""
        frame = self.level.frame
        found = frame_variables(frame)
        scope = frame.f_locals.get("scope")
        if isinstance(scope, Scope):
            found = {**found, **self._failure.variables(scope)}
        return found

    def evaluate(self, text: str) -> Outcome:
        """Evaluate an expression in the selected frame; then undo its changes."""
        return self._session.expressions.evaluate_failed(text, self.selected)


def failed_stack(session: Session) -> FailedStack | None:
    """Return the frames of the error that the last input ended with, None without any."""
    failure = session.expressions.failure
    if failure is None or not failure.frames:
        return None
    return FailedStack(session, failure)
