"""Screenshots for the documentation: scenes played in a real terminal, drawn as SVG.

``python -m tests.frontends.terminal.screenshots`` draws them anew; a test plays every scene and
compares what stands on the screen with the text of the drawing.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from html import unescape
from pathlib import Path

from tests.frontends.terminal.drawing import DARK, draw_row, opening
from tests.frontends.terminal.terminal_screen import TerminalScreen

DIRECTORY = Path(__file__).parents[3] / "docs" / "_static"
COLUMNS, ROWS = 84, 20
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


def errors(screen: TerminalScreen) -> None:
    """An error in a function, with its source, a hint and the calls."""
    screen.run(
        "function total(Array $prices) {\r  $prices.reduce |$memo, $price| { $memo + $pice }\r}"
    )
    screen.type("total([1, 2])\r")
    screen.wait_for("from main")


def resources(screen: TerminalScreen) -> None:
    """Resources as code, the table of resources, and their order."""
    screen.type("file { '/etc/motd': ensure => file, mode => '0644' }\r")
    screen.wait_for("puppet [2]>")
    screen.type("-> service { 'motd': ensure => running }\r")
    screen.wait_for("puppet [2]>")
    screen.settle(0.3)
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
    errors,
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
            screen.settle(0.6)
            return screen


def draw(screen: TerminalScreen) -> str:
    """The screen as SVG."""
    rows = [
        f"{drawn}\n<!-- row {row} -->"
        for row in range(ROWS)
        if (drawn := draw_row(screen, row, DARK))
    ]
    return "\n".join([*opening(COLUMNS, ROWS, DARK), *rows, "</g>", "</svg>", ""])


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
