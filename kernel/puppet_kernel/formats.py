"""Format a cell: the code and templates in it; commands, cell magics and plain text stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from puppet_kernel.cell_parts import parts_of
from puppet_kernel.checks import RequestError
from puppet_repl.base.errors import PuppetError
from puppet_repl.base.recursion import deep_calls
from puppet_repl.frontends.shared.formatted_entry import format_entry
from puppet_repl.tools.editing.positions import utf16_units
from puppet_repl.tools.formatting import format_text
from puppet_repl.tools.formatting.cursor import moved_cursor
from puppet_repl.tools.inspection.findings import finding_of

if TYPE_CHECKING:
    from puppet_kernel.cell_parts import Part
    from puppet_repl.session import Session

Content = dict[str, Any]


def format_body(session: Session, arguments: Content) -> Content:
    """Return the body of the response to ``format``; raise RequestError for wrong arguments.

    The arguments are the text of a cell (``code``) and the place of the ``cursor`` in it, in UTF-16
    code units. The body has both as they are in the form; or, for a cell with an error, the
    ``problem``: ``message``, ``hint``, ``line`` and ``column``.
    """
    code, cursor = arguments.get("code"), arguments.get("cursor", 0)
    if not isinstance(code, str) or type(cursor) is not int or cursor < 0:
        raise RequestError("format needs 'code', a string; 'cursor' may be a position in it")
    pieces = []
    position = 0
    with deep_calls:
        for part in parts_of(session, code):
            pieces.append(code[position : part.offset])
            # As many lines above as in the cell: hints name lines, those of a template its own.
            above = 0 if part.is_template else code.count("\n", 0, part.offset)
            try:
                pieces.append(_formatted(session, part, above))
            except PuppetError as error:
                return {"problem": _problem(code, part.offset - above, error)}
            position = part.offset + len(part.text)
    rest = code[position:]
    if rest.strip() == ";":
        rest = ";" + _line_end(rest)
    result = "".join([*pieces, rest])
    given = code.encode("utf-16-le", "surrogatepass")[: 2 * cursor]
    before = len(given.decode("utf-16-le", "replace"))
    return {"code": result, "cursor": utf16_units(result[: moved_cursor(code, result, before)])}


def _formatted(session: Session, part: Part, above: int) -> str:
    """Return a part in its form, with a blank line to other parts if there was one."""
    if part.is_template:
        return format_text(part.text, is_template=True)
    start = "\n" if part.offset and part.text.lstrip(" \t").startswith("\n") else ""
    return start + format_entry(session, "\n" * above + part.text) + _line_end(part.text)


def _line_end(text: str) -> str:
    return "\n" if text.rstrip(" \t").endswith("\n") else ""


def _problem(code: str, offset: int, error: PuppetError) -> Content:
    """Return the problem of a part; ``offset`` is that of its text in the cell."""
    found = finding_of(error, code[offset:])
    at = offset + found.start
    line, column = code.count("\n", 0, at) + 1, at - code.rfind("\n", 0, at)
    return {"message": found.message, "hint": found.hint, "line": line, "column": column}
