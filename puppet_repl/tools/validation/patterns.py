"""What a text with unknown parts may be, and what a glob of Ruby matches.

All places at which a part may end are followed at once, so that no text takes long.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    # From a text, and the places in it that are reached, the places where the next part may end.
    Step: TypeAlias = Callable[[str, set[int]], set[int]]

ANYTHING = "\0"
"""Stands for an expression in a path, whose value may be anything."""

_GLOB = re.compile(r"\0|\*\*/|\*+|\?|\[(?:\\.|[^]\\])*\]|\{[^{}]*\}|\\.|[^\0*?\[{\\]+|.", re.DOTALL)
_RANGE = re.compile(r"(\\?.)(?:-(\\?.))?", re.DOTALL)


class Pattern:
    """A pattern, as the steps through a text."""

    __slots__ = ("_steps",)

    def __init__(self, steps: Iterable[Step]) -> None:
        self._steps = tuple(steps)

    @staticmethod
    def of_parts(parts: list[str]) -> Pattern:
        """Return the pattern of texts that have some parts, with anything between two of them."""
        first, *others = map(_literal, parts)
        return Pattern([first, *[step for other in others for step in (_anything, other)]])

    @staticmethod
    def of_glob(text: str) -> Pattern:
        """Return the pattern of a glob, in which ANYTHING may stand for expressions."""
        return Pattern(map(_of_glob, _GLOB.findall(text)))

    def matches(self, text: str) -> bool:
        """Tell whether all of a text matches."""
        return len(text) in self.ends(text, {0})

    def ends(self, text: str, places: set[int]) -> set[int]:
        """Return where the pattern may end if it begins at one of some places."""
        for step in self._steps:
            if not places:
                break
            places = step(text, places)
        return places


def _of_glob(part: str) -> Step:
    if part == ANYTHING:
        return _anything
    if part == "**/":
        return _directories
    if part[0] == "*":
        return _name
    if part == "?":
        return _letter(lambda _: True)
    if part[0] == "[" and len(part) > 1:
        return _anything if ANYTHING in part else _letter(_set(part[1:-1]))
    if part[0] == "{" and len(part) > 1:
        return _choice([Pattern.of_glob(each) for each in part[1:-1].split(",")])
    return _literal(part[1:] if part[0] == "\\" and len(part) == 2 else part)


def _literal(wanted: str) -> Step:
    def step(text: str, places: set[int]) -> set[int]:
        found: set[int] = set()
        at = text.find(wanted, min(places))
        while at >= 0:
            if at in places:
                found.add(at + len(wanted))
            at = text.find(wanted, at + 1)
        return found

    return step


def _anything(text: str, places: set[int]) -> set[int]:
    return set(range(min(places), len(text) + 1))


def _directories(text: str, places: set[int]) -> set[int]:
    return places | {at + 1 for at in range(min(places), len(text)) if text[at] == "/"}


def _name(text: str, places: set[int]) -> set[int]:
    """Return the places up to the next slash."""
    found: set[int] = set()
    for place in sorted(places):
        if place not in found:
            end = text.find("/", place)
            found.update(range(place, (len(text) if end < 0 else end) + 1))
    return found


def _letter(is_one: Callable[[str], bool]) -> Step:
    def step(text: str, places: set[int]) -> set[int]:
        return {at + 1 for at in places if text[at : at + 1] not in ("", "/") and is_one(text[at])}

    return step


def _set(inner: str) -> Callable[[str], bool]:
    """Return the test for the characters in brackets; both ends of a range always belong to it."""
    is_negated = inner[:1] in ("!", "^")
    ranges = [
        (first[-1], (last or first)[-1]) for first, last in _RANGE.findall(inner[is_negated:])
    ]

    def is_one(letter: str) -> bool:
        return is_negated is not any(
            letter in each or each[0] <= letter <= each[1] for each in ranges
        )

    return is_one


def _choice(patterns: list[Pattern]) -> Step:
    def step(text: str, places: set[int]) -> set[int]:
        return set().union(*[each.ends(text, places) for each in patterns])

    return step
