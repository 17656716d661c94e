"""Breakpoints: their lines and conditions."""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    """One breakpoint; ``line`` is the line where code stops, None if it cannot stop.

    ``wanted`` is the requested line, ``problem`` the reason why code does not stop there.
    ``message`` alternates text and expressions, which are printed instead of stopping.
    """

    __slots__ = ("_hits", "condition", "line", "message", "problem", "wanted")

    def __init__(self, line: int | None, wanted: int, problem: str = "") -> None:
        self.line = line
        self.wanted = wanted
        self.problem = problem
        self.condition = ""
        self.message: list[str] = []
        self._hits = ("", 0, 0)

    def read(
        self, check: Callable[[str], object], condition: str, hits: str = "", message: str = ""
    ) -> None:
        """Read the conditions; ``check`` raises PuppetError for other texts than expressions."""
        self.condition = condition
        self.message = _IN_MESSAGE.split(message)
        if self.message == [""]:
            self.message = []
        try:
            for expression in (self.condition, *self.message[1::2]):
                if expression:
                    check(expression)
        except PuppetError as error:
            self.refuse(str(error))
            return
        if hits:
            found = _HITS.fullmatch(hits)
            if found is None:
                self.refuse(f"'{hits}' is not a count: 3, >= 3 or % 3 are")
                return
            self._hits = found[1], int(found[2]), 0

    def refuse(self, problem: str) -> None:
        """Let code not stop here; the problem is the reason."""
        self.line, self.problem = None, problem

    def reset(self) -> None:
        """Count hits from the start: another input runs."""
        operator, wanted, _ = self._hits
        self._hits = operator, wanted, 0

    def is_hit(self) -> bool:
        """Count one more hit; tell whether it is one to stop at."""
        operator, wanted, hits = self._hits
        self._hits = operator, wanted, hits + 1
        return not wanted or _COUNTS[operator](hits + 1, wanted)


class Breakpoints:
    """The breakpoints of one session: by path and line, and by the name of an entered frame.

    Names of frames are ``function f``, ``class a::b``, ``define d``.
    """

    def __init__(self) -> None:
        self.by_path: dict[str, dict[int, Breakpoint]] = {}
        self.entries: dict[str, Breakpoint] = {}

    def put(self, path: str, breakpoints: list[Breakpoint]) -> None:
        """Set the breakpoints of a path, in place of those that it has."""
        stops = {each.line: each for each in breakpoints if each.line is not None}
        if stops:
            self.by_path[path] = stops
        else:  # each edit of a text in a notebook is another path
            self.by_path.pop(path, None)

    def at(self, path: str, line: int) -> Breakpoint | None:
        """Return the breakpoint at a line, None without one."""
        lines = self.by_path.get(path)
        return None if lines is None else lines.get(line)

    def reset(self) -> None:
        """Count hits from the start: another input runs. Other threads may change them."""
        for each in self._all():
            each.reset()

    def _all(self) -> Iterator[Breakpoint]:
        for lines in list(self.by_path.values()):
            yield from list(lines.values())
        yield from list(self.entries.values())

    def clear(self) -> None:
        """Forget all breakpoints."""
        self.by_path.clear()
        self.entries.clear()

    def __bool__(self) -> bool:
        return bool(self.entries) or any(self.by_path.values())
