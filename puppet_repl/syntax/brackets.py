"""Finding what stands outside of brackets: separators of a list, the bracket that matches."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

OPENING = frozenset("([{")
CLOSING = frozenset(")]}")


def outside_brackets(pieces: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the pieces outside of all brackets, with their indices.

    Pieces are characters, or texts of tokens. An opening bracket stands outside of itself, so it
    is yielded; so is a closing one whose opening bracket is not among the pieces.
    """
    return _at_depth_zero(pieces, OPENING, CLOSING)


def enclosing_bracket(pieces: Iterable[str]) -> int | None:
    """Return how many pieces before the end the innermost open bracket stands; 0 is the last.

    ``pieces`` come in reverse order.
    """
    for index, piece in _at_depth_zero(pieces, CLOSING, OPENING):
        if piece in OPENING:
            return index
    return None


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
