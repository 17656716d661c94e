"""Ruby files as trees, in which comments belong to the code below them.

YARD gives a comment to the first statement or argument that begins on the line of the comment, or
one or two lines below it. Comments that it has passed are lost.

It does not join lines of a comment that begin in the first column directly below a statement, such
as ``require``: only the last of them are found. Its users see less documentation for that.
"""

from __future__ import annotations

import re

from puppet_repl.environment.reference.ruby.nodes import Node
from puppet_repl.environment.reference.ruby.tokens import ends_value, tokens_of
from puppet_repl.environment.reference.ruby.tree import parse_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.environment.reference.ruby.tokens import Token

__all__ = ["parse_ruby"]

_MARK = re.compile(r"^#+\s?", re.ASCII)
_SHEBANG = re.compile(r"\A\s*#!\S+", re.ASCII)
_CODING = re.compile(r"\A\s*#+.*coding\s*[:=]{1,2}\s*[a-z\d_\-]+", re.IGNORECASE | re.ASCII)
_FROZEN = re.compile(r"frozen[-_]string[-_]literal:\s+(?:true|false)", re.IGNORECASE | re.ASCII)


def parse_ruby(text: str, *, as_yard: bool = False) -> Node:
    """Return the statements of a text, with their comments; raise RubyError.

    With ``as_yard`` the lines that YARD does not join are not joined.
    """
    tokens = tokens_of(text)
    root = parse_tokens(tokens)
    split = _split_lines(tokens, text) if as_yard else set()
    _give(root, _comments(tokens, text, split))
    return root


def _split_lines(tokens: list[Token], text: str) -> set[int]:
    """Return the lines of comments that YARD does not join with the line above."""
    found: set[int] = set()
    for number, token in enumerate(tokens):
        if token.kind != "comment" or number < 2 or tokens[number - 1].kind != "line end":
            continue
        before = tokens[number - 2]
        is_first = ends_value(before) and text[tokens[number - 1].start] == "\n"
        if token.line - 1 in found or (is_first and text[token.start - 1] == "\n"):
            found.add(token.line)
    return found


class _Comment:
    """Lines of comments that belong together; ``column`` is None for ``=begin``."""

    __slots__ = ("column", "first", "lines")

    def __init__(self, text: str, first: int, column: int | None) -> None:
        self.lines = [text]
        self.first = first
        self.column = column

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self.lines)


def _comments(tokens: list[Token], text: str, split: set[int]) -> dict[int, _Comment]:
    """Return the comments of a file by the numbers of their last lines."""
    found: dict[int, _Comment] = {}
    has_code = False
    for token in tokens:
        if token.kind != "comment":
            has_code = has_code or token.kind not in ("line end", "end")
            continue
        if token.text.startswith("=begin"):
            body = token.text.partition("\n")[2].rpartition("=end")[0]
            last = token.line + token.text.count("\n")
            found[last] = _Comment(body, token.line, None)
            continue
        line_start = text.rfind("\n", 0, token.start) + 1
        column = token.start - line_start
        is_instruction = not has_code and (
            _SHEBANG.match(token.text) or _CODING.match(token.text) or _FROZEN.search(token.text)
        )
        if is_instruction:
            continue
        has_code = True
        told = _MARK.sub("", token.text).rstrip("\r")
        before = found.get(token.line - 1)
        is_alone = not text[line_start : token.start].strip()
        is_joined = before is not None and before.column == column and token.line not in split
        if before is not None and is_joined and is_alone:
            before.lines.append(told)
            found[token.line] = found.pop(token.line - 1)
        else:
            found[token.line] = _Comment(told, token.line, column)
    return {line: one for line, one in found.items() if not _is_hidden(one)}


def _is_hidden(comment: _Comment) -> bool:
    """Tell whether the last line is ``#-``, which hides a comment."""
    return comment.column is not None and comment.lines[-1].strip() == "-"


def _give(root: Node, comments: dict[int, _Comment]) -> None:
    if not comments:
        return
    waiting = sorted(comments)
    passed = 0
    for node in _listed(root):
        line = node.line
        for number in (line - 1, line - 2, line):
            comment = comments.get(number)
            if comment is not None and (text := comment.text):
                node.comment = text
                node.comment_line = comment.first
                del comments[number]
                break
        while passed < len(waiting) and waiting[passed] < line:
            comments.pop(waiting[passed], None)
            passed += 1


def _listed(root: Node) -> Iterator[Node]:
    return (node for node in root.walk() if node.is_listed)
