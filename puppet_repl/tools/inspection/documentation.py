"""The documentation of one name, independent of how it is shown."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from puppet_repl.language.syntax.source import Source

    DocumentationKind: TypeAlias = Literal[
        "attribute",
        "cell magic",
        "class",
        "command",
        "data key",
        "defined type",
        "function",
        "heredoc",
        "key",
        "keyword",
        "operator",
        "parameter",
        "resource",
        "resource type",
        "type",
        "type alias",
        "unknown name",
        "value",
        "variable",
    ]


@dataclass(slots=True, eq=False)
class Detail:
    """A line of documentation: a label, and what there is to say about it.

    ``name`` marks a label that is in programs, such as a parameter; ``type`` is the type that
    is declared for it, ``default`` the value that it has where none is given. The text is a line of
    Markdown, or with ``is_code`` code; a ``remark`` follows it in parentheses.
    """

    label: str
    text: str
    _: KW_ONLY
    is_name: bool = False
    is_code: bool = False
    type: str = ""
    default: str = ""
    remark: str = ""


@dataclass(slots=True, eq=False)
class Location:
    """The location of a definition: a text, which need not be in a file, and an offset in it."""

    source: Source
    start: int


@dataclass(slots=True, eq=False)
class Documentation:
    """Documentation of one name.

    ``theme`` is what it belongs to: the group of a built-in function, the type of an attribute;
    ``signatures`` are in Puppet's notation; ``text`` has paragraphs with an empty line between
    them, in Markdown; ``details`` are what there is to say beside it; ``examples`` are programs
    with their results after ``# =>``. ``location`` is that of the definition, None if the name is
    not defined in Puppet; ``span`` is the range of the word in the inspected text, None for
    documentation that was asked for by name.
    """

    title: str
    kind: DocumentationKind
    text: str = ""
    _: KW_ONLY
    theme: str = ""
    signatures: tuple[str, ...] = ()
    details: tuple[Detail, ...] = ()
    examples: tuple[str, ...] = ()
    location: Location | None = None
    span: tuple[int, int] | None = None

    def __repr__(self) -> str:
        return f"<Documentation {self.title} {self.category}>"

    @property
    def category(self) -> str:
        """The kind, with the theme: ``function (strings)``, ``attribute (file)``."""
        return f"{self.kind} ({self.theme})" if self.theme else self.kind
