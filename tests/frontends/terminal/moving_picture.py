"""The moving picture on the first page of the site: a session in a real terminal, as animated SVG.

``python -m tests.frontends.terminal.moving_picture`` makes it anew, for light and dark pages; a
test plays the session again and compares the screens that it stops at.

A row of the screen that changes is drawn once for each of its states, and shown for the time that
it has this state. ``#still`` after the address shows one screen only, without any motion: a picture
cannot ask for itself whether its reader wants less of that, the page that has it can.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.frontends.terminal.drawing import DARK, LIGHT, Palette, draw_cursor, draw_row, opening
from tests.frontends.terminal.screenshots import DIRECTORY
from tests.frontends.terminal.terminal_screen import TerminalScreen

COLUMNS, ROWS = 68, 17
PALETTES = {"dark": DARK, "light": LIGHT}
ROUNDS = 3
"""How often the session is shown before the picture stays at its end."""
KEY, PAUSE, HOLD, END = 0.04, 0.3, 2.0, 4.0
"""Seconds: of a key, between typing and Enter, to read a result, to read the last screen."""


class Frame(NamedTuple):
    """What is seen for a time: the rows and the cursor as drawn, and the rows as text."""

    seconds: float
    drawn: tuple[str, ...]
    text: tuple[str, ...]


class Film:
    """Records the frames of a session; ``still`` is the second that is shown without motion."""

    def __init__(self, screen: TerminalScreen, palette: Palette) -> None:
        self.screen = screen
        self.palette = palette
        self.frames: list[Frame] = []
        self.stops: list[tuple[str, ...]] = []
        self.still = 0.0

    def shoot(self, seconds: float) -> None:
        """Keep the screen as it is now."""
        rows = [draw_row(self.screen, row, self.palette) for row in range(ROWS)]
        drawn = (*rows, draw_cursor(self.screen, self.palette))
        self.frames.append(Frame(seconds, drawn, tuple(self.screen.rows)))

    def type(self, keys: str) -> None:
        """Type some keys, one after the other; every second one is a frame."""
        for number, key in enumerate(keys, 1):
            self.screen.type(key)
            self.screen.settle(0.08)
            if number % 2 == 0 or number == len(keys):
                self.shoot(2 * KEY)

    def stop(self, seconds: float) -> None:
        """Wait for what a key has started, then let the reader look at it."""
        self.screen.settle(0.4)
        self.shoot(seconds)
        self.stops.append(tuple(" ".join(row.split()) for row in self.screen.rows))

    def enter(self, wanted: str) -> None:
        """Run the input, and show the result, in which a text is."""
        self.stop(PAUSE)
        self.screen.type("\r")
        self.screen.wait_for(wanted)
        self.stop(HOLD)


def play(film: Film) -> None:
    """Play the session: an error and resources within three seconds, their order, facts."""
    film.screen.type("'web01'.upcse\r")
    film.screen.wait_for("hint")
    film.stop(PAUSE)
    film.type("package { 'nginx': } ~> service { 'nginx': }")
    film.enter("puppet [2]>")
    film.still = sum(frame.seconds for frame in film.frames[:-1])
    film.type(":graph")
    film.enter("Service['nginx']\n")
    film.type("$facts['os']['fam")
    film.screen.wait_for("key")
    film.stop(HOLD / 2)
    film.type("\t']")
    film.enter("'Debian'  String")
    film.frames.append(film.frames[-1]._replace(seconds=END - HOLD))


@contextmanager
def session(background: str) -> Iterator[TerminalScreen]:
    """A session in a terminal with that background."""
    with tempfile.TemporaryDirectory() as home:
        settings = Path(home) / "config" / "puppet-repl" / "config.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text(f'background = "{background}"\n', encoding="utf-8")
        with TerminalScreen(
            Path(home), "--facts", "debian-12", rows=ROWS, columns=COLUMNS, PAGER="cat"
        ) as screen:
            screen.wait_for("puppet [1]>")
            yield screen


def record(background: str) -> Film:
    """Return the film of the session in a terminal with that background."""
    with session(background) as screen:
        film = Film(screen, PALETTES[background])
        play(film)
        return film


def animated(film: Film) -> str:
    """Return a film as SVG."""
    total = sum(frame.seconds for frame in film.frames)
    groups: list[str] = []
    rules: list[str] = []
    for row in range(ROWS + 1):
        for drawn, start, end in _states(film.frames, row):
            if not drawn:
                continue
            if start == 0 and end >= total:
                groups.append(drawn)
                continue
            name = f"s{len(rules)}"
            rules.append(_keyframes(name, start / total, end / total))
            kind = "s l" if start <= film.still < end else "s"
            groups.append(f'<g class="{kind}" style="animation-name:{name}">\n{drawn}\n</g>')
    style = [
        "<style>",
        f".s{{visibility:hidden;animation:{total:.2f}s step-end {ROUNDS} forwards}}",
        "#still:target~g .s{animation:none}",
        "#still:target~g .l{visibility:visible}",
        *rules,
        "</style>",
        '<g id="still"/>',
    ]
    texts = [f"<!-- {_commented(stop)} -->" for stop in film.stops]
    head = opening(COLUMNS, ROWS, film.palette, "\n".join(style))
    return "\n".join([*head, *groups, "</g>", *texts, "</svg>", ""])


def _states(frames: list[Frame], row: int) -> Iterator[tuple[str, float, float]]:
    """Yield what a row is, and from when to when."""
    start = now = 0.0
    drawn = frames[0].drawn[row]
    for frame in frames:
        if frame.drawn[row] != drawn:
            yield drawn, start, now
            start, drawn = now, frame.drawn[row]
        now += frame.seconds
    yield drawn, start, now


def _keyframes(name: str, start: float, end: float) -> str:
    steps = [f"{100 * start:.3f}%{{visibility:visible}}"]
    if start > 0:
        steps.insert(0, "0%{visibility:hidden}")
    steps.append(
        "100%{visibility:visible}" if end >= 1 else f"{100 * end:.3f}%{{visibility:hidden}}"
    )
    return f"@keyframes {name}{{{''.join(steps)}}}"


def _commented(stop: tuple[str, ...]) -> str:
    """Return the text of a screen as a comment has it, where two hyphens are not allowed."""
    return "\n".join(stop).strip().replace("--", "- -")


def stops_of(svg: str) -> list[str]:
    """Return the texts of the screens that a picture stops at."""
    return [part.partition(" -->")[0] for part in svg.split("<!-- ")[1:]]


def path_of(background: str) -> Path:
    """Return where the picture for pages of that background is kept."""
    return DIRECTORY / f"session-{background}.svg"


def main() -> None:
    """Make the pictures."""
    for background in PALETTES:
        path_of(background).write_text(animated(record(background)), "utf-8")
        print(path_of(background).name)


if __name__ == "__main__":
    main()
