"""Names that are like a mistyped one, and names that match wildcards."""

from __future__ import annotations

from collections.abc import Iterable

# Nobody has mistyped a longer name.
_LONGEST = 500
# Of so few letters most in common may be a coincidence.
_SHORT = 4


def nearest(name: str, names: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """Return the name most like ``name``; None if all names differ too much.

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
    """Return the hint that names the nearest name, written in a form; None without a near name."""
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
