"""The Markdown of comments as nodes; markdown-it-py reads it.

A comment may be shown in a page of any source format, so that it cannot be passed to the parser of
the page. HTML but for `<br>` is shown as it is written: in comments `<name>` is a placeholder far
more often than a tag. Names in braces, `{nginx::config}`, are YARD's links to other objects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import ClassVar

from docutils import nodes
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound
from sphinx import addnodes

__all__ = ["code_block", "inline_nodes", "language_of", "markdown_nodes", "object_link"]

_linked = re.compile(
    r"\{(?P<name>(?:::)?[A-Za-z]\w*(?:::\w+)*)(?:\s+(?P<title>[^{}]+))?\}"
    r"|\{(?P<url>https?://[^\s{}]+)(?:\s+(?P<label>[^{}]+))?\}"
    r"|(?P<break><br\s*/?>)"
    r"|(?P<address>https?://\w(?:[^\s)>]*[^\s)>.,;:])?)",
    re.I,
)
_console = re.compile(r"\s*(?:\$ \S|(?:bolt|puppet|sudo|curl|export) \S)").match
#: Lexers that Sphinx knows and Pygments does not.
_OF_SPHINX = frozenset({"none", "default", "puppet", "puppet-console", "epp"})
Inner = SyntaxTreeNode


def markdown_nodes(
    text: str, image_uri: Callable[[str], str] = str, language: str = "puppet"
) -> list[nodes.Node]:
    """Return the blocks of a text. Code of no stated language is ``language`` if it looks like it.

    ``image_uri`` says where an image is, seen from the page.
    """
    if not text.strip():
        return []
    return _Renderer(image_uri, language).blocks(SyntaxTreeNode(_parser().parse(text)))


def inline_nodes(text: str) -> list[nodes.Node]:
    """Return the words of a paragraph: code, emphasis and links."""
    tree = SyntaxTreeNode(_parser().parseInline(text))
    return _Renderer(str, "puppet").inline(tree.children[0]) if tree.children else []


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def code_block(text: str, language: str = "puppet") -> nodes.literal_block:
    """Return highlighted code; what the lexer cannot make sense of is not a warning."""
    known = language if _is_known(language) else "none"
    return nodes.literal_block(text, text, language=known, force=True)


@cache
def _is_known(language: str) -> bool:
    if language in _OF_SPHINX:
        return True
    try:
        get_lexer_by_name(language)
    except ClassNotFound:
        return False
    return True


def language_of(text: str) -> str:
    """Tell the language of code in a comment: Puppet if nothing speaks against it."""
    if text.lstrip().startswith("---"):
        return "yaml"
    return "console" if _console(text) else "puppet"


def object_link(name: str, shown: nodes.Node, *, written: str = "") -> addnodes.pending_xref:
    """Return a link to an object of any kind; ``written`` is shown if there is none."""
    return addnodes.pending_xref(
        "",
        nodes.Text(written) if written else shown.deepcopy(),
        refdomain="puppet",
        reftype="obj",
        reftarget=name,
        refquiet=True,
        refshown=shown.astext(),
    )


class _Renderer:
    """Turns the tree of markdown-it-py into nodes: a method for each kind of token."""

    def __init__(self, image_uri: Callable[[str], str], language: str) -> None:
        self.image_uri = image_uri
        self.language = language
        self.is_in_link = False  # where there are no others

    def blocks(self, tree: Inner) -> list[nodes.Node]:
        """Return the blocks that a token holds."""
        found: list[nodes.Node] = []
        for child in tree.children:
            render = self.BLOCKS.get(child.type)
            if render is not None:  # else a rule, which has no place in a description
                found.append(render(self, child))
        return found

    def inline(self, tree: Inner) -> list[nodes.Node]:
        """Return the words that a token holds."""
        return [node for child in tree.children for node in self.INLINE[child.type](self, child)]

    def _words(self, token: Inner) -> list[nodes.Node]:
        return [node for child in token.children for node in self.inline(child)]

    def _paragraph(self, token: Inner) -> nodes.Node:
        text = token.children[0].content if token.children else ""
        return nodes.paragraph(text, "", *self._words(token))

    def _heading(self, token: Inner) -> nodes.Node:
        return nodes.rubric(token.children[0].content, "", *self._words(token))

    def _code(self, token: Inner) -> nodes.Node:
        text = token.content.rstrip("\n")
        words = token.info.split()
        language = words[0] if words else language_of(text) if self.language == "puppet" else "none"
        return code_block(text, language)

    def _quote(self, token: Inner) -> nodes.Node:
        return nodes.block_quote("", *self.blocks(token))

    def _bullets(self, token: Inner) -> nodes.Node:
        return nodes.bullet_list("", *self.blocks(token), bullet=token.markup)

    def _numbers(self, token: Inner) -> nodes.Node:
        listed = nodes.enumerated_list(
            "", *self.blocks(token), enumtype="arabic", prefix="", suffix="."
        )
        start = int(str(token.attrs.get("start", 1)))
        if start != 1:
            listed["start"] = start
        return listed

    def _item(self, token: Inner) -> nodes.Node:
        return nodes.list_item("", *self.blocks(token))

    def _table(self, token: Inner) -> nodes.Node:
        rows = [list(self._row(row)) for part in token.children for row in part.children]
        columns = len(rows[0])
        group = nodes.tgroup(cols=columns)
        for column in range(columns):
            width = max(len(row[column].astext()) for row in rows)
            group += nodes.colspec(colwidth=max(width, 1))
        group += nodes.thead("", nodes.row("", *rows[0]))
        if rows[1:]:
            group += nodes.tbody("", *(nodes.row("", *row) for row in rows[1:]))
        return nodes.table("", group)

    def _row(self, token: Inner) -> Iterator[nodes.entry]:
        for cell in token.children:
            content = nodes.paragraph("", "", *self._words(cell))
            align = re.search(r"text-align:(\w+)", str(cell.attrs.get("style", "")))
            yield nodes.entry("", content, classes=[f"text-{align[1]}"] if align else [])

    BLOCKS: ClassVar[dict[str, Callable[[_Renderer, Inner], nodes.Node]]] = {
        "paragraph": _paragraph,
        "heading": _heading,
        "fence": _code,
        "code_block": _code,
        "blockquote": _quote,
        "bullet_list": _bullets,
        "ordered_list": _numbers,
        "list_item": _item,
        "table": _table,
    }

    def _text(self, token: Inner) -> Iterator[nodes.Node]:
        text = token.content
        at = 0
        for match in [] if self.is_in_link else _linked.finditer(text):
            if match.start() > at:
                yield nodes.Text(text[at : match.start()])
            at = match.end()
            if match["break"]:
                yield from self._hard_break(token)
            elif match["name"] is None:
                address = match["url"] or match["address"]
                label = match["label"] or address
                yield nodes.reference(label, label, refuri=address)
            else:
                shown = nodes.Text(match["title"] or match["name"])
                yield object_link(match["name"], shown, written=match[0])
        if at < len(text):
            yield nodes.Text(text[at:])

    def _soft_break(self, token: Inner) -> Iterator[nodes.Node]:
        yield nodes.Text("\n")

    def _hard_break(self, token: Inner) -> Iterator[nodes.Node]:
        yield nodes.raw("", "<br>", format="html")
        yield nodes.raw("", "\\\\", format="latex")
        yield nodes.Text("\n")

    def _literal(self, token: Inner) -> Iterator[nodes.Node]:
        yield nodes.literal(token.content, token.content)

    def _emphasis(self, token: Inner) -> Iterator[nodes.Node]:
        yield nodes.emphasis("", "", *self.inline(token))

    def _strong(self, token: Inner) -> Iterator[nodes.Node]:
        yield nodes.strong("", "", *self.inline(token))

    def _link(self, token: Inner) -> Iterator[nodes.Node]:
        address = str(token.attrs["href"])
        self.is_in_link = True
        words = self.inline(token)
        self.is_in_link = False
        if re.match(r"[A-Za-z][\w+.-]*:", address):
            text = "".join(word.astext() for word in words)
            yield nodes.reference(text, "", *words, refuri=address)
        else:  # a file of the module: it is not a page here
            yield from words

    def _image(self, token: Inner) -> Iterator[nodes.Node]:
        alt = "".join(node.astext() for node in self.inline(token))
        yield nodes.image("", uri=self.image_uri(str(token.attrs["src"])), alt=alt)

    INLINE: ClassVar[dict[str, Callable[[_Renderer, Inner], Iterator[nodes.Node]]]] = {
        "text": _text,
        "softbreak": _soft_break,
        "hardbreak": _hard_break,
        "code_inline": _literal,
        "em": _emphasis,
        "strong": _strong,
        "link": _link,
        "image": _image,
    }
