"""Breakpoints: their lines and conditions."""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.brackets import closing_bracket, pieces_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NO_CODE = "there is no code to stop at"
_HITS = re.compile(r"\s*(==|>=|<=|>|<|%|)\s*(\d+)\s*")
_COUNTS: dict[str, Callable[[int, int], bool]] = {
    "": lambda hits, wanted: hits == wanted,
    "==": lambda hits, wanted: hits == wanted,
    ">=": lambda hits, wanted: hits >= wanted,
    "<=": lambda hits, wanted: hits <= wanted,
    ">": lambda hits, wanted: hits > wanted,
    "<": lambda hits, wanted: hits < wanted,
    "%": lambda hits, wanted: hits % wanted == 0,
}
_FORMS = "3, == 3, >= 3, <= 3, > 3, < 3 and % 3"


def _message_parts(message: str) -> list[str]:
    """Return text and expressions in braces in turn; a brace that is not closed is text."""
    parts = [""]
    rest = message
    while (opening := rest.find("{")) >= 0:
        pieces = pieces_of(rest[opening + 1 :])
        end = closing_bracket(pieces)
        text = "" if end is None or pieces[end] != "}" else "".join(pieces[:end])
        taken = opening + 1 + len(text)
        if text.strip():
            parts[-1] += rest[:opening]
            parts += [text, ""]
            taken += 1
        else:
            parts[-1] += rest[:taken]
        rest = rest[taken:]
    parts[-1] += rest
    return parts


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
        self.message = _message_parts(message) if message else []
        try:
            for expression in (self.condition, *self.message[1::2]):
                if expression:
                    check(expression)
        except PuppetError as error:
            self.refuse(str(error))
            return
        if hits:
            found = _HITS.fullmatch(hits)
            if found is None or not int(found[2]):
                self.refuse(f"'{hits}' is not a count from 1 on: {_FORMS} are")
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
        self.by_path: dict[str, dict[int, tuple[Breakpoint, ...]]] = {}
        self.entries: dict[str, Breakpoint] = {}

    def put(self, path: str, breakpoints: list[Breakpoint]) -> None:
        """Set the breakpoints of a path, in place of those that it has.

        Several may stop at one line: each has its own conditions.
        """
        stops: dict[int, tuple[Breakpoint, ...]] = {}
        for each in breakpoints:
            if each.line is not None:
                stops[each.line] = (*stops.get(each.line, ()), each)
        if stops:
            self.by_path[path] = stops
        else:  # each edit of a text in a notebook is another path
            self.by_path.pop(path, None)

    def at(self, path: str, line: int) -> tuple[Breakpoint, ...]:
        """Return the breakpoints at a line."""
        lines = self.by_path.get(path)
        return () if lines is None else lines.get(line, ())

    def paths(self) -> list[tuple[str, list[Breakpoint]]]:
        """Return the breakpoints of each path. Other threads may change them."""
        return [
            (path, [each for at in list(lines.values()) for each in at])
            for path, lines in list(self.by_path.items())
        ]

    def reset(self) -> None:
        """Count hits from the start: another input runs. Other threads may change them."""
        for each in self._all():
            each.reset()

    def _all(self) -> Iterator[Breakpoint]:
        for _, breakpoints in self.paths():
            yield from breakpoints
        yield from list(self.entries.values())

    def clear(self) -> None:
        """Forget all breakpoints."""
        self.by_path.clear()
        self.entries.clear()

    def __bool__(self) -> bool:
        return bool(self.entries) or any(self.by_path.values())
