"""Apply the edits of warnings: each has to remove its warning, and may add none."""

from __future__ import annotations

from collections import Counter

from puppet_repl.base.errors import PuppetError
from puppet_repl.tools.advice.model import Advice
from puppet_repl.tools.advice.rules import ASKED, RULE_OF, SURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Protocol

    class Found(Protocol):
        """Any finding: an error or a warning."""

        @property
        def code(self) -> str:
            """The name of the error or rule."""
            ...

    Find = Callable[[str], Sequence[Found]]

# One edit may make room for another, as that of colons before a title for that of its quotes.
_MAX_ROUNDS = 10


def fixed(text: str, find: Find, *, asked: bool = False) -> tuple[str, Counter[str]]:
    """Return a text without the findings that have edits, and how many there were of each rule.

    ``find`` returns the findings in a text, or raises PuppetError. With ``asked`` rules whose
    fix is on request count, too. Raises PuppetError if the text is refused as it is.
    """
    fixes = (SURE, ASKED) if asked else (SURE,)
    attempt = _Attempt(text, find)
    for _ in range(_MAX_ROUNDS):
        before = attempt.gone.total()
        attempt.make(_apart(each for each in attempt.found if _has_fix(each, fixes)))
        if attempt.gone.total() == before:
            break
    return attempt.text, attempt.gone


def _has_fix(found: Found, fixes: tuple[str, ...]) -> bool:
    return isinstance(found, Advice) and bool(found.edits) and RULE_OF[found.code].fix in fixes


def _apart(found: Iterable[Found]) -> list[Advice]:
    """Return the warnings whose edits do not overlap, in the order of the text."""
    chosen: list[Advice] = []
    end = -1
    for each in sorted(
        (each for each in found if isinstance(each, Advice)), key=lambda each: each.edits[0]
    ):
        if each.edits[0][0] >= end:
            chosen.append(each)
            end = each.edits[-1][1] + 1
    return chosen


def edited(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Return a text after edits that do not overlap."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


class _Attempt:
    """A text, the findings in it, and the number of those that are gone."""

    def __init__(self, text: str, find: Find) -> None:
        self.text = text
        self.find = find
        self.found = find(text)
        self.gone: Counter[str] = Counter()

    def make(self, chosen: list[Advice]) -> None:
        """Apply the edits of all, or else those of each half.

        The later half comes first, which leaves the offsets of the earlier one as they are.
        """
        if not chosen or self._made(chosen):
            return
        middle = len(chosen) // 2
        if middle:
            self.make(chosen[middle:])
            self.make(chosen[:middle])

    def _made(self, chosen: list[Advice]) -> bool:
        text = edited(self.text, (edit for each in chosen for edit in each.edits))
        try:
            found = self.find(text)
        except PuppetError:
            return False
        gone = Counter(each.code for each in chosen)
        allowed = Counter(each.code for each in self.found)
        allowed.subtract(gone)
        if not Counter(each.code for each in found) <= allowed:
            return False
        self.text, self.found = text, found
        self.gone += gone
        return True
