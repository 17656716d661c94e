"""The recipes of CONTRIBUTING.md as data: files to change, commands to run, output to expect.

A recipe is a section below "Recipes". Its blocks are carried out in order:

- ``python`` whose first line is ``# FILE``: the rest is appended to that file, which may be new;
- ``diff`` with a ``+++ FILE`` line: lines with ``+`` are added, lines with ``-`` removed where the
  other lines of the hunk stand, which has to be in exactly one place;
- ``console``: commands after ``$``, each with what it prints.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "CONTRIBUTING.md"
COPIED = ("puppet_repl", "kernel", "lexer_pygments")


class Block(NamedTuple):
    """A fenced block: its language and its lines."""

    language: str
    lines: list[str]


def recipes(page: str) -> dict[str, list[Block]]:
    """Return the recipes of a page by their headings."""
    section = re.split(r"^## ", page.partition("\n## Recipes\n")[2], flags=re.MULTILINE)[0]
    parts = re.split(r"^### (.+)$", section, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], map(blocks, parts[1::2]), strict=True))


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a text."""
    fences = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [Block(language, content.splitlines()) for language, content in fences]


class Copy:
    """A copy of the project in which recipes are carried out."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        for name in COPIED:
            shutil.copytree(
                ROOT / name, directory / name, ignore=shutil.ignore_patterns("__pycache__")
            )

    def carry_out(self, block: Block) -> None:
        """Do what a block says, and fail where that cannot be done."""
        if block.language == "python":
            self._append(block.lines)
        elif block.language == "diff":
            self._change(block.lines)
        elif block.language == "console":
            for command, expected in commands(block.lines):
                printed = self.run(command)
                assert printed == expected, f"$ {command}\n{printed}"

    def run(self, command: str) -> str:
        """Return what a command prints, on both of its outputs."""
        program, *arguments = shlex.split(command)
        programs = {"python": [], "puppet-repl": ["-m", "puppet_repl"]}
        path = os.pathsep.join(str(self.directory / name) for name in ("", *COPIED[1:]))
        process = subprocess.run(
            [sys.executable, *programs[program], *arguments],
            cwd=self.directory,
            env={**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        return process.stdout.rstrip("\n")

    def _append(self, lines: list[str]) -> None:
        name = re.fullmatch(r"# (\S+\.\w+)(?:, new)?", lines[0])
        assert name, f"the first line of a block names its file: {lines[0]}"
        path = self.directory / name[1]
        assert path.exists() != lines[0].endswith(", new"), f"{name[1]} is new, or it is not"
        with path.open("a", encoding="utf-8") as file:
            file.write("\n\n" * path.exists() + "\n".join(lines[1:]) + "\n")

    def _change(self, lines: list[str]) -> None:
        name = lines[0].removeprefix("+++ ")
        path = self.directory / name
        text = path.read_text(encoding="utf-8")
        for hunk in re.split(r"^@@.*\n", "\n".join(lines[1:]) + "\n", flags=re.MULTILINE):
            changed = hunk.splitlines(keepends=True)
            before = "".join(line[1:] or "\n" for line in changed if line[:1] != "+")
            after = "".join(line[1:] or "\n" for line in changed if line[:1] != "-")
            if changed:
                assert text.count(before) == 1, (
                    f"{name} has these lines {text.count(before)}x:\n{before}"
                )
                text = text.replace(before, after)
        path.write_text(text, encoding="utf-8")


def commands(lines: list[str]) -> list[tuple[str, str]]:
    """Return the commands of a console block, each with what it prints."""
    pairs: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith("$ "):
            pairs.append((line[2:], []))
        else:
            pairs[-1][1].append(line)
    return [(command, "\n".join(output)) for command, output in pairs]
