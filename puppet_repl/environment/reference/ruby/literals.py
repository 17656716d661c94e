"""The texts of literals, as puppet-strings takes them: raw, with their escapes."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.environment.reference.ruby.nodes import Node

_HEREDOC = re.compile(r"<?<[-~]?['\"]?(\w+)['\"]?", re.ASCII)
_PERCENT = re.compile(r"^%[Qq]\{(.*)\}$", re.DOTALL | re.MULTILINE)
_INDENT = re.compile(r"^[ \t]*(?=\S)", re.MULTILINE | re.ASCII)
_SPACES = " \t\n\v\f\r\0"


def source_of(node: Node, text: str) -> str:
    """Return the code of a node."""
    return text[node.start : node.end]


def literal_text(node: Node, text: str) -> str | None:
    """Return the text of a string, a symbol or a regular expression; None for other nodes.

    For a string this is its first piece that is not code.
    """
    token = node.token
    if node.kind != "literal" or token is None:
        return None
    if token.kind == "symbol":
        return token.text[1:]
    if token.kind == "label":
        return token.text
    if token.kind in ("string", "quoted symbol"):
        if token.content is None:
            return token.text
        return text[slice(*token.content)]
    if token.kind == "heredoc":
        return _heredoc_text(node, text)
    return token.text if token.kind in ("regexp", "percent") else None


def text_or_source(node: Node, text: str) -> str:
    """Return the text of a literal, and of anything else its code."""
    found = literal_text(node, text)
    return source_of(node, text) if found is None else found


def _heredoc_text(node: Node, text: str) -> str:
    """Return the body of a heredoc.

    YARD looks for the body directly after the mark. So the length of the rest of that line is cut
    off the body.
    """
    token = node.token
    assert token is not None
    assert token.span is not None
    begin, end = token.span
    source = text[token.start : token.start + len(token.text) + end - begin]
    lines = source.split("\n")
    while lines and not lines[-1]:
        lines.pop()
    mark = _HEREDOC.match(source)
    if mark is None or len(lines) < 2:
        return source
    if mark[1][:-1] in lines[-1]:
        lines.pop()
    return "\n".join(lines[1:])


def scrubbed(text: str) -> str:
    """Return a text without its indentation, which the first line does not have."""
    percent = _PERCENT.search(text)
    if percent:
        text = percent[1]
    stripped = text.strip(_SPACES)
    if "\n" not in stripped:
        return stripped
    rest = text.partition("\n")[2]
    indent = min(_INDENT.findall(rest), default="")
    lines = text.removesuffix("\n").split("\n") if text else []
    if indent:
        lines = [line.removeprefix(indent) for line in lines]
    return "\n".join(line.rstrip(_SPACES) for line in lines).rstrip(_SPACES)


def pairs_of(node: Node | None) -> Iterator[tuple[Node, Node]]:
    """Yield the keys and values of a hash, with braces or without."""
    if node is None or node.kind not in ("hash", "list"):
        return
    for part in node.parts:
        if part.kind == "pair" and len(part.parts) == 2:
            yield part.parts[0], part.parts[1]
