"""When keys apply and parts of the screen are shown, by name."""

from __future__ import annotations

import os

from prompt_toolkit.application import get_app
from prompt_toolkit.filters import Condition, emacs_insert_mode, has_focus, vi_insert_mode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prompt_toolkit.filters import Filter

    from puppet_repl.frontends.terminal.app import Terminal

# Below this height of the screen there is no room for explanations.
MIN_HEIGHT = 12
# In a longer text, looking for the matching bracket would be felt at every key.
MAX_LINES_MATCHED = 1000


class Conditions:
    """The conditions of one terminal."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self.settings_are_open = Condition(self._settings_are_open)
        self.search_is_open = Condition(self._search_is_open)
        self.no_panel_is_open = ~self.settings_are_open & ~self.search_is_open
        self.brackets_close = Condition(self._brackets_close)
        self.brackets_match = Condition(self._brackets_match)
        self.menu_while_typing = Condition(self._menu_while_typing)
        self.suggestions = Condition(self._suggestions)
        self.input_is_empty = Condition(self._input_is_empty)
        self.input_has_tabs = Condition(self._input_has_tabs)
        self.completion_is_chosen = Condition(self._completion_is_chosen)
        self.has_room = Condition(self._has_room)
        self.documentation_is_shown = Condition(self._documentation_is_shown)
        self.signatures_can_be_paged = Condition(self._signatures_can_be_paged)
        self.is_alone = Condition(_is_alone)
        self.can_suspend = Condition(_can_suspend)

    @property
    def in_input(self) -> Filter:
        """Tell whether keys go to the input, in whatever mode of editing."""
        return has_focus(self._terminal.buffer) & ~self.settings_are_open

    @property
    def typing(self) -> Filter:
        """Tell whether keys go into the text of the input."""
        return self.in_input & (emacs_insert_mode | vi_insert_mode)

    def _settings_are_open(self) -> bool:
        """Tell whether the panel of settings (F2) is open."""
        return self._terminal.panel.is_open

    def _search_is_open(self) -> bool:
        """Tell whether the search through the history (Ctrl-R) is open."""
        return self._terminal.picker.is_open

    def _brackets_close(self) -> bool:
        """Tell whether brackets and quotes close themselves (setting close_brackets)."""
        return bool(self._terminal.settings["close_brackets"])

    def _brackets_match(self) -> bool:
        """Tell whether to mark the bracket that belongs to the one at the cursor."""
        return self._terminal.buffer.document.line_count < MAX_LINES_MATCHED

    def _menu_while_typing(self) -> bool:
        """Tell whether the menu of completions opens by itself (setting complete_while_typing)."""
        return bool(self._terminal.settings["complete_while_typing"])

    def _suggestions(self) -> bool:
        """Tell whether to show the rest of an earlier input (setting suggest_from_history)."""
        return bool(self._terminal.settings["suggest_from_history"])

    def _input_is_empty(self) -> bool:
        """Tell whether nothing has been typed: then Ctrl-D leaves."""
        return not self._terminal.buffer.text

    def _input_has_tabs(self) -> bool:
        """Tell whether there are tabs to be replaced on the screen."""
        return "\t" in self._terminal.buffer.text

    def _completion_is_chosen(self) -> bool:
        """Tell whether one of the completions in the menu is chosen."""
        state = self._terminal.buffer.complete_state
        return state is not None and state.current_completion is not None

    def _has_room(self) -> bool:
        """Tell whether the screen is high enough for explanations below the input."""
        return self._terminal.height >= MIN_HEIGHT

    def _documentation_is_shown(self) -> bool:
        """Tell whether documentation is shown below the input."""
        return self._terminal.explainer.is_documenting and self._has_room()

    def _signatures_can_be_paged(self) -> bool:
        """Tell whether the call at the cursor has further signatures to be shown."""
        wanted = bool(self._terminal.settings["documentation"])
        return wanted and self._terminal.explainer.has_signatures and self._has_room()


def _is_alone() -> bool:
    """Tell whether no other key came along: Escape and a key at once are Alt and that key."""
    return not get_app().key_processor.input_queue


def _can_suspend() -> bool:
    """Tell whether the system can suspend a program (Ctrl-Z)."""
    return os.name == "posix"
