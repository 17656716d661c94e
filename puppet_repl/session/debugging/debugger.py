"""The debugger of a prompt: numbered breakpoints, watched expressions, code that is stopped.

Code runs and stops in one thread, in which a front end also reads commands while code is stopped.
"""

from __future__ import annotations

from puppet_repl.session.debugging.breakpoints import Breakpoint, Breakpoints
from puppet_repl.session.debugging.frames import tree_of
from puppet_repl.session.debugging.places import NamePlace, PlaceError, input_sources, path_of
from puppet_repl.session.debugging.stack import Level, Stack
from puppet_repl.session.debugging.tracer import Tracer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

    from puppet_repl.language.syntax.ast import Program
    from puppet_repl.session import Session
    from puppet_repl.session.debugging.places import LinePlace
    from puppet_repl.session.debugging.tracer import Expression, Step, Stop


class Placed:
    """A breakpoint of the user, by its number; ``place`` is where, ``stops`` what stops there."""

    __slots__ = ("number", "place", "stops")

    def __init__(self, number: int, place: NamePlace | LinePlace, stops: Breakpoint) -> None:
        self.number = number
        self.place = place
        self.stops = stops

    @property
    def text(self) -> str:
        """The place as it is written."""
        if isinstance(self.place, NamePlace):
            return self.place.name
        return f"{self.place.shown}:{self.place.line}"


class Debugger:
    """The debugger of one session.

    ``look`` is called when code has stopped, and returns when the user has resumed it. What it
    raises ends the input. ``stack`` has the frames meanwhile, ``stop`` says why; both are None
    while nothing is stopped. ``watches`` are expressions that are shown at each stop, ``last_step``
    is the text of the step that an empty line repeats, '' for nothing.
    """

    def __init__(self, session: Session, look: Callable[[], None]) -> None:
        self.session = session
        self.placed: list[Placed] = []
        self.watches: list[str] = []
        self.stack: Stack | None = None
        self.stop: Stop | None = None
        self.last_step = ""
        self._look = look
        self._step: Step | None = None
        self._paths: dict[Program, str] = {}
        self._breakpoints = Breakpoints()
        self._tracer = Tracer(self._breakpoints, self._path_of, self)
        self._last_number = 0

    # Breakpoints

    def add(self, place: NamePlace | LinePlace, condition: str = "") -> Placed:
        """Set a breakpoint, in place of the one that is there. Raises PlaceError."""
        line = 0 if isinstance(place, NamePlace) else place.line
        stops = Breakpoint(line, line)
        stops.read(self.session.expressions.check, condition)
        if stops.problem:
            raise PlaceError(f"the condition is wrong: {stops.problem}")
        for each in list(self.placed):
            if _key(each.place) == _key(place):
                self.delete(each)
        self._last_number += 1
        placed = Placed(self._last_number, place, stops)
        self.placed.append(placed)
        self._place_all()
        return placed

    def delete(self, placed: Placed) -> None:
        """Delete a breakpoint."""
        self.placed.remove(placed)
        self._place_all()

    def _place_all(self) -> None:
        self._breakpoints.clear()
        for each in self.placed:
            place = each.place
            if isinstance(place, NamePlace):
                self._breakpoints.entries.update(dict.fromkeys(place.entries, each.stops))
            else:
                lines = self._breakpoints.by_path.setdefault(place.path, {})
                lines[place.line] = (each.stops,)

    @property
    def reached(self) -> Placed | None:
        """The breakpoint at which code is stopped, None without one."""
        at = () if self.stop is None else self.stop.at
        return next((each for each in reversed(self.placed) if each.stops in at), None)

    # While code runs

    def start(self) -> None:
        """Note that an input begins, which may be stopped from now on."""
        self.last_step = ""
        self._tracer.begin()
        self._tracer.open()

    def end(self) -> None:
        """Note that the input has ended."""
        self._tracer.close()
        self._paths.clear()

    def drop_lost(self) -> list[Placed]:
        """Delete the breakpoints in inputs whose numbers have other texts by now; return them.

        That may be so where an input failed or was undone. Until its number has another text it
        may come again.
        """
        lost = [each for each in self.placed if self._is_lost(each.place)]
        for each in lost:
            self.delete(each)
        return lost

    def _is_lost(self, place: NamePlace | LinePlace) -> bool:
        if isinstance(place, NamePlace) or place.number is None:
            return False
        paths = [path_of(source) for source in input_sources(self.session, place.number)]
        return bool(paths) and place.path not in paths

    def join(self) -> None:
        """Let code that runs already be stopped by ``stop_here``."""
        self._tracer.is_open = True

    def stop_here(self) -> bool:
        """Stop the code that calls this as ``Tracer.stop_here`` does; False if there is none."""
        return self._tracer.stop_here()

    def _path_of(self, frame: FrameType) -> str:
        tree = tree_of(frame)
        path = self._paths.get(tree)
        if path is None:
            path = self._paths[tree] = path_of(tree.source)
        return path

    # What the tracer tells and asks

    def wait(self, frames: list[FrameType], stop: Stop) -> tuple[Step, FrameType]:
        """Let the user look; return how to go on, and the frame that was selected then."""
        stack = Stack(self.session, [Level(frame, frame.f_lineno) for frame in frames])
        self.stack = stack
        self.stop = stop
        self._step = None
        try:
            self._look()
        finally:
            self.stack = self.stop = None
        return self._step or "", stack.level.frame

    def expression(self, text: str) -> Expression:
        """Return an expression for the code that runs. Raises PuppetError."""
        return self.session.expressions.compile(text).evaluate

    def text_of(self, value: Any) -> str:
        """Return a value as text."""
        return str(self.session.describe(value)["str"])

    def print_line(self, stream: str, text: str) -> None:
        """Nothing is printed: the text of a stop is shown with it."""

    # What the user decides

    def resume(self, step: Step) -> None:
        """Go on with the code that is stopped as soon as the front end can."""
        self._step = step

    @property
    def is_resumed(self) -> bool:
        """Whether the code that is stopped is to go on."""
        return self._step is not None


def _key(place: NamePlace | LinePlace) -> tuple[str, int]:
    return (place.name, 0) if isinstance(place, NamePlace) else (place.path, place.line)
