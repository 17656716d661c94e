"""Breakpoints: where code stops, and on what conditions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from puppet_kernel.cell_magics import CellMagicError
from puppet_kernel.cell_parts import code_parts
from puppet_kernel.sources import Sources
from puppet_repl.errors import PuppetError
from puppet_repl.inspection.statements import StatementLines, statement_lines
from puppet_repl.session import Session

Request = dict[str, Any]
NO_CODE = "there is no code to stop at"
_HITS = re.compile(r"\s*(==|>=|<=|>|<|%|)\s*(\d+)\s*")
# Text, or an expression in braces, in turn; expressions have no braces in them.
_IN_MESSAGE = re.compile(r"\{([^{}]+)\}")
_COUNTS: dict[str, Callable[[int, int], bool]] = {
    "": lambda hits, wanted: hits == wanted,
    "==": lambda hits, wanted: hits == wanted,
    ">=": lambda hits, wanted: hits >= wanted,
    "<=": lambda hits, wanted: hits <= wanted,
    ">": lambda hits, wanted: hits > wanted,
    "<": lambda hits, wanted: hits < wanted,
    "%": lambda hits, wanted: wanted > 0 and hits % wanted == 0,
}


class Breakpoint:
    """One breakpoint as it was asked for; ``line`` is where it stops, None for nowhere.

    ``message`` is text and expressions in turn, which are printed instead of stopping.
    """

    __slots__ = ("_hits", "condition", "line", "message", "problem", "wanted")

    def __init__(self, line: int | None, wanted: int, problem: str = "") -> None:
        self.line = line
        self.wanted = wanted
        self.problem = problem
        self.condition = ""
        self.message: list[str] = []
        self._hits = ("", 0, 0)

    def read(self, asked: Request, check: Callable[[str], object]) -> None:
        """Read the conditions; ``check`` raises PuppetError for what is no expression."""
        self.condition = _text(asked, "condition")
        hits = _text(asked, "hitCondition")
        self.message = _IN_MESSAGE.split(_text(asked, "logMessage"))
        if self.message == [""]:
            self.message = []
        try:
            for expression in (self.condition, *self.message[1::2]):
                if expression:
                    check(expression)
        except PuppetError as error:
            self._refuse(str(error))
            return
        if hits:
            found = _HITS.fullmatch(hits)
            if found is None:
                self._refuse(f"'{hits}' is no count: 3, >= 3 or % 3 are")
                return
            self._hits = found[1], int(found[2]), 0

    def _refuse(self, problem: str) -> None:
        self.line, self.problem = None, problem

    def reset(self) -> None:
        """Count hits from the start: another cell runs."""
        operator, wanted, _ = self._hits
        self._hits = operator, wanted, 0

    def is_hit(self) -> bool:
        """Count one more hit; tell whether it is one to stop at."""
        operator, wanted, hits = self._hits
        self._hits = operator, wanted, hits + 1
        return not wanted or _COUNTS[operator](hits + 1, wanted)

    def placed(self, path: str) -> Request:
        """Return the breakpoint as the protocol describes it."""
        is_verified = self.line is not None
        placed = {
            "verified": is_verified,
            "line": self.line if is_verified else self.wanted,
            "source": {"path": path},
        }
        return placed if is_verified else {**placed, "message": self.problem}


class Breakpoints:
    """The breakpoints of one session by path and line."""

    def __init__(self, puppet: Session, sources: Sources) -> None:
        self._puppet = puppet
        self._sources = sources
        self.by_path: dict[str, dict[int, Breakpoint]] = {}

    def place(self, path: str, asked: list[Request]) -> list[Breakpoint]:
        """Set the breakpoints of a path, in place of those that it has; return them in order."""
        lines = self._lines(path)
        placed = []
        for each in asked:
            line = each.get("line")
            wanted = line if type(line) is int else 0
            if isinstance(lines, str):
                breakpoint_ = Breakpoint(None, wanted, lines)
            else:
                stop = lines.stop_for(wanted)
                breakpoint_ = Breakpoint(stop, wanted, NO_CODE)
            breakpoint_.read(each, self._puppet.check_expression)
            placed.append(breakpoint_)
        stops = {each.line: each for each in placed if each.line is not None}
        if stops:
            self.by_path[path] = stops
        else:  # each edit of a cell is another path
            self.by_path.pop(path, None)
        return placed

    def _lines(self, path: str) -> StatementLines | str:
        """Return the lines of a path, or why code cannot be stopped there."""
        text = self._sources.text(path)
        if text is None:
            return f"the session does not load {path}"
        try:
            if not self._sources.is_cell(path):
                return statement_lines(text)
            parts = code_parts(self._puppet, text)
            return statement_lines(text, *parts) if parts else NO_CODE
        except (CellMagicError, PuppetError) as error:
            return str(error)

    def at(self, path: str, line: int) -> Breakpoint | None:
        """Return the breakpoint at a line, None without one."""
        lines = self.by_path.get(path)
        return None if lines is None else lines.get(line)

    def reset(self) -> None:
        """Count hits from the start: another cell runs. Requests may change them meanwhile."""
        for lines in list(self.by_path.values()):
            for each in list(lines.values()):
                each.reset()

    def clear(self) -> None:
        """Forget all breakpoints."""
        self.by_path.clear()

    def __bool__(self) -> bool:
        return any(self.by_path.values())


def _text(asked: Request, key: str) -> str:
    value = asked.get(key)
    return value.strip() if isinstance(value, str) else ""
