"""Completion and suggestions for prompt_toolkit, off the thread that draws.

prompt_toolkit's own threaded completer makes Enter wait for it. Here the work goes to a thread
that nobody waits for, and what it finds too late is dropped.
"""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import AsyncGenerator, Iterable
from concurrent.futures import ThreadPoolExecutor

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from puppet_repl.completion import Completions
from puppet_repl.frontend.history import History
from puppet_repl.session import Session

# Entries that a suggestion is looked for in; more would be felt at every key.
MOST_SEARCHED = 5000
# Kinds that a menu offers while typing only behind this many characters.
TYPED_BEFORE_MENU = 2

MARKS = {
    "variable": "var",
    "function": "fn",
    "type": "type",
    "resource type": "res",
    "class": "class",
    "attribute": "attr",
    "value": "value",
    "key": "key",
    "title": "title",
    "keyword": "word",
    "command": "cmd",
    "setting": "set",
    "file": "file",
}


class SessionCompleter(Completer):
    """Completions of a session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="complete")

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """What could stand at the cursor, found at once."""
        return self._menu(self._find(document), document, complete_event)

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """The same, found by a thread."""
        found = await get_running_loop().run_in_executor(self._pool, self._find, document)
        for item in self._menu(found, document, complete_event):
            yield item

    def _find(self, document: Document) -> Completions:
        cursor = document.cursor_position
        try:
            return self.session.complete(document.text, cursor)
        except Exception:
            # A menu that cannot be made is none; it must not end the entry.
            return Completions(cursor, cursor, [])

    def _menu(
        self, found: Completions, document: Document, event: CompleteEvent
    ) -> Iterable[Completion]:
        typed = document.text[found.start : document.cursor_position]
        if not event.completion_requested and not _wants_menu(typed, found):
            return
        for item in found.items:
            if item.text == typed and len(found.items) == 1 and not event.completion_requested:
                return
            yield Completion(
                item.text,
                start_position=found.start - document.cursor_position,
                display=item.label,
                display_meta=item.detail or MARKS.get(item.kind, item.kind),
                style=f"class:{_role(item.kind)}-item",
            )


def _wants_menu(typed: str, found: Completions) -> bool:
    """Whether what was typed so far asks for a menu by itself."""
    if not found.items:
        return False
    kind = found.items[0].kind
    if kind in ("key", "attribute", "title", "value", "command"):
        return True
    if typed.startswith("$"):
        return len(typed) > 1
    return len(typed) >= TYPED_BEFORE_MENU


def _role(kind: str) -> str:
    return kind.replace(" ", "-")


class HistorySuggest(AutoSuggest):
    """The rest of the newest entry that begins with what has been typed, up to its line end."""

    def __init__(self, history: History) -> None:
        self.history = history

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        """The text to show in grey, or None."""
        text = document.text
        if not text.strip() or not document.is_cursor_at_the_end:
            return None
        entries = self.history.entries
        for index in range(len(entries) - 1, max(len(entries) - MOST_SEARCHED, 0) - 1, -1):
            entry = entries[index]
            if entry.startswith(text) and len(entry) > len(text):
                rest = entry[len(text) :].split("\n", 1)[0]
                if rest:
                    return Suggestion(rest)
        return None
