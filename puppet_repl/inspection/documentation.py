"""What is known about one name, ready to be shown in any form."""

from __future__ import annotations


class Documentation:
    """Documentation of one name.

    ``kind`` is 'function', 'type', 'resource type', 'class', 'variable', 'keyword', 'command' and
    the like; ``signatures`` are ways to use it, in Puppet's notation; ``text`` paragraphs with an
    empty line between them; ``details`` are pairs of a label and a text ('Value', '42');
    ``examples`` programs, with what they give behind ``# =>``.
    """

    __slots__ = ("details", "examples", "kind", "signatures", "text", "title")

    def __init__(
        self,
        title: str,
        kind: str,
        text: str = "",
        *,
        signatures: tuple[str, ...] = (),
        details: tuple[tuple[str, str], ...] = (),
        examples: tuple[str, ...] = (),
    ) -> None:
        self.title = title
        self.kind = kind
        self.text = text
        self.signatures = signatures
        self.details = details
        self.examples = examples

    @property
    def summary(self) -> str:
        """The first line of the text."""
        return self.text.split("\n", 1)[0]
