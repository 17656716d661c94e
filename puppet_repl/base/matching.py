"""Matching of names with what was typed: fuzzily, and by wildcards."""

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
            """What would be inserted."""
            ...

        @property
        def weight(self) -> int:
            """The order among equally good matches."""
            ...


# Nobody has mistyped a longer name.
_LONGEST = 500
# Of so few letters most in common may be a coincidence.
_SHORT = 4
# Fewer letters with gaps between them are in most names: what they find is noise.
SCATTERED = 3


def score(candidate: str, query: str) -> int | None:
    """Return the distance of a candidate from a query, 0 if equal; None where it does not match.

    Equal, then a prefix, a prefix in another case, the start of a word inside, any part, and at
    last the letters in their order with gaps (the fewer the better).
    """
    if not query:
        return 0
    if candidate == query:
        return 0
    if candidate.startswith(query):
        return 10
    folded, wanted = candidate.lower(), query.lower()
    if folded.startswith(wanted):
        return 20
    at = folded.find(wanted)
    while at > 0:
        if not folded[at - 1].isalnum():
            return 30 + min(at, 9)
        at = folded.find(wanted, at + 1)
    at = folded.find(wanted)
    if at > 0:
        return 50 + min(at, 9)
    return _scattered(folded, wanted)


def _scattered(folded: str, wanted: str) -> int | None:
    """Return the cost of matching scattered letters: gaps and starts of words decide."""
    if len(wanted) < SCATTERED:
        return None
    at = folded.find(wanted[0])
    best: int | None = None
    while at >= 0:
        if at == 0 or not folded[at - 1].isalnum():
            cost = _gaps(folded, wanted, at)
            if cost is not None and (best is None or cost < best):
                best = cost
        at = folded.find(wanted[0], at + 1)
    return best


def _gaps(folded: str, wanted: str, start: int) -> int | None:
    position = start
    cost = 80 + min(start, 19)
    for letter in wanted[1:]:
        found = folded.find(letter, position + 1)
        if found < 0:
            return None
        if found > position + 1 and folded[found - 1].isalnum():
            cost += found - position
        position = found
    return cost


def ranked(candidates: Iterable[Named], query: str) -> list[Named]:
    """Return the candidates that match, best first; equal ones by weight, length and name."""
    found = []
    for candidate in candidates:
        cost = score(candidate.text, query)
        if cost is not None:
            found.append((cost, candidate.weight, len(candidate.text) if query else 0, candidate))
    found.sort(key=lambda entry: (*entry[:3], entry[3].text.lower(), entry[3].text))
    return [entry[3] for entry in found]


def nearest(name: str, names: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """Return the name most like ``name``; None when nothing is near.

    ``likeness`` is the least ratio of letters in common, from 0 to 1, that counts as near. Short
    names are like many others: only one letter may differ, and not the first one.
    """
    from difflib import get_close_matches

    if len(name) > _LONGEST:
        return None
    known = list(names)
    swapped = {name[:i] + name[i + 1] + name[i] + name[i + 2 :] for i in range(len(name) - 1)}
    for candidate in known:
        # Two letters in the wrong order are the commonest slip, and short names suffer most.
        if candidate in swapped:
            return candidate
    if len(name) <= _SHORT:
        known = [each for each in known if _is_near(name.lower(), each.lower())]
    near = get_close_matches(name, known, n=1, cutoff=likeness)
    return near[0] if near else None


def _is_near(word: str, name: str) -> bool:
    return word[:1] == name[:1] and is_one_off(word, name)


def did_you_mean(name: str, names: Iterable[str], form: str = "{}") -> str | None:
    """Return the hint that names the nearest name, written in a form; None when nothing is near."""
    near = nearest(name, names)
    return None if near is None else f"did you mean {form.format(near)}?"


def is_swapped(word: str, name: str) -> bool:
    """Tell whether two neighbouring letters have changed places."""
    return any(
        name == word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)
    )


def is_one_off(word: str, name: str) -> bool:
    """Tell whether one letter is wrong, missing or too many."""
    shorter, longer = sorted((word, name), key=len)
    same = next((at for at, letter in enumerate(shorter) if letter != longer[at]), len(shorter))
    if len(longer) == len(shorter):
        return shorter[same + 1 :] == longer[same + 1 :]
    return len(longer) == len(shorter) + 1 and shorter[same:] == longer[same + 1 :]


def has_wildcards(pattern: str) -> bool:
    """Tell whether a pattern has ``*`` or ``?``."""
    return "*" in pattern or "?" in pattern


def matches_wildcards(text: str, pattern: str) -> bool:
    """Tell whether all of a text matches: ``*`` is any characters, ``?`` one, others themselves."""
    import re

    escaped = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    return re.fullmatch(escaped, text, re.DOTALL) is not None
