"""Lines of the line mode, edited with Python's ``readline``: keys, earlier inputs, Tab.

It is loaded for a terminal that echoes. If one does not, a program such as Emacs' comint edits the
lines that it sends, in which a tab is a tab.
"""

from __future__ import annotations

import sys

from puppet_repl.base.safe_text import is_visible, visible_lines
from puppet_repl.frontends.shared.frame_completion import completions_at
from puppet_repl.frontends.terminal.typing_ahead import TypingAhead
from puppet_repl.host.history import LOADING_SECONDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from puppet_repl.host.host import Host
    from puppet_repl.tools.completion import Completions

# Characters that end a word; readline shows the candidates for the rest of the line after one.
_DELIMITERS = " \t\n()[]{},;=<>+*/%!|&?\"'."
_INDENT = "  "
# GNU readline asks some terminals to mark what is pasted, and to send the meta key as a bit.
_PLAIN = ("set enable-bracketed-paste off", "set enable-meta-key off")
# What the line mode's keys do, by headings. Readline has no list: these are its keys of emacs.
_KEYS = (
    (
        "Entry",
        (
            ("Enter", "run a complete input, or ask for its next line"),
            ("Tab", "complete; at the start of a line, indent"),
            ("Up, Down, Ctrl-P, Ctrl-N", "earlier and later inputs"),
            ("Ctrl-R", "search in earlier inputs"),
            ("Ctrl-C", "discard the input; interrupt running code"),
            ("Ctrl-D", "leave the REPL, at an empty prompt"),
        ),
    ),
    (
        "Line, unless ~/.inputrc says otherwise",
        (
            ("Ctrl-A, Ctrl-E, Home, End", "move to the start or the end"),
            ("Alt-B, Alt-F", "move by a word"),
            ("Ctrl-W, Alt-D", "delete the word before or after the cursor"),
            ("Ctrl-U, Ctrl-K", "delete to the start or to the end"),
            ("Ctrl-Y", "insert the last deletion"),
            ("Ctrl-_", "undo the last change"),
            ("Ctrl-L", "clear the screen"),
        ),
    ),
)


def line_editor(host: Host) -> LineEditor | None:
    """Return an editor for the terminal of this process, None without a terminal that echoes."""
    try:
        import readline
        import termios
    except ImportError:  # Windows, or a Python without it
        return None
    try:
        echoes = termios.tcgetattr(sys.stdin.fileno())[3] & termios.ECHO
    except (OSError, termios.error):
        return None
    return LineEditor(host, readline) if echoes and sys.stdout.isatty() else None


class LineEditor:
    """``readline`` with the history and the completions of a host."""

    def __init__(self, host: Host, readline: ModuleType) -> None:
        self._host = host
        self._readline = readline
        self._terminal = TypingAhead(sys.stdin, sys.stdout)
        # The lines of the entry before the one that is edited.
        self._before: list[str] = []
        self._matches: list[str] = []
        # How many earlier inputs are known, of other sessions and of this one.
        self._known = (-1, 0)
        host.keys = lambda: [(heading, [*keys]) for heading, keys in _KEYS]
        readline.set_auto_history(False)
        readline.set_completer_delims(_DELIMITERS)
        readline.set_completer(self._match)
        if "libedit" in (readline.__doc__ or ""):
            readline.parse_and_bind("bind ^I rl_complete")
        else:
            for line in (*_PLAIN, "tab: complete"):
                readline.parse_and_bind(line)

    def read(self, prompt: str, before: list[str]) -> str:
        """Read one line, and return it with its end; an empty text is the end of input.

        It may have several lines, if it is an earlier input. ``before`` are those that the entry
        has already.
        """
        self._before = before
        self._learn()
        with self._terminal.restored(lambda: self._show_again(prompt)):
            try:
                return input(visible_lines(prompt)) + "\n"
            except EOFError:
                return ""

    def _show_again(self, prompt: str) -> None:
        sys.stdout.write(visible_lines(prompt) + self._readline.get_line_buffer())
        sys.stdout.flush()

    def _learn(self) -> None:
        """Give readline the inputs that it does not know yet."""
        history = self._host.history
        history.loaded.wait(LOADING_SECONDS)
        entries = list(history.entries)
        others = len(entries) - history.added
        known, own = self._known
        if others != known:
            self._readline.clear_history()
            own = -others
        for entry in entries[others + own :]:
            self._readline.add_history(entry)
        self._known = (others, history.added)

    def _match(self, word: str, number: int) -> str | None:
        """Return the candidate of a number for the word at the cursor, None after the last one."""
        try:
            if number == 0:
                self._matches = self._candidates(word)
            return self._matches[number] if number < len(self._matches) else None
        except Exception:  # an error in completion must not end the entry
            return None

    def _candidates(self, word: str) -> list[str]:
        readline = self._readline
        start, end = readline.get_begidx(), readline.get_endidx()
        line: str = readline.get_line_buffer()
        if not line[:end].strip():
            readline.insert_text(_INDENT)
            readline.redisplay()
            return [""]
        earlier = "".join(f"{each}\n" for each in self._before)
        found = completions_at(self._host, earlier + line, len(earlier) + end)
        return _words(found, earlier + line, len(earlier) + start, word)


def _words(found: Completions, text: str, start: int, word: str) -> list[str]:
    """Return texts to replace the word at an offset of a text.

    Readline inserts the beginning that they share. So all begin with the word, perhaps with letters
    in other case; a single completion is returned in any case.
    """
    before = text[start : found.start]  # of the word, or the completions begin before it
    shared = text[found.start : start]
    words = [
        before + item.text[len(shared) :] for item in found.items if item.text.startswith(shared)
    ]
    words = list(dict.fromkeys(each for each in words if is_visible(each)))
    exact = [each for each in words if each.startswith(word)]
    similar = [each for each in words if each.lower().startswith(word.lower())]
    return exact or similar or (words if len(words) == 1 else [])
