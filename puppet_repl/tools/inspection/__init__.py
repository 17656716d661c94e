"""Inspection: the documentation of the name at the cursor. Nothing is ever evaluated for it."""

from __future__ import annotations

from puppet_repl.tools.inspection.documentation import Documentation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session.symbols import SessionSymbols

__all__ = ["Documentation", "inspect"]


def inspect(known: SessionSymbols, text: str, cursor: int) -> Documentation | None:
    """Return the documentation of the name at the cursor, or of the call that is open there."""
    # The prompt opens without what only the first look-up needs.
    from puppet_repl.tools.inspection.lookup import inspect as look_up

    return look_up(known, text, cursor)
