"""Warnings of Python, at the line of the program that uses this package."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from contextvars import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Gathered: TypeAlias = list[tuple[str, type[Warning]]]


class DifferenceWarning(UserWarning):
    """The code got an answer, and Puppet 8.11 ends in an error, or has another result."""


def warn_user(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the first line on the way here that is not in this package."""
    gathered = _gathered.get()
    if gathered is not None:
        gathered.append((text, category))
        return
    import warnings

    depth = 1
    while sys._getframe(depth).f_globals.get("__name__", "").startswith("puppet_repl."):
        depth += 1
    warnings.warn(text, category, stacklevel=depth + 1)


@contextmanager
def gathering() -> Iterator[Gathered]:
    """Gather the warnings of this thread, whose caller is in another process or thread."""
    gathered: Gathered = []
    token = _gathered.set(gathered)
    try:
        yield gathered
    finally:
        _gathered.reset(token)


def warn_of_all(gathered: Gathered, *, has_failed: bool) -> None:
    """Warn of what a call has gathered, at its end: a filter can make exceptions of warnings.

    None takes the place of the error of a call that ``has_failed``.
    """
    for text, category in gathered:
        try:
            warn_user(text, category)
        except category:
            if not has_failed:
                raise


_gathered: ContextVar[Gathered | None] = ContextVar("_gathered", default=None)
