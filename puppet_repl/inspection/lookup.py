"""Finding the name at the cursor, and its documentation."""

from __future__ import annotations

import re

from puppet_repl.inspection.names import document
from puppet_repl.inspection.open_call import call_at
from puppet_repl.inspection.symbols import SessionSymbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.inspection.documentation import Documentation
    from puppet_repl.session import Session

_NAME = re.compile(
    r"""
      (?P<command>(?:\A|(?<=\n))\s*[:%][A-Za-z]\w*)
    | \$(?:::)?\w+(?:::\w+)*(?:\[(?:'[^'\n]*'|"[^"\n$]*"|\d+)\])*
    | (?:::)?[A-Z]\w*(?:::[A-Z]\w*)*(?:\[(?:'[^'\n]*'|"[^"\n$]*")\])?
    | (?:::)?[a-z_]\w*(?:::\w+)*
    """,
    re.VERBOSE,
)


def inspect(session: Session, text: str, cursor: int) -> Documentation | None:
    """Return the documentation of the name at or right before the cursor, or of the open call."""
    known = SessionSymbols(session)
    name = name_at(text, cursor)
    if name is not None:
        found = document(known, name)
        if found is None and name.startswith("$") and "[" in name:
            found = document(known, name.split("[")[0])
        if found is not None:
            return found
    call = call_at(text[: max(cursor, 0)])
    return document(known, call.name) if call is not None else None


def name_at(text: str, cursor: int) -> str | None:
    """Return the name that the cursor is in or behind."""
    start = text.rfind("\n", 0, max(cursor, 0)) + 1
    end = text.find("\n", cursor)
    line = text[start : end if end >= 0 else len(text)]
    column = cursor - start
    for match in _NAME.finditer(line):
        if match.start() <= column <= match.end():
            name = match.group().strip()
            if match.group("command") is not None and start > 0 and text[:start].strip():
                return name[1:]
            return _cut_path(name, column - match.start())
    return None


def _cut_path(name: str, column: int) -> str:
    """Cut ``$facts['os']['name']`` behind the key that the cursor is in."""
    if "[" not in name or not name.startswith("$"):
        return name
    close = name.find("]", max(column, 0))
    opening = name.find("[")
    if column < opening:
        return name[:opening]
    return name if close < 0 else name[: close + 1]
