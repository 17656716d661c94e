"""Sets of characters in the notation of Ruby's ``tr``, ``count`` and ``squeeze``."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.values.ruby import no_conversion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.values.protocols import Value


def character_set(notation: Value) -> Callable[[str], bool]:
    """Return the test of a set: characters, ranges ``a-c``, ``^`` for all others, and escapes.

    Raises Ruby's error for a value that is not a string, and for a range whose end comes first.
    """
    if type(notation) is not str:
        raise no_conversion(notation, "String")
    is_negated = notation.startswith("^") and len(notation) > 1
    rest = notation[1:] if is_negated else notation
    singles: set[str] = set()
    ranges: list[tuple[str, str]] = []
    position = 0
    while position < len(rest):
        first, position = _character(rest, position)
        if rest[position : position + 1] == "-" and position + 1 < len(rest):
            last, position = _character(rest, position + 1)
            if last < first:
                raise RuntimeFailure(f'invalid range "{first}-{last}" in string transliteration')
            ranges.append((first, last))
        else:
            singles.add(first)

    def accepts(character: str) -> bool:
        inside = character in singles or any(low <= character <= high for low, high in ranges)
        return inside is not is_negated

    return accepts


def _character(text: str, position: int) -> tuple[str, int]:
    """Return a character that may be escaped, and the position after it."""
    if text[position] == "\\" and position + 1 < len(text):
        position += 1
    return text[position], position + 1


def counted(text: str, notation: Value) -> int:
    """Return how many characters of a string are in a set."""
    return sum(map(character_set(notation), text))


def squeezed(text: str, notation: Value = None) -> str:
    """Return a string with repeated characters of a set (None: any character) as one."""
    accepts = (lambda _: True) if notation is None else character_set(notation)
    kept: list[str] = []
    for character in text:
        if not kept or character != kept[-1] or not accepts(character):
            kept.append(character)
    return "".join(kept)
