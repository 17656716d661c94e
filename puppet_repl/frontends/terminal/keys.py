"""The keys. What they do to the text is in editing, what they open in panels."""

from __future__ import annotations

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import (
    emacs_insert_mode,
    has_completions,
    has_focus,
    has_selection,
    vi_navigation_mode,
)
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.key_binding.bindings.auto_suggest import load_auto_suggest_bindings
from prompt_toolkit.key_binding.key_bindings import KeyBindingsBase
from prompt_toolkit.key_binding.vi_state import InputMode
from prompt_toolkit.keys import Keys

from puppet_repl.frontends.terminal import editing
from puppet_repl.frontends.terminal.input_buffer import InputBuffer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.terminal.app import Terminal

# Sequences of terminals that tell Shift-Enter and Ctrl-Enter from Enter; both open a line, as
# Alt-Enter does. prompt_toolkit takes the first ones for Enter, but passes on what was sent; those
# that it does not know arrive as Escape and single characters.
_SENT_AS_ENTER = ("\x1b[27;2;13~", "\x1b[27;5;13~")
SENT_AS_CHARACTERS = {
    "[27;3;13~": "Alt-Enter",
    "[13;2u": "Shift-Enter",
    "[13;5u": "Ctrl-Enter",
    "[13;3u": "Alt-Enter",
}
# Rows that Page Up and Page Down go in the search through the history.
_PAGE = 8
# Of documentation: one row of the page before stays.
_DOCUMENTATION_PAGE = 6


def make_keys(terminal: Terminal) -> KeyBindingsBase:
    """Return all key bindings of the application."""
    own = [bindings for _, bindings in grouped_keys(terminal)]
    return merge_key_bindings([load_auto_suggest_bindings(), *own])


def grouped_keys(terminal: Terminal) -> list[tuple[str, KeyBindings]]:
    """Return the bindings of the prompt's own, under the headings that ``:help keys`` shows."""
    return [
        ("Input", _entry_keys(terminal)),
        ("Text", _text_keys(terminal)),
        ("Brackets", _bracket_keys(terminal)),
        ("Completions", _menu_keys(terminal)),
        ("Explanations", _explanation_keys(terminal)),
        ("Earlier inputs", _movement_keys(terminal)),
        ("Prompt", _control_keys(terminal)),
        ("Search in the history", _picker_keys(terminal)),
        ("Settings", _panel_keys(terminal)),
    ]


def _entry_keys(terminal: Terminal) -> KeyBindings:
    """Bind Enter, and the keys that open a line."""
    keys = KeyBindings()
    when = terminal.conditions

    @keys.add("enter", filter=when.in_input)
    def enter(event: KeyPressEvent) -> None:
        """Take the chosen completion; run what is complete; else open a line."""
        buffer = event.current_buffer
        if event.data in _SENT_AS_ENTER:
            open_line(event)
            return
        is_chosen = when.completion_is_chosen()
        buffer.complete_state = None
        if is_chosen:
            return
        if when.brackets_close() and between_brackets(buffer.document):
            new_line(terminal, buffer)
        elif terminal.is_ready(buffer.text, buffer.cursor_position):
            buffer.validate_and_handle()
        else:
            new_line(terminal, buffer)

    @keys.add("escape", "enter", filter=when.typing)
    @keys.add("c-o", filter=when.typing)
    def open_line(event: KeyPressEvent) -> None:
        """Open a line, even where the entry is complete."""
        event.current_buffer.complete_state = None
        new_line(terminal, event.current_buffer)

    for sequence in SENT_AS_CHARACTERS:
        keys.add("escape", *sequence, filter=when.typing)(open_line)

    @keys.add("c-j", filter=when.in_input)
    def line_feed(event: KeyPressEvent) -> None:
        """Do what Enter does."""
        enter(event)

    return keys


def between_brackets(document: Document) -> bool:
    """Tell whether the cursor is between a bracket and its partner."""
    before = document.char_before_cursor
    return before in editing.CLOSING.values() and (editing.PAIRS[before] == document.current_char)


