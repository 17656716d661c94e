"""The documentation of one name, independent of how it is shown."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    DocumentationKind: TypeAlias = Literal[
        "attribute",
        "cell magic",
        "class",
        "command",
        "data key",
        "defined type",
        "function",
        "heredoc",
        "keyword",
        "operator",
        "parameter",
        "resource",
        "resource type",
        "type",
        "type alias",
        "value",
        "variable",
    ]


class Documentation:
    """Documentation of one name.

    ``theme`` is what it belongs to: the group of a built-in function, the type of an attribute;
    ``signatures`` are in Puppet's notation; ``text`` has paragraphs with an empty line between
    them; ``details`` are pairs of a label and a text ('Value', '42'); ``examples`` are programs
    with their results behind ``# =>``.
    """

    __slots__ = ("details", "examples", "kind", "signatures", "text", "theme", "title")

    def __init__(
        self,
        title: str,
        kind: DocumentationKind,
        text: str = "",
        *,
        theme: str = "",
        signatures: tuple[str, ...] = (),
        details: tuple[tuple[str, str], ...] = (),
        examples: tuple[str, ...] = (),
    ) -> None:
        self.title = title
        self.kind: DocumentationKind = kind
        self.theme = theme
        self.text = text
        self.signatures = signatures
        self.details = details
        self.examples = examples

    @property
    def category(self) -> str:
        """The kind, with the theme: ``function (strings)``, ``attribute (file)``."""
        return f"{self.kind} ({self.theme})" if self.theme else self.kind
