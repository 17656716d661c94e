"""What an engine is: a Ruby that runs the shim, and the ways in which it can fail."""

from __future__ import annotations

import sys

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.safe_text import visible_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from puppet_repl.language.runtime.options import Options

    class Engine(Protocol):
        """One Ruby with the shim in it. It belongs to one session at a time.

        ``name`` is "sandbox" or "system". After an EngineFailure or an interrupt it is of no more
        use: ``is_alive`` is False, and whoever needs Ruby again takes a new one. ``max_seconds``
        limits the time that Ruby itself takes for a request. ``libraries`` is a directory of
        libraries that its Ruby lacks, None without one.
        """

        name: str
        max_seconds: float

        @property
        def libraries(self) -> str | None:
            """See the class."""
            ...

        @property
        def is_alive(self) -> bool:
            """Whether requests can be sent."""
            ...

        @property
        def is_worn(self) -> bool:
            """Whether it has grown so much that a new one is better."""
            ...

        def converse(self, request: str, answer: Callable[[str], str]) -> str:
            """Send a request, one JSON text, and return Ruby's reply.

            What Ruby asks meanwhile is answered by ``answer``, which may call ``converse`` again.
            Raises EngineFailure; KeyboardInterrupt ends Ruby and passes through.
            """
            ...

        def close(self) -> None:
            """End Ruby; closing twice does nothing."""
            ...


NO_ROOM = "Ruby could not be started within the limit of memory"


class EngineFailure(RuntimeFailure):
    """Ruby itself has failed, not the code that it ran.

    ``limit`` is the option that sets the limit which was reached, if an option sets it.
    """

    limit: str | None = None

    def name_limit(self, options: Options) -> None:
        """Add a note with the option that sets the limit, once, as the user writes it."""
        if self.limit is not None:
            self.notes = (*self.notes, f"'{options.spelt(self.limit)}' changes the limit")
            self.limit = None


class EngineMemoryFailure(EngineFailure):
    """The limit of memory was reached."""


class NoRoom(EngineMemoryFailure):
    """There is no memory to start Ruby in."""

    limit = "max_memory"

    def __init__(self) -> None:
        super().__init__(NO_ROOM)


class EngineTimeFailure(EngineFailure):
    """The limit of time, in seconds, was reached."""

    limit = "ruby_seconds"

    def __init__(self, max_seconds: float) -> None:
        super().__init__(f"The Ruby code took more than {max_seconds:g} seconds")


class EngineExit(EngineFailure):
    """The code has ended its Ruby."""


class EngineBroken(EngineFailure):
    """Ruby could not be started, or has stopped for an unknown reason."""


def to_standard_error(text: str) -> None:
    """Show what Ruby code has printed, where no front end takes it."""
    sys.stderr.write(visible_lines(text))
