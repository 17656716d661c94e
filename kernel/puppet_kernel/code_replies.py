"""Reply to requests about the code of a cell: completion, documentation, completeness.

The session is read and nothing is changed, so that any thread may ask.
"""

from __future__ import annotations

from typing import Any

from puppet_kernel.cell_magics import is_cell_magic
from puppet_kernel.cell_parts import part_at
from puppet_kernel.magic_completion import complete_magic, inspect_magic, is_cell_magic_complete
from puppet_kernel.outputs import documentation_bundle
from puppet_repl.frontends.commands import entries, is_command
from puppet_repl.session import Session

Reply = dict[str, Any]


def complete_reply(session: Session, code: str, cursor_pos: int) -> Reply:
    """Return the content of a complete_reply."""
    start, end = part_at(session, code, cursor_pos)
    part, cursor = code[start:end], cursor_pos - start
    if is_cell_magic(part):
        found = complete_magic(session, part, cursor)
    else:
        found = session.complete(part, cursor)
    types = [
        {
            "start": start + found.start,
            "end": start + found.end,
            "text": item.text,
            "type": item.kind,
            "signature": item.detail or "",
        }
        for item in found.beginning_with(part[found.start : cursor])
    ]
    return {
        "status": "ok",
        "matches": [each["text"] for each in types],
        "cursor_start": start + found.start,
        "cursor_end": start + found.end,
        "metadata": {"_jupyter_types_experimental": types},
    }


def inspect_reply(session: Session, code: str, cursor_pos: int) -> Reply:
    """Return the content of an inspect_reply: Markdown and plain text."""
    start, end = part_at(session, code, cursor_pos)
    part, cursor = code[start:end], cursor_pos - start
    if is_cell_magic(part):
        found = inspect_magic(session, part, cursor)
    else:
        found = session.inspect(part, cursor)
        if found is None and code.isidentifier():
            # Editors ask about the names in their list of variables, which have no dollar sign.
            found = session.inspect(f"${code}", cursor_pos + 1)
    if found is None:
        return {"status": "ok", "found": False, "data": {}, "metadata": {}}
    return {"status": "ok", "found": True, "data": documentation_bundle(found), "metadata": {}}


def is_complete_reply(session: Session, code: str) -> Reply:
    """Return the content of an is_complete_reply."""
    start, _ = part_at(session, code, len(code))
    code = code[start:]
    if is_command(code) or not code.strip() or entries.asks_for_documentation(code):
        return {"status": "complete"}
    if is_cell_magic(code):
        if is_cell_magic_complete(code):
            return {"status": "complete"}
        return {"status": "incomplete", "indent": ""}
    code, _ = entries.without_semicolon(session, code)
    if entries.is_complete(session, code):
        return {"status": "complete"}
    indent = entries.next_indent(session, code)
    if indent is None:
        return {"status": "invalid"}
    return {"status": "incomplete", "indent": indent}
