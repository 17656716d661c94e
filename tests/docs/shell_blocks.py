"""The shell commands of the documentation: what they print, and whether their options exist.

A block ``console`` or ``text`` whose lines begin with ``$`` has commands, each with what it prints
below it. ``...`` on a line of its own stands for any lines. Commands that show what they print are
run; of a page with ``<!-- every command is run -->`` all of them, but for blocks after
``<!-- not run: why -->``. A code block with a caption is a file of that name, for the commands
below it.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FIXTURES = Path(__file__).parent / "shell"
_PART = re.compile(
    r"(?P<skip><!-- not run: .+? -->\n)?"
    r"^(?P<fence>`{3,})(?P<info>[^`\n]+)\n(?P<text>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
_CAPTION = re.compile(r"\A(?::[\w-]+:.*\n)*?:caption: (\S+)\n(?::[\w-]+:.*\n)*\n")


class File(NamedTuple):
    """A file that a page shows."""

    name: str
    text: str


class Command(NamedTuple):
    """A command, what it prints according to the page, and whether it is to be run."""

    line: str
    printed: str
    is_run: bool


def steps(text: str) -> Iterator[File | Command]:
    """Yield the files and the commands of a page, in their order."""
    is_whole = "<!-- every command is run -->" in text
    for part in _PART.finditer(text):
        info, content = part["info"].strip(), part["text"]
        caption = _CAPTION.match(content)
        if info.startswith("{code-block}") and caption is not None:
            yield File(caption[1], content[caption.end() :])
        elif info in ("console", "text") and content.startswith("$ "):
            for command in _commands(content):
                is_run = part["skip"] is None and (is_whole or command.printed != "")
                yield command._replace(is_run=is_run)


def _commands(content: str) -> Iterator[Command]:
    for block in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
        lines = block.splitlines()
        end = next(index for index, line in enumerate(lines) if not line.endswith("\\")) + 1
        yield Command("\n".join(lines[:end]), "\n".join(lines[end:]).rstrip(), is_run=False)


def run(command: str, directory: Path) -> tuple[str, int]:
    """Return what a command prints on both of its outputs, and its exit status."""
    home = directory / ".home"
    home.mkdir(exist_ok=True)
    programs = os.fspath(Path(sys.executable).parent)
    variables = {
        "PATH": programs + os.pathsep + os.environ["PATH"],
        "HOME": os.fspath(home),
        "LANG": "C.UTF-8",
        "COLUMNS": "80",
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=directory,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    return done.stdout.rstrip(), done.returncode


def is_printed(expected: str, printed: str) -> bool:
    """Tell whether a text is what is expected, where ``...`` may stand for any lines."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\.$", expected, flags=re.MULTILINE)]
    return re.fullmatch(".*".join(parts), printed, re.DOTALL) is not None


def differences(page: Path, directory: Path) -> list[str]:
    """Run the commands of a page in a directory; return those that print something else.

    The directory has the files of ``tests/docs/shell/NAME``, and those that the page shows.
    """
    name = "-".join(page.relative_to(ROOT).with_suffix("").parts)
    if (FIXTURES / name).is_dir():
        shutil.copytree(FIXTURES / name, directory, dirs_exist_ok=True)
    found = []
    for step in steps(page.read_text(encoding="utf-8")):
        if isinstance(step, File):
            path = directory / step.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step.text, encoding="utf-8")
        elif step.is_run:
            printed, _ = run(step.line, directory)
            if not is_printed(step.printed, printed):
                found.append(f"$ {step.line}\n{printed}\n--- instead of:\n{step.printed}")
    return found


def calls(line: str) -> Iterator[list[str]]:
    """Yield the arguments of each ``puppet-repl`` in a line of the shell."""
    lexer = shlex.shlex(line.replace("\\\n", " "), posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    words: list[str] | None = None
    for word in lexer:
        if set(word) <= set("|&;<>()"):
            if words is not None:
                yield words
            words = None
        elif words is not None:
            words.append(word)
        elif word == "puppet-repl":
            words = []
    if words is not None:
        yield words
