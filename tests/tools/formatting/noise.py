"""Comments, blanks and line breaks between the tokens of a text, put in at random."""

from __future__ import annotations

import random
from itertools import pairwise

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from tests.tools.formatting.laws import atoms_of

KINDS = ("comments", "blanks", "breaks")


def with_noise(text: str, kind: str, chance: random.Random, *, share: float = 0.05) -> str | None:
    """Return a text with comments, blanks or line breaks between some of its tokens.

    None for a text that cannot be parsed any more.
    """
    try:
        atoms, bodies = atoms_of(text)
    except PuppetError:
        return None
    pieces: list[str] = []
    position = 0
    for number, (left, right) in enumerate(pairwise(atoms)):
        start, end = left.end, right.start
        if chance.random() > share or any(a <= end and start <= b for a, b in bodies):
            continue
        gap = text[start:end]
        noise = _noisy(gap, kind, number, chance)
        if "lint:" in noise and ("lint:" in text or any("lint:" in piece for piece in pieces)):
            continue  # two of them may come to one line
        pieces += [text[position:start], noise]
        position = end
    noisy = "".join([*pieces, text[position:]])
    try:
        parse(Source(noisy))
        atoms_of(noisy)
    except PuppetError:
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
