"""Splitting a program, or a cell, into its inputs: commands, and the code between them."""

from __future__ import annotations

from puppet_repl.base.recursion import deep_calls
from puppet_repl.frontends.commands.entries import code_of, wants_more
from puppet_repl.host.command_registry import find_command
from puppet_repl.host.command_syntax import is_command, parse_command
from puppet_repl.language.syntax.beginnings import Beginnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session

# Lines that are looked at together at least.
_MIN_AHEAD = 16


def split_commands(session: Session, text: str, *, keep_blank: bool = False) -> list[str]:
    """Return the inputs of a program that may have commands at the beginnings of its lines.

    Empty lines before code keep its line numbers right. With ``keep_blank`` an empty line after a
    command is an empty input, too.
    """
    lines = text.split("\n")
    last = len(lines) - text.endswith("\n")  # there is no line after the last line end
    inputs = []
    for start, end in input_lines(session, lines):
        if keep_blank and start:
            while start < end and not lines[start].strip():
                inputs += [""] if start < last else []
                start += 1
        part = "\n".join(lines[start:end])
        inputs.append(part if is_command(part) else "\n" * start + part)
    found = [each for each in inputs if each.strip() or (keep_blank and not each)]
    return found if any(found) else [text]


def split_entries(session: Session, text: str) -> list[str]:
    """Return the entries that a text would be if its lines were typed at a prompt."""
    found, lines = [], []
    for line in text.strip("\n").split("\n"):
        lines.append(line)
        if not wants_more(session, "\n".join(lines)):
            found.append("\n".join(lines))
            lines = []
    return [each for each in (*found, "\n".join(lines)) if each.strip()] or [text]


def input_lines(session: Session, lines: list[str]) -> list[tuple[int, int]]:
    """Return the first line of each input of a program, and the line after its last one.

    A command ends with its line, or with the code in its argument; within a bracket, string or
    heredoc there is none.
    """
    ranges = []
    start = 0
    ahead = _LookAhead(session, lines, start)
    for number in range(1, len(lines)):
        # Code goes on until a command; the first character is quick to look at.
        if not (_may_be_command(lines[number]) or ahead.is_command):
            continue
        if ahead.is_incomplete(number):
            continue
        before = "\n".join(lines[start:number])
        if is_command(lines[number]) or is_command(before):
            if wants_more(session, before):
                ahead.look(number)
                continue
            ranges.append((start, number))
            start = number
            ahead = _LookAhead(session, lines, start)
    return [*ranges, (start, len(lines))]


class _LookAhead:
    """A cache for the lines of an input, so that a line is not checked with all lines above it."""

    __slots__ = ("_beginnings", "_ends", "_lines", "_session", "_start", "is_command")

    def __init__(self, session: Session, lines: list[str], start: int) -> None:
        self._session = session
        self._lines = lines
        self._start = start
        self._beginnings: Beginnings | None = None
        # The ends of known lines, as offsets in the code of the input.
        self._ends: list[int] = []
        self.is_command = is_command(lines[start])

    def is_incomplete(self, number: int) -> bool:
        """Tell whether the input is incomplete for sure above a line."""
        known = self._beginnings
        index = number - self._start - 1
        return (
            known is not None and index < len(self._ends) and known.is_incomplete(self._ends[index])
        )

    def look(self, number: int) -> None:
        """Look as far ahead again as the input has come; it is incomplete above the line."""
        count = number - self._start
        if count <= len(self._ends):
            return
        lines = self._lines[self._start : number + count + _MIN_AHEAD]
        text = "\n".join(lines).rstrip()
        code = code_of(self._session, text)
        assert code is not None  # its beginning wants more
        end = len(code) - len(text) - 1
        self._ends = []
        for line in lines:
            end += len(line) + 1
            self._ends.append(min(end, len(code)))
        with deep_calls:
            self._beginnings = Beginnings(code)


def _may_be_command(line: str) -> bool:
    """Tell whether a line below code begins as a command; a percent sign may divide, too."""
    if not line.startswith("%"):
        return line.startswith(":")
    parsed = parse_command(line)
    if parsed is None or parsed[1].startswith("("):
        return False
    return find_command(parsed[0]) is not None
