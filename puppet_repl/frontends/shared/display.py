"""The display of a front end that reads entries, and the failures that it shows.

It is imported before the first prompt: after an input has used up the memory, imports fail.
"""

from __future__ import annotations

from puppet_repl.base.defect import print_traceback
from puppet_repl.base.memory import ExtraMemory
from puppet_repl.base.stops import stop_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.tools.rendering.fragments import Fragment

    class Display(Protocol):
        """A screen, or the lines of the line mode."""

        @property
        def width(self) -> int:
            """Columns."""

        @property
        def rows(self) -> int:
            """Rows that a value may fill."""

        @property
        def shows_types(self) -> bool:
            """Whether values are followed by their types."""

        def print(self, fragments: Iterable[Fragment]) -> None:
            """Write fragments."""

        def show(self, fragments: list[Fragment], *, at_end: bool = False) -> None:
            """Write fragments and a line end, or nothing for none.

            What is tall may be shown from its start, or ``at_end``.
            """

        def wrapped(self, fragments: list[Fragment]) -> list[Fragment]:
            """Return sentences in lines that fit, where lines do not wrap by themselves."""


def show_problem(display: Display, problem: str | PuppetError) -> None:
    """Show a failure: a sentence, or an error of code."""
    if isinstance(problem, str):
        display.show(display.wrapped([("warning", problem)]))
        return
    from puppet_repl.tools.rendering.diagnostics import render_error

    display.show(display.wrapped(render_error(problem, width=display.width)))


def show_stop(display: Display, error: Exception) -> None:
    """Say that a limit was met, or that the program itself failed; the session goes on."""
    with ExtraMemory():
        display.print([("error", "Error: "), ("", f"{stop_message(error)}\n")])
        print_traceback(error)
