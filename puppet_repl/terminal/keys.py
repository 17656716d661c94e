"""The keys. What they do to the text is in editing, what they open in panels."""

from __future__ import annotations

import os

from prompt_toolkit.application.current import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import (
    Condition,
    emacs_insert_mode,
    has_completions,
    has_focus,
    has_selection,
    vi_insert_mode,
    vi_navigation_mode,
)
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.key_binding.bindings.auto_suggest import load_auto_suggest_bindings
from prompt_toolkit.key_binding.key_bindings import KeyBindingsBase
from prompt_toolkit.keys import Keys

from puppet_repl.terminal import editing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.terminal.app import Terminal

# What terminals send for Shift-Enter and Ctrl-Enter when they tell them from Enter; both open a
# line, as Alt-Enter does.
_NEWLINE_SEQUENCES = (
    "\x1b[27;2;13~",
    "\x1b[27;5;13~",
    "\x1b[27;3;13~",
    "\x1b[13;2u",
    "\x1b[13;5u",
    "\x1b[13;3u",
)


def make_keys(terminal: Terminal) -> KeyBindingsBase:
    """All bindings of the application."""
    for sequence in _NEWLINE_SEQUENCES:
        ANSI_SEQUENCES[sequence] = (Keys.Escape, Keys.ControlM)
    return merge_key_bindings(
        [
            load_auto_suggest_bindings(),
            _entry_keys(terminal),
            _text_keys(terminal),
            _menu_keys(terminal),
            _control_keys(terminal),
            _picker_keys(terminal),
            _panel_keys(terminal),
        ]
    )


def _typing(terminal: Terminal) -> Condition:
    """Whether keys go into the input."""
    in_insert_mode = emacs_insert_mode | vi_insert_mode
    return Condition(
        lambda: (
            not terminal.panel.is_open
            and get_app().layout.has_focus(terminal.buffer)
            and in_insert_mode()
        )
    )


def _entry_keys(terminal: Terminal) -> KeyBindings:
    """Enter, and what opens a line."""
    keys = KeyBindings()
    typing = _typing(terminal)
    in_input = has_focus(terminal.buffer) & Condition(lambda: not terminal.panel.is_open)

    @keys.add("enter", filter=in_input)
    def enter(event: KeyPressEvent) -> None:
        """Take the chosen completion; run what is complete; else open a line."""
        buffer = event.current_buffer
        state = buffer.complete_state
        if state is not None and state.current_completion is not None:
            buffer.complete_state = None
            return
        buffer.complete_state = None
        if terminal.settings["close_brackets"] and between_brackets(buffer.document):
            new_line(terminal, buffer)
        elif terminal.is_ready(buffer.text, buffer.cursor_position):
            buffer.validate_and_handle()
        else:
            new_line(terminal, buffer)

    @keys.add("escape", "enter", filter=typing)
    @keys.add("c-o", filter=typing)
    def open_line(event: KeyPressEvent) -> None:
        event.current_buffer.complete_state = None
        new_line(terminal, event.current_buffer)

    @keys.add("c-j", filter=in_input)
    def line_feed(event: KeyPressEvent) -> None:
        enter(event)

    return keys


def between_brackets(document: Document) -> bool:
    """Whether the cursor stands between a bracket and its partner."""
    before = document.char_before_cursor
    return before in editing.CLOSING.values() and (editing.PAIRS[before] == document.current_char)


