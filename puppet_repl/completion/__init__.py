"""Completion: what could stand at the cursor. Nothing is ever evaluated for it.

The tokens before the cursor say what kind of thing is wanted, the session says what there is of
that kind; what matches is ranked, and comes with a short explanation that is looked up late.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session

__all__ = ["Completion", "Completions", "complete"]

# More are of no use to anybody, and slow a menu down.
MOST = 500


class Completion:
    """One thing that could be inserted in place of ``text[start:end]``.

    ``kind`` is 'variable', 'function', 'type', 'resource type', 'class', 'attribute', 'value',
    'key', 'title', 'keyword', 'command', 'setting' or 'file'. ``label`` is what a menu shows,
    ``name`` what documentation is to be looked up under. A lower ``weight`` comes first.
    """

    __slots__ = ("detail", "kind", "label", "name", "text", "weight")

    def __init__(
        self,
        text: str,
        kind: str,
        *,
        label: str | None = None,
        detail: str = "",
        name: str | None = None,
        weight: int = 0,
    ) -> None:
        self.text = text
        self.kind = kind
        self.label = label if label is not None else text
        self.detail = detail
        self.name = name if name is not None else text
        self.weight = weight

    def __repr__(self) -> str:
        return f"<{self.kind} {self.text}>"


class Completions:
    """What could stand in place of ``text[start:end]``, best first."""

    __slots__ = ("end", "items", "start")

    def __init__(self, start: int, end: int, items: list[Completion]) -> None:
        self.start = start
        self.end = end
        self.items = items

    def __len__(self) -> int:
        return len(self.items)


def complete(session: Session, text: str, cursor: int | None = None) -> Completions:
    """What could stand at the cursor of a text (its end, where none is given)."""
    from puppet_repl.commands import parse_command
    from puppet_repl.completion.details import explain
    from puppet_repl.completion.sources import candidates
    from puppet_repl.inspection.symbols import SessionSymbols

    if cursor is None:
        cursor = len(text)
    cursor = max(0, min(cursor, len(text)))
    before = text[:cursor]
    if before.lstrip()[:1] in (":", "%") and not before.lstrip().startswith("::"):
        from puppet_repl.completion.arguments import complete_command

        return complete_command(session, before, parse_command(before))
    start, items = candidates(session, before)
    del items[MOST:]
    explain(SessionSymbols(session), items)
    return Completions(start, cursor, items)
