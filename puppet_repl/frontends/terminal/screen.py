"""Writing to the terminal: results, logs, the pager, and marks that terminals understand."""

from __future__ import annotations

import os
import re
import sys
from base64 import b64encode
from collections.abc import Iterable

from prompt_toolkit.formatted_text import FormattedText, StyleAndTextTuples
from prompt_toolkit.layout.screen import Char
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import print_formatted_text

from puppet_repl.base.log_levels import NOTE
from puppet_repl.base.safe_text import EMOJI_SELECTORS, JOINERS, visible
from puppet_repl.host.settings import Settings
from puppet_repl.tools.rendering.fragments import Fragment, ansi, plain, shown
from puppet_repl.tools.rendering.logs import render_log
from puppet_repl.tools.rendering.width import display_width
from puppet_repl.tools.rendering.wrapping import wrapped_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.frontends.terminal.theme import Colors
    from puppet_repl.frontends.terminal.typing_ahead import TypingAhead

# OSC 133: start of the prompt, of the input, of the output, and end of the output.
PROMPT_BEGINS = "\x1b]133;A\x07"
INPUT_BEGINS = "\x1b]133;B\x07"
OUTPUT_BEGINS = "\x1b]133;C\x07"
OUTPUT_ENDS = "\x1b]133;D;{status}\x07"
# modifyOtherKeys: Shift-Enter is told from Enter, but only while there is a prompt.
TELL_KEYS_APART = "\x1b[>4;1m"
KEYS_AS_USUAL = "\x1b[>4;0m"

# What prompt_toolkit writes around each drawing, and at the first one of a prompt.
HIDE = "\x1b[?25l"
SHOW = "\x1b[?12l\x1b[?25h"
SHOW_AGAIN = "\x1b[?25h"
WRAP_OFF = "\x1b[?7l"
WRAP_ON = "\x1b[?7h"
PASTES_APART = "\x1b[?2004h"
USUAL_COLOURS = "\x1b[0m"
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
# Moves of the cursor, and the marks above: neither colours nor wrapping matter to them.
_NO_TEXT = re.compile(r"\x1b\[[0-9]*[ABCD]|[\b\r]|\x1b\]133;[^\x07]*\x07")

# Fragments; longer output has the terminal's colours and not the theme's: that is much faster.
MAX_STYLED = 20_000


class _Pictures(dict[str, str]):
    """What prompt_toolkit draws for a character: its own table, and ``visible`` for the others.

    It tells which characters a terminal must not get by the table that its class Char has, and
    leaves bidirectional controls, separators of lines and hidden characters out of that.
    """

    def __contains__(self, character: object) -> bool:
        if super().__contains__(character):
            return True
        return (
            isinstance(character, str)
            and character not in JOINERS + EMOJI_SELECTORS
            and visible(character) != character
        )

    def __missing__(self, character: str) -> str:
        return visible(character)


def clipboard_sequence(text: str, *, in_tmux: bool) -> str:
    """Return the sequence that puts a text on the clipboard (OSC 52).

    tmux reads the plain sequence if its option set-clipboard is on, and passes a wrapped one to the
    terminal if allow-passthrough is on; so it gets both.
    """
    data = b64encode(text.encode("utf-8", "replace")).decode("ascii")
    sequence = f"\x1b]52;c;{data}\x07"
    if not in_tmux:
        return sequence
    return sequence + "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"


class SparingOutput(Vt100_Output):
    """A terminal that gets only the changes: on a slow line, each key waits for all its bytes.

    prompt_toolkit draws again whenever a search has ended, whether or not it has found anything,
    and each drawing hides the cursor, ends wrapping, and undoes both.
    """

    @classmethod
    def to(cls, output: Output) -> Output:
        """Return an output to the same terminal; other kinds of outputs stay as they are."""
        if not isinstance(output, Vt100_Output):
            return output
        return cls(
            output.stdout,
            output.get_size,
            term=output.term,
            default_color_depth=output.default_color_depth,
            enable_bell=output.enable_bell,
            enable_cpr=output.enable_cpr,
        )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._pieces: list[str] = []

    def write_raw(self, data: str) -> None:
        """Keep a sequence until the next ``flush``."""
        if data:
            self._pieces.append(data)

    def write(self, data: str) -> None:
        """Keep a text without control sequences until the next ``flush``."""
        self.write_raw(data.replace("\x1b", "?"))

    def flush(self) -> None:
        """Write the kept pieces, in as few bytes as possible."""
        pieces, self._pieces = self._pieces, []
        data = without_idle(pieces)
        if data:
            super().write_raw(data)
            super().flush()


def without_idle(pieces: list[str]) -> str:
    """Return the drawing without the sequences that change nothing.

    The first drawing of a prompt stays as it is: another program may have left any mode. All others
    begin and end with the usual colours, and with wrapping.
    """
    if PASTES_APART in pieces:
        return "".join(pieces)
    modes = (HIDE, SHOW, WRAP_ON, WRAP_OFF)
    count = sum(each not in modes and not _COLOURS.fullmatch(each) for each in pieces)
    hides = count > 1 or not (HIDE in pieces and SHOW in pieces)
    written: list[str] = []
    wrap = wanted_wrap = WRAP_ON
    colours: str = USUAL_COLOURS
    wanted = colours
    for piece in [*pieces, ""]:
        if piece in (WRAP_ON, WRAP_OFF):
            wanted_wrap = piece
        elif _COLOURS.fullmatch(piece):
            wanted = piece
        elif piece == HIDE:
            written += [HIDE] * hides
        elif _NO_TEXT.fullmatch(piece):
            written.append(piece)
        elif piece != SHOW:
            if wrap != wanted_wrap:
                wrap = wanted_wrap
                written.append(wrap)
            if colours != wanted:
                colours = wanted
                written.append(colours)
            written.append(piece)
            if "\x1b" in piece and "m" in piece:  # it may have changed the colours
                colours = ""
    if hides and SHOW in pieces:
        written.append(SHOW_AGAIN if HIDE in pieces else SHOW)
    return "".join(written)


