"""What is remembered of a file that was loaded."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.stamp import Stamp
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.syntax.outline import Outline


class LoadedFile:
    """A file that was loaded: what it looked like then, and what it defined."""

    __slots__ = ("definitions", "functions", "stamp", "types")

    def __init__(self, stamp: Stamp | None) -> None:
        self.stamp = stamp
        self.definitions: tuple[Definition, ...] = ()
        self.functions: tuple[str, ...] = ()
        self.types: tuple[str, ...] = ()


def names_defined(outline: Outline) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the functions and types of a program."""
    return outline.names("function"), tuple([name.lower() for name in outline.aliases])
