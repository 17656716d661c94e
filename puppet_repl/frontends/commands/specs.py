"""A session as a test: its inputs with what they logged and returned, as ``doctest`` compares it.

Below each input comments say what it did: ``# notice: text`` and ``# => value``.
"""

from __future__ import annotations

import os
import re
import shlex

from puppet_repl.base.log_levels import LEVELS
from puppet_repl.base.safe_text import visible
from puppet_repl.frontends.commands.files import COMPARED, FACTS_ARE_OTHERS
from puppet_repl.host.session_setup import default_stdlib
from puppet_repl.language.runtime.options import OPTIONS
from puppet_repl.session import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from puppet_repl.frontends.commands.saving import SavedPart
    from puppet_repl.host.host import Host
    from puppet_repl.language.runtime.option_table import Option
    from puppet_repl.session import Session

SUFFIX = "_spec.pp"
# Options on which no result depends.
_OF_PROCESS = ("cache", "max_memory", "max_seconds", "ruby_seconds")
# Characters of a result; nobody reads longer ones.
_MAX_RESULT = 2000
# Below the code of an input: its logs, its error, its value, further lines of one of these, or a
# note that replaces one.
_RESULT = re.compile(
    rf"# (?:(?P<kind>=>|error:|(?:{'|'.join(LEVELS)}):) ?| {{3}}|(?P<note>\(a result of ))"
    r"(?P<text>.*)"
)


def is_spec(path: Path) -> bool:
    """Tell whether a file is named as those that hold results."""
    return path.name.endswith(SUFFIX)


def spec_parts(session: Session, parts: list[SavedPart]) -> list[str]:
    """Return the texts of inputs, each with the results that it had."""
    return [
        "\n".join([*split_results(part.text.split("\n"))[0], *_results(session, part)])
        for part in parts
    ]


def head_of(host: Host, path: Path) -> list[str]:
    """Return the lines that say how the results are compared, to be above the inputs."""
    lines = [f"{COMPARED}{check_command(host, path)}"]
    if not any(option == "--facts" for option, _ in host.facts_from):
        lines.append(FACTS_ARE_OTHERS)
    return lines


def check_command(host: Host, path: Path) -> str:
    """Return the command of a shell that compares the results in a session with these options."""
    words = [word for pair in _session_options(host) for word in pair]
    return visible(shlex.join(["puppet-repl", "doctest", *words, str(path)]))


def _session_options(host: Host) -> Iterator[tuple[str, ...]]:
    """Yield the options of the session that have other values than those of ``doctest``."""
    options = host.session.options
    for name, row in OPTIONS.items():
        value = getattr(options, name)
        initial = default_stdlib(options.environment) if name == "stdlib" else row.default
        if row.flag and value != initial and name not in _OF_PROCESS:
            yield from _written(row, value)
        if name == "node":
            yield from host.facts_from


def _written(row: Option, value: Any) -> Iterator[tuple[str, ...]]:
    """Yield the words with which a command line says the value of an option."""
    if row.kind == "switch":
        yield (row.flag,)
    elif row.kind == "extensions":
        yield from ((row.flag, f"{name}={each}") for name, each in value.items())
    elif row.kind == "settings":
        yield from ((row.flag, f"{name}={_setting_text(each)}") for name, each in value.items())
    elif row.kind == "search_path":
        yield row.flag, os.pathsep.join(map(_near, value))
    elif row.kind == "paths":
        yield from ((row.flag, _near(path)) for path in value)
    else:
        yield row.flag, _near(value) if row.kind == "path" else str(value)


def _setting_text(value: object) -> str:
    """Return a setting of Puppet as the option has it."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _near(path: str) -> str:
    """Return a path below the working directory as it is called from there."""
    here = os.path.join(os.getcwd(), "")
    return os.path.relpath(path) if os.path.join(path, "").startswith(here) else path


def split_results(lines: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the code of an input and its results: pairs of a kind and a text.

    The kind is ``=>``, ``error:`` or the level of a message with its colon. Results are at the end.
    """
    code = list(lines)
    while code and not code[-1].strip():
        code.pop()
    read = len(code)
    results: list[tuple[str, str]] = []
    more: list[str] = []
    while len(code) > 1:
        match = _RESULT.fullmatch(code[-1])
        if match is None:
            break
        more.insert(0, match["text"])
        if match["note"]:
            more = []
            read = len(code) - 1
        elif match["kind"]:
            results.insert(0, (match["kind"], "\n".join(more)))
            more = []
            read = len(code) - 1
        code.pop()
    # Lines that continue no result are comments of the user.
    return lines[:read], results


def _results(session: Session, part: SavedPart) -> Iterator[str]:
    outcome = part.outcome
    if outcome is None:
        return
    for level, text in outcome.logs:
        yield from _lines(f"{level}: ", text)
    if outcome.value is NOTHING or (outcome.value is None and outcome.logs):
        return
    try:
        yield from _lines("=> ", session.describe(outcome.value)["value"] or "undef")
    except MemoryError:  # what shares its parts may have a text of any size
        yield "# (a result of too many characters is not compared)"


def _lines(kind: str, text: str) -> Iterator[str]:
    """Yield the comment with one result; lines but the first one are indented."""
    first, *rest = [line.strip() for line in text.split("\n") if line.strip()] or [""]
    if len(text) > _MAX_RESULT:
        yield f"# (a result of {len(text)} characters is not compared)"
    else:
        yield f"# {kind}{first}"
        yield from (f"#    {line}" for line in rest)
