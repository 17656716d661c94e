"""How a regular expression is written inside the brackets of a type."""

from __future__ import annotations


def regexp_text(pattern: str) -> str:
    """A regular expression between slashes; slashes in it are escaped."""
    if "/" not in pattern:
        return f"/{pattern}/"
    pieces = []
    escaped = False
    for character in pattern:
        pieces.append("\\/" if character == "/" and not escaped else character)
        escaped = character == "\\" and not escaped
    return f"/{''.join(pieces)}/"
