"""The panel that opens below the input to search in earlier ones (Ctrl-R; ``/`` in vi mode)."""

from __future__ import annotations

from itertools import groupby

from prompt_toolkit.formatted_text import StyleAndTextTuples

from puppet_repl.base.fuzzy_search import distance, positions
from puppet_repl.base.wording import counted
from puppet_repl.host.history import History

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    # Number, text, and text in lower case.
    Entry: TypeAlias = tuple[int, str, str]

# Rows of the list and of the preview, and of both where the screen is low.
ROWS = 8
PREVIEW = 6
LOW_ROWS = 4
LOW_PREVIEW = 3
LOW_HEIGHT = 22


class HistoryPicker:
    """A fuzzy search through the history, with the chosen entry and its date shown below."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.is_open = False
        self.found: list[str] = []
        self.index = 0
        self._numbers: list[int] = []
        self._words: list[str] = []
        self._entries: list[Entry] = []
        self._known = -1
        # The entries that have the letters of the last query, which one that goes on has as well.
        self._matched: tuple[list[str], list[Entry]] = ([], [])

    def open(self, query: str) -> None:
        """Show the panel with the entries that match a query, also of sessions beside this one."""
        self.is_open = True
        self.history.read_again()
        self.search(query)

    def close(self) -> None:
        """Hide the panel."""
        self.is_open = False
        self.found = []
        self._numbers = []
        self._entries = []
        self._known = -1

    def search(self, query: str) -> None:
        """Find the entries that have all words of the query, or its letters in order.

        The closest come first, and of equal ones the newest.
        """
        self.index = 0
        words = self._words = query.lower().split()
        matched = []
        for order, entry in enumerate(self._candidates(words)):
            far = distance(entry[2], words)
            if far is not None:
                matched.append((far, order, entry))
        self._matched = (words, [entry for _, _, entry in matched])
        matched.sort(key=lambda each: each[:2])
        self.found = [entry[1] for _, _, entry in matched]
        self._numbers = [entry[0] for _, _, entry in matched]

    def _candidates(self, words: list[str]) -> list[Entry]:
        """Return the entries that may match, the newest first."""
        known = len(self.history.entries)
        if known != self._known:  # the file may be read while the panel is open
            self._known = known
            self._entries = [
                (number, text, text.lower()) for number, text in self.history.newest_numbered()
            ]
            self._matched = ([], self._entries)
        before, entries = self._matched
        goes_on = len(before) <= len(words) and all(
            word.startswith(earlier) for earlier, word in zip(before, words, strict=False)
        )
        return entries if goes_on else self._entries

    def move(self, rows: int) -> None:
        """Choose another entry."""
        if self.found:
            self.index = max(0, min(len(self.found) - 1, self.index + rows))

    @property
    def chosen(self) -> str | None:
        """The chosen entry."""
        return self.found[self.index] if self.found else None

    def text(self, width: int, height: int) -> StyleAndTextTuples:
        """Return the list and the preview, for a screen of this size."""
        is_low = height < LOW_HEIGHT
        rows = LOW_ROWS if is_low else ROWS
        fragments: StyleAndTextTuples = []
        first = max(0, min(self.index - rows // 2, len(self.found) - rows))
        for number, entry in enumerate(self.found[first : first + rows], first):
            lines = entry.strip().split("\n")
            more = f"  (+{counted(len(lines) - 1, 'line')})" if len(lines) > 1 else ""
            shown = lines[0][: max(width - len(more) - 3, 10)]
            style = "class:panel.selected" if number == self.index else "class:panel"
            fragments.append((style, "> " if number == self.index else "  "))
            fragments.extend(_marked(shown, positions(entry.strip().lower(), self._words), style))
            fragments.append(("class:dim", more))
            fragments.append(("", "\n"))
        if not self.found:
            fragments.append(("class:dim", "  nothing matches\n"))
        fragments.extend(self._preview(width, LOW_PREVIEW if is_low else PREVIEW))
        return fragments

    def _preview(self, width: int, rows: int) -> StyleAndTextTuples:
        """Return when the chosen entry was typed, and the lines of it that match."""
        chosen = self.chosen
        if chosen is None:
            return []
        time = self.history.time_of(self._numbers[self.index])
        title = f"-- {time:%Y-%m-%d %H:%M} " if time is not None else ""
        fragments: StyleAndTextTuples = [
            ("class:dim", f"  {title.ljust(max(width - 4, 1), '-')[: width - 3]}\n")
        ]
        lines = chosen.split("\n")
        matched = sorted(positions(chosen.lower(), self._words))
        line_matched = chosen.count("\n", 0, matched[0]) if matched else 0
        first = max(0, min(line_matched - 1, len(lines) - rows)) if line_matched >= rows else 0
        start = sum(len(line) + 1 for line in lines[:first])
        at = set(matched)
        if first:
            fragments.append(("class:dim", f"  ... {counted(first, 'line')} above\n"))
        for line in lines[first : first + rows]:
            cut = line[: width - 3]
            places = {place - start for place in at if start <= place < start + len(cut)}
            fragments.append(("class:panel", "  "))
            fragments.extend(_marked(cut, places, "class:panel"))
            fragments.append(("", "\n"))
            start += len(line) + 1
        below = len(lines) - first - rows
        if below > 0:
            fragments.append(("class:dim", f"  ... {counted(below, 'more line')}\n"))
        return fragments


def _marked(text: str, places: set[int], style: str) -> StyleAndTextTuples:
    """Return a text with the characters at some places underlined."""
    matched = f"{style} class:panel.matched"
    return [
        (matched if is_matched else style, "".join(text[at] for at in run))
        for is_matched, run in groupby(range(len(text)), key=lambda at: at in places)
    ]