def new_line(terminal: Terminal, buffer: Buffer) -> None:
    """Open a line below, indented as the code before the cursor asks for."""
    before = buffer.document.text_before_cursor
    indent = terminal.indent_after(before)
    after = buffer.document.text_after_cursor
    if between_brackets(buffer.document):
        # Between brackets that closed themselves the closing one gets a line of its own.
        outer = before.rpartition("\n")[2]
        margin = outer[: len(outer) - len(outer.lstrip())]
        buffer.insert_text("\n" + indent + "\n" + margin)
        buffer.cursor_position -= len(margin) + 1
        return
    buffer.insert_text("\n" + indent)
    stripped = len(after) - len(after.lstrip(" "))
    if stripped and after.strip():
        buffer.delete(stripped)


def _text_keys(terminal: Terminal) -> KeyBindings:
    """Bind Tab, Backspace and pasting."""
    keys = KeyBindings()
    when = terminal.conditions
    typing, closing = when.typing, when.typing & when.brackets_close

    @keys.add("backspace", filter=closing & ~has_selection)
    def delete_pair(event: KeyPressEvent) -> None:
        """Delete the character before the cursor, with its partner right after it."""
        buffer = event.current_buffer
        document = buffer.document
        if editing.PAIRS.get(document.char_before_cursor) == document.current_char:
            buffer.delete()
        buffer.delete_before_cursor()

    @keys.add("backspace", filter=typing & ~closing & ~has_selection)
    def delete_indent(event: KeyPressEvent) -> None:
        """Delete a character, or one step of the indentation of a line."""
        buffer = event.current_buffer
        line = buffer.document.current_line_before_cursor
        is_margin = bool(line) and not line.strip(" ") and len(line) % len(editing.INDENT) == 0
        buffer.delete_before_cursor(len(editing.INDENT) if is_margin else 1)

    @keys.add("tab", filter=typing & ~has_completions)
    def tab(event: KeyPressEvent) -> None:
        """Indent at the beginning of a line, complete anywhere else."""
        buffer = event.current_buffer
        line = buffer.document.current_line_before_cursor
        if "\n" in buffer.document.text_before_cursor and not line.strip():
            buffer.insert_text(editing.INDENT)
        else:
            buffer.start_completion(insert_common_part=True)

    @keys.add("c-space", filter=typing)
    def complete(event: KeyPressEvent) -> None:
        """Open the menu of completions."""
        event.current_buffer.start_completion(select_first=False)

    @keys.add(Keys.BracketedPaste)
    def paste(event: KeyPressEvent) -> None:
        """Insert pasted text without decorations."""
        from puppet_repl.frontends.terminal.pasting import clean_paste

        buffer = event.current_buffer
        buffer.insert_text(clean_paste(event.data, alone=not buffer.text.strip()))

    return keys


def _bracket_keys(terminal: Terminal) -> KeyBindings:
    """Bind brackets and quotes."""
    keys = KeyBindings()
    when = terminal.conditions

    def bind_closing(bracket: str) -> None:
        @keys.add(bracket, filter=when.typing)
        def close(event: KeyPressEvent) -> None:
            """Insert a closing bracket, below the line of its partner; step over one at hand."""
            buffer = event.current_buffer
            document = buffer.document
            if when.brackets_close() and document.current_char == bracket:
                buffer.cursor_right()
                return
            count = editing.dedented(document.text_before_cursor, bracket)
            if count:
                buffer.delete_before_cursor(count)
            buffer.insert_text(bracket)

    def bind_opening(character: str) -> None:
        @keys.add(character, filter=when.typing & when.brackets_close)
        def open_pair(event: KeyPressEvent) -> None:
            """Insert an opening bracket or a quote together with its partner."""
            buffer = event.current_buffer
            document = buffer.document
            partner = editing.PAIRS[character]
            if character == partner and document.current_char == character:
                buffer.cursor_right()
                return
            before, after = document.text_before_cursor, document.text_after_cursor
            buffer.insert_text(character)
            if editing.closes_itself(before, after, character):
                buffer.insert_text(partner, move_cursor=False)

    for bracket in editing.CLOSING:
        bind_closing(bracket)
    for character in editing.PAIRS:
        bind_opening(character)
    return keys


