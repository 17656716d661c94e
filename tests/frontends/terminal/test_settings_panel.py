"""The panel of the settings says all that there is to say of the chosen one, on any screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.frontends.terminal.panels import SettingsPanel
from puppet_repl.host.settings import AT_PROMPT, Settings, theme_names
from puppet_repl.tools.rendering.width import display_width
from tests.frontends.terminal.prompt import DOWN, F2
from tests.frontends.terminal.terminal_screen import TerminalScreen


def text_of(fragments: object) -> str:
    assert isinstance(fragments, list)
    return "".join([fragment[1] for fragment in fragments])


@pytest.mark.parametrize("width", [40, 80, 200])
def test_what_is_cut_in_a_row_ends_with_an_ellipsis_and_is_in_full_below(width: int) -> None:
    panel = SettingsPanel(Settings())
    for index, setting in enumerate(AT_PROMPT):
        panel.index = index
        row = text_of(panel.text(width)).split("\n")[index]
        assert display_width(row) <= width
        assert setting.name in row
        value = setting.show(panel.settings[setting.name])
        alone = row.split() == [setting.name, *value.split()]
        assert alone or row.endswith(("…", setting.help))
        below = text_of(panel.explanation(width, 8))
        assert all(display_width(line) <= width for line in below.split("\n"))
        words = " ".join(below.split())
        assert words.startswith(setting.help)
        if setting.choices:
            assert f"one of {', '.join(setting.listed_values())}" in words


def test_of_many_values_those_around_the_one_in_force_are_shown() -> None:
    panel = SettingsPanel(Settings())
    panel.index = [setting.name for setting in AT_PROMPT].index("theme")
    assert len(theme_names()) > 40
    for name in theme_names():
        panel.settings.put("theme", name)
        fragments = panel.explanation(40, 5)
        shown = [text for style, text, *_ in fragments if style == "class:panel.selected"]
        assert shown == [name]
        lines = text_of(fragments).split("\n")
        assert len(lines) <= 5
        assert max(map(display_width, lines)) <= 40
        assert "…" in text_of(fragments)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 15)])
def test_the_explanation_stays_on_a_low_screen(tmp_path: Path, columns: int, rows: int) -> None:
    with TerminalScreen(tmp_path, columns=columns, rows=rows) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(F2)
        screen.wait_for("one of puppet, ")
        at = [setting.name for setting in AT_PROMPT].index("secrets")
        screen.type(DOWN * at)
        screen.wait_until(lambda: "one of error, placeholder" in " ".join(screen.text.split()))
        words = " ".join(screen.text.split())
        assert "secrets in the data that cannot be read here: an error, or placeholders" in words
