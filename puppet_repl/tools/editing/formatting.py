"""The form of ``puppet-repl format`` as edits: of a document, of lines, or while typing."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.tools.advice.fixing import edited
from puppet_repl.tools.editing.folding import brackets
from puppet_repl.tools.editing.templates import scan_of
from puppet_repl.tools.formatting import WIDTH, FormatError, format_text
from puppet_repl.tools.formatting.formatter import check_same
from puppet_repl.tools.formatting.statements import read_statements

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
    return changes(document.text, _form(document, width))


def _form(document: Document, width: int) -> str:
    """Return the text of a document in its form, with the document's line ends."""
    text = document.text
    result = format_text(
        text,
        name=document.path or None,
        width=width,
        tasks=document.is_plan,
        is_template=document.is_template,
    )
    if "\r\n" not in text:
        return result
    with_ends = _with_line_ends(text, result)
    try:
        _check(document, with_ends)
    except FormatError:  # a line end is part of a string
        return result
    return with_ends


def _with_line_ends(text: str, result: str) -> str:
    """Return a result with the line ends of a text.

    A line that is in both keeps its own, another one gets that of most lines.
    """
    old, new = text.split("\n"), result.replace("\r\n", "\n").split("\n")
    most = "\r" if 2 * text.count("\r\n") > text.count("\n") else ""
    lines = [*[f"{line}{most}" for line in new[:-1]], new[-1]]
    if max(len(old), len(new)) <= _MAX_LINES:
        from difflib import SequenceMatcher

        plain = [line.removesuffix("\r") for line in old[:-1]]
        blocks = SequenceMatcher(None, plain, new[:-1], autojunk=False).get_matching_blocks()
        for first, begin, length in blocks:
            lines[begin : begin + length] = old[first : first + length]
    return "\n".join(lines)


def _check(document: Document, result: str) -> None:
    """Raise FormatError unless a result is the program of a document, with its comments."""
    check_same(document.text, result, tasks=document.is_plan, is_template=document.is_template)


def formatted_range(document: Document, start: int, end: int, *, width: int = WIDTH) -> list[Edit]:
    """Return the edits of the innermost statements on the lines of a range; raises PuppetError.

    Other lines stay. There are no edits if the statements alone cannot get the form, as those on
    the line of an outer brace.
    """
    text = document.text
    start = text.rfind("\n", 0, start) + 1
    if end <= start or text[end - 1] != "\n":
        end = text.find("\n", end) + 1 or len(text)
    result = _form(document, width)
    if result == text:
        return []
    if document.is_template:
        return _of_template(
            document, [e for e in changes(text, result) if _is_within(e, start, end)]
        )
    statements = read_statements(text, tasks=document.is_plan)
    touched = statements.touched(start, end)
    if touched is None:
        return []
    start, end = statements.span(*touched)
    first, last = read_statements(result, tasks=document.is_plan).span(*touched)
    before, after = text[start:end], result[first:last]
    if not before.endswith("\n"):
        after = after.removesuffix("\n").removesuffix("\r")
    try:
        _check(document, f"{text[:start]}{after}{text[end:]}")
    except FormatError:
        return []
    return [(start + one, start + other, new) for one, other, new in changes(before, after)]


def _of_template(document: Document, edits: list[Edit]) -> list[Edit]:
    """Return edits of a template if they change nothing but blanks within lines."""
    text = document.text
    edits = [each for each in edits if _letters(text[each[0] : each[1]]) == _letters(each[2])]
    try:
        _check(document, edited(text, edits))
    except FormatError:
        return []
    return edits


def _letters(text: str) -> str:
    return "".join(text.split())


def _is_within(edit: Edit, start: int, end: int) -> bool:
    return start <= edit[0] and edit[1] <= end


def formatted_while_typing(
    document: Document, cursor: int, typed: str, *, width: int = WIDTH
) -> list[Edit]:
    """Return edits after one of TRIGGERS was typed before the cursor; none for a broken text.

    After a brace the statement that ends with its line is formatted, after a line end the one that
    ends with the line before. No line after these changes.
    """
    lines = document.lines
    line = lines.line_of(cursor)
    if typed == "}":
        pairs = [start for start, end in brackets(scan_of(document)) if end == cursor]
        if not pairs:
            return []
        start, end = pairs[0], lines.span(line)[1]
        last = lines.span(line + 1)[0] if line + 1 < len(lines) else end
    elif line == 0:
        return []
    else:
        start, end = lines.span(line - 1)
        last = lines.span(line)[0]
    try:
        edits = formatted_range(document, start, end, width=width)
    except PuppetError:
        return []
    return edits if all(edit[1] <= last for edit in edits) else []


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
