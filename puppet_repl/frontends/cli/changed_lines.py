"""The difference between two texts of a file, as ``patch`` and git read it."""

from __future__ import annotations

from difflib import unified_diff


def changed_lines(text: str, result: str, name: str) -> list[str]:
    """Return the lines of the difference between the old and the new text of a file."""
    return [
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in unified_diff(_lines(text), _lines(result), name, name)
    ]


def _lines(text: str) -> list[str]:
    """Return the lines with their ends: form feeds and other separators are in a line."""
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])
