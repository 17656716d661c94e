"""Split a cell into parts: ways of running it at the top, then code, commands or one cell magic.

A way (``%%time``, ``%%quiet``, ``%%capture NAME``) may be above any cell, and above another way. A
command ends with its line; code goes on to the next command. Blank lines replace the lines before a
part, so that errors have the line numbers of the cell.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from puppet_kernel.cell_magics import (
    HELP_ARGUMENTS,
    CellMagicError,
    body_of,
    check_magics,
    is_cell_magic,
    split_magic,
)
from puppet_repl.frontends.commands import is_command
from puppet_repl.frontends.commands.entries import without_semicolon
from puppet_repl.frontends.commands.program_inputs import input_lines, split_commands
from puppet_repl.host.cell_magics import CELL_MAGICS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.session import Session

_WORD = re.compile(r"\w+")
_VARIABLE = re.compile(r"\$?(?P<name>[a-z_]\w*)", re.ASCII)


class Part(NamedTuple):
    """A program or a template in a cell, and its offset there.

    ``has_names`` tells whether it runs with the names of this session, ``are_conditions`` whether
    each of its expressions may be alone.
    """

    offset: int
    text: str
    is_template: bool = False
    has_names: bool = True
    given: frozenset[str] = frozenset()
    are_conditions: bool = False


class Plan:
    """How a cell is run: its parts in order, and the ways that are above them.

    ``capture`` is the name of the variable that is given what the cell shows.
    """

    __slots__ = ("capture", "is_quiet", "is_timed", "parts")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.is_timed = False
        self.is_quiet = False
        self.capture: str | None = None

    def read(self, session: Session, code: str) -> None:
        """Take over what a cell says. Raises CellMagicError for a magic that is used wrongly."""
        ways = list(_ways(code))
        start = ways[-1][2] if ways else 0
        for name, argument, _ in ways:
            self.is_timed = self.is_timed or name == "time"
            self.is_quiet = self.is_quiet or name == "quiet"
            if name == "capture":
                self.capture = _variable(argument)
        rest = "\n" * code.count("\n", 0, start) + code[start:]
        if is_cell_magic(rest):
            self.parts = [rest]
        else:
            check_magics(session, rest)
            self.parts = split_commands(session, rest)


def code_parts(session: Session, code: str) -> list[str]:
    """Return the parts of a cell that are code, with the line numbers of the cell.

    Raises CellMagicError.
    """
    plan = Plan()
    plan.read(session, code)
    parts = [part for part in plan.parts if not is_command(part) and not is_cell_magic(part)]
    return [without_semicolon(session, part)[0] for part in parts]


def below_ways(code: str) -> int:
    """Return the offset of the cell below the ways of running it, 0 if there is none."""
    ways = list(_ways(code))
    return ways[-1][2] if ways else 0


def _ways(code: str) -> Iterator[tuple[str, str, int]]:
    """Yield name and argument of each way at the top of a cell, and the offset after it.

    The text after the argument, on the same line, is a part of the cell, or another way.
    """
    start = 0
    while True:
        name, argument, length = split_magic(code[start:])
        magic = CELL_MAGICS.get(name)
        if magic is None or magic.run or argument in HELP_ARGUMENTS:
            return
        line = code[start : start + length].rstrip()
        word, rest = "", argument
        if magic.body == "captured":
            word, _, rest = argument.partition(" ")
            rest = rest.lstrip()
        start += len(line) - len(rest) if rest else length
        yield name, word, start
        if rest and not rest.startswith("%%"):
            return


def part_at(session: Session, code: str, cursor: int) -> tuple[int, int]:
    """Return the offsets of the code, command or magic of a cell that the cursor is in."""
    start = below_ways(code)
    if cursor < start:
        return 0, len(code)
    if is_cell_magic(code[start:]):
        return start, len(code)
    lines = code[start:].split("\n")
    offset = start
    for first, end in input_lines(session, lines):
        length = sum(len(line) + 1 for line in lines[first:end])
        if cursor < offset + length:
            return offset, min(offset + length, len(code))
        offset += length
    return offset, len(code)


def parts_of(session: Session, code: str) -> Iterator[Part]:
    """Yield the programs and templates of a cell; commands and other magics have none."""
    start = below_ways(code)
    rest = code[start:]
    if is_cell_magic(rest):
        name, argument, body = split_magic(rest)
        text = rest[body:]
        kind = body_of(name)
        if kind == "code":
            yield Part(start + body, text, are_conditions=name == "check")
        elif kind == "template":
            given = frozenset(_WORD.findall(argument))
            yield Part(start + body, text, is_template=True, given=given)
        elif kind == "file" and argument.endswith((".pp", ".epp")):
            is_template = argument.endswith(".epp")
            yield Part(start + body, text, is_template, has_names=False)
        return
    lines = rest.split("\n")
    offset = start
    for first, end in input_lines(session, lines):
        text = "\n".join(lines[first:end])
        if text.strip() and not is_command(text):
            yield Part(offset, without_semicolon(session, text)[0])
        offset += len(text) + 1


def captured_names(code: str) -> set[str]:
    """Return the names of the variables that a cell is captured in."""
    matches = [_VARIABLE.fullmatch(word) for name, word, _ in _ways(code) if name == "capture"]
    return {match["name"] for match in matches if match is not None}


def _variable(argument: str) -> str:
    match = _VARIABLE.fullmatch(argument)
    if match is None:
        raise CellMagicError("%%capture needs the name of a variable: %%capture $result")
    return match["name"]
