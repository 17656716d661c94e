"""Markdown of documentation as plain text, for terminals, tables and menus."""

from __future__ import annotations

import re

LINE_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
"""A line break, which Markdown takes from HTML."""

_FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
_HEADING = re.compile(r"^#{1,6} +(.*?)(?: +#+)?$")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_LINK = re.compile(r"(?<!\w)!?\[([^\[\]]+)\]\(<?([^()\s>]*)>?(?:\s+\"[^\"]*\")?\)")
_STRONG = re.compile(r"(?<![*\w])\*\*(?=\S)([^*]+?)(?<=\S)\*\*(?![*\w])")
_SET_ASIDE = re.compile(r"\0(\d+)\0")
# What is above a text and says only what it is about: == Function: m::f, or f.rb.
_TITLE = re.compile(
    r"=+ *(?:function|class|define|definition|defined type|type)\b.*|[\w:/]+\.(?:rb|pp)",
    re.IGNORECASE,
)
_SECTION = re.compile(r"=+ *\w.*")
_INDENTED = ("    ", "\t")


def as_text(markdown: str) -> str:
    """Return documentation without the marks of headings, links, code and strong emphasis.

    Blocks of code stay, indented by four blanks; lists stay as they are written.
    """
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark is not None and mark[1].startswith(fence):
                fence = ""
                lines.append("")
            else:
                lines.append(f"    {line}" if line.strip() else "")
        elif mark is not None:
            fence = mark[1]
            lines.append("")
        else:
            lines.append(line if line.startswith(_INDENTED) else _line(line))
    return "\n".join(lines).strip("\n")


def first_line(markdown: str, name: str = "") -> str:
    """Return the first line of documentation, as text; empty if there is none.

    A title above it is passed over: ``== Function: m::f``, the name of a file, or ``name`` alone.
    """
    titles = (name, name.rpartition("::")[2])
    for line in map(str.strip, markdown.split("\n")):
        if line and line not in titles and _TITLE.fullmatch(line) is None:
            return "" if _SECTION.fullmatch(line) is not None else as_text(line)
    return ""


def _line(line: str) -> str:
    heading = _HEADING.match(line)
    codes: list[str] = []

    def set_aside(found: re.Match[str]) -> str:
        codes.append(found[2].strip() or found[2])
        return f"\0{len(codes) - 1}\0"

    # What is in a span of code is not a markup, but the text of a link may be one.
    text = _CODE.sub(set_aside, line if heading is None else heading[1])
    text = LINE_BREAK.sub("\n", _STRONG.sub(r"\1", _LINK.sub(_link, text)))
    return _SET_ASIDE.sub(lambda found: codes[int(found[1])], text) if codes else text


def _link(found: re.Match[str]) -> str:
    text, target = found[1], found[2]
    return f"{text} ({target})" if "://" in target and target != text else text
