"""The frames of the last error, kept so that a user can look at them as they were.

Errors themselves keep no frames, which would keep all values of the program. A session that wants
them has one failure at a time, until its next input.
"""

from __future__ import annotations

from puppet_repl.base.memory import NO_ALLOCATION
from puppet_repl.language.compiler.frames import is_forwarding, is_puppet
from puppet_repl.language.runtime.scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

# Calls that are too deep leave thousands, of which the innermost ones tell why, and the outermost
# ones where it began.
MAX_FRAMES = 100
OUTERMOST = 4


class FailedFrame:
    """A frame of Puppet code that an error has left, and the line that it was at."""

    __slots__ = ("frame", "line")

    def __init__(self, frame: FrameType, line: int) -> None:
        self.frame = frame
        self.line = line


class Failure:
    """An error and the frames that it has left, the innermost first.

    ``skipped`` is how many are left out between the innermost and the outermost of them.
    ``selected`` is the number of the frame that the user looks at. Scopes are rolled back with
    their input, so the variables that they had are here.
    """

    __slots__ = ("_context", "_variables", "error", "frames", "selected", "skipped")

    def __init__(self, context: Context) -> None:
        self._context = context
        self.error: BaseException | None = None
        self.frames: list[FailedFrame] = []
        self.selected = 0
        self.skipped = 0
        self._variables = {context.top: dict(context.top.variables)}

    def add(self, error: BaseException, made: BaseException) -> None:
        """Add the frames that an error has passed; the error was replaced by ``made``."""
        self.error = made
        traceback = error.__traceback__
        left = []
        while traceback is not None:
            frame = traceback.tb_frame
            if is_puppet(frame) and not is_forwarding(frame):
                left.append(FailedFrame(frame, traceback.tb_lineno))
                self._keep(frame.f_locals.get("scope"))
            traceback = traceback.tb_next
        self.frames += reversed(left)
        inner = MAX_FRAMES - OUTERMOST
        self.skipped += max(len(self.frames) - MAX_FRAMES, 0)
        del self.frames[inner : max(len(self.frames) - OUTERMOST, inner)]

    def _keep(self, scope: object) -> None:
        if isinstance(scope, Scope) and scope not in self._variables:
            self._variables[scope] = dict(scope.variables)

    def is_of(self, error: BaseException) -> bool:
        """Tell whether an error is this one, or was made from it."""
        found: BaseException | None = error
        while found is not None and found is not self.error:
            found = found.__cause__ or found.__context__
        return found is not None

    def variables(self, scope: Scope) -> dict[str, Value]:
        """Return the variables that a scope had when code failed."""
        return dict(self._variables.get(scope, scope.variables))

    def lost(self) -> dict[str, Value]:
        """Return the variables that the top scope had then and has not now."""
        top = self._context.top
        return {
            name: value
            for name, value in self._variables[top].items()
            if top.variables.get(name, self) is not value
        }


def keep_failure(error: BaseException, made: BaseException) -> None:
    """Keep the frames that an error has left, if the session of their code wants them."""
    traceback = error.__traceback__
    while traceback is not None:
        program = traceback.tb_frame.f_globals.get("__puppet__")
        if program is not None:
            _keep(program.context, error, made)
            return
        traceback = traceback.tb_next


def _keep(context: Context, error: BaseException, made: BaseException) -> None:
    if not context.keeps_failures:
        return
    if isinstance(error, NO_ALLOCATION):
        context.failure = None  # the frames hold the memory: release it
        return
    failure = context.failure
    if failure is None or failure.error is not error:
        failure = context.failure = Failure(context)
    failure.add(error, made)
