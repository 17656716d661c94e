"""The panel of the settings (F2), which opens below the input."""

from __future__ import annotations

from prompt_toolkit.formatted_text import StyleAndTextTuples

from puppet_repl.host.settings import AT_PROMPT, Setting, Settings
from puppet_repl.tools.rendering.fragments import Fragment
from puppet_repl.tools.rendering.width import crop, display_width
from puppet_repl.tools.rendering.wrapping import wrapped

# Cells of a value, and those that an explanation after it has at least.
VALUE = 16
SUMMARY = 12


class SettingsPanel:
    """All settings; the chosen one is changed with the arrow keys."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.is_open = False
        self.index = 0

    @property
    def chosen(self) -> Setting:
        """The chosen setting."""
        return AT_PROMPT[self.index]

    def move(self, rows: int) -> None:
        """Choose another setting."""
        self.index = (self.index + rows) % len(AT_PROMPT)

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
        """Return the settings with their values, a row each."""
        fragments: StyleAndTextTuples = []
        size = max(len(setting.name) for setting in AT_PROMPT)
        for number, setting in enumerate(AT_PROMPT):
            chosen = number == self.index
            style = "class:panel.selected" if chosen else "class:panel"
            value = setting.show(self.settings[setting.name])
            if chosen:
                # The window scrolls to it where the screen is low.
                fragments.append(("[SetCursorPosition]", ""))
            row = crop(f" {setting.name.ljust(size)}  {value}", width - 1)
            row += " " * (min(size + 3 + VALUE, width - 1) - display_width(row))
            rest = width - display_width(row) - 2
            summary = crop(f" {setting.help}", rest) if rest >= SUMMARY else ""
            fragments += [(style, row), ("class:dim", summary + "\n")]
        return fragments

    def explanation(self, width: int, height: int) -> StyleAndTextTuples:
        """Return what the chosen setting does and which values it takes, in so many rows at most.

        Of a long list of values those around the one in force are shown.
        """
        rows = wrapped([("", self.chosen.help)], width - 2)
        room = max(height - len(rows), 1)
        rows += self._values(width - 2, room)
        fragments: StyleAndTextTuples = []
        for row in rows:
            fragments.append(("", " "))
            fragments += [(f"class:{style}" if style else "", text) for style, text in row]
            fragments.append(("", "\n"))
        return fragments[:-1]

    def _values(self, width: int, height: int) -> list[list[Fragment]]:
        """Return the allowed values in rows, the one in force marked."""
        setting = self.chosen
        value = setting.show(self.settings[setting.name])
        words = setting.listed_values()
        if not words:
            said = f"now {value}; :set {setting.name} VALUE changes it"
            return wrapped([("dim", said)], width)
        line: list[Fragment] = [("dim", "one of ")]
        for number, word in enumerate(words):
            line.append(("", ", " if number else ""))
            line.append(("panel.selected" if word == value else "", word))
        if setting.resets:
            line.append(("dim", f" (:set {setting.name} NAME changes it)"))
        rows = wrapped(line, width)
        if len(rows) <= height:
            return rows
        # The last column is kept for what says that there are more rows.
        rows = wrapped(line, width - 2)
        marked = [any(style == "panel.selected" for style, _ in row) for row in rows]
        at = marked.index(True) if True in marked else 0
        first = max(0, min(at - height // 2, len(rows) - height))
        last = first + height
        shown = rows[first:last]
        if first > 0:
            shown[0] = [("dim", "… "), *shown[0]]
        if last < len(rows):
            shown[-1] = [*shown[-1], ("dim", " …")]
        return shown
