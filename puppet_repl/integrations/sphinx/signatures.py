"""Signatures of definitions: taken apart, and shown with links to the types in them."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx import addnodes

from puppet_repl.integrations.sphinx.code import Piece, on_one_line, pieces_of
from puppet_repl.language.syntax.brackets import closing_bracket, outside_brackets
from puppet_repl.language.syntax.tokens import KEYWORDS

__all__ = [
    "Declared",
    "Signature",
    "class_link",
    "code_nodes",
    "normalized",
    "parse_parameter",
    "parse_signature",
]

_NAME = r"(?:::)?[A-Za-z_][\w-]*(?:::[A-Za-z_][\w-]*)*"
_head = re.compile(rf"\s*({_NAME})\s*").match
_STRINGS = frozenset({"SQ", "DQ", "STRING", "DQPRE", "REGEX"})
_WORDS = frozenset({*KEYWORDS, "BOOLEAN"})


class Declared:
    """A parameter as code declares it; ``mark`` is `*` or `&` before its name, or ''.

    ``type`` and ``default`` are texts, '' if there is none. The name has no dollar sign.
    """

    __slots__ = ("default", "mark", "name", "type")

    def __init__(self, type_text: str, name: str, default: str = "", mark: str = "") -> None:
        self.type = type_text
        self.name = name
        self.default = default
        self.mark = mark


class Signature:
    """A head such as ``a::b(Integer $x = 1) >> String``, taken apart.

    ``parameters`` are None without parentheses. ``inherits`` is a class, ``returns`` and ``alias``
    are types, ``rest`` is any other text; a missing part is ''.
    """

    __slots__ = ("alias", "inherits", "name", "parameters", "rest", "returns")

    def __init__(
        self,
        name: str,
        parameters: list[Declared] | None = None,
        *,
        inherits: str = "",
        returns: str = "",
        alias: str = "",
        rest: str = "",
    ) -> None:
        self.name = name
        self.parameters = parameters
        self.inherits = inherits
        self.returns = returns
        self.alias = alias
        self.rest = rest


def normalized(name: str) -> str:
    """Return the key of an object: its name in lower case, without leading ``::``."""
    return name.strip().removeprefix("::").lower()


def parse_signature(text: str) -> Signature:
    """Take a signature apart; raises ValueError for a text that has no name at its start."""
    head = _head(text)
    if head is None:
        raise ValueError(text)
    name, rest = head[1], text[head.end() :]
    pieces = pieces_of(rest)
    if pieces is None:
        return Signature(name, rest=rest.strip())
    parameters = None
    if pieces and pieces[0].text == "(":
        end = closing_bracket(piece.text for piece in pieces[1:])
        inner = pieces[1:] if end is None else pieces[1 : end + 1]
        parameters = [_declared(part, rest) for part in _parts(inner)]
        pieces = pieces[len(inner) + 2 :]
    return _with_tail(Signature(name, parameters), pieces, rest)


def _with_tail(signature: Signature, pieces: list[Piece], text: str) -> Signature:
    """Assign the pieces after the parameters to the parts of the signature."""
    while pieces:
        word = pieces[0].text
        ends = (number for number in range(1, len(pieces)) if pieces[number].text == "inherits")
        end = next(ends, len(pieces))
        told = _source(pieces[1:end], text)
        if word == "inherits":
            signature.inherits = told
        elif word == ">>":
            signature.returns = told
        elif word == "=":
            signature.alias = told
        else:
            signature.rest = _source(pieces, text)
            break
        pieces = pieces[end:]
    return signature


def parse_parameter(text: str) -> Declared:
    """Take a parameter apart: ``Integer $x = 1``, or a name alone."""
    pieces = pieces_of(text)
    if not pieces:
        return Declared("", text.strip().lstrip("$"))
    return _declared(pieces, text)


def _parts(pieces: list[Piece]) -> list[list[Piece]]:
    outer = outside_brackets(piece.text for piece in pieces)
    commas = [index for index, text in outer if text == ","]
    starts = [0, *(comma + 1 for comma in commas)]
    found = [pieces[a:b] for a, b in zip(starts, [*commas, len(pieces)], strict=True)]
    return [part for part in found if part]


def _declared(pieces: list[Piece], text: str) -> Declared:
    outer = outside_brackets(piece.text for piece in pieces)
    equals = next((index for index, piece in outer if piece == "="), len(pieces))
    before, default = pieces[:equals], _source(pieces[equals + 1 :], text)
    at = next((index for index, piece in enumerate(before) if piece.kind == "VARIABLE"), None)
    if at is None:
        return Declared("", _source(before, text), default)
    is_marked = at > 0 and before[at - 1].text in ("*", "&")
    mark = before[at - 1].text if is_marked else ""
    name = "".join(piece.text for piece in before[at:]).removeprefix("$")
    return Declared(_source(before[: at - is_marked], text), name, default, mark)


def _source(pieces: list[Piece], text: str) -> str:
    return text[pieces[0].start : pieces[-1].end] if pieces else ""


def code_nodes(text: str) -> list[nodes.Node]:
    """Return code on one line as nodes: names of types and qualified variables are links."""
    line = on_one_line(text)
    pieces = pieces_of(line)
    if pieces is None:
        return [nodes.Text(line)]
    found: list[nodes.Node] = []
    end = 0
    for piece in pieces:
        if piece.start > end:
            found.append(nodes.Text(line[end : piece.start]))
        found.append(_node_of(piece))
        end = piece.end
    return found


def _node_of(piece: Piece) -> nodes.Node:
    if piece.kind == "CLASSREF":
        return _link("type", piece.text, piece.text)
    if piece.kind == "VARIABLE" and "::" in piece.text:
        return _link("param", piece.text.lstrip("$"), piece.text)
    if piece.kind in _STRINGS:
        return addnodes.desc_sig_literal_string("", piece.text)
    if piece.kind == "NUMBER":
        return addnodes.desc_sig_literal_number("", piece.text)
    if piece.kind in _WORDS:
        return addnodes.desc_sig_keyword("", piece.text)
    return nodes.Text(piece.text)


def class_link(name: str) -> addnodes.pending_xref:
    """Return a link to the class of a name, if there is a page about it."""
    return _link("class", name, name)


def _link(kind: str, name: str, shown: str) -> addnodes.pending_xref:
    return addnodes.pending_xref(
        "",
        addnodes.desc_sig_name("", shown),
        refdomain="puppet",
        reftype=kind,
        reftarget=name.removeprefix("::"),
        refquiet=True,
    )
