"""The text that is typed, which keeps a wish for completions until it can be met."""

from __future__ import annotations

from asyncio import get_running_loop

from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.document import Document

from puppet_repl.frontends.terminal.completer import SessionCompleter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class InputBuffer(Buffer):
    """A buffer with the completions of a session.

    prompt_toolkit looks for completions once at a time, and drops a Tab that is pressed while it
    looks for those that it offers unasked. Here it is met when that has come to its end, unless
    something was typed meanwhile.
    """

    def __init__(self, completer: SessionCompleter, **options: Any) -> None:
        self._menu: CompletionState | None = None
        super().__init__(completer=completer, **options)
        self._searches = completer
        self._wish: tuple[Document, dict[str, Any]] | None = None
        # Where Tab looks for completions, and where it has offered one that would replace a word.
        self._extended: Document | None = None
        self._offered: Document | None = None
        completer.ended = self._search_ended

    def reset(self, document: Document | None = None, append_to_history: bool = False) -> None:
        """Begin a new entry."""
        self._menu = None
        super().reset(document, append_to_history)

    def menu(self) -> CompletionState | None:
        """Return the completions to show: while others are searched for, those from before."""
        state = self.complete_state
        if state is not None and state.completions:
            self._menu = state
        elif not self._searches.is_busy:
            self._menu = None
        return self._menu

    def with_first_completion(self) -> Document | None:
        """Return the text with the first completion of the menu; None without a menu."""
        menu = self.menu()
        if menu is None:
            return None
        first = menu.completions[0]
        before = menu.original_document.text_before_cursor
        before = before[: len(before) + first.start_position] + first.text
        return Document(before + menu.original_document.text_after_cursor, len(before))

    def menu_place(self) -> int:
        """Return where in the text the word begins to which the completions belong."""
        menu = self.menu()
        if menu is None:
            return self.cursor_position
        start = menu.original_document.cursor_position + menu.completions[0].start_position
        return min(start, self.cursor_position)

    def start_completion(
        self,
        select_first: bool = False,
        select_last: bool = False,
        insert_common_part: bool = False,
        complete_event: Any = None,
    ) -> None:
        """Look for completions as soon as nothing else looks for some."""
        self._wish = (
            self.document,
            {
                "select_first": select_first,
                "select_last": select_last,
                "insert_common_part": insert_common_part,
                "complete_event": complete_event,
            },
        )
        self._search_ended()

    def _search_ended(self) -> None:
        # What was typed before, or waits for the search, is scheduled already: it comes first.
        get_running_loop().call_soon(self._meet_wish)

    def _meet_wish(self) -> None:
        if self._wish is None or self._searches.is_busy:
            return
        (document, options), self._wish = self._wish, None
        if document == self.document:
            self.complete_state = None
            self._extended = document if options["insert_common_part"] else None
            super().start_completion(**options)

    def go_to_completion(self, index: int | None) -> None:
        """Select a completion; the search of Tab only offers a match that would replace a word."""
        is_of_tab, self._extended = self._extended == self.document, None
        if is_of_tab and self._replaces_word():
            self._offered = self.document
        else:
            super().go_to_completion(index)

    def select_next(self) -> None:
        """Select the next completion; one that replaces the word needs a second Tab."""
        if self._replaces_word() and self._offered != self.document:
            self._offered = self.document
        else:
            self.complete_next()

    def _replaces_word(self) -> bool:
        """Return whether the only match is not chosen and does not begin with the typed text."""
        state = self.complete_state
        if state is None or state.complete_index is not None or len(state.completions) != 1:
            return False
        match = state.completions[0]
        typed = (
            self.document.text_before_cursor[match.start_position :] if match.start_position else ""
        )
        return not match.text.lower().startswith(typed.lower())
