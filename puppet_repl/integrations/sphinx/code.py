"""Types and default values as their tokens: on one line, over several lines, or with links.

What a manifest has between the tokens, comments and line ends, is not part of them. Strings,
regular expressions and heredocs are kept as they are written.
"""

from __future__ import annotations

import re
from textwrap import dedent

from puppet_repl.language.syntax.brackets import CLOSING, OPENING, outside_brackets
from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.language.syntax.source import Source

__all__ = ["WIDTH", "Piece", "laid_out", "on_one_line", "pieces_of", "whole_heredoc"]

#: What is wider is laid out over lines.
WIDTH = 72
INDENT = "  "
#: Brackets that are nested deeper are written on one line: there would only be indentation.
MAX_DEPTH = 30
#: Kinds of tokens that begin and end what is one piece, a string with interpolation.
_heredoc = re.compile(r"@\(\s*\"?([^\":/)]+)\"?[^)]*\)").match
_ENTERING = {"DQPRE": 1, "DQPOST": -1}


class Piece:
    """A token, or a string with interpolation; ``spaced`` tells whether a blank is before it."""

    __slots__ = ("end", "kind", "spaced", "start", "text")

    def __init__(self, kind: str, text: str, start: int, end: int, spaced: bool) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = end
        self.spaced = spaced


def pieces_of(text: str) -> list[Piece] | None:
    """Return the pieces of a text, None if it has a heredoc or is not Puppet code."""
    lexer = Lexer(Source(text))
    lexer.run()
    if lexer.error is not None or "HEREDOC" in lexer.kinds:
        return None
    found: list[Piece] = []
    depth = end = 0
    for kind, start, stop in zip(lexer.kinds, lexer.starts, lexer.ends, strict=True):
        step = _ENTERING.get(kind, 0)
        if depth:
            found[-1].end = stop
            found[-1].text = text[found[-1].start : stop]
        elif kind != "END":
            found.append(Piece(kind, text[start:stop], start, stop, start > end))
        depth += step
        end = stop
    return found


def on_one_line(text: str) -> str:
    """Return code without comments and line ends; strings keep theirs."""
    pieces = pieces_of(text)
    return dedent(text).strip() if pieces is None else _joined(pieces)


def laid_out(text: str, width: int = WIDTH) -> str:
    """Return code over as many lines as the width asks for, each item of a long list on its own."""
    pieces = pieces_of(text)
    if pieces is None:
        return dedent(text).strip()
    if any("\n" in piece.text for piece in pieces):  # a string over lines must not be indented
        return _joined(pieces)
    if any(piece.kind == "|" for piece in pieces):  # statements of a lambda are not a list
        return _as_written(text)
    return _format(pieces, width, 0, 0)


def whole_heredoc(text: str, source: str) -> str:
    """Return code with the line that ends its heredoc, and without what follows its header.

    The text of a token ends before that line, and begins after the rest of the line of the header.
    """
    header = _heredoc(text)
    at = source.find(text) if header else -1
    if header is None or at < 0:
        return text
    first, _, body = text.partition("\n")
    lines = source[at + len(text) :].split("\n")
    is_end = re.compile(rf"\s*\|?\s*-?\s*{re.escape(header[1].strip())}\s*\Z").match
    end = next((number for number, line in enumerate(lines) if is_end(line)), 0)
    return "\n".join([first.rstrip(", "), body + lines[0], *lines[1 : end + 1]]).rstrip("\n")


def _as_written(text: str) -> str:
    first, _, rest = text.strip().partition("\n")
    return f"{first}\n{dedent(rest)}" if rest else first


def _joined(pieces: list[Piece]) -> str:
    words: list[str] = []
    before = ""
    for index, piece in enumerate(pieces):
        is_last_comma = piece.text == "," and pieces[index + 1 : index + 2]
        if is_last_comma and pieces[index + 1].text in CLOSING:
            continue
        if words and _is_apart(before, piece):
            words.append(" ")
        words.append(piece.text)
        before = piece.text
    return "".join(words)


def _is_apart(before: str, piece: Piece) -> bool:
    if before == ",":
        return piece.text not in CLOSING
    if "=>" in (before, piece.text):
        return True
    if before in ("[", "(") or piece.text in ("]", ")", ","):
        return False
    return piece.spaced


def _format(pieces: list[Piece], width: int, margin: int, depth: int, around: int = 0) -> str:
    """Return pieces on one line if they fit after the margin, else with the last group opened.

    ``around`` is what else would be on that line.
    """
    line = _joined(pieces)
    if len(line) + margin + around <= width or depth > MAX_DEPTH:
        return line
    group = _last_group(pieces)
    if group is None:
        return line
    start, end = group
    inner = pieces[start + 1 : end]
    space = " " if start and _is_apart(pieces[start - 1].text, pieces[start]) else ""
    before = _joined(pieces[:start]) + space + pieces[start].text
    after = _joined(pieces[end:])
    items = _items(inner)
    if len(items) == 1 and _is_group(items[0]):
        around += len(before) + len(after)
        return before + _format(items[0], width, margin, depth + 1, around) + after
    margin += len(INDENT)
    texts = [_format(item, width - 1, margin, depth + 1) for item in items]
    if pieces[start].text == "{":
        texts = _aligned(items, texts, width - margin)
    blank = "\n" + INDENT
    lines = "".join(f"{blank}{text.replace(chr(10), blank)}," for text in texts)
    return f"{before}{lines}\n{after}"


def _last_group(pieces: list[Piece]) -> tuple[int, int] | None:
    """Return where the last brackets that hold something open and close; not those of a key."""
    found = None
    depth: list[int] = []
    for index, piece in enumerate(pieces):
        if piece.text == "=>" and not depth:
            found = None
        if piece.text in OPENING:
            depth.append(index)
        elif piece.text in CLOSING and depth:
            start = depth.pop()
            if not depth and index > start + 1:
                found = start, index
    return found


def _items(pieces: list[Piece]) -> list[list[Piece]]:
    texts = [piece.text for piece in pieces]
    commas = [index for index, text in outside_brackets(texts) if text == ","]
    starts = [0, *(comma + 1 for comma in commas)]
    found = [pieces[a:b] for a, b in zip(starts, [*commas, len(pieces)], strict=True)]
    return [item for item in found if item]


def _is_group(pieces: list[Piece]) -> bool:
    """Whether all is in one pair of brackets, after a name or none: `A[...]`, `{...}`."""
    group = _last_group(pieces)
    return group is not None and group[0] <= 1 and group[1] == len(pieces) - 1


def _aligned(items: list[list[Piece]], texts: list[str], width: int) -> list[str]:
    """Put the arrows of the entries of a hash below each other, if all lines still fit."""
    keys = []
    for item in items:
        outer = outside_brackets([piece.text for piece in item])
        at = next((index for index, text in outer if text == "=>"), None)
        if at is None:
            return texts
        keys.append(_joined(item[:at]))
    longest = max(len(key) for key in keys)
    found = []
    for key, text in zip(keys, texts, strict=True):
        rest = text[len(key) :].lstrip()
        found.append(f"{key.ljust(longest)} {rest}")
    fits = all(len(text.partition("\n")[0]) < width for text in found)
    return found if fits else texts
