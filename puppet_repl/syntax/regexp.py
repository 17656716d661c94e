"""Whether Ruby takes a regular expression: a literal that it refuses is an error of the lexer."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.syntax.source import Source


def check_regexp(pattern: str, source: Source, at: int) -> None:
    """Refuse a pattern that Ruby cannot compile."""
