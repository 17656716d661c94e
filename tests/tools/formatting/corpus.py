"""Check the laws of the formatter on directories: python -m tests.tools.formatting.corpus DIR...

Each manifest at widths 80, 100 and 140; with --noise so many manifests with comments, blanks or
line breaks between their tokens, at random widths. What breaks a law is printed; the exit status
is 1 then.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.formatting import FormatError
from tests.tools.formatting.laws import WIDTHS, broken_laws, with_noise

KINDS = ("comments", "blanks", "breaks")
MAX_CHARACTERS = 10_000
"""A longer manifest gets no noise."""


def manifests(directories: list[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield the path and the text of each manifest that can be parsed, and whether it is a plan."""
    for directory in directories:
        for path in sorted(Path(directory).rglob("*.pp")):
            tasks = "plans" in path.parts
            try:
                text = path.read_text(encoding="utf-8", errors="strict")
                parse(Source(text), tasks=tasks)
            except (OSError, UnicodeError, PuppetError):
                continue
            yield str(path), text, tasks


def laws(text: str, width: int, *, tasks: bool = False) -> list[str]:
    """Return the laws that are broken, an exception among them."""
    try:
        return broken_laws(text, width=width, tasks=tasks)
    except FormatError as error:
        return [] if error.start is not None else [str(error)]


def main() -> int:
    """Check what the arguments name; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directories", nargs="+")
    parser.add_argument("--widths", type=int, nargs="*", default=[80, 100, 140])
    parser.add_argument("--noise", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    found = list(manifests(given.directories))
    bad = 0
    for path, text, tasks in found:
        for width in given.widths:
            for law in laws(text, width, tasks=tasks):
                bad += 1
                print(f"{path} at {width}: {law}", flush=True)
    print(f"{len(found)} manifests at {len(given.widths)} widths: {bad} broken laws", flush=True)
    chance = random.Random(given.seed)
    short = [text for _, text, tasks in found if len(text) < MAX_CHARACTERS and not tasks]
    tried = 0
    while short and tried < given.noise:
        kind = chance.choice(KINDS)
        noisy = with_noise(chance.choice(short), kind, chance)
        if noisy is None:
            continue
        tried += 1
        width = chance.choice(WIDTHS)
        for law in laws(noisy, width):
            bad += 1
            print(f"{kind} at {width}: {law}\n{noisy}", flush=True)
    print(f"{tried} manifests with noise: {bad} broken laws in all")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
