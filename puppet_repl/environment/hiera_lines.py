"""Lines of hiera.yaml, for messages."""

from __future__ import annotations

import re


def line_matching(path: str, pattern: str, start: int) -> int | None:
    """Return the first line from ``start`` on that matches outside of comments, if there is one."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                if number >= start and re.search(pattern, _without_comment(line)):
                    return number
    except OSError:
        pass
    return None


def _without_comment(line: str) -> str:
    """Return the part of a line before a hash mark; quotes do not protect it, as in Puppet."""
    return line.partition("#")[0].rstrip("\n")
