"""Completion: candidates for insertion at the cursor. Nothing is ever evaluated for it.

The kind of candidate follows from the tokens before the cursor, the names come from the session;
matches are ranked and get a short explanation.
"""

from __future__ import annotations

from puppet_repl.tools.completion.model import Completion, Completions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session.symbols import SessionSymbols

__all__ = ["Completion", "Completions", "complete"]


def complete(known: SessionSymbols, text: str, cursor: int | None = None) -> Completions:
    """Return the candidates at the cursor, by default the end of the text."""
    # The prompt opens without what only the first completion needs.
    from puppet_repl.tools.completion.arguments import complete_command
    from puppet_repl.tools.completion.sources import complete_code

    cursor = len(text) if cursor is None else max(0, min(cursor, len(text)))
    before = text[:cursor]
    beginning = before.lstrip()
    if beginning.startswith((":", "%")) and not beginning.startswith("::"):
        return complete_command(known, before)
    return complete_code(known, before, following=text[cursor:])
