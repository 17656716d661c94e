"""Completions: texts that could be inserted at the cursor."""

from __future__ import annotations

from puppet_repl.base.wording import shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    CompletionKind: TypeAlias = Literal[
        "variable",
        "function",
        "type",
        "resource type",
        "class",
        "attribute",
        "value",
        "key",
        "data key",
        "title",
        "keyword",
        "command",
        "setting",
        "file",
    ]

# A menu with more items helps nobody and is slow.
MAX_COMPLETIONS = 500
# A menu shows about as many at first: these are explained.
MAX_EXPLAINED = 24


class Completion:
    """One text that could replace the completed range.

    ``label`` is what a menu shows, ``name`` the name under which to look up documentation. A lower
    ``weight`` comes first.
    """

    __slots__ = ("detail", "kind", "label", "name", "text", "weight")

    def __init__(
        self,
        text: str,
        kind: CompletionKind,
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
    """Texts that could replace ``text[start:end]``, best first."""

    __slots__ = ("end", "items", "start")

    def __init__(self, start: int, end: int, items: list[Completion]) -> None:
        self.start = start
        self.end = end
        self.items = items

    def __repr__(self) -> str:
        return f"<Completions {self.start}:{self.end} {shortened(repr(self.items))}>"

    def beginning_with(self, typed: str) -> list[Completion]:
        """Return the items that begin with what was typed, in any case; all where none does.

        It is for menus that sort by the alphabet, in which scattered matches would come first.
        """
        beginning = typed.lower()
        found = [item for item in self.items if item.text.lower().startswith(beginning)]
        return found or self.items

    def __len__(self) -> int:
        return len(self.items)
