"""The laws of the formatter, checked for one text: the tree is checked by the formatter itself."""

from __future__ import annotations

import random
import re
from itertools import pairwise

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.formatting import format_text
from puppet_repl.tools.formatting.atoms import Atom, FormatError, read_atoms

WIDTHS = (20, 40, 60, 80, 100, 140, 200)
_BLANKS = re.compile(r"[ \t\r]+(?=\n|\Z)")


def atoms_of(text: str, *, tasks: bool = False) -> tuple[list[Atom], list[tuple[int, int]]]:
    """Return the atoms of a text, and the spans of its heredocs."""
    lexer = Lexer(Source(text), tasks)
    lexer.run()
    return read_atoms(lexer), [(begin, after) for _, begin, _, after in lexer.heredocs]


def comments_of(text: str, *, tasks: bool = False) -> list[str]:
    """Return the texts of the comments."""
    atoms, _ = atoms_of(text, tasks=tasks)
    return sorted(_BLANKS.sub("", comment.text) for atom in atoms for comment in atom.comments)


def broken_laws(text: str, *, width: int = 140, tasks: bool = False) -> list[str]:
    """Return which laws do not hold for a text that can be parsed."""
    result = format_text(text, width=width, tasks=tasks)
    broken = []
    if format_text(result, width=width, tasks=tasks) != result:
        broken.append("a second run changes the result")
    if comments_of(text, tasks=tasks) != comments_of(result, tasks=tasks):
        broken.append("the comments are others")
    if result and (not result.endswith("\n") or result.endswith("\n\n")):
        broken.append("not one line break at the end")
    broken += _bad_lines(result, tasks=tasks)
    if not _stay_on_their_lines(text, result, tasks=tasks):
        broken.append("a comment for puppet-lint is at another token")
    return broken


def _bad_lines(result: str, *, tasks: bool) -> list[str]:
    """Return the lines with blanks at their ends, or tabs at their beginnings."""
    atoms, bodies = atoms_of(result, tasks=tasks)
    taken = bodies + [(atom.start, atom.end) for atom in atoms if "\n" in atom.text]
    taken += [
        (comment.start, comment.start + len(comment.text))
        for atom in atoms
        for comment in atom.comments
    ]
    broken = []
    position = 0
    for line in result.split("\n"):
        end = position + len(line)
        if line != line.rstrip(" \t") and not _in(taken, end):
            broken.append(f"a blank at the end of {line!r}")
        if line.startswith("\t") and not _in(taken, position):
            broken.append(f"a tab begins {line!r}")
        position = end + 1
    return broken


def _in(spans: list[tuple[int, int]], offset: int) -> bool:
    return any(begin <= offset <= end for begin, end in spans)


def _controls(text: str, *, tasks: bool) -> list[tuple[str, int]]:
    """Return the comments behind code that switch rules off, each with a token of its line."""
    atoms, _ = atoms_of(text, tasks=tasks)
    found = []
    number = 0
    for atom in atoms:
        found += [
            (comment.text, number)
            for comment in atom.comments
            if comment.is_control and not comment.own
        ]
        number += atom.kind not in (",", ";")
    return found


def _stay_on_their_lines(text: str, result: str, *, tasks: bool) -> bool:
    """Tell whether each comment that switches a rule off is on the line of the token before it."""
    atoms, _ = atoms_of(result, tasks=tasks)
    tokens = [atom for atom in atoms if atom.kind not in (",", ";")]
    lines = {
        comment.text: result.count("\n", 0, comment.start)
        for atom in atoms
        for comment in atom.comments
    }
    return all(
        lines[comment] == result.count("\n", 0, tokens[number - 1].end)
        for comment, number in _controls(text, tasks=tasks)
        if number
    )


def with_noise(text: str, kind: str, chance: random.Random, *, share: float = 0.05) -> str | None:
    """Return a text with comments, blanks or line breaks between some of its tokens.

    None for a text that cannot be parsed any more.
    """
    try:
        atoms, bodies = atoms_of(text)
    except FormatError:
        return None
    pieces: list[str] = []
    position = 0
    for number, (left, right) in enumerate(pairwise(atoms)):
        start, end = left.end, right.start
        if chance.random() > share or any(a <= end and start <= b for a, b in bodies):
            continue
        gap = text[start:end]
        noise = _noisy(gap, kind, number, chance)
        if "lint:" in noise and any("lint:" in piece for piece in pieces):
            continue  # two of them may come to one line
        pieces += [text[position:start], noise]
        position = end
    noisy = "".join([*pieces, text[position:]])
    try:
        parse(Source(noisy))
        atoms_of(noisy)
    except (PuppetError, FormatError):
        return None
    return noisy


def _noisy(gap: str, kind: str, number: int, chance: random.Random) -> str:
    if kind == "comments":
        comment = chance.choice(
            (
                f" # c{number}\n",
                f"\n # c{number}\n",
                f" /* c{number} */ ",
                f"\n\n# c{number}\n# d{number}\n",
                f" # lint:ignore:x{number}\n",
            )
        )
        return gap + comment if "#" in gap or chance.random() < 0.5 else comment + gap
    if kind == "breaks":
        return gap + chance.choice(("\n", "\n\n\n", "\n  "))
    if gap and "#" not in gap and "\n" not in gap:
        return gap + chance.choice((" ", "  ", "\t"))
    return gap
