"""Check the laws of the formatter on directories: python -m tests.tools.formatting.corpus DIR...

Each manifest at widths 80, 100 and 140, each EPP template once; with --noise so many manifests with
comments, blanks or line breaks between their tokens, at random widths. What breaks a law is
printed; the exit status is 1 then.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.formatting import format_text
from tests.tools.formatting.laws import broken_laws
from tests.tools.formatting.noise import KINDS, with_noise

MAX_CHARACTERS = 10_000
"""A longer manifest gets no noise."""
_FORM = frozenset(" \t\n,\"'{}")


def texts(directories: list[str], ending: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the path and the text of each file that can be parsed, and whether it is a plan.

    Files with the same text are one.
    """
    seen: set[int] = set()
    for directory in directories:
        for path in sorted(Path(directory).rglob(f"*{ending}")):
            tasks = "plans" in path.parts
            try:
                text = path.read_bytes().decode()
                parse(Source(text), epp=ending == ".epp", tasks=tasks)
            except (OSError, UnicodeError, PuppetError):
                continue
            if hash(text) not in seen:
                seen.add(hash(text))
                yield str(path), text, tasks


def laws(text: str, width: int, *, tasks: bool = False) -> list[str]:
    """Return the laws that are broken, a refusal among them."""
    try:
        return broken_laws(text, width=width, tasks=tasks)
    except PuppetError as error:
        return [str(error)]


def template_laws(text: str) -> list[str]:
    """Return the laws that are broken by the form of a template."""
    try:
        result = format_text(text, is_template=True)
        broken = [] if format_text(result, is_template=True) == result else ["not stable"]
    except PuppetError as error:
        return [str(error)]
    if _characters(text) != _characters(result):
        broken.append("characters are lost")
    return broken


def _characters(text: str) -> Counter[str]:
    """Count the characters that no form adds or removes."""
    return Counter(each for each in text if each not in _FORM)


def main() -> int:
    """Check what the arguments name; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directories", nargs="+")
    parser.add_argument("--widths", type=int, nargs="*", default=[80, 100, 140])
    parser.add_argument("--noise", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    found = list(texts(given.directories, ".pp"))
    bad = 0
    for path, text, tasks in found if given.widths else []:
        for width in given.widths:
            for law in laws(text, width, tasks=tasks):
                bad += 1
                print(f"{path} at {width}: {law}", flush=True)
    count = 0
    for path, text, _ in texts(given.directories, ".epp") if given.widths else []:
        count += 1
        for law in template_laws(text):
            bad += 1
            print(f"{path}: {law}", flush=True)
    print(f"{len(found)} manifests at {len(given.widths)} widths, {count} templates: {bad} broken")
    tried = _check_noise(found, given.noise, given.seed)
    print(f"{given.noise} manifests with noise, seed {given.seed}: {tried} broken laws")
    return 1 if bad or tried else 0


def _check_noise(found: list[tuple[str, str, bool]], count: int, seed: int) -> int:
    """Check manifests with noise; return how many laws were broken."""
    chance = random.Random(seed)
    short = [text for _, text, tasks in found if len(text) < MAX_CHARACTERS and not tasks]
    bad = tried = 0
    while short and tried < count:
        kind = chance.choice(KINDS)
        noisy = with_noise(chance.choice(short), kind, chance)
        if noisy is None:
            continue
        tried += 1
        width = chance.randint(20, 200)
        for law in laws(noisy, width):
            bad += 1
            print(f"{kind} at {width}, number {tried}: {law}\n{noisy}", flush=True)
    return bad


if __name__ == "__main__":
    sys.exit(main())
