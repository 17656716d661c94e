"""The lexer for Pygments, beside the one that Pygments brings for Puppet."""

from __future__ import annotations

from collections import deque
from functools import partial
from pathlib import Path

from pygments.lexer import Lexer
from pygments.lexers.dsls import PuppetLexer as BuiltinLexer

from puppet_pygments import PuppetLexer
from tests.benchmarks.rows import Row, Rows
from tests.benchmarks.timing import best_of_each

EXAMPLES = Path(__file__).parents[1] / "pygments" / "examples"
REPEATED = 100


def lexers() -> Rows:
    """Yield the seconds to lex the examples of the tests, often enough to measure."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.rglob("*.pp"))]
    size = REPEATED * sum(map(len, texts)) / 1e6
    lexers = PuppetLexer(stripnl=False, ensurenl=False), BuiltinLexer(stripnl=False, ensurenl=False)
    works = [partial(_lex, lexer, texts * REPEATED) for lexer in lexers]
    ours, theirs = best_of_each(works)
    yield Row("lexers", f"{size:.1f} M characters", ours, theirs, "Pygments' own lexer")


def _lex(lexer: Lexer, texts: list[str]) -> None:
    for text in texts:
        deque(lexer.get_tokens_unprocessed(text), maxlen=0)
