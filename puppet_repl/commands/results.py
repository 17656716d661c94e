"""What a command answers: parts that a front-end shows in its own way, and maybe something to do.

Nothing here is styled; render.report makes text of it, render.html a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from puppet_repl.errors import PuppetError
    from puppet_repl.inspection.documentation import Documentation
    from puppet_repl.session import Outcome

    Part: TypeAlias = "Message | Complaint | Table | Code | Shown | Failure | Document | Ran | Cell"


class Cell:
    """A text in a table or a message, with a role that decides about its colour."""

    __slots__ = ("style", "text")

    def __init__(self, text: str, style: str = "") -> None:
        self.text = text
        self.style = style


class Value:
    """A Puppet value in a table, shown in short."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Message:
    """A line or some lines of text."""

    __slots__ = ("style", "text")

    def __init__(self, text: str, style: str = "") -> None:
        self.text = text
        self.style = style


class Complaint:
    """The command was not used as it has to be; ``hint`` says what is right."""

    __slots__ = ("hint", "message")

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.message = message
        self.hint = hint


class Table:
    """Rows of cells under headings; ``empty`` is said when there is no row."""

    __slots__ = ("empty", "headings", "rows", "title")

    def __init__(
        self,
        headings: Sequence[str],
        rows: Iterable[Sequence[str | Cell | Value]],
        *,
        title: str | None = None,
        empty: str = "nothing to show",
    ) -> None:
        self.headings = tuple(headings)
        self.rows = [tuple(row) for row in rows]
        self.title = title
        self.empty = empty


class Code:
    """Text in a language: 'puppet', 'python', 'json', 'mermaid', 'dot' or 'text'.

    ``readable`` says the same to those who see the text of a diagram and not its drawing.
    """

    __slots__ = ("language", "readable", "text")

    def __init__(self, text: str, language: str = "puppet", readable: Part | None = None) -> None:
        self.text = text
        self.language = language
        self.readable = readable


class Shown:
    """A Puppet value, all of it where ``full`` is set."""

    __slots__ = ("full", "value")

    def __init__(self, value: Any, *, full: bool = False) -> None:
        self.value = value
        self.full = full


class Failure:
    """An error in Puppet code that the command was given; ``label`` names typed text."""

    __slots__ = ("error", "label")

    def __init__(self, error: PuppetError, label: str | None = None) -> None:
        self.error = error
        self.label = label


class Document:
    """Documentation of one name."""

    __slots__ = ("documentation",)

    def __init__(self, documentation: Documentation) -> None:
        self.documentation = documentation


class Ran:
    """The outcome of Puppet code that the command ran; its logs were shown already."""

    __slots__ = ("label", "outcome")

    def __init__(self, outcome: Outcome, label: str | None = None) -> None:
        self.outcome = outcome
        self.label = label


class Action:
    """Something only a front-end can do.

    ``kind`` is 'quit', 'edit' (open ``text`` in an editor, then run it) or 'clear' (the screen).
    """

    __slots__ = ("kind", "text")

    def __init__(self, kind: str, text: str = "") -> None:
        self.kind = kind
        self.text = text


class Report:
    """The answer of one command: its parts in order, and what the front-end has to do."""

    __slots__ = ("action", "parts")

    def __init__(self, *parts: Part, action: Action | None = None) -> None:
        self.parts: list[Part] = list(parts)
        self.action = action

    @property
    def failed(self) -> bool:
        """Whether the command could not do what it was asked for."""
        return any(
            isinstance(part, Complaint | Failure)
            or (isinstance(part, Ran) and part.outcome.error is not None)
            for part in self.parts
        )


class CommandError(Exception):
    """Raised inside a command for a wrong use; becomes a Complaint."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint
