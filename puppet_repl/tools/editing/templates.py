"""The code of an EPP template, with the offsets that it has there."""

from __future__ import annotations

import re

from puppet_repl.language.syntax.scan import Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.editing.documents import Document

_TAG = re.compile(
    r"(?P<text><%%)|(?P<comment><%#.*?(?:%>|\Z))|<%[-=]?(?P<code>.*?)(?P<end>-?%>|\Z)", re.DOTALL
)
_NO_LINE_END = re.compile(r"[^\r\n]")


def code_of_template(text: str) -> str:
    """Return a template with blanks for its text, and a semicolon for the end of each tag."""
    parts = []
    position = 0
    for tag in _TAG.finditer(text):
        if tag["code"] is None:
            continue
        start, end = tag.span("code")
        parts += [_blank(text[position:start]), tag["code"], ";" if tag["end"] else ""]
        position = end + bool(tag["end"])
    return "".join([*parts, _blank(text[position:])])


def code_of(document: Document) -> str:
    """Return the code of a document, with its offsets."""
    return code_of_template(document.text) if document.is_template else document.text


def scan_of(document: Document) -> Scan:
    """Return the tokens of a document, which may be broken."""
    return Scan(code_of(document))


def _blank(text: str) -> str:
    return _NO_LINE_END.sub(" ", text)