def is_taller(text: str, rows: int, columns: int) -> bool:
    """Tell whether a text takes more rows of so many columns."""
    for line in text.split("\n"):
        # A line that is not wrapped is known by its characters, which have two cells at most.
        width = len(line) if 2 * len(line) <= columns else display_width(line)
        rows -= max(-(-width // columns), 1)
        if rows < 0:
            return True
    return False


class Screen:
    """The output of one terminal."""

    def __init__(
        self,
        output: Output,
        colors: Colors,
        typing: TypingAhead,
        settings: Settings,
        *,
        color: bool,
    ) -> None:
        self.output = output
        self.settings = settings
        self.color = color and not os.environ.get("NO_COLOR")
        self._colors = colors
        self._typing = typing
        Char.display_mappings = _Pictures(Char.display_mappings)

    @property
    def width(self) -> int:
        """Columns of the screen."""
        return max(self.output.get_size().columns, 20)

    @property
    def rows(self) -> int:
        """Rows of the screen."""
        return self.output.get_size().rows

    @property
    def shows_types(self) -> bool:
        """Whether values are followed by their types."""
        return bool(self.settings["show_type"])

    def wrapped(self, fragments: list[Fragment]) -> list[Fragment]:
        """Return sentences wrapped at words."""
        return wrapped_text(fragments, self.width)

    def print(self, fragments: Iterable[Fragment]) -> None:
        """Write fragments."""
        fragments = shown(fragments)
        if not fragments:
            return
        if len(fragments) > MAX_STYLED:
            self.output.write_raw(self._raw_text(fragments))
            self.output.flush()
            return
        print_formatted_text(
            FormattedText([(f"class:{style}" if style else "", text) for style, text in fragments]),
            end="",
            output=self.output,
            style=self._colors.style() if self.color else None,
            include_default_pygments_style=False,
        )

    def _raw_text(self, fragments: Iterable[Fragment]) -> str:
        return ansi(fragments, self._colors.palette()) if self.color else plain(fragments)

    def show(self, fragments: list[Fragment], *, at_end: bool = False) -> None:
        """Write fragments and a line end; in a pager where they are taller than the screen.

        The pager begins at the start of the text, or ``at_end``.
        """
        if not fragments:
            return
        text = plain(fragments)
        if self._wants_pager(text) and self._page(fragments, at_end=at_end):
            return
        self.print([*fragments, ("", "\n")])

    def log(self, level: str, message: str) -> None:
        """Write a log line at once."""
        fragments = render_log(level, message)
        if level == NOTE:
            fragments = wrapped_text(fragments, self.output.get_size().columns)
        self.print([*fragments, ("", "\n")])
        self.output.flush()

    def _wants_pager(self, text: str) -> bool:
        if not self.settings["pager"] or not sys.stdin.isatty():
            return False
        size = self.output.get_size()
        return is_taller(text, size.rows - 1, size.columns)

    def _page(self, fragments: list[Fragment], *, at_end: bool) -> bool:
        """Show fragments in a pager; return False without a pager."""
        from puppet_repl.frontends.terminal.programs import show_in_pager

        self.output.flush()
        text = self._raw_text(fragments)
        with self._typing.usual():
            return show_in_pager(text, at_end=at_end)

    # Marks

    def before_prompt(self) -> None:
        """Ask the terminal to tell Shift-Enter from Enter."""
        self._raw(TELL_KEYS_APART)

    def after_prompt(self) -> None:
        """End what ``before_prompt`` asked for."""
        self._raw(KEYS_AS_USUAL)

    def marked_prompt(self, prompt: str) -> StyleAndTextTuples:
        """Return a prompt between the marks for its start and its end."""
        if not self.settings["shell_marks"]:
            return [("class:prompt", prompt)]
        return [
            ("[ZeroWidthEscape]", PROMPT_BEGINS),
            ("class:prompt", prompt),
            ("[ZeroWidthEscape]", INPUT_BEGINS),
        ]

    def before_output(self) -> None:
        """Mark that what follows is output."""
        if self.settings["shell_marks"]:
            self._raw(OUTPUT_BEGINS)

    def after_output(self, *, failed: bool) -> None:
        """Mark the end of the output."""
        if self.settings["shell_marks"]:
            self._raw(OUTPUT_ENDS.format(status=int(failed)))

    def copy(self, text: str) -> None:
        """Ask the terminal to put a text on the clipboard; it does not report success."""
        self._raw(clipboard_sequence(text, in_tmux="TMUX" in os.environ))

    def clear(self) -> None:
        """Clear the screen. The renderer could only do so while it reads an entry."""
        self.output.erase_screen()
        self.output.cursor_goto(0, 0)
        self.output.flush()

    def flush(self) -> None:
        """Write the buffer."""
        self.output.flush()

    def _raw(self, sequence: str) -> None:
        self.output.write_raw(sequence)
        self.output.flush()
