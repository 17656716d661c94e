"""The panel of the settings (F2), which opens below the input."""

from __future__ import annotations

from prompt_toolkit.formatted_text import StyleAndTextTuples

from puppet_repl.frontend.settings import SETTINGS, Setting, Settings


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
