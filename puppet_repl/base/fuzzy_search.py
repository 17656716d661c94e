"""Fuzzy search: how well texts match typed letters.

Candidates for completion are ranked by one word (``ranked``), earlier inputs by several
(``distance``). A text that contains the whole word matches better than a text with other letters in
between; then the beginnings of words count, and the gaps between the letters.
"""

from __future__ import annotations

from collections.abc import Iterable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol, TypeVar

    Named = TypeVar("Named", bound="HasText")

    class HasText(Protocol):
        """Anything that has a text to be matched, and a weight (a lower one comes first)."""

        @property
        def text(self) -> str:
            """The text that is inserted."""
            ...

        @property
        def weight(self) -> int:
            """The order among equally good matches."""
            ...


# A word that is contained as a whole is always closer than a word with scattered letters.
_SCATTERED = 1000
# The cost of a gap, and of a gap that does not end at the beginning of a word.
_GAP = 2
_INSIDE = 6
# How many positions of scattered letters are compared in one text.
_MAX_SPREADS = 5
# Fewer letters with gaps between them are in most names: such matches are noise.
_MIN_SCATTERED = 3


def ranked(candidates: Iterable[Named], query: str) -> list[Named]:
    """Return the candidates that match, best first; equal ones by weight, length and name."""
    found = []
    for candidate in candidates:
        cost = _score(candidate.text, query)
        if cost is not None:
            found.append((cost, candidate.weight, len(candidate.text) if query else 0, candidate))
    found.sort(key=lambda entry: (*entry[:3], entry[3].text.lower(), entry[3].text))
    return [entry[3] for entry in found]


def _score(candidate: str, query: str) -> int | None:
    """Return the cost of a candidate for one word, 0 if equal; None without a match.

    Equal, then a prefix, a prefix in another case, the start of a word inside, any part, and at
    last the letters in their order with gaps, the first one at the start of a word.
    """
    if not query or candidate == query:
        return 0
    if candidate.startswith(query):
        return 10
    folded, wanted = candidate.lower(), query.lower()
    at = _position(folded, wanted)
    if at == 0:
        return 20
    if at > 0:
        return (30 if _is_beginning(folded, at) else 50) + min(at, 9)
    if len(wanted) < _MIN_SCATTERED:
        return None
    spread = _closest_spread(folded, wanted, at_beginning=True)
    return None if spread is None else 80 + min(spread[0], 19) + _cost(folded, spread)


def distance(folded: str, words: list[str]) -> int | None:
    """Return the distance of a text from words, 0 for the closest; None if a word is missing.

    Text and words have to be in lower case.
    """
    total = 0
    for word in words:
        at = _position(folded, word)
        if at >= 0:
            total += not _is_beginning(folded, at)
            continue
        spread = _closest_spread(folded, word)
        if spread is None:
            return None
        total += _SCATTERED + _cost(folded, spread)
    return total


def positions(folded: str, words: list[str]) -> set[int]:
    """Return which characters of a text are those of the words, as ``distance`` compares them."""
    found: set[int] = set()
    for word in words:
        at = _position(folded, word)
        if at >= 0:
            found.update(range(at, at + len(word)))
        else:
            found.update(_closest_spread(folded, word) or ())
    return found


def _position(text: str, word: str) -> int:
    """Return the offset of a word, preferably at the beginning of a word of the text; or -1."""
    first = at = text.find(word)
    while at >= 0:
        if _is_beginning(text, at):
            return at
        at = text.find(word, at + 1)
    return first


def _is_beginning(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum()


def _closest_spread(text: str, word: str, *, at_beginning: bool = False) -> list[int] | None:
    """Return the positions of the letters of a word where they are closest together.

    Only the first few spreads are compared, each as short as its end allows. ``at_beginning`` asks
    for those whose first letter begins a word.
    """
    best: list[int] | None = None
    best_cost = 0
    start = 0
    for _ in range(_MAX_SPREADS):
        start = text.find(word[0], start)
        while at_beginning and start >= 0 and not _is_beginning(text, start):
            start = text.find(word[0], start + 1)
        at = start - 1
        for letter in word:
            at = text.find(letter, at + 1)
            if start < 0 or at < 0:
                return best
        spread = []
        end = at + 1
        for letter in reversed(word):
            end = text.rfind(letter, start, end)
            spread.append(end)
        if at_beginning:
            spread[-1] = start
        spread.reverse()
        cost = _cost(text, spread)
        if best is None or cost < best_cost:
            best, best_cost = spread, cost
        start = spread[0] + 1
    return best


def _cost(text: str, spread: list[int]) -> int:
    """Return the cost of letters at positions: their gaps, and where these end."""
    cost = 0 if _is_beginning(text, spread[0]) else _INSIDE
    before = spread[0]
    for at in spread[1:]:
        gap = at - before - 1
        if gap:
            cost += _GAP + gap + (0 if _is_beginning(text, at) else _INSIDE)
        before = at
    return cost
