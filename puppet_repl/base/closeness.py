"""How close texts are to letters that were typed to find one of them, as in an earlier input.

A word that stands in the text as it was typed is closer than its letters with others in between;
then the beginnings of words count, and how few characters the letters are spread over.
"""

from __future__ import annotations

# Letters that are scattered in one word are never as close as another that is there as a whole.
_SCATTERED = 1000
# What a gap costs, and one that does not end at the beginning of a word.
_GAP = 2
_INSIDE = 6
# Places of scattered letters that are compared in one text.
_MAX_PLACES = 5


def distance(folded: str, words: list[str]) -> int | None:
    """Return how far a text is from words, 0 for the closest; None where one is not in it.

    Both have to be in lower case.
    """
    total = 0
    for word in words:
        at = folded.find(word)
        if at >= 0:
            if at and folded[at - 1].isalnum():
                total += not _is_beginning(folded, _beginning(folded, word, at))
            continue
        spread = _scattered(folded, word)
        if spread is None:
            return None
        total += _SCATTERED + _cost(folded, spread)
    return total


def positions(folded: str, words: list[str]) -> set[int]:
    """Return which characters of a text are those of the words, as ``distance`` compares them."""
    found: set[int] = set()
    for word in words:
        at = folded.find(word)
        if at >= 0:
            start = _beginning(folded, word, at)
            found.update(range(start, start + len(word)))
        else:
            found.update(_scattered(folded, word) or ())
    return found


def _beginning(text: str, word: str, at: int) -> int:
    """Return where a word stands at the beginning of one in the text, else where it is at all."""
    first = at
    while at >= 0:
        if _is_beginning(text, at):
            return at
        at = text.find(word, at + 1)
    return first


def _is_beginning(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum()


def _scattered(text: str, word: str) -> list[int] | None:
    """Return the positions of the letters of a word where they are closest together.

    Not all places are looked at, but the first ones; each as short as its end allows.
    """
    best: list[int] | None = None
    best_cost = 0
    start = 0
    for _ in range(_MAX_PLACES):
        at = start - 1
        for letter in word:
            at = text.find(letter, at + 1)
            if at < 0:
                return best
        places = []
        end = at + 1
        for letter in reversed(word):
            end = text.rfind(letter, start, end)
            places.append(end)
        places.reverse()
        cost = _cost(text, places)
        if best is None or cost < best_cost:
            best, best_cost = places, cost
        start = places[0] + 1
    return best


def _cost(text: str, places: list[int]) -> int:
    """Return the cost of letters at positions: their gaps, and where these end."""
    cost = 0 if _is_beginning(text, places[0]) else _INSIDE
    before = places[0]
    for at in places[1:]:
        gap = at - before - 1
        if gap:
            cost += _GAP + gap + (0 if _is_beginning(text, at) else _INSIDE)
        before = at
    return cost
