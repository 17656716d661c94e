"""Completion and suggestions for prompt_toolkit, off the thread that draws.

With prompt_toolkit's threaded completer Enter waits until it is done. Here the work is done by a
thread that nothing waits for, and results that come too late are dropped.
"""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import AsyncGenerator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples

from puppet_repl.base.safe_text import visible
from puppet_repl.frontends.shared.frame_completion import completions_at
from puppet_repl.host.history import History
from puppet_repl.host.host import Host
from puppet_repl.tools.completion import Completion as Item
from puppet_repl.tools.completion import Completions

# Entries searched for a suggestion; more would make every key slow.
MAX_SEARCHED = 5000
# Characters to type before the menu opens by itself, for most kinds.
TYPED_BEFORE_MENU = 2
# So many matches that begin with the typed text leave others out of the menu.
ENOUGH = 3

MARKS = {
    "variable": "var",
    "function": "fn",
    "type": "type",
    "resource type": "res",
    "class": "class",
    "attribute": "attr",
    "value": "value",
    "key": "key",
    "data key": "data",
    "title": "title",
    "keyword": "word",
    "command": "cmd",
    "setting": "set",
    "file": "file",
}
# Cells of the longest mark.
MARK = max(map(len, MARKS.values()))


class SessionCompleter(Completer):
    """Completions of the session of a host; also of the variables of stopped code.

    ``ended`` is called when a search has come to its end.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        self.is_busy = False
        self.ended: Callable[[], None] = _nothing
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="complete")

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Return the completions at the cursor, computed at once."""
        return self._menu(self._find(document), document, complete_event)

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """Yield the completions at the cursor, computed by a thread."""
        self.is_busy = True
        try:
            found = await get_running_loop().run_in_executor(self._pool, self._find, document)
            for item in self._menu(found, document, complete_event):
                yield item
        finally:
            self.is_busy = False
            self.ended()

    def warm(self) -> None:
        """Load what the first search needs, by the thread that will do it."""
        self._pool.submit(self._find, Document("$x.e", 4))

    def _find(self, document: Document) -> Completions:
        return completions_at(self.host, document.text, document.cursor_position)

    def _menu(
        self, found: Completions, document: Document, event: CompleteEvent
    ) -> Iterable[Completion]:
        typed = document.text[found.start : document.cursor_position]
        if not event.completion_requested and not _wants_menu(document.text, typed, found):
            return
        for item in _close_matches(typed, found.items, is_wish=event.completion_requested):
            if item.text == typed and len(found.items) == 1 and not event.completion_requested:
                return
            yield Completion(
                item.text,
                start_position=found.start - document.cursor_position,
                display=visible(item.label),
                display_meta=_beside(item.kind, item.detail),
            )


def _close_matches(typed: str, found: list[Item], *, is_wish: bool) -> list[Item]:
    """Return the matches without those that are noise beside better ones; all if none is better.

    ``is_wish`` is for Tab, which inserts what all matches have in common.
    """
    items = [item for item in found if item.text.startswith(typed)]
    if len(items) >= (1 if is_wish or len(typed) < TYPED_BEFORE_MENU else ENOUGH):
        return items
    if not items:
        return found
    return [item for item in found if typed.lower() in item.text.lower()]


def _nothing() -> None:
    pass


def _wants_menu(text: str, typed: str, found: Completions) -> bool:
    """Tell whether the menu opens by itself at the end of the ``typed`` beginning of a word."""
    if not found.items:
        return False
    kind = found.items[0].kind
    before = text[max(found.start - 2, 0) : found.start]
    if kind == "function" and before.endswith(".") and not before[:1].isdigit():
        return True
    if kind == "file" and before.endswith(("'", '"', "/")):
        return True
    if kind in ("key", "attribute", "title", "value", "command"):
        return True
    if typed.startswith("$"):
        return len(typed) > 1
    return len(typed) >= TYPED_BEFORE_MENU


def _beside(kind: str, detail: str) -> StyleAndTextTuples:
    """Return the text beside a name: the mark of its kind, then the detail."""
    mark = MARKS.get(kind, kind)
    said = visible(detail) if detail != kind else ""
    return [
        (f"class:mark.{kind.replace(' ', '-')}", mark.ljust(MARK)),
        ("", f" {said}" if said else ""),
    ]


class HistorySuggest(AutoSuggest):
    """The rest of the newest entry that begins with what has been typed, up to its line end."""

    def __init__(self, history: History) -> None:
        self.history = history

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        """Return the text to show in grey, or None."""
        text = document.text
        if not text.strip() or not document.is_cursor_at_the_end:
            return None
        entries = self.history.entries
        for index in range(len(entries) - 1, max(len(entries) - MAX_SEARCHED, 0) - 1, -1):
            entry = entries[index]
            if entry.startswith(text) and len(entry) > len(text):
                rest = entry[len(text) :].split("\n", 1)[0]
                if rest:
                    return Suggestion(rest)
        return None
