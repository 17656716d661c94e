"""Completion: what could be inserted at the cursor. Nothing is ever evaluated for it.

The tokens before the cursor say what kind of thing is expected there, the session says what it has
of that kind; what matches is ranked and gets a short explanation.
"""

from __future__ import annotations

from puppet_repl.tools.completion.model import Completion, Completions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session

__all__ = ["Completion", "Completions", "complete"]


def complete(session: Session, text: str, cursor: int | None = None) -> Completions:
    """Return what could be inserted at the cursor, by default the end of the text."""
    # The prompt opens without what only the first completion needs.
    from puppet_repl.tools.completion.arguments import complete_command
    from puppet_repl.tools.completion.sources import complete_code

    cursor = len(text) if cursor is None else max(0, min(cursor, len(text)))
    before = text[:cursor]
    beginning = before.lstrip()
    if beginning.startswith((":", "%")) and not beginning.startswith("::"):
        return complete_command(session, before)
    return complete_code(session, before)
