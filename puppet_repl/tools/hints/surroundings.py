"""The code around a place of a text, for patterns that look at it.

What strings say and what comments say is not code, and is made unreadable. Patterns look at a part
of bounded length, so that a long line costs no more than a short one.
"""

from __future__ import annotations

import re
from copy import copy

from puppet_repl.language.syntax.scan import Scan, recent

# How much of the code before and after the place is looked at.
_REACH = 1000
# A place that is so far after the last one to scan from is not looked at.
_LONGEST = 20_000
# In strings letters stay letters, so that a key in quotes can still be told from other texts.
_LETTER = re.compile(r"\w")
_NO_LETTER = re.compile(r"\W")
_NO_BREAK = re.compile(r"[^\n]")
_VARIABLE = re.compile(r"\$[\w:]{1,100}")
_NOTHING = "\x1a"


class Surroundings:
    """A place in a text: ``at`` is its offset in ``code``, a part of the text.

    ``first`` and ``last`` are the limits of its line there, ``earliest`` is the offset of the first
    character that is near enough.
    """

    __slots__ = ("_text", "at", "code", "earliest", "first", "last")

    def __init__(self, text: str, place: int) -> None:
        before = text[:place]
        start = max(recent(before), _start_of_tag(before))
        base = max(start - 1, 0)
        self._text = text[base : place + _REACH]
        if place - base > _LONGEST:
            self.code = _NOTHING * len(self._text)
        else:
            # A line break in front: only the beginning of the whole text looks like one.
            code = "\n" * (start - base) + _readable(text[start : place + _REACH])
            # A variable that is to blame is code, in a string too.
            here = _VARIABLE.match(text, place)
            end = place - base + (0 if here is None else len(here[0]))
            self.code = code[: place - base] + self._text[place - base : end] + code[end:]
        self._look_at(place - base)

    def _look_at(self, at: int) -> None:
        self.at = at
        self.earliest = max(at - _REACH, 0)
        self.first = max(self.code.rfind("\n", 0, at) + 1, self.earliest)
        line_end = self.code.find("\n", at)
        self.last = min(len(self.code) if line_end < 0 else line_end, at + _REACH)

    def moved(self, at: int) -> Surroundings:
        """Return what is around another offset in the code."""
        other = copy(self)
        other._look_at(at)
        return other

    def is_cut(self, offset: int) -> bool:
        """Tell whether the line goes on at an offset where what is looked at ends."""
        return offset == self.at + _REACH

    def original(self, span: tuple[int, int]) -> str:
        """Return the text of a span, with what its strings say."""
        return self._text[slice(*span)]


def _start_of_tag(before: str) -> int:
    """Return where the code of a tag begins that a text ends in, 0 in one that is no template."""
    opened = before.rfind("<%")
    if opened < 0 or before.find("%>", opened) >= 0:
        return 0
    return opened + (3 if before[opened + 2 : opened + 3] in ("-", "=") else 2)


def _readable(text: str) -> str:
    """Return a text of the same length without what strings and comments say."""
    scan = Scan(text)
    spans = [(start, end, True) for start, end in scan.literals]
    spans += [(start, end, False) for start, end in scan.comments]
    parts = []
    done = 0
    for start, end, is_string in sorted(spans):
        part = text[start:end]
        if is_string:
            part = _LETTER.sub("x", _NO_LETTER.sub(_NOTHING, part))
        else:
            part = _NO_BREAK.sub(" ", part)
        parts += [text[done:start], part]
        done = end
    return "".join(parts) + text[done:]
