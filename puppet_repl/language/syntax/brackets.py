"""Separators of a list that are outside of all brackets, and the bracket that matches another."""

from __future__ import annotations

from puppet_repl.base.patterns import LatePattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

OPENING = frozenset("([{")
CLOSING = frozenset(")]}")

_PIECE = LatePattern(r"""(?sx)
    '(?:[^'\\]|\\.)*(?:'|\Z) | "(?:[^"\\]|\\.)*(?:"|\Z)
    | \#[^\n]* | /\*.*?(?:\*/|\Z)
    | (?:(?<=[\[,(])|(?<=,\ ))/(?:[^/\\\n]|\\.)+/
    | .
    """)


def outside_brackets(pieces: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the pieces outside of all brackets, with their indices.

    Pieces are characters, or texts of tokens. An opening bracket is outside of itself, so it is
    yielded. A closing bracket is yielded if its opening bracket is not among the pieces.
    """
    return _at_depth_zero(pieces, OPENING, CLOSING)


def outside_brackets_backwards(pieces: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the same of pieces in reverse order: index 0 is the last piece of the text."""
    return _at_depth_zero(pieces, CLOSING, OPENING)


def enclosing_bracket(pieces: Iterable[str]) -> int | None:
    """Return the index of the innermost bracket that is open after the pieces, None without one.

    ``pieces`` come in reverse order: index 0 is the last piece of the text.
    """
    for index, piece in outside_brackets_backwards(pieces):
        if piece in OPENING:
            return index
    return None


def closing_bracket(pieces: Iterable[str]) -> int | None:
    """Return the index of the bracket that closes one opened before the pieces, or None."""
    for index, piece in outside_brackets(pieces):
        if piece in CLOSING:
            return index
    return None


def pieces_of(text: str) -> list[str]:
    """Split source text into strings, regular expressions, comments and single characters.

    A regular expression is one where it follows a bracket or a comma: a slash may also divide.
    """
    return _PIECE.findall(text)


def split_at_commas(text: str) -> list[str]:
    """Split source text at the commas outside of brackets and strings; empty parts are dropped."""
    pieces = pieces_of(text) if any(mark in text for mark in "'\"/#") else list(text)
    commas = [index for index, piece in outside_brackets(pieces) if piece == ","]
    starts = [0, *(comma + 1 for comma in commas)]
    ends = [*commas, len(pieces)]
    parts = ("".join(pieces[start:end]).strip() for start, end in zip(starts, ends, strict=True))
    return [part for part in parts if part]


def _at_depth_zero(
    pieces: Iterable[str], opening: frozenset[str], closing: frozenset[str]
) -> Iterator[tuple[int, str]]:
    depth = 0
    for index, piece in enumerate(pieces):
        if piece in closing:
            if not depth:
                yield index, piece
            else:
                depth -= 1
            continue
        if not depth:
            yield index, piece
        if piece in opening:
            depth += 1