def _menu_keys(terminal: Terminal) -> KeyBindings:
    """Bind the keys of the menu of completions."""
    keys = KeyBindings()
    when = terminal.conditions
    typing, chosen = when.typing, when.completion_is_chosen

    @keys.add("tab", filter=typing & has_completions)
    def next_completion(event: KeyPressEvent) -> None:
        """Choose the next completion."""
        buffer = event.current_buffer
        if isinstance(buffer, InputBuffer):
            buffer.select_next()
        else:
            buffer.complete_next()

    @keys.add("s-tab", filter=typing & has_completions)
    def previous_completion(event: KeyPressEvent) -> None:
        """Choose the previous completion."""
        event.current_buffer.complete_previous()

    @keys.add("escape", filter=has_completions, eager=when.is_alone | ~when.signatures_can_be_paged)
    def close_menu(event: KeyPressEvent) -> None:
        """Close the menu; in vi mode, leave insert mode too."""
        if event.key_processor.input_queue:
            # Another key came along with it: that is Alt and the key, not a lone Escape.
            event.current_buffer.complete_state = None
            event.key_processor.feed(event.key_sequence[-1], first=True)
            return
        event.current_buffer.cancel_completion()
        if terminal.editing_mode == EditingMode.VI:
            event.app.vi_state.input_mode = InputMode.NAVIGATION

    @keys.add("up", filter=when.in_input & chosen)
    @keys.add("c-p", filter=typing & chosen)
    def menu_up(event: KeyPressEvent) -> None:
        """Choose the completion above."""
        event.current_buffer.complete_previous()

    @keys.add("down", filter=when.in_input & chosen)
    @keys.add("c-n", filter=typing & chosen)
    def menu_down(event: KeyPressEvent) -> None:
        """Choose the completion below."""
        event.current_buffer.complete_next()

    return keys


def _explanation_keys(terminal: Terminal) -> KeyBindings:
    """Bind the keys that show more of what is explained below the input."""
    keys = KeyBindings()
    when = terminal.conditions
    documented = when.in_input & when.documentation_is_shown
    called = when.in_input & when.signatures_can_be_paged

    @keys.add("pagedown", filter=documented)
    def scroll_down(event: KeyPressEvent) -> None:
        """Show the next rows of the documentation (of the menu, or of F1)."""
        terminal.explainer.scroll(_DOCUMENTATION_PAGE)

    @keys.add("pageup", filter=documented)
    def scroll_up(event: KeyPressEvent) -> None:
        """Show the rows of the documentation before."""
        terminal.explainer.scroll(-_DOCUMENTATION_PAGE)

    @keys.add("escape", "down", filter=called)
    def next_signature(event: KeyPressEvent) -> None:
        """Show the next signature of the call."""
        terminal.explainer.page_signatures(1)

    @keys.add("escape", "up", filter=called)
    def previous_signature(event: KeyPressEvent) -> None:
        """Show the signature of the call before."""
        terminal.explainer.page_signatures(-1)

    return keys


def _movement_keys(terminal: Terminal) -> KeyBindings:
    """Bind the keys that go up and down, in the text and in the history."""
    keys = KeyBindings()
    when = terminal.conditions
    in_input, not_chosen = when.in_input, ~when.completion_is_chosen

    @keys.add("up", filter=in_input & not_chosen)
    @keys.add("c-p", filter=when.typing & not_chosen)
    @keys.add("k", filter=in_input & vi_navigation_mode)
    def up(event: KeyPressEvent) -> None:
        """Go to the line above, or to the previous entry of the history."""
        terminal.go_up(event.arg)

    @keys.add("down", filter=in_input & not_chosen)
    @keys.add("c-n", filter=when.typing & not_chosen)
    @keys.add("j", filter=in_input & vi_navigation_mode)
    def down(event: KeyPressEvent) -> None:
        """Go to the line below, or to the next entry of the history."""
        terminal.go_down(event.arg)

    return keys


