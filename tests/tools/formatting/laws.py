"""The laws of the formatter, checked for a text and its form.

The structure of brackets is the formatter's own reading of the tree; where lines break, and what
is on them, is read from the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.language.syntax.parser import parse_tokens
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.formatting import format_text
from puppet_repl.tools.formatting.atoms import Atom, Comment, Heredoc, read_atoms
from puppet_repl.tools.formatting.structure import (
    Bracket,
    first_atom,
    last_atom,
    nested,
    read_structure,
)

_BLANKS = re.compile(r"[ \t\r]+(?=\n|\Z)")
_LISTS = frozenset(("list", "hash", "selector", "attributes", "call", "access", "method"))
_ROWS = frozenset(("hash", "selector", "attributes", "resource"))
_ARROWS = ("=>", "+>")


class Reading:
    """What is in a text: its tree, atoms, comments, brackets, and the places of its lines."""

    def __init__(self, text: str, *, tasks: bool = False) -> None:
        self.text = text
        lexer = Lexer(Source(text), tasks)
        lexer.run()
        self.program = parse_tokens(lexer)
        self.atoms = read_atoms(lexer)
        self.heredocs = [(begin, after) for _, begin, _, after in lexer.heredocs]
        self.brackets = list(
            _brackets(nested(self.atoms, read_structure(self.program, self.atoms)))
        )
        strings = [(atom.start, atom.end) for atom in self.atoms if "\n" in atom.text]
        self._breaks = [
            found.start()
            for found in re.finditer("\n", text)
            if not any(start < found.start() < end for start, end in strings)
        ]

    @property
    def comments(self) -> list[Comment]:
        return [comment for atom in self.atoms for comment in atom.comments]

    def line(self, offset: int) -> int:
        """Return the number of a line, from 0; a string of several lines is on the first one."""
        return bisect_left(self._breaks, offset)

    def column(self, offset: int) -> int:
        return offset - self.text.rfind("\n", 0, offset) - 1

    def begins_line(self, atom: Atom) -> bool:
        return not self.text[self.text.rfind("\n", 0, atom.start) + 1 : atom.start].strip(" ")


def _brackets(elements: list[Atom | Bracket]) -> Iterator[Bracket]:
    for element in elements:
        if isinstance(element, Bracket):
            yield element
            yield from _brackets(element.children)


def atoms_of(text: str) -> tuple[list[Atom], list[tuple[int, int]]]:
    """Return the atoms of a text, and the spans of its heredocs."""
    reading = Reading(text)
    return reading.atoms, reading.heredocs


def broken_laws(text: str, *, width: int = 140, tasks: bool = False) -> list[str]:
    """Return which laws do not hold for a text that can be parsed."""
    result = format_text(text, width=width, tasks=tasks)
    broken = unlawful(text, result, width=width, tasks=tasks)
    if format_text(result, width=width, tasks=tasks) != result:
        broken.append("a second run changes the result")
    return broken


def unlawful(text: str, result: str, *, width: int = 140, tasks: bool = False) -> list[str]:
    """Return which laws do not hold for a result."""
    before, after = Reading(text, tasks=tasks), Reading(result, tasks=tasks)
    laws = {
        "the trees differ": repr(before.program.body) == repr(after.program.body),
        "the comments are others": comments(before) == comments(after),
        "not one line break at the end": not result or result.endswith("\n"),
        "an empty line at an end": result == result.strip("\n") + "\n" * bool(result),
        "a heredoc is moved in part": _heredocs_moved(before, after),
        "a comment for puppet-lint is at another token": _controls_stay(before, after),
    }
    broken = [law for law, holds in laws.items() if not holds]
    if "# format: off" not in text:  # there, the form is the author's
        broken += _bad_lines(after)
        broken += _half_broken(after)
        broken += _ragged(after)
        broken += _too_long(after, width)
    return broken


def comments(reading: Reading) -> list[str]:
    return sorted(_BLANKS.sub("", comment.text) for comment in reading.comments)


def _heredocs_moved(before: Reading, after: Reading) -> bool:
    """Tell whether the lines of each heredoc are moved as one, or not at all."""
    return all(
        _is_moved(left, right)
        for left, right in zip(_heredocs(before), _heredocs(after), strict=True)
    )


def _heredocs(reading: Reading) -> list[Heredoc]:
    return [heredoc for atom in reading.atoms for heredoc in atom.heredocs]


def _is_moved(before: Heredoc, after: Heredoc) -> bool:
    shifts = {
        len(right) - len(left)
        for left, right in zip(
            [*before.lines, before.last], [*after.lines, after.last], strict=True
        )
        if left.strip() and left.strip() == right.strip()
    }
    same = [line.strip() for line in before.lines] == [line.strip() for line in after.lines]
    return same and (len(shifts) == 1 or "|" not in before.last)


def _controls(reading: Reading) -> dict[str, list[tuple[bool, int, int]]]:
    """Return the comments that switch rules off, by their text.

    Of each, whether it is behind code, the number of tokens before it, and where it starts.
    """
    found: dict[str, list[tuple[bool, int, int]]] = {}
    number = 0
    for atom in reading.atoms:
        for comment in atom.comments:
            if comment.is_control:
                found.setdefault(comment.text, []).append((not comment.own, number, comment.start))
        number += atom.kind not in (",", ";")
    return found


def _controls_stay(before: Reading, after: Reading) -> bool:
    """Tell whether each comment that switches a rule off is on the line of the token before it."""
    there = _controls(after)
    ends = [atom.end for atom in after.atoms if atom.kind not in (",", ";")]
    return all(
        number == 0 or not is_behind or after.line(ends[number - 1]) == after.line(start)
        for comment, places in _controls(before).items()
        for (is_behind, number, _), (_, _, start) in zip(
            places, there.get(comment, []), strict=False
        )
    )


def _bad_lines(reading: Reading) -> Iterator[str]:
    """Yield the lines with blanks at their ends, or tabs at their beginnings."""
    taken = reading.heredocs + [
        (atom.start, atom.end) for atom in reading.atoms if "\n" in atom.text
    ]
    taken += [(comment.start, comment.start + len(comment.text)) for comment in reading.comments]
    position = 0
    for line in reading.text.split("\n"):
        end = position + len(line)
        if line != line.rstrip(" \t") and not _in(taken, end):
            yield f"a blank at the end of {line!r}"
        if line.startswith("\t") and not _in(taken, position):
            yield f"a tab begins {line!r}"
        position = end + 1


def _in(spans: list[tuple[int, int]], offset: int) -> bool:
    return any(begin <= offset <= end for begin, end in spans)


def _items(bracket: Bracket) -> list[list[Atom | Bracket]]:
    found: list[list[Atom | Bracket]] = [[]]
    for child in bracket.children:
        if isinstance(child, Atom) and child.kind == ",":
            found.append([])
        else:
            found[-1].append(child)
    return [item for item in found if item]


def _half_broken(reading: Reading) -> Iterator[str]:
    """Yield the lists that are neither on one line nor have an item a line nor hug the last."""
    for bracket in reading.brackets:
        items = _items(bracket)
        if (bracket.role not in _LISTS and bracket.role != "parameters") or not items:
            continue
        first = [first_atom(item[0]) for item in items]
        last = [last_atom(item[-1]) for item in items]
        start, end = reading.line(bracket.opener.start), reading.line(bracket.closer.start)
        if start == end or all(map(reading.begins_line, [*first, bracket.closer])):
            continue
        hugs = (
            bracket.role != "parameters"
            and reading.line(first[-1].start) == start
            and last[-1].end == bracket.closer.start
        )
        if not hugs or any(reading.line(each.end) != start for each in last[:-1]):
            yield f"a bracket of line {start + 1} is broken in part"


def _ragged(reading: Reading) -> Iterator[str]:
    """Yield the brackets whose arrows are not in a column."""
    for bracket in reading.brackets:
        if bracket.role not in _ROWS:
            continue
        columns: set[int] = set()
        begin: Atom | None = None
        for child in bracket.children:
            atom = first_atom(child)
            if isinstance(child, Atom) and child.kind in (",", ":", ";"):
                columns = set() if child.kind == ";" else columns
                begin = None
            elif isinstance(child, Atom) and child.text in _ARROWS and begin is not None:
                if reading.begins_line(begin) and reading.line(begin.start) == reading.line(
                    atom.start
                ):
                    columns.add(reading.column(atom.start))
                if len(columns) > 1:
                    yield f"an arrow of line {reading.line(atom.start) + 1} is out of its column"
                    break
            elif begin is None:
                begin = atom


def _too_long(reading: Reading, width: int) -> Iterator[str]:
    """Yield the lines over the width with a list that is on one line: it could break."""
    padded = re.compile(r" {2,}(?=[=$*])|(?<=:) {2,}")
    long = set()
    for number, line in enumerate(reading.text.split("\n")):
        if len(line) > width:
            at = sum(map(len, reading.text.split("\n")[:number])) + number
            comments = [each.start - at for each in reading.comments if each.start >= at]
            code = line[: min(comments, default=len(line))].rstrip()
            if len(padded.sub(" ", code)) > width:
                long.add(at)
    for bracket in reading.brackets if long else []:
        at = reading.text.rfind("\n", 0, bracket.opener.start) + 1
        if (
            at in long
            and bracket.children
            and bracket.role in _LISTS
            and "\n" not in reading.text[at : bracket.closer.end]
        ):
            yield f"a bracket on the long line {reading.line(at) + 1} could break"
