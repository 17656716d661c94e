"""Speed of the lexers on files, beside the lexer that Pygments brings for Puppet.

    python -m tests.benchmarks.lexer_speed [DIRECTORY ...]

Without directories the examples of the tests are lexed, often enough to measure.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from pygments.lexer import Lexer
from pygments.lexers.dsls import PuppetLexer as BuiltinLexer

from puppet_pygments import PuppetLexer

EXAMPLES = Path(__file__).parents[1] / "pygments" / "examples"
ROUNDS = 3


def texts_of(directories: list[str]) -> list[str]:
    files = [path for directory in directories for path in sorted(Path(directory).rglob("*.pp"))]
    return [path.read_text(encoding="utf-8", errors="replace") for path in files]


def speed(lexer: Lexer, texts: list[str]) -> float:
    """Megabytes a second, the best of some rounds."""
    size = sum(len(text.encode()) for text in texts)
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for text in texts:
            for _token in lexer.get_tokens_unprocessed(text):
                pass
        best = min(best, time.perf_counter() - begun)
    return size / best / 1e6


def main(directories: list[str]) -> int:
    texts = texts_of(directories) if directories else texts_of([str(EXAMPLES)]) * 100
    ours = speed(PuppetLexer(stripnl=False, ensurenl=False), texts)
    theirs = speed(BuiltinLexer(stripnl=False, ensurenl=False), texts)
    print(f"{len(texts)} files, {sum(map(len, texts)) / 1e6:.1f} M characters")
    print(f"puppet_pygments  {ours:5.1f} MB/s")
    print(f"built-in lexer   {theirs:5.1f} MB/s   ratio {ours / theirs:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
