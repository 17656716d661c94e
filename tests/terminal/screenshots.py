"""Screenshots for the documentation: scenes played in a real terminal, drawn as SVG.

``python -m tests.terminal.screenshots`` draws all of them anew; a test plays every scene and
compares what stands on the screen with the text of the drawing.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from html import escape, unescape
from pathlib import Path
from typing import Any

from tests.terminal.terminal_screen import TerminalScreen

DIRECTORY = Path(__file__).parent.parent.parent / "docs" / "_static"
COLUMNS, ROWS = 84, 20
WIDTH, HEIGHT, MARGIN = 8.4, 18, 14
COLOURS = {
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
}
BACKGROUND = "#1e1e2e"
FACTS = '{"os": {"family": "Debian", "name": "Debian", "release": {"major": "12", "full": "12.5"}}}'


def first_steps(screen: TerminalScreen) -> None:
    """Values, multi-line input, results with types."""
    screen.run('[80, 443].map |$port| { "web:${port}" }')
    screen.run("$servers = {'web01' => {'ports' => [80, 443]}, 'db01' => {}}")
    screen.type("$servers.each |$name, $server| {\rnotice(\"${name}: ${server['ports']}\")\r}\r")
    screen.wait_for("puppet [4]>")
    screen.run("$servers['web01']['ports'][1] + 1")


def completion(screen: TerminalScreen) -> None:
    """The menu, and the documentation of the chosen entry."""
    screen.run("$servers = {'web01' => 80, 'db01' => 5432}")
    screen.type("$servers.fil")
    screen.wait_for("filter  ")
    screen.type("\t")
    screen.wait_for("filter  function")


def facts(screen: TerminalScreen) -> None:
    """Completion of facts by their path."""
    screen.type("$facts['os']['")
    screen.wait_for("release")


def errors(screen: TerminalScreen) -> None:
    """An error in a function, with its source, a hint and the calls."""
    screen.run(
        "function total(Array $prices) {\r  $prices.reduce |$memo, $price| { $memo + $pice }\r}"
    )
    screen.type("total([1, 2])\r")
    screen.wait_for("from main")


def why(screen: TerminalScreen) -> None:
    """``:why`` and ``:match``."""
    screen.type(":why $facts['os']['family'] ? { 'RedHat' => 1, 'debian' => 2 }\r")
    screen.wait_for("the value is")
    screen.type(":match Integer[1, 1024] 22 8080 'ssh'\r")
    screen.wait_for("'ssh'")


def resources(screen: TerminalScreen) -> None:
    """Resources as code, the table of resources, and their order."""
    screen.type("file { '/etc/motd': ensure => file, mode => '0644' }\r")
    screen.wait_for("puppet [2]>")
    screen.type("-> service { 'motd': ensure => running }\r")
    screen.wait_for("puppet [2]>")
    screen.read(0.3)
    screen.type(":resources\r")
    screen.wait_for("Attributes")
    screen.type(":graph text\r")
    screen.wait_for("→ Service")


def settings(screen: TerminalScreen) -> None:
    """The settings panel."""
    screen.type("\x1bOQ")
    screen.wait_for("Escape close")


SCENES: tuple[Callable[[TerminalScreen], None], ...] = (
    first_steps,
    completion,
    facts,
    errors,
    why,
    resources,
    settings,
)


def play(scene: Callable[[TerminalScreen], None]) -> TerminalScreen:
    """Play a scene and answer the screen it ends with."""
    with tempfile.TemporaryDirectory() as home:
        path = Path(home) / "facts.json"
        path.write_text(FACTS)
        screen = TerminalScreen(
            Path(home), "--facts", str(path), rows=ROWS, columns=COLUMNS, PAGER="cat"
        )
        with screen:
            screen.wait_for("puppet [1]>")
            scene(screen)
            screen.read(0.6)
            return screen


def draw(screen: TerminalScreen) -> str:
    """The screen as SVG."""
    width = COLUMNS * WIDTH + 2 * MARGIN
    height = ROWS * HEIGHT + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'width="{width:.0f}" height="{height}" role="img">',
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
        '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" '
        'font-size="14" xml:space="preserve">',
    ]
    for row in range(ROWS):
        parts.extend(_draw_row(screen, row))
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _draw_row(screen: TerminalScreen, row: int) -> list[str]:
    parts: list[str] = []
    baseline = MARGIN + row * HEIGHT + 13
    column = 0
    cells = [screen.screen.buffer[row][index] for index in range(COLUMNS)]
    while column < COLUMNS:
        style = _style(cells[column])
        end = column
        while end < COLUMNS and _style(cells[end]) == style:
            end += 1
        text = "".join(cell.data for cell in cells[column:end])
        foreground, background, bold, underlined, italic = style
        left = MARGIN + column * WIDTH
        size = (end - column) * WIDTH
        if background != BACKGROUND:
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
    if parts:
        parts.append(f"<!-- row {row} -->")
    return parts


def _style(cell: Any) -> tuple[str, str, bool, bool, bool]:
    foreground = _colour(cell.fg, COLOURS["default"])
    background = _colour(cell.bg, BACKGROUND)
    if cell.reverse:
        foreground, background = background, foreground
    return foreground, background, cell.bold, cell.underscore, cell.italics


def _colour(name: str, default: str) -> str:
    if name == "default":
        return default
    if re.fullmatch(r"[0-9a-f]{6}", name):
        return f"#{name}"
    return COLOURS.get(name, default)


def text_of(svg: str) -> list[str]:
    """The words on a drawing, row by row."""
    rows: list[str] = []
    row: list[str] = []
    for line in svg.split("\n"):
        found = re.match(r"<text .*?>(.*)</text>$", line)
        if found:
            row.append(unescape(found.group(1)).replace("\u00a0", " "))
        elif line.startswith("<!-- row") and row:
            rows.append(" ".join(" ".join(row).split()))
            row = []
    return rows


def path_of(scene: Callable[[TerminalScreen], None]) -> Path:
    """Where the drawing of a scene is kept."""
    return DIRECTORY / f"terminal-{scene.__name__.replace('_', '-')}.svg"


def main() -> None:
    """Draw all scenes."""
    DIRECTORY.mkdir(exist_ok=True)
    for scene in SCENES:
        path_of(scene).write_text(draw(play(scene)), "utf-8")
        print(path_of(scene).name)


if __name__ == "__main__":
    main()
