"""Markdown of others, such as comments of modules, without the HTML in it.

What is code keeps its text: it is written again in fences that its contents cannot close. In all
else ``<`` and ``&`` are escaped, so that no renderer takes anything for HTML, and ``$``, so that
JupyterLab, which looks for formulas before it reads Markdown, finds none; and a link stays one only
if it is written in full on one line, to an address that a click may open.
"""

from __future__ import annotations

import re
import textwrap
from html import escape, unescape

from puppet_repl.base.safe_text import visible_lines

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*([\w+-]*)")
_LIST_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
_TICKS = re.compile("`+")
_PUNCTUATION = re.compile(r"([\\`*]|(?<!\w)_|_(?!\w)|\](?=\())")
# An address of the web or of mail, or one without a scheme. Without backslashes: "\:" is a colon
# too, and without backticks, with which code might begin for one renderer and not for another.
_ADDRESS = (
    r"(?:(?:https?|mailto):|(?=[/?#)])|[^\s\\`:/?#()&]+(?=[ \t\n/?#)]|\Z))"
    r"(?:[^\s\\`()]|\([^\s\\`()]*\))*"
)
_TITLE = r"""(?:[ \t]+(?:"[^"\\`\n]*"|'[^'\\`\n]*'))?[ \t]*"""
# The parenthesis of any other link, which is escaped.
_OTHER_LINK = re.compile(rf"(?<=\])\((?![ \t]*{_ADDRESS}{_TITLE}\))", re.IGNORECASE)
# What begins any other definition, after marks of quotations, lists and tasks. Its label and its
# address may be on lines of their own.
_OTHER_DEFINITION = re.compile(
    r"^((?:[ \t>*+\d.):~-]|\[[ xX]\])*)"
    r"\[(?=(?:[^\[\]\\]|\\.)*\]:)"
    rf"(?!(?:[^\[\]\\`]|\\.)*\]:[ \t]*{_ADDRESS}{_TITLE}(?:\n|\Z))",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
# A sign with the backslashes before it, of which the last of an odd number escapes it.
_SIGN = re.compile(r"(\\*)([$&<])")
_DOLLAR = "&#36;"
_ENTITIES = {"$": _DOLLAR, "&": "&amp;", "<": "&lt;"}
_NEEDLESS = re.compile(r"&#36;|&amp;(?!#?\w+;)|&lt;(?![A-Za-z/!?])")
# What begins a formula without them.
_OTHER_FORMULA = re.compile(r"\\(?:begin\{|\\[(\[])")
# The line below the heads of a table, whose cells end at any "|", within backticks too.
_TABLE_LINE = re.compile(r"[\s>*+\d.)|:-]+")


def safe_markdown(text: str) -> str:
    """Return Markdown with the HTML in it as text, and its code as it is."""
    parts: list[str] = []
    lines: list[str] = []
    code: list[str] = []
    fence, language = "", ""
    for line in [*visible_lines(text).split("\n"), None]:
        mark = _FENCE.match(line) if line is not None else None
        if fence:
            if line is not None and (mark is None or not mark[1].startswith(fence)):
                code.append(line)
                continue
            parts.append(fenced(textwrap.dedent("\n".join(code)), language))
            fence, code = "", []
        elif mark is None and line is not None and line.strip():
            lines.append(line)
            continue
        elif mark is not None:
            fence, language = mark[1], mark[2]
        parts += _paragraph(lines, parts)
        lines = []
    return "\n\n".join(parts)


def safe_line(text: str) -> str:
    """Return Markdown that is within a line, with the HTML in it as text."""
    line = " ".join(visible_lines(text).split())
    return _escaped(line) if "\\`" not in line and _is_paired(line) else _without_html(line)


def may_hold_formulas(markdown: str) -> bool:
    """Tell whether notebooks might take a part of what this module returned for a formula."""
    return markdown.count(_DOLLAR) > 1 or _OTHER_FORMULA.search(markdown) is not None


def with_fewer_entities(markdown: str) -> str:
    """Return Markdown of this module for editors, of which some show entities as they are written.

    Dollar signs begin no formulas there. Other signs are written as they are where neither an
    element nor an entity could begin.
    """
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            fence = "" if line.strip() == fence else fence
            lines.append(line)
            continue
        fence = mark[1] if mark is not None else ""
        pieces = [
            piece if is_code else _NEEDLESS.sub(lambda found: unescape(found[0]), piece)
            for piece, is_code in _spans(line)
        ]
        lines.append("".join(pieces))
    return "\n".join(lines)


def without_formulas(markdown: str) -> str:
    """Return Markdown in which notebooks typeset nothing as a formula.

    Once Markdown is HTML, they read its text once more, with the dollar signs that were escaped.
    """
    return f'<div class="mathjax_ignore tex2jax_ignore">\n\n{markdown}\n\n</div>'


def fenced(code: str, language: str = "") -> str:
    """Return a block of code; the fence is longer than any row of backticks in it."""
    longest = max([len(ticks) for ticks in _TICKS.findall(code)], default=0)
    fence = "`" * max(longest + 1, 3)
    return f"{fence}{language}\n{visible_lines(code)}\n{fence}"


def code_span(text: str) -> str:
    """Return a text as code within a line."""
    longest = max([len(ticks) for ticks in _TICKS.findall(text)], default=0)
    ticks = "`" * (longest + 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{blank}{' '.join(visible_lines(text).split())}{blank}{ticks}"


def literal(text: str) -> str:
    """Return Markdown that shows a text of one line as it is."""
    escaped = escape(_PUNCTUATION.sub(r"\\\1", visible_lines(text)), quote=False)
    return escaped.replace("$", _DOLLAR)


def _paragraph(lines: list[str], before: list[str]) -> list[str]:
    """Return what is between blank lines, as a list with one part or none."""
    if not lines:
        return []
    margin = _list_margin(before[-1]) if before else 0
    # Within an item of a list code is indented from where the item's text begins.
    blanks = " " * (margin + 4)
    if all(line.expandtabs(4).startswith(blanks) for line in lines):
        return [textwrap.indent(fenced(textwrap.dedent("\n".join(lines))), " " * margin)]
    lines = _OTHER_DEFINITION.sub(r"\1\\[", "\n".join(lines)).split("\n")
    # With backticks that are not paired in their line, code may begin and end anywhere.
    has_code = "\\`" not in "".join(lines) and all(map(_is_paired, lines))
    if any(map(_TABLE_LINE.fullmatch, lines)):
        has_code = has_code and not any(
            is_code and "|" in piece for line in lines for piece, is_code in _spans(line)
        )
    return ["\n".join([_escaped(line) if has_code else _without_html(line) for line in lines])]


def _list_margin(part: str) -> int:
    """Return where the text of the last item of a list begins; 0 where there is no list."""
    items = [found for line in part.split("\n") if (found := _LIST_ITEM.match(line.expandtabs(4)))]
    return items[-1].end() if items else 0


def _is_paired(line: str) -> bool:
    return all(is_code or "`" not in piece for piece, is_code in _spans(line))


def _spans(line: str) -> list[tuple[str, bool]]:
    """Return the pieces of a line, and of each whether it is code with its backticks."""
    pieces: list[tuple[str, bool]] = []
    start = 0
    ticks = list(_TICKS.finditer(line))
    index = 0
    while index < len(ticks):
        opening = ticks[index]
        close = next(
            (at for at in range(index + 1, len(ticks)) if ticks[at][0] == opening[0]), None
        )
        if close is None:
            index += 1
            continue
        pieces.append((line[start : opening.start()], False))
        pieces.append((line[opening.start() : ticks[close].end()], True))
        start = ticks[close].end()
        index = close + 1
    pieces.append((line[start:], False))
    return pieces


def _escaped(line: str) -> str:
    return "".join([piece if is_code else _without_html(piece) for piece, is_code in _spans(line)])


def _without_html(text: str) -> str:
    text = _OTHER_LINK.sub(r"\\(", text)
    return _SIGN.sub(lambda found: found[1][: len(found[1]) // 2 * 2] + _ENTITIES[found[2]], text)