def new_line(terminal: Terminal, buffer: Buffer) -> None:
    """Open a line below, as deep as the code before the cursor is."""
    before = buffer.document.text_before_cursor
    indent = terminal.indent_after(before)
    after = buffer.document.text_after_cursor
    if between_brackets(buffer.document):
        # Between brackets that closed themselves: the closing one goes on a line of its own.
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
    """Brackets, quotes, Tab, Backspace and pasting."""
    keys = KeyBindings()
    typing = _typing(terminal)
    closing = typing & Condition(lambda: bool(terminal.settings["close_brackets"]))

    def bind_closing(bracket: str) -> None:
        @keys.add(bracket, filter=typing)
        def close(event: KeyPressEvent) -> None:
            buffer = event.current_buffer
            document = buffer.document
            if terminal.settings["close_brackets"] and document.current_char == bracket:
                buffer.cursor_right()
                return
            count = editing.dedented(document.text_before_cursor, bracket)
            if count:
                buffer.delete_before_cursor(count)
            buffer.insert_text(bracket)

    def bind_opening(character: str) -> None:
        @keys.add(character, filter=closing)
        def open_pair(event: KeyPressEvent) -> None:
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

    @keys.add("backspace", filter=closing & ~has_selection)
    def delete_pair(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        document = buffer.document
        if editing.PAIRS.get(document.char_before_cursor) == document.current_char:
            buffer.delete()
        buffer.delete_before_cursor()

    @keys.add("backspace", filter=typing & ~closing & ~has_selection)
    def delete_indent(event: KeyPressEvent) -> None:
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
        event.current_buffer.start_completion(select_first=False)

    @keys.add(Keys.BracketedPaste)
    def paste(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text(editing.clean_paste(event.data))

    return keys


def _menu_keys(terminal: Terminal) -> KeyBindings:
    """The menu of completions, and going up and down."""
    keys = KeyBindings()
    typing = _typing(terminal)
    in_input = has_focus(terminal.buffer) & Condition(lambda: not terminal.panel.is_open)

    def has_choice() -> bool:
        state = terminal.buffer.complete_state
        return state is not None and state.current_completion is not None

    chosen = Condition(has_choice)

    @keys.add("tab", filter=typing & has_completions)
    def next_completion(event: KeyPressEvent) -> None:
        event.current_buffer.complete_next()

    @keys.add("s-tab", filter=typing & has_completions)
    def previous_completion(event: KeyPressEvent) -> None:
        event.current_buffer.complete_previous()

    @keys.add("escape", filter=has_completions, eager=True)
    def close_menu(event: KeyPressEvent) -> None:
        if event.key_processor.input_queue:
            # Another key came along with it: that is Alt and the key, not a lone Escape.
            event.current_buffer.complete_state = None
            event.key_processor.feed(event.key_sequence[-1], first=True)
            return
        event.current_buffer.cancel_completion()
        if terminal.editing_mode == EditingMode.VI:
            from prompt_toolkit.key_binding.vi_state import InputMode

            event.app.vi_state.input_mode = InputMode.NAVIGATION

    @keys.add("up", filter=in_input & ~chosen)
    @keys.add("c-p", filter=typing & ~chosen)
    @keys.add("k", filter=in_input & vi_navigation_mode)
    def up(event: KeyPressEvent) -> None:
        terminal.go_up(event.arg)

    @keys.add("down", filter=in_input & ~chosen)
    @keys.add("c-n", filter=typing & ~chosen)
    @keys.add("j", filter=in_input & vi_navigation_mode)
    def down(event: KeyPressEvent) -> None:
        terminal.go_down(event.arg)

    @keys.add("up", filter=in_input & chosen)
    @keys.add("c-p", filter=typing & chosen)
    def menu_up(event: KeyPressEvent) -> None:
        event.current_buffer.complete_previous()

    @keys.add("down", filter=in_input & chosen)
    @keys.add("c-n", filter=typing & chosen)
    def menu_down(event: KeyPressEvent) -> None:
        event.current_buffer.complete_next()

    return keys


def _control_keys(terminal: Terminal) -> KeyBindings:
    """Leaving, giving up, modes and panels."""
    keys = KeyBindings()
    in_input = has_focus(terminal.buffer)

    @keys.add("c-c", filter=in_input)
    @keys.add(Keys.SIGINT)
    def give_up(event: KeyPressEvent) -> None:
        """Leave the entry as it stands and begin a clean one."""
        terminal.panel.is_open = False
        event.app.exit(exception=KeyboardInterrupt, style="class:aborting")

    @keys.add("c-d", filter=in_input & Condition(lambda: not terminal.buffer.text))
    def leave(event: KeyPressEvent) -> None:
        event.app.exit(exception=EOFError, style="class:aborting")

    @keys.add("f4")
    def switch_mode(event: KeyPressEvent) -> None:
        mode = "emacs" if terminal.settings["editing_mode"] == "vi" else "vi"
        terminal.settings.put("editing_mode", mode)

    @keys.add("f2", filter=Condition(lambda: not terminal.picker.is_open))
    def settings(event: KeyPressEvent) -> None:
        terminal.buffer.complete_state = None
        terminal.panel.is_open = not terminal.panel.is_open

    @keys.add("f1", filter=in_input)
    def explain(event: KeyPressEvent) -> None:
        terminal.explain_at_cursor()

    @keys.add("c-r", filter=in_input & Condition(lambda: not terminal.panel.is_open))
    def pick(event: KeyPressEvent) -> None:
        terminal.open_picker()

    @keys.add("c-x", "c-e", filter=in_input & emacs_insert_mode)
    @keys.add("v", filter=in_input & vi_navigation_mode)
    def edit(event: KeyPressEvent) -> None:
        terminal.edit_entry()

    @keys.add("c-z", filter=Condition(lambda: os.name == "posix"))
    def suspend(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()

    @keys.add("c-l")
    def clear(event: KeyPressEvent) -> None:
        event.app.renderer.clear()

    return keys


def _picker_keys(terminal: Terminal) -> KeyBindings:
    """The search through the history."""
    keys = KeyBindings()
    picking = Condition(lambda: terminal.picker.is_open)

    @keys.add("enter", filter=picking)
    @keys.add("tab", filter=picking)
    def choose(event: KeyPressEvent) -> None:
        terminal.close_picker(terminal.picker.chosen)

    @keys.add("escape", filter=picking, eager=True)
    @keys.add("c-c", filter=picking)
    @keys.add("c-g", filter=picking)
    @keys.add("c-d", filter=picking)
    def cancel(event: KeyPressEvent) -> None:
        terminal.close_picker(None)

    def bind_move(key: str, rows: int) -> None:
        @keys.add(key, filter=picking)
        def move(event: KeyPressEvent) -> None:
            terminal.picker.move(rows)

    moves = {"up": -1, "c-p": -1, "down": 1, "c-n": 1, "c-r": 1, "c-s": -1}
    for key, rows in {**moves, "pageup": -8, "pagedown": 8}.items():
        bind_move(key, rows)
    return keys


def _panel_keys(terminal: Terminal) -> KeyBindings:
    """The settings."""
    keys = KeyBindings()
    setting = Condition(lambda: terminal.panel.is_open)

    @keys.add(Keys.Any, filter=setting)
    def ignore(event: KeyPressEvent) -> None:
        """Typing does nothing while the panel is open."""

    @keys.add("escape", filter=setting, eager=True)
    @keys.add("c-c", filter=setting)
    @keys.add("c-g", filter=setting)
    @keys.add("q", filter=setting)
    @keys.add("f2", filter=setting)
    def close(event: KeyPressEvent) -> None:
        terminal.panel.is_open = False

    def bind_move(key: str, rows: int) -> None:
        @keys.add(key, filter=setting)
        def move(event: KeyPressEvent) -> None:
            terminal.panel.move(rows)

    def bind_change(key: str, steps: int) -> None:
        @keys.add(key, filter=setting)
        def change(event: KeyPressEvent) -> None:
            terminal.panel.change(steps)

    for key, rows in {"up": -1, "c-p": -1, "k": -1, "down": 1, "c-n": 1, "j": 1}.items():
        bind_move(key, rows)
    for key, steps in {"left": -1, "h": -1, "right": 1, "l": 1, "enter": 1, "space": 1}.items():
        bind_change(key, steps)
    return keys
