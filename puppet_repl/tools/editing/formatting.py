"""The form of ``puppet-repl format`` as edits: of a document, of lines, or while typing."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.tools.editing.folding import brackets
from puppet_repl.tools.editing.templates import scan_of
from puppet_repl.tools.formatting import WIDTH, format_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from puppet_repl.tools.editing.documents import Document

    # The offsets of a range of the text, and what to write there.
    Edit: TypeAlias = tuple[int, int, str]

# A comparison of longer texts line by line may take seconds: they are replaced as a whole.
_MAX_LINES = 5_000
TRIGGERS = ("}", "\n")
"""What makes an editor ask for edits when it is typed."""


def formatted(document: Document, *, width: int = WIDTH) -> list[Edit]:
    """Return the edits that bring a document into its form; raise PuppetError if it is refused."""
    text = document.text
    result = format_text(
        text,
        name=document.path or None,
        width=width,
        tasks=document.is_plan,
        is_template=document.is_template,
    )
    return changes(text, result)


def formatted_range(document: Document, start: int, end: int, *, width: int = WIDTH) -> list[Edit]:
    """Return those of the edits of a document that are about a range; raises PuppetError."""
    return [edit for edit in formatted(document, width=width) if _meets(edit, start, end)]


def formatted_while_typing(
    document: Document, cursor: int, typed: str, *, width: int = WIDTH
) -> list[Edit]:
    """Return edits after one of TRIGGERS was typed before the cursor; none for a broken text.

    After a brace the block that it closes is formatted, after a line end the line before it. The
    line of the cursor stays, unless the brace is in it.
    """
    lines = document.lines
    line = lines.line_of(cursor)
    if typed == "}":
        pairs = [start for start, end in brackets(scan_of(document)) if end == cursor]
        if not pairs:
            return []
        start, end = lines.span(lines.line_of(pairs[0]))[0], lines.span(line)[1]
    elif line == 0:
        return []
    else:
        start, end = lines.span(line - 1)
    try:
        edits = formatted_range(document, start, end, width=width)
    except PuppetError:
        return []
    if typed == "}":
        return [edit for edit in edits if start <= edit[0] and edit[1] <= end + 1]
    own = lines.span(line)[0]
    return [edit for edit in edits if edit[1] <= own]


def _meets(edit: Edit, start: int, end: int) -> bool:
    return edit[0] <= end and edit[1] >= start


def changes(before: str, after: str) -> list[Edit]:
    """Return the edits of whole lines that make one text another."""
    if before == after:
        return []
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if max(len(old), len(new)) > _MAX_LINES:
        return [(0, len(before), after)]
    # Nothing but a changed form needs the module.
    from difflib import SequenceMatcher

    starts = _starts(old)
    edits: list[Edit] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, first, last, begin, end in matcher.get_opcodes():
        if kind == "equal":
            continue
        if last - first == end - begin:  # line by line: each may be wanted without the others
            pairs = zip(range(first, last), new[begin:end], strict=True)
            edits += [(starts[at], starts[at + 1], line) for at, line in pairs]
        else:
            edits.append((starts[first], starts[last], "".join(new[begin:end])))
    return edits


def _starts(lines: Sequence[str]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return starts
