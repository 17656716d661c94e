"""The two panels that open below the input: earlier inputs (Ctrl-R) and settings (F2)."""

from __future__ import annotations

from prompt_toolkit.formatted_text import StyleAndTextTuples

from puppet_repl.base.wording import counted
from puppet_repl.frontend.history import History
from puppet_repl.frontend.settings import SETTINGS, Setting, Settings

ROWS = 8
PREVIEW = 6


class HistoryPicker:
    """A fuzzy search through the history, with the chosen entry shown whole below."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.is_open = False
        self.found: list[str] = []
        self.index = 0

    def open(self, query: str) -> None:
        """Show the panel with the entries that match a query."""
        self.is_open = True
        self.search(query)

    def close(self) -> None:
        """Hide the panel."""
        self.is_open = False
        self.found = []

    def search(self, query: str) -> None:
        """Find the entries that contain all words of the query, or its letters in order."""
        self.index = 0
        words = query.lower().split()
        entries = list(self.history.newest())
        exact = [entry for entry in entries if all(word in entry.lower() for word in words)]
        self.found = exact
        if words and len(exact) < ROWS:
            letters = "".join(words)
            known = set(exact)
            self.found = exact + [
                entry for entry in entries if entry not in known and _has_letters(entry, letters)
            ]

    def move(self, rows: int) -> None:
        """Choose another entry."""
        if self.found:
            self.index = max(0, min(len(self.found) - 1, self.index + rows))

    @property
    def chosen(self) -> str | None:
        """The chosen entry."""
        return self.found[self.index] if self.found else None

    def text(self, width: int, query: str) -> StyleAndTextTuples:
        """Return the list and the preview."""
        fragments: StyleAndTextTuples = []
        first = max(0, min(self.index - ROWS // 2, len(self.found) - ROWS))
        for number, entry in enumerate(self.found[first : first + ROWS], first):
            lines = entry.strip().split("\n")
            more = f"  (+{counted(len(lines) - 1, 'line')})" if len(lines) > 1 else ""
            shown = lines[0][: max(width - len(more) - 3, 10)]
            style = "class:panel.selected" if number == self.index else "class:panel"
            mark = "> " if number == self.index else "  "
            fragments.append((style, mark))
            fragments.extend(_marked(shown, query, style))
            fragments.append(("class:dim", more))
            fragments.append(("", "\n"))
        if not self.found:
            fragments.append(("class:dim", "  nothing matches\n"))
        chosen = self.chosen
        if chosen is not None and "\n" in chosen:
            fragments.append(("class:dim", "  " + "-" * max(width - 4, 1) + "\n"))
            lines = chosen.split("\n")
            fragments.extend(
                ("class:panel", f"  {line[: width - 3]}\n") for line in lines[:PREVIEW]
            )
            if len(lines) > PREVIEW:
                fragments.append(
                    ("class:dim", f"  ... {counted(len(lines) - PREVIEW, 'more line')}\n")
                )
        return fragments


def _has_letters(entry: str, letters: str) -> bool:
    at = -1
    folded = entry.lower()
    for letter in letters:
        at = folded.find(letter, at + 1)
        if at < 0:
            return False
    return True


def _marked(text: str, query: str, style: str) -> StyleAndTextTuples:
    """Return a text with the first word of the query underlined."""
    words = query.lower().split()
    at = text.lower().find(words[0]) if words else -1
    if at < 0:
        return [(style, text)]
    end = at + len(words[0])
    matched = f"{style} class:panel.matched"
    return [(style, text[:at]), (matched, text[at:end]), (style, text[end:])]


class SettingsPanel:
    """All settings; the chosen one is changed with the arrow keys."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.is_open = False
        self.index = 0

    @property
    def chosen(self) -> Setting:
        """The chosen setting."""
        return SETTINGS[self.index]

    def move(self, rows: int) -> None:
        """Choose another setting."""
        self.index = (self.index + rows) % len(SETTINGS)

    def change(self, steps: int) -> None:
        """Change the chosen setting to its next or previous value, unless that resets."""
        setting = self.chosen
        if setting.resets:
            return
        value = self.settings[setting.name]
        if setting.kind == "switch":
            self.settings.put(setting.name, not value)
            return
        choices = setting.listed_values()
        if choices:
            at = choices.index(value) if value in choices else 0
            self.settings.put(setting.name, choices[(at + steps) % len(choices)])

    def text(self, width: int) -> StyleAndTextTuples:
        """Return the panel."""
        fragments: StyleAndTextTuples = []
        size = max(len(setting.name) for setting in SETTINGS)
        for number, setting in enumerate(SETTINGS):
            chosen = number == self.index
            style = "class:panel.selected" if chosen else "class:panel"
            value = setting.show(self.settings[setting.name])
            if chosen:
                # The window scrolls to it where the screen is low.
                fragments.append(("[SetCursorPosition]", ""))
            row = f" {setting.name.ljust(size)}  {value.ljust(16)}"
            fragments.append((style, row))
            rest = f" {setting.help}"[: max(width - len(row) - 1, 0)]
            fragments.append(("class:dim", rest + "\n"))
        return fragments
