"""Programs as trees of text, so that they can be rewritten and made small.

User-defined names have one form each, and nothing else in a program looks like them: variables
``$v01``, functions ``m::f01``, types ``M::T01``, classes ``m::c01``, defines ``m::d01``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

__all__ = ["DEFINED", "VARIABLE", "Node", "Program", "Statement", "literal", "renamed"]

VARIABLE = re.compile(r"\bv(\d\d)\b")
DEFINED = re.compile(r"\b([mM])::([fctdFCTD])(\d\d)\b")
# What needs no parentheses in another expression.
_ATOM = re.compile(r"\$\w+|\d+")
_VARIABLE = re.compile(r"\$\w+")


class Node(NamedTuple):
    """An expression: its text is ``pieces`` with the ``parts`` between them."""

    kind: str
    pieces: tuple[str, ...]
    parts: tuple[Node, ...] = ()
    is_literal: bool = False

    @property
    def text(self) -> str:
        """The expression as source text."""
        made = self.pieces[0]
        for part, after in zip(self.parts, self.pieces[1:], strict=True):
            made += _placed(part.text, made) + after
        return made

    def replaced(self, place: int, part: Node) -> Node:
        """Return the expression with another part."""
        return self._replace(parts=(*self.parts[:place], part, *self.parts[place + 1 :]))

    def smaller(self, leaves: dict[str, Node]) -> Iterator[Node]:
        """Yield expressions of the same kind that are smaller, the smallest ones first."""
        leaf = leaves.get(self.kind)
        if leaf is not None and len(leaf.text) < len(self.text):
            yield leaf
        if self.kind in leaves:
            yield from (part for part in self.parts if part.kind == self.kind)
        for place, part in enumerate(self.parts):
            for one in part.smaller(leaves):
                yield self.replaced(place, one)

    def literals(self) -> Iterator[Node]:
        """Yield the literals in it, from left to right."""
        if self.is_literal:
            yield self
        for part in self.parts:
            yield from part.literals()

    def hoisted(self, names: Iterator[str], hoisted: list[str]) -> Node:
        """Return the expression with variables for its literals; add their assignments."""
        if self.is_literal:
            name = next(names)
            hoisted.append(f"{name} = {self.text}")
            return Node(self.kind, (name,))
        return self._replace(parts=tuple(part.hoisted(names, hoisted) for part in self.parts))


def _placed(text: str, before: str) -> str:
    """Return the text of an expression as it can stand in another one, behind some text."""
    if before.endswith("${"):  # a digit would be a match variable
        return text[1:] if _VARIABLE.fullmatch(text) else f"({text})"
    return text if _ATOM.fullmatch(text) else f"({text})"


def literal(kind: str, text: str) -> Node:
    """Return a literal."""
    return Node(kind, (text,), is_literal=True)


Statement = Node
"""A statement; its kind says whether it defines something."""


class Program(NamedTuple):
    """A program: definitions, then statements, and the expressions whose values it has."""

    definitions: tuple[Statement, ...]
    statements: tuple[Statement, ...]
    results: tuple[Node, ...]
    has_resources: bool = False

    @property
    def result(self) -> str:
        """The last expression."""
        return f"[{', '.join(part.text for part in self.results)}]"

    @property
    def body(self) -> list[str]:
        """The statements and the last expression."""
        return [*(each.text for each in self.statements), self.result]

    @property
    def inputs(self) -> list[str]:
        """All of it, each of which can be an input."""
        return [*(each.text for each in self.definitions), *self.body]

    @property
    def text(self) -> str:
        """The program as source text."""
        return "\n".join(self.inputs) + "\n"

    @property
    def definitions_text(self) -> str:
        """The definitions as source text."""
        return "".join(each.text + "\n" for each in self.definitions)

    def around(self, before: str, after: str) -> str:
        """Return a program with the statements and results in another construct."""
        return f"{self.definitions_text}{before}" + "\n".join(self.body) + after

    def hoisted(self) -> Program:
        """Return a program with variables for the literals outside of definitions."""
        names = (f"$h{number:02}" for number in range(1, 10_000))
        statements: list[Statement] = []
        for statement in self.statements:
            found: list[str] = []
            made = statement.hoisted(names, found)
            statements += [Node("statement", (text,)) for text in found] + [made]
        found = []
        results = tuple(result.hoisted(names, found) for result in self.results)
        statements += [Node("statement", (text,)) for text in found]
        return self._replace(statements=tuple(statements), results=results)

    def split(self, chooser: random.Random) -> list[str]:
        """Return it as two inputs or more."""
        inputs = self.inputs
        if len(inputs) < 2:
            return inputs
        count = chooser.randint(1, min(len(inputs) - 1, 6))
        cuts = sorted(chooser.sample(range(1, len(inputs)), count))
        return [
            "\n".join(inputs[start:end])
            for start, end in zip([0, *cuts], [*cuts, len(inputs)], strict=True)
        ]

    def _with(self, field: str, nodes: tuple[Node, ...]) -> Program:
        changed: dict[str, Any] = {field: nodes}
        return self._replace(**changed)

    def smaller(self, leaves: dict[str, Node]) -> Iterator[Program]:
        """Yield programs with less, those that lack most first."""
        for field in ("statements", "definitions", "results"):
            held: tuple[Node, ...] = getattr(self, field)
            size = len(held)
            while size:
                for start in range(0, len(held), size):
                    kept = held[:start] + held[start + size :]
                    if kept or field != "results":
                        yield self._with(field, kept)
                size //= 2
        for field in ("results", "statements", "definitions"):
            held = getattr(self, field)
            for place, node in enumerate(held):
                for made in node.smaller(leaves):
                    yield self._with(field, (*held[:place], made, *held[place + 1 :]))


def renamed(text: str, letter: str = "z") -> str:
    """Return a text in which all variables have other names, of the same length."""
    return VARIABLE.sub(lambda found: f"{letter}{99 - int(found[1]):02}", text)
