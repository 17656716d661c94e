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


class Detail:
    """A line of documentation: a label, and what there is to say about it.

    ``name`` marks a label that stands in programs, such as a parameter; ``type`` is the type that
    is declared for it, ``default`` the value that it has where none is given. The text is a line of
    Markdown, or with ``is_code`` code.
    """

    __slots__ = ("default", "is_code", "is_name", "label", "text", "type")

    def __init__(
        self,
        label: str,
        text: str,
        *,
        is_name: bool = False,
        is_code: bool = False,
        type: str = "",
        default: str = "",
    ) -> None:
        self.label = label
        self.text = text
        self.is_name = is_name
        self.is_code = is_code
        self.type = type
        self.default = default


class Documentation:
    """Documentation of one name.

    ``theme`` is what it belongs to: the group of a built-in function, the type of an attribute;
    ``signatures`` are in Puppet's notation; ``text`` has paragraphs with an empty line between
    them, in Markdown; ``details`` are what there is to say beside it; ``examples`` are programs
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
        details: tuple[Detail, ...] = (),
        examples: tuple[str, ...] = (),
    ) -> None:
        self.title = title
        self.kind: DocumentationKind = kind
        self.theme = theme
        self.text = text
        self.signatures = signatures
        self.details = details
        self.examples = examples

    def __repr__(self) -> str:
        return f"<Documentation {self.title} {self.category}>"

    @property
    def category(self) -> str:
        """The kind, with the theme: ``function (strings)``, ``attribute (file)``."""
        return f"{self.kind} ({self.theme})" if self.theme else self.kind
