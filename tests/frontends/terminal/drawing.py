"""A screen as SVG: the rows of a terminal in the colours of a palette."""

from __future__ import annotations

import re
from html import escape
from typing import Any, NamedTuple

from tests.frontends.terminal.terminal_screen import TerminalScreen

WIDTH, HEIGHT, MARGIN = 8.4, 18, 14
"""The size of a character, and what is left around the screen."""


class Palette(NamedTuple):
    """The colours of a terminal: its background, its cursor, and what the names of pyte mean."""

    background: str
    border: str
    cursor: str
    colours: dict[str, str]

    def colour(self, name: str, default: str) -> str:
        """Return a colour of pyte for SVG."""
        if name == "default":
            return default
        if re.fullmatch(r"[0-9a-f]{6}", name):
            return f"#{name}"
        return self.colours.get(name, default)


DARK = Palette(
    background="#1e1e2e",
    border="#1e1e2e",
    cursor="#f5e0dc",
    colours={
        "black": "#1e1e2e",
        "red": "#f38ba8",
        "green": "#a6e3a1",
        "brown": "#f9e2af",
        "blue": "#89b4fa",
        "magenta": "#cba6f7",
        "cyan": "#94e2d5",
        "white": "#cdd6f4",
        "brightblack": "#7f849c",
        "brightwhite": "#ffffff",
        "default": "#cdd6f4",
    },
)
LIGHT = Palette(
    background="#f8f9fb",
    border="#d0d7de",
    cursor="#57606a",
    colours={
        "black": "#1f2328",
        "red": "#b4232c",
        "green": "#1a6b2d",
        "brown": "#7d4e00",
        "blue": "#0a53be",
        "magenta": "#7a3fb8",
        "cyan": "#0b6a78",
        "white": "#d0d7de",
        "brightblack": "#5b6470",
        "brightwhite": "#ffffff",
        "default": "#1f2328",
    },
)


def opening(columns: int, rows: int, palette: Palette, head: str = "") -> list[str]:
    """Return the beginning of a drawing, up to the group that its rows are in."""
    width = columns * WIDTH + 2 * MARGIN
    height = rows * HEIGHT + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'width="{width:.0f}" height="{height}" role="img">',
        head,
        f'<rect x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1}" rx="8" '
        f'fill="{palette.background}" stroke="{palette.border}"/>',
        '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" '
        'font-size="14" xml:space="preserve">',
    ]
    return [part for part in parts if part]


def draw_row(screen: TerminalScreen, row: int, palette: Palette) -> str:
    """Return a row of a screen, '' for one that is empty."""
    parts: list[str] = []
    baseline = MARGIN + row * HEIGHT + 13
    columns = screen.screen.columns
    cells = [screen.screen.buffer[row][index] for index in range(columns)]
    column = 0
    while column < columns:
        style = _style(cells[column], palette)
        end = column
        while end < columns and _style(cells[end], palette) == style:
            end += 1
        text = "".join(cell.data for cell in cells[column:end])
        foreground, background, bold, underlined, italic = style
        left = MARGIN + column * WIDTH
        size = (end - column) * WIDTH
        if background != palette.background:
            top = MARGIN + row * HEIGHT
            parts.append(
                f'<rect x="{left:.1f}" y="{top}" width="{size:.1f}" height="{HEIGHT}" '
                f'fill="{background}"/>'
            )
        begin = len(text) - len(text.lstrip(" "))
        text = text.strip(" ")
        if text:
            left += begin * WIDTH
            size = len(text) * WIDTH
            # A plain blank would be dropped where it begins a text.
            shown = escape(text, quote=False).replace(" ", "\u00a0")
            extra = ' font-weight="bold"' if bold else ""
            extra += ' text-decoration="underline"' if underlined else ""
            extra += ' font-style="italic"' if italic else ""
            parts.append(
                f'<text x="{left:.1f}" y="{baseline}" fill="{foreground}" '
                f'textLength="{size:.1f}"{extra}>{shown}</text>'
            )
        column = end
    return "\n".join(parts)


def draw_cursor(screen: TerminalScreen, palette: Palette) -> str:
    """Return the cursor of a screen, '' where it is hidden."""
    cursor = screen.screen.cursor
    if cursor.hidden:
        return ""
    left, top = MARGIN + cursor.x * WIDTH, MARGIN + cursor.y * HEIGHT
    return (
        f'<rect x="{left:.1f}" y="{top}" width="{WIDTH}" height="{HEIGHT}" '
        f'fill="{palette.cursor}" fill-opacity="0.6"/>'
    )


def _style(cell: Any, palette: Palette) -> tuple[str, str, bool, bool, bool]:
    foreground = palette.colour(cell.fg, palette.colours["default"])
    background = palette.colour(cell.bg, palette.background)
    if cell.reverse:
        foreground, background = background, foreground
    return foreground, background, cell.bold, cell.underscore, cell.italics
