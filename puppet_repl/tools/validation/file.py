"""What a check is given: one file, its text, and the findings that it makes."""

from __future__ import annotations

import os
from typing import NamedTuple

from puppet_repl.base.profiles import DEFAULT_LANGUAGE
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.source_files import read_source
from puppet_repl.tools.validation.diagnostic import Diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from puppet_repl.language.runtime.options import Strictness
    from puppet_repl.tools.validation.kinds import Kind
    from puppet_repl.tools.validation.roots import Root
    from puppet_repl.tools.validation.workspace import Workspace


class Choices(NamedTuple):
    """What the user has chosen: Puppet's ``strict`` and ``tasks``, a profile, further warnings.

    ``ruby`` is the Ruby that parses code, as in a session; ``ignore`` are rules to leave out.
    """

    language: str = DEFAULT_LANGUAGE
    strict: Strictness = "error"
    tasks: bool = False
    advice: bool = False
    ruby: str = "auto"
    ignore: frozenset[str] = frozenset()


def ending_of(name: str) -> str:
    """Return the ending of a file's name as ``*.rb``, the whole name if it has none."""
    ending = os.path.splitext(name)[1]
    return f"*{ending}" if ending else name


class File:
    """One file to check.

    ``path`` is as the user has begun it, None for a text without a name. ``root`` is the module or
    environment, None for none.
    """

    __slots__ = ("_source", "kind", "path", "root", "workspace")

    def __init__(
        self,
        path: str | None,
        kind: Kind,
        root: Root | None,
        workspace: Workspace,
        source: Source | None = None,
    ) -> None:
        self.path = path
        self.kind = kind
        self.root = root
        self.workspace = workspace
        self._source = source

    @property
    def options(self) -> Choices:
        """What the user has chosen."""
        return self.workspace.choices

    @property
    def inside(self) -> str:
        """The path inside of the root, with slashes."""
        path = self.path or ""
        return path if self.root is None else self.root.inside(path)

    @property
    def source(self) -> Source:
        """The text, which is read once.

        Raises OSError for an unreadable file, PuppetError for bytes that are not UTF-8.
        """
        if self._source is None:
            self._source = read_source(self.path or "-")
        return self._source

    @source.setter
    def source(self, source: Source) -> None:
        self._source = source

    @property
    def text(self) -> str:
        """The text of the source."""
        return self.source.text

    def at(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset."""
        return self.source.position(offset)

    def error(self, code: str, message: str, *place: int | None) -> Diagnostic:
        """Return an error at a line and column, to an end line and column, as far as known."""
        return self._finding("error", code, message, place)

    def warning(self, code: str, message: str, *place: int | None) -> Diagnostic:
        """Return a warning, placed as an error is."""
        return self._finding("warning", code, message, place)

    def advice(self, code: str, message: str, *place: int | None) -> list[Diagnostic]:
        """Return a warning of a probable mistake, none if these are not wanted."""
        return [self.warning(code, message, *place)] if self.options.advice else []

    def _finding(
        self,
        severity: Literal["error", "warning"],
        code: str,
        message: str,
        place: tuple[int | None, ...],
    ) -> Diagnostic:
        line, column, end_line, end_column = (*place, None, None, None, None)[:4]
        return Diagnostic(severity, code, message, self.path, line, column, end_line, end_column)
