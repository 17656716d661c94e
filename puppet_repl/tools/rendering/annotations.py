"""Commands of GitHub's workflows that mark lines of files in a pull request."""

from __future__ import annotations

from puppet_repl.base.safe_text import visible, visible_lines

__all__ = ["annotation"]


def annotation(
    level: str,
    message: str,
    *,
    file: str | None,
    line: int | None = None,
    column: int | None = None,
    title: str = "",
) -> str:
    """Return the command for a message of a level (error or warning), with a line end."""
    properties = {"file": file, "line": line, "col": column, "title": title or None}
    told = ",".join(
        f"{key}={_escaped(visible(str(value)), ':,')}"
        for key, value in properties.items()
        if value is not None
    )
    return f"::{level} {told}::{_escaped(visible_lines(message))}\n"


def _escaped(text: str, further: str = "") -> str:
    """Return a text as commands of workflows have it: they end with their lines."""
    for sign in f"%\r\n{further}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text
