"""The Markdown of puppet-strings comments as nodes: paragraphs, lists, code, emphasis.

A comment may be shown in a page of any source format, so that it cannot be passed to the parser of
the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent

from docutils import nodes

__all__ = ["inline_nodes", "markdown_nodes"]

_inline = re.compile(
    r"`+([^`]+)`+|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\((\S+?)\)|(https?://\w(?:[^\s)>]*[^\s)>.,;:])?)"
)
_fence = re.compile(r"\s*```+[\w-]*\s*$").match
_item = re.compile(r"(\s*)([-*+]|\d+\.)\s+(.*)").match


def markdown_nodes(text: str) -> list[nodes.Node]:
    """Return the blocks of a text."""
    return list(_blocks(text.split("\n"))) if text.strip() else []


def inline_nodes(text: str) -> list[nodes.Node]:
    """Return the words of a paragraph: code, emphasis and links."""
    found: list[nodes.Node] = []
    at = 0
    for match in _inline.finditer(text):
        if match.start() > at:
            found.append(nodes.Text(text[at : match.start()]))
        code, strong, emphasis, label, target, address = match.groups()
        if code:
            found.append(nodes.literal(code, code))
        elif strong:
            found.append(nodes.strong(strong, strong))
        elif emphasis:
            found.append(nodes.emphasis(emphasis, emphasis))
        else:
            found.append(nodes.reference(label or address, label or address,
                                         refuri=target or address))  # fmt: skip
        at = match.end()
    if at < len(text):
        found.append(nodes.Text(text[at:]))
    return found


def _blocks(lines: list[str]) -> Iterator[nodes.Node]:
    number = 0
    while number < len(lines):
        line = lines[number]
        if not line.strip():
            number += 1
        elif _fence(line):
            end = number + 1
            while end < len(lines) and not lines[end].lstrip().startswith("```"):
                end += 1
            language = line.strip("` \t") or "puppet"
            yield _code("\n".join(lines[number + 1 : end]), language)
            number = end + 1
        elif line.startswith("    "):
            end = number
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            yield _code("\n".join(line[4:] for line in lines[number:end]).rstrip("\n"), "puppet")
            number = end
        elif _item(line):
            end = number
            while _is_in_list(lines, end, line):
                end += 1
            yield _list(lines[number:end])
            number = end
        elif line.startswith("|"):
            end = number
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            yield _code("\n".join(lines[number:end]), "none")
            number = end
        else:
            end = number
            while end < len(lines) and lines[end].strip() and not _item(lines[end]):
                end += 1
            yield _paragraph(" ".join(line.strip() for line in lines[number:end]))
            number = end


def _paragraph(text: str) -> nodes.Node:
    heading = re.match(r"#+\s+(.*)", text)
    if heading:
        return nodes.paragraph("", "", nodes.strong("", heading.group(1)))
    return nodes.paragraph(text, "", *inline_nodes(text))


def _code(text: str, language: str) -> nodes.Node:
    return nodes.literal_block(text, text, language=language)


def _is_in_list(lines: list[str], number: int, first: str) -> bool:
    """Whether a line goes on with the list of `first`; a blank one if the line below it does."""
    line = lines[number] if number < len(lines) else ""
    if not line.strip() and number + 1 < len(lines):
        line = lines[number + 1]
    same_marks = first.strip()[0].isdigit() == line[:1].isdigit()
    return line.startswith("  ") or (_item(line) is not None and same_marks)


def _list(lines: list[str]) -> nodes.Node:
    """Return a list; what is indented further than its marks belongs to an item."""
    listed: nodes.Element | None = None
    margin = 0
    items: list[list[str]] = []
    for line in lines:
        found = _item(line)
        if found and listed is None:
            margin = len(found.group(1))
            listed = nodes.bullet_list()
            if found.group(2)[0].isdigit():
                listed = nodes.enumerated_list(enumtype="arabic", prefix="", suffix=".")
        if found and len(found.group(1)) <= margin:
            items.append([found.group(3)])
        else:
            items[-1].append(line)
    assert listed is not None  # a list begins with an item
    for first, *rest in items:
        inner = dedent("\n".join(rest)).split("\n") if rest else []
        listed += nodes.list_item("", *_blocks([first, *inner]))
    return listed
