"""Edits of the text by keys: indentation, closing brackets.

Plain functions over texts and cursors; the key bindings call them.
"""

from __future__ import annotations

from puppet_repl.language.syntax.scan import Scan

INDENT = "  "
PAIRS = {"(": ")", "[": "]", "{": "}", "'": "'", '"': '"'}
CLOSING = {")": "(", "]": "[", "}": "{"}


def dedented(before: str, bracket: str) -> int | None:
    """Return how many characters to delete before a closing bracket that begins its line.

    The bracket is aligned with the line of its partner. None if it does not begin its line.
    """
    line = before.rpartition("\n")[2]
    if line.strip() or "\n" not in before:
        return None
    opening = opening_line(before, bracket)
    wanted = len(opening) - len(opening.lstrip()) if opening is not None else 0
    return max(len(line) - wanted, 0)


def opening_line(before: str, bracket: str) -> str | None:
    """Return the line that holds the bracket that a closing one would close."""
    scan = Scan(before)
    if scan.where != "code":
        return None
    partner = CLOSING[bracket]
    for found, index in reversed(scan.brackets):
        if found == partner:
            start = scan.tokens[index].start
            line_start = before.rfind("\n", 0, start) + 1
            end = before.find("\n", start)
            return before[line_start : end if end >= 0 else len(before)]
    return None


def closes_itself(before: str, after: str, character: str) -> bool:
    """Tell whether to insert the closing partner of a bracket or quote that is typed."""
    following = after[:1]
    if following and not following.isspace() and following not in ")]}>,;":
        return False
    if character in "'\"":
        previous = before[-1:]
        return Scan(before).where == "code" and not (previous.isalnum() or previous == character)
    return True


def wants_submit(text: str, cursor: int) -> bool:
    """Tell whether the cursor is on the second of two empty lines at the end.

    Enter then runs the entry even if it is incomplete.
    """
    if text[cursor:].strip():
        return False
    lines = text[:cursor].split("\n")
    return len(lines) >= 3 and not lines[-1].strip() and not lines[-2].strip()
