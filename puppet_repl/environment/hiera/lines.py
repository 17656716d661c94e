"""Lines of hiera.yaml, for messages."""

from __future__ import annotations

import re

from puppet_repl.base.file_reading import read_text


def line_matching(path: str, pattern: str, start: int) -> int | None:
    """Return the first line from ``start`` on that matches outside of comments, if there is one."""
    try:
        text = read_text(path, errors="replace")
    except OSError:
        return None
    for number, line in enumerate(text.split("\n"), 1):
        if number >= start and re.search(pattern, _without_comment(line)):
            return number
    return None


def _without_comment(line: str) -> str:
    """Return the part of a line before a hash mark; quotes do not protect it, as in Puppet."""
    return line.partition("#")[0]
