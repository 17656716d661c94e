"""Comments, split into text and tags as YARD splits them.

A tag begins with an @ at the margin and ends before the next line at the margin; its further lines
are indented. ``@!name`` is a directive, an instruction to YARD, not a tag.
"""

from __future__ import annotations

import re

from puppet_repl.environment.reference.model import Tag
from puppet_repl.environment.reference.tags import (
    BLANKS,
    READERS,
    TagError,
    make_tag,
    ruby_lines,
    with_types_and_subject,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

_TAG = re.compile(r"@(!)?((?:\w\.?)+)(?:\s+(.*))?$", re.ASCII)
_INDENT = re.compile(r"\s*", re.ASCII)
#: A tag whose text stands somewhere else: ``@param name (see other)``.
_ELSEWHERE = re.compile(r"\s*(?:(\S+)\s+)?\(\s*see\s+(\S+)\s*\)\s*\Z", re.ASCII)
_ALL_ELSEWHERE = re.compile(r"\s*\(see (\S+)\s*\)(?:\s|$)", re.ASCII | re.MULTILINE)
#: Directives may be written as tags, too.
_DIRECTIVES = frozenset(
    ("attribute", "endgroup", "group", "macro", "method", "scope", "visibility")
)
_KNOWN_DIRECTIVES = _DIRECTIVES | {"parse", "puppet.type.param", "puppet.type.property"}


MAX_DEPTH = 20
"""How deeply ``@overload`` and ``@!method`` may be nested; deeper nesting is a fault."""


class Fault:
    """A faulty tag: the rule that it breaks, its name and its line."""

    __slots__ = ("line", "name", "rule")

    def __init__(
        self, rule: Literal["unknown-tag", "invalid-tag", "unknown-directive"], name: str, line: int
    ) -> None:
        self.rule = rule
        self.name = name
        self.line = line


class Comment:
    """A comment that is split; ``raw`` is all of it. Directives are tags in a list of their own."""

    __slots__ = ("depth", "directives", "faults", "raw", "tags", "text")

    def __init__(self, raw: str = "", line: int = 0, depth: int = 0) -> None:
        """Split a comment whose first line is ``line``, without the marks that make it one.

        ``depth`` tells how many comments this one is within.
        """
        start = 0
        while elsewhere := _ALL_ELSEWHERE.match(raw, start):
            start = elsewhere.end()
        line += raw.count("\n", 0, start)
        raw = raw[start:]
        self.raw = raw
        self.depth = depth
        self.tags: list[Tag] = []
        self.directives: list[Tag] = []
        self.faults: list[Fault] = []
        text: list[str] = []
        for block in _blocks(ruby_lines(raw), line):
            if block.name is None:
                text.append(block.lines[0])
            elif block.is_directive or block.name in _DIRECTIVES:
                self._direct(block)
            else:
                self._tag(block)
        self.text = "\n".join(text).strip(BLANKS)

    @property
    def is_empty(self) -> bool:
        """Whether there is neither text nor a tag."""
        return not self.text and not self.tags

    def _tag(self, block: _Block) -> None:
        text = "\n".join(block.lines)
        name = block.name or ""
        if _ELSEWHERE.match(text):
            return
        if name == "overload":
            head, _, rest = text.partition("\n")
            self._hold(block, head, _outdented(rest).strip(BLANKS), self.tags)
        elif name not in READERS:
            self.faults.append(Fault("unknown-tag", name, block.line))
        else:
            try:
                self.tags.append(make_tag(name, text, block.line))
            except TagError:
                self.faults.append(Fault("invalid-tag", name, block.line))

    def _hold(self, block: _Block, head: str, rest: str, into: list[Tag]) -> None:
        """Take a tag whose text is a signature and, below it, a comment of its own."""
        name = block.name or ""
        if self.depth >= MAX_DEPTH:
            self.faults.append(Fault("invalid-tag", name, block.line))
            return
        inner = Comment(rest, block.line + 1, self.depth + 1)
        self.faults += inner.faults
        tags = tuple(inner.tags)
        into.append(Tag(name, inner.text, subject=head.strip(BLANKS), line=block.line, tags=tags))

    def _direct(self, block: _Block) -> None:
        name = block.name or ""
        text = "\n".join(block.lines)
        if name not in _KNOWN_DIRECTIVES:
            self.faults.append(Fault("unknown-directive", name, block.line))
        elif name == "method":
            title, _, rest = text.partition("\n")
            self._hold(block, title, rest, self.directives)
        elif name.startswith("puppet."):
            self.directives.append(with_types_and_subject(name, text, block.line))


class _Block:
    """A tag and its lines, or a line of text (with no name)."""

    __slots__ = ("is_directive", "line", "lines", "name")

    def __init__(
        self, name: str | None, first: str, line: int, *, is_directive: bool = False
    ) -> None:
        self.name = name
        self.lines = [first]
        self.line = line
        self.is_directive = is_directive


def _blocks(lines: list[str], first: int) -> list[_Block]:
    """Return the tags and lines of text of a comment, in order."""
    blocks: list[_Block] = []
    tag: _Block | None = None
    margin = 0  # of the text of the tag, 0 before it has begun
    is_after_blank = False
    for number, line in enumerate(lines, first):
        indent = _INDENT.match(line)
        assert indent is not None
        width = indent.end()
        is_blank = width == len(line)
        if tag is not None and not is_blank and width < max(margin, 1):
            tag, margin = None, 0
        found = _TAG.match(line)
        if found:
            tag = _Block(found[2], found[3] or "", number, is_directive=found[1] is not None)
            margin = 0
            blocks.append(tag)
        elif tag is None:
            blocks.append(_Block(None, line, number))
        elif not is_blank:
            margin = margin or width
            if is_after_blank:
                tag.lines.append("")
            head = line[:margin]
            tag.lines.append(line[margin:] if head.strip(" \t") == "" else line)
        is_after_blank = is_blank
    return blocks


def _outdented(text: str) -> str:
    """Return lines without the indent of the first of them."""
    indent = _INDENT.match(text)
    assert indent is not None
    width = indent.end()
    lines = text.split("\n")
    return "\n".join(each[width:] if each[:width].strip(" \t") == "" else each for each in lines)
