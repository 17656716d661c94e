"""Context managers of every evaluation.

They are classes, since importing ``contextlib`` would take 2 ms of each start.
"""

from __future__ import annotations


class NoContext:
    """A context manager that does nothing."""

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


NO_CONTEXT = NoContext()
