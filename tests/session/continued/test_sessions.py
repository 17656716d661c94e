"""Whole sessions, as the line mode shows them: the transcripts in the .txt files here.

The expectations follow the law of the session (the page about sessions in the guide), not what was
shown before. A file holds sessions, each below a line ``== what it shows``; an input follows
``> ``, its further lines ``. ``, and then comes what is shown; ``...`` stands for any text.
``> setting NAME VALUE`` is a line of the configuration file.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from puppet_repl.frontends.terminal.line_mode import LineMode
from puppet_repl.host.host import Host

HERE = Path(__file__).parent
FACTS = {"kernel": "Linux", "os": {"family": "Debian", "name": "Debian"}}


class Transcript(NamedTuple):
    """A session: its title, its inputs and what each shows."""

    title: str
    inputs: list[tuple[str, str]]


def read(path: Path) -> list[Transcript]:
    """Return the sessions of a file."""
    transcripts: list[Transcript] = []
    typed: list[str] = []
    shown: list[str] = []

    def end_input() -> None:
        if typed:
            transcripts[-1].inputs.append(
                ("\n".join(typed), "".join(f"{line}\n" for line in shown))
            )
        typed.clear()
        shown.clear()

    for line in path.read_text("utf-8").splitlines():
        if line.startswith("== "):
            end_input()
            transcripts.append(Transcript(line[3:], []))
        elif line.startswith("> "):
            end_input()
            typed.append(line[2:])
        elif line.startswith(". ") and not shown:
            typed.append(line[2:])
        elif line:
            shown.append(line)
    end_input()
    return transcripts


def shown_by(inputs: list[str], directory: Path) -> list[str]:
    """Type inputs into one session; return what the line mode shows for each.

    It reads them line by line, and may take one for several. ``directory`` is shown as ``DIR``, and
    replaces that in an input.
    """
    output = io.StringIO()
    mode = LineMode(Host(facts=FACTS), io.StringIO(), output)
    shown = []
    for text in inputs:
        if text.startswith("setting "):
            mode.host.settings.set(*text.split()[1:])
            shown.append("")
            continue
        mode.lines = io.StringIO(text.replace("DIR", str(directory)) + "\n")
        answers = []
        while (entry := mode.read()) is not None:
            output.seek(0)
            output.truncate()
            mode.handle(entry)
            answers.append(output.getvalue().replace(str(directory), "DIR"))
        shown.append("".join(answers))
    return shown


def holds(expected: str, shown: str) -> bool:
    """Tell whether an input shows what is expected; empty lines do not count."""
    pattern = ".*?".join(re.escape(part) for part in expected.strip("\n").split("..."))
    lines = "\n".join(line for line in shown.splitlines() if line)
    return re.fullmatch(pattern, lines, re.DOTALL) is not None


SESSIONS = [
    pytest.param(path, transcript, id=f"{path.stem}: {transcript.title}")
    for path in sorted(HERE.glob("*.txt"))
    for transcript in read(path)
]


@pytest.mark.parametrize(("path", "transcript"), SESSIONS)
def test_session(path: Path, transcript: Transcript, tmp_path: Path) -> None:
    shown = shown_by([text for text, _ in transcript.inputs], tmp_path)
    for (text, expected), answer in zip(transcript.inputs, shown, strict=True):
        assert holds(expected, answer), f"> {text}\n{answer}\nexpected:\n{expected}"


def test_titles_tell_sessions_apart() -> None:
    titles = [(path, transcript.title) for path, transcript in (each.values for each in SESSIONS)]
    assert len(titles) == len(set(titles))
