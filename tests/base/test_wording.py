"""Words in messages."""

from __future__ import annotations

import pytest

from puppet_repl.base.wording import counted


@pytest.mark.parametrize(
    ("number", "words", "expected"),
    [
        (0, ("input",), "0 inputs"),
        (1, ("input",), "1 input"),
        (2, ("more line",), "2 more lines"),
        (1, ("entry", "entries"), "1 entry"),
        (2, ("entry", "entries"), "2 entries"),
    ],
)
def test_nouns_are_counted(number: int, words: tuple[str, ...], expected: str) -> None:
    assert counted(number, *words) == expected
