"""What is outside of brackets, the bracket around a position, lists split at their commas."""

from __future__ import annotations

import pytest

from puppet_repl.language.syntax.brackets import (
    closing_bracket,
    enclosing_bracket,
    outside_brackets,
    pieces_of,
    split_at_commas,
)


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


@pytest.mark.parametrize(
    ("text", "end"), [("a) b", 1), ("f(a)[0] ] c", 8), ("(", None), ("'])' ) x", 5), ("'x)", None)]
)
def test_closing(text: str, end: int | None) -> None:
    pieces = pieces_of(text)
    index = closing_bracket(pieces)
    assert "".join(pieces) == text
    assert (None if index is None else len("".join(pieces[:index]))) == end


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("Integer $a, Hash[String, Any] $b", ["Integer $a", "Hash[String, Any] $b"]),
        ("$a = ',', $b = \"[,\", $c,", ["$a = ','", '$b = "[,"', "$c"]),
        (r"$a = 'it\'s, is', $b", [r"$a = 'it\'s, is'", "$b"]),
        ("$a = 'open, $b", ["$a = 'open, $b"]),
    ],
)
def test_split_at_commas(text: str, parts: list[str]) -> None:
    assert split_at_commas(text) == parts
