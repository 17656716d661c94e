"""Programs that are valid, but wrong: one or two places of a recorded case are changed in meaning.

A mutation replaces a value by one of another type, leaves out, adds or repeats an argument, a
parameter, an entry or a statement, or puts another operator, name or index where one is. The
places are found in the syntax tree, so that the result still can be parsed in most cases.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from tests.corpus.random_calls import POOL, odd_value
from tests.recorded import Case

OPERATORS = (
    *("+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", ">", "<=", ">=", "=~", "!~"),
    *("in", "and", "or", "=", "+=", "->", "~>", "?"),
)
PREFIXES = ("!", "-", "*", "- -", "!!")
INDEXES = (
    *("0", "-1", "1", "99", "'a'", "'nope'", "undef", "default", "1.5", "[0]", "{}", "true"),
    *("0, 1", "-2, -1", "1, -1", "1, 2, 3", "String", "''", "/a/", "Integer[0, 1]"),
)
NAMES = ("x", "a", "nope", "title", "name", "facts", "a::b", "::x", "_x", "0", "1")
WORDS = (
    *("notice", "upcase", "size", "map", "with", "each", "file", "user", "nope", "a::b", "new"),
    *("lookup", "include", "defined", "ensure", "title", "message", "type", "assert_type"),
)
TYPES = (
    *("String", "Integer", "Array", "Hash", "Struct", "Tuple", "Variant", "Optional", "Enum"),
    *("Callable", "Type", "File", "Class", "Resource", "Nope", "Any", "Pattern", "Sensitive"),
    *("Timespan", "SemVer", "Object", "Init", "NotUndef", "A::B", "Undef", "Boolean", "Float"),
)
# What is written between two of a kind where only one is there.
SEPARATORS = {"statements": "\n", "options": " ", "bodies": "; "}
# What differs from run to run, or starts programs.
LEFT_OUT = ("generate(", "Timestamp()", "Timestamp.new()", "new(Timestamp)", "time()", "strftime('")
VALUES = (
    *(ast.LiteralInteger, ast.LiteralFloat, ast.LiteralString, ast.LiteralBoolean),
    *(ast.LiteralUndef, ast.LiteralDefault, ast.LiteralRegularExpression, ast.LiteralList),
    *(ast.LiteralHash, ast.ConcatenatedString, ast.QualifiedReference, ast.VariableExpression),
    *(ast.AccessExpression, ast.CallNamedFunctionExpression, ast.CallMethodExpression),
    *(ast.BinaryExpression, ast.ParenthesizedExpression, ast.HeredocExpression),
)


class Edit(NamedTuple):
    """A stretch of a text and what takes its place."""

    start: int
    end: int
    text: str


class Places:
    """The nodes of a program, and the changes that can be made to them."""

    def __init__(self, source: Source, program: ast.Program, chooser: random.Random) -> None:
        self._text = source.text
        self._chooser = chooser
        inside = [each for each in program.body.walk() if not _in_text(each)]
        self._nodes = [node for node in inside if node.end > node.start]
        self._lists = list(_lists(self._nodes))
        self._kinds: tuple[Callable[[], Edit | None], ...] = (
            self._wrong_value,
            self._count,
            self._operator,
            self._name,
            self._index,
            self._duplicate,
            self._exchange,
        )

    def edit(self) -> Edit | None:
        """Return a random change, or None where the program has no place for it."""
        return self._chooser.choice(self._kinds)()

    def _one(self, *kinds: type[ast.Node]) -> ast.Node | None:
        found = [node for node in self._nodes if isinstance(node, kinds)]
        return self._chooser.choice(found) if found else None

    def _of(self, node: ast.Node) -> str:
        return self._text[node.start : node.end]

    def _wrong_value(self) -> Edit | None:
        node = self._one(*VALUES)
        if node is None:
            return None
        if self._chooser.randrange(4) == 0:
            other = self._one(*VALUES)
            assert other is not None
            return Edit(node.start, node.end, self._of(other))
        return Edit(node.start, node.end, odd_value(self._chooser))

    def _count(self) -> Edit | None:
        """Leave out, or add, one of several parts."""
        if not self._lists:
            return None
        field, parts = self._chooser.choice(self._lists)
        at = self._chooser.randrange(len(parts))
        if self._chooser.randrange(2):
            if at + 1 < len(parts):
                return Edit(parts[at].start, parts[at + 1].start, "")
            return Edit(parts[at - 1].end if at else parts[at].start, parts[at].end, "")
        added = odd_value(self._chooser)
        if isinstance(parts[at], (ast.Parameter, ast.AttributeOperation, ast.KeyedEntry)):
            other = self._one(type(parts[at]))
            assert other is not None
            added = self._of(other)
        return Edit(parts[at].end, parts[at].end, self._separator(field, parts) + added)

    def _duplicate(self) -> Edit | None:
        if not self._lists:
            return None
        field, parts = self._chooser.choice(self._lists)
        part = self._chooser.choice(parts)
        return Edit(part.end, part.end, self._separator(field, parts) + self._of(part))

    def _separator(self, field: str, parts: tuple[ast.Node, ...]) -> str:
        if len(parts) > 1:
            return self._text[parts[0].end : parts[1].start] or " "
        return SEPARATORS.get(field, ", ")

    def _operator(self) -> Edit | None:
        if self._chooser.randrange(5) == 0:
            node = self._one(*VALUES)
            if node is None:
                return None
            return Edit(node.start, node.start, self._chooser.choice(PREFIXES))
        node = self._one(ast.BinaryExpression)
        if not isinstance(node, ast.BinaryExpression):
            return None
        start, end = node.left.end, node.right.start
        between = self._text[start:end]
        if isinstance(node, ast.NamedAccessExpression) or not between.strip():
            return None
        written = between.strip()
        start += between.index(written)
        return Edit(start, start + len(written), self._chooser.choice(OPERATORS))

    def _name(self) -> Edit | None:
        node = self._one(ast.VariableExpression, ast.QualifiedName, ast.QualifiedReference)
        if node is None:
            return None
        kind = type(node)
        sign = "$" if self._of(node).startswith("$") else ""
        pool = {ast.VariableExpression: NAMES, ast.QualifiedName: WORDS}.get(kind, TYPES)
        if self._chooser.randrange(2):
            other = self._one(kind)
            assert other is not None
            return Edit(node.start, node.end, self._of(other))
        return Edit(node.start, node.end, sign + self._chooser.choice(pool))

    def _index(self) -> Edit | None:
        node = self._one(ast.AccessExpression)
        if not isinstance(node, ast.AccessExpression):
            value = self._one(*VALUES)
            if value is None:
                return None
            return Edit(value.end, value.end, f"[{self._chooser.choice(INDEXES)}]")
        key = self._chooser.choice(node.keys)
        new = self._chooser.choice((self._chooser.choice(INDEXES), self._chooser.choice(POOL)))
        return Edit(key.start, key.end, new)

    def _exchange(self) -> Edit | None:
        """Let two parts change their places."""
        several = [parts for _, parts in self._lists if len(parts) > 1]
        if not several:
            return None
        parts = self._chooser.choice(several)
        at = self._chooser.randrange(len(parts) - 1)
        one, other = parts[at], parts[at + 1]
        between = self._text[one.end : other.start]
        return Edit(one.start, other.end, self._of(other) + between + self._of(one))


def _in_text(node: ast.Node) -> bool:
    """Tell whether a node is text between values: of a string, or of a template."""
    return isinstance(node, (ast.RenderStringExpression, ast.Nop))


def _lists(nodes: list[ast.Node]) -> Iterator[tuple[str, tuple[ast.Node, ...]]]:
    for node in nodes:
        if isinstance(node, ast.ConcatenatedString):
            continue
        for field in node.fields:
            parts = getattr(node, field)
            if type(parts) is tuple and parts and all(isinstance(each, ast.Node) for each in parts):
                yield field, parts


def mutated(text: str, chooser: random.Random, epp: bool = False) -> str | None:
    """Return a text with one or two changes, None where it is no program or has no place."""
    edits = 0
    for _ in range(chooser.choice((1, 1, 2))):
        try:
            source = Source(text)
            places = Places(source, parse(source, epp=epp), chooser)
        except PuppetError:
            break
        for _ in range(10):
            edit = places.edit()
            if edit is not None:
                text = source.text[: edit.start] + edit.text + source.text[edit.end :]
                edits += 1
                break
    return text if edits else None


def programs(cases: list[Case], count: int, seed: int) -> Iterator[Case]:
    """Yield requests: cases with changes, all cases being equally likely."""
    chooser = random.Random(seed)
    seen = {case["code"] for case in cases}
    number = 0
    while number < count:
        case = chooser.choice(cases)
        code = mutated(case["code"], chooser, epp=case.get("mode") == "epp")
        if code is None or code in seen or any(text in code for text in LEFT_OUT):
            continue
        seen.add(code)
        number += 1
        kept = ("mode", "facts", "params", "files", "stdlib", "strict")
        request = {key: case[key] for key in kept if key in case}
        yield {"id": f"mutation-{seed}-{number}", "code": code, **request}
