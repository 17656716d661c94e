"""What stands outside of brackets, and the bracket around a place."""

from __future__ import annotations

import pytest

from puppet_repl.syntax.brackets import enclosing_bracket, outside_brackets


@pytest.mark.parametrize(
    ("text", "outside"),
    [
        ("", ""),
        ("a,b", "a,b"),
        ("a(b,c)d", "a(d"),
        ("a[b{c}](e)f", "a[(f"),
        ("a)b", "a)b"),
        ("(a", "("),
    ],
)
def test_outside(text: str, outside: str) -> None:
    pairs = list(outside_brackets(text))
    assert "".join(piece for _, piece in pairs) == outside
    assert all(text[index] == piece for index, piece in pairs)


def test_pieces_may_be_tokens() -> None:
    pieces = ["x", "(", "", ",", ")", ",", "=>"]
    assert [index for index, piece in outside_brackets(pieces) if piece == ","] == [5]


@pytest.mark.parametrize(
    ("text", "bracket"), [("f(a, [b], ", 1), ("f(a)", None), ("x{y[z", 3), ("a)b", None), ("(", 0)]
)
def test_enclosing(text: str, bracket: int | None) -> None:
    distance = enclosing_bracket(reversed(text))
    assert (None if distance is None else len(text) - 1 - distance) == bracket
