"""Signatures of definitions: taken apart, and shown with links to the types in them."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx import addnodes

from puppet_repl.syntax.brackets import closing_bracket, pieces_of, split_at_commas

__all__ = ["Signature", "class_link", "normalized", "parse_signature", "type_nodes"]

_NAME = r"(?:::)?[A-Za-z_][\w-]*(?:::[A-Za-z_][\w-]*)*"
_head = re.compile(rf"\s*({_NAME})\s*").match
_type_name = re.compile(r"('(?:[^'\\]|\\.)*'|\"[^\"]*\"|/[^/]*/)|((?:::)?[A-Z]\w*(?:::[A-Z]\w*)*)")
_parameter = re.compile(r"(?s)(.*?)\s*([*&]?)\$(\w+\??)\s*(?:=\s*(.*))?$").match


class Signature:
    """A head such as ``a::b(Integer $x = 1) >> String``, taken apart.

    ``parameters`` are None without parentheses, else tuples of type, name (with ``*`` and ``$``)
    and default value. ``rest`` are pairs of a word (``>>``, ``inherits``, ``=``) and a text.
    """

    __slots__ = ("name", "parameters", "rest")

    def __init__(
        self,
        name: str,
        parameters: list[tuple[str, str, str]] | None,
        rest: list[tuple[str, str]],
    ) -> None:
        self.name = name
        self.parameters = parameters
        self.rest = rest


def normalized(name: str) -> str:
    """Return the key of an object: its name in lower case, without leading ``::``."""
    return name.strip().removeprefix("::").lower()


def parse_signature(text: str) -> Signature:
    """Take a signature apart; raises ValueError for a text that has no name at its start."""
    head = _head(text)
    if head is None:
        raise ValueError(text)
    at = head.end()
    parameters = None
    if text[at : at + 1] == "(":
        pieces = pieces_of(text[at + 1 :])
        inner = "".join(pieces[: closing_bracket(pieces)])
        parameters = [_split_parameter(part) for part in split_at_commas(inner)]
        at += len(inner) + 2
    rest = []
    for found in re.finditer(r"(>>|inherits|=)\s*(.+?)\s*(?=(?:>>|inherits)|$)", text[at:], re.S):
        rest.append((found.group(1), found.group(2)))
    return Signature(head.group(1), parameters, rest)


def _split_parameter(text: str) -> tuple[str, str, str]:
    found = _parameter(text)
    if found is None:
        return "", text, ""
    type_text, star, name, value = found.groups()
    return type_text.strip(), f"{star}${name}", (value or "").strip()


def type_nodes(text: str) -> list[nodes.Node]:
    """Return a type as nodes: every name in it is a link, strings and brackets are text."""
    found: list[nodes.Node] = []
    at = 0
    for match in _type_name.finditer(text):
        if match.start() > at:
            found.append(nodes.Text(text[at : match.start()]))
        if match.group(1):
            found.append(addnodes.desc_sig_literal_string("", match.group(1)))
        else:
            found.append(type_link(match.group(2)))
        at = match.end()
    if at < len(text):
        found.append(nodes.Text(text[at:]))
    return found


def type_link(name: str) -> addnodes.pending_xref:
    """Return a link to the type of a name, if there is a page about it."""
    return _link("type", name)


def class_link(name: str) -> addnodes.pending_xref:
    """Return a link to the class of a name, if there is a page about it."""
    return _link("class", name)


def _link(kind: str, name: str) -> addnodes.pending_xref:
    return addnodes.pending_xref(
        "",
        addnodes.desc_sig_name("", name),
        refdomain="puppet",
        reftype=kind,
        reftarget=name,
        in_signature=True,
    )