def _control_keys(terminal: Terminal) -> KeyBindings:
    """Bind the keys that leave, give up, switch modes and open panels."""
    keys = KeyBindings()
    when = terminal.conditions
    focused = has_focus(terminal.buffer)

    @keys.add("c-c", filter=focused)
    @keys.add(Keys.SIGINT)
    def give_up(event: KeyPressEvent) -> None:
        """Leave the entry as it is and begin an empty one."""
        terminal.panel.is_open = False
        event.app.exit(exception=KeyboardInterrupt, style="class:aborting")

    @keys.add("c-d", filter=focused & when.input_is_empty)
    def leave(event: KeyPressEvent) -> None:
        """Leave the program."""
        event.app.exit(exception=EOFError, style="class:aborting")

    @keys.add("f4")
    def switch_mode(event: KeyPressEvent) -> None:
        """Switch between the keys of emacs and of vi."""
        mode = "emacs" if terminal.settings["editing_mode"] == "vi" else "vi"
        terminal.settings.put("editing_mode", mode)

    @keys.add("f2", filter=~when.search_is_open)
    def settings(event: KeyPressEvent) -> None:
        """Open or close the settings."""
        terminal.buffer.complete_state = None
        terminal.panel.is_open = not terminal.panel.is_open

    @keys.add("f1", filter=focused & when.no_panel_is_open)
    def explain(event: KeyPressEvent) -> None:
        """Show the documentation of the name at the cursor."""
        terminal.explain_at_cursor()

    @keys.add("f5", filter=focused)
    def format_entry(event: KeyPressEvent) -> None:
        """Bring the entry into its form."""
        terminal.format_entry()

    @keys.add("c-r", filter=when.in_input)
    @keys.add("/", filter=when.in_input & vi_navigation_mode)
    @keys.add("?", filter=when.in_input & vi_navigation_mode)
    def search(event: KeyPressEvent) -> None:
        """Search the history."""
        terminal.open_picker()

    @keys.add("c-x", "c-e", filter=focused & emacs_insert_mode)
    @keys.add("v", filter=focused & vi_navigation_mode)
    def edit(event: KeyPressEvent) -> None:
        """Write the entry in an editor."""
        terminal.edit_entry()

    @keys.add("c-z", filter=when.can_suspend)
    def suspend(event: KeyPressEvent) -> None:
        """Suspend the program."""
        event.app.suspend_to_background()

    @keys.add("c-l")
    def clear(event: KeyPressEvent) -> None:
        """Clear the screen."""
        event.app.renderer.clear()

    return keys


def _picker_keys(terminal: Terminal) -> KeyBindings:
    """Bind the keys of the search through the history."""
    keys = KeyBindings()
    searching = terminal.conditions.search_is_open

    @keys.add("enter", filter=searching)
    @keys.add("tab", filter=searching)
    def choose(event: KeyPressEvent) -> None:
        """Take the chosen entry into the input."""
        terminal.close_picker(terminal.picker.chosen)

    @keys.add("escape", filter=searching, eager=True)
    @keys.add("c-c", filter=searching)
    @keys.add("c-g", filter=searching)
    @keys.add("c-d", filter=searching)
    def cancel(event: KeyPressEvent) -> None:
        """Close the search and leave the input as it was."""
        terminal.close_picker(None)

    def bind_move(key: str, rows: int) -> None:
        @keys.add(key, filter=searching)
        def move(event: KeyPressEvent) -> None:
            """Choose another entry."""
            terminal.picker.move(rows)

    moves = {"up": -1, "c-p": -1, "down": 1, "c-n": 1, "c-r": 1, "c-s": -1}
    for key, rows in {**moves, "pageup": -_PAGE, "pagedown": _PAGE}.items():
        bind_move(key, rows)
    return keys


def _panel_keys(terminal: Terminal) -> KeyBindings:
    """Bind the keys of the settings."""
    keys = KeyBindings()
    setting = terminal.conditions.settings_are_open

    @keys.add(Keys.Any, filter=setting)
    def ignore(event: KeyPressEvent) -> None:
        """Ignore what is typed while the panel is open."""

    @keys.add("escape", filter=setting, eager=True)
    @keys.add("c-c", filter=setting)
    @keys.add("c-g", filter=setting)
    @keys.add("q", filter=setting)
    @keys.add("f2", filter=setting)
    def close(event: KeyPressEvent) -> None:
        """Close the panel."""
        terminal.panel.is_open = False

    def bind_move(key: str, rows: int) -> None:
        @keys.add(key, filter=setting)
        def move(event: KeyPressEvent) -> None:
            """Choose another setting."""
            terminal.panel.move(rows)

    def bind_change(key: str, steps: int) -> None:
        @keys.add(key, filter=setting)
        def change(event: KeyPressEvent) -> None:
            """Change the value of the chosen setting."""
            terminal.panel.change(steps)

    for key, rows in {"up": -1, "c-p": -1, "k": -1, "down": 1, "c-n": 1, "j": 1}.items():
        bind_move(key, rows)
    for key, steps in {"left": -1, "h": -1, "right": 1, "l": 1, "enter": 1, "space": 1}.items():
        bind_change(key, steps)
    return keys
