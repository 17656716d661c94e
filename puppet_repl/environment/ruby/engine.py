"""What an engine is: a Ruby that runs the shim, and the ways in which it can fail."""

from __future__ import annotations

import sys

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.safe_text import visible_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

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


class EngineFailure(RuntimeFailure):
    """Ruby itself has failed, not the code that it ran."""


NO_ROOM = "Ruby could not be started within the limit of memory (see --max-memory)"


class EngineMemoryFailure(EngineFailure):
    """The limit of memory was reached."""


class EngineTimeFailure(EngineFailure):
    """The limit of time, in seconds, was reached."""

    def __init__(self, max_seconds: float) -> None:
        super().__init__(
            f"The Ruby code took more than {max_seconds:g} seconds",
            notes=("'--ruby-seconds N' or ':set ruby_seconds N' changes the limit",),
        )


class EngineExit(EngineFailure):
    """The code has ended its Ruby."""


class EngineBroken(EngineFailure):
    """Ruby could not be started, or has stopped for an unknown reason."""


def to_standard_error(text: str) -> None:
    """Show what Ruby code has printed, where no front end takes it."""
    sys.stderr.write(visible_lines(text))
