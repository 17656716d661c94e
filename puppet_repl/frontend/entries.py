"""How an entry is taken before it is run, in the terminal and in its line mode."""

from __future__ import annotations

import re

from puppet_repl.commands import parse_command
from puppet_repl.commands.registry import find_command
from puppet_repl.syntax.completeness import Complete, Incomplete

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session

# An entry that begins so continues the one before it.
_CONTINUES = re.compile(r"\s*(?:else\b|elsif\b|->|~>|<-|<~|\.(?=[a-z_]))")


def is_complete(session: Session, text: str) -> bool:
    """Tell whether a text can be run as it is."""
    return isinstance(session.check(text), Complete)


def next_indent(session: Session, text: str) -> str | None:
    """Return the indentation of the line that an incomplete text lacks; None for other texts."""
    state = session.check(text)
    return state.indent if isinstance(state, Incomplete) else None


def without_semicolon(session: Session, text: str) -> tuple[str, bool]:
    """Return a complete text without the semicolon at its end, and whether there was one.

    A semicolon says that no result is to be shown; to Puppet itself the text would be incomplete.
    """
    stripped = text.rstrip()
    if stripped.endswith(";") and is_complete(session, stripped[:-1]):
        return stripped[:-1], True
    return text, False


def continued(session: Session, text: str) -> str:
    """Return an entry that begins with else, an arrow or a dot, with the entry that it continues.

    The entry before is undone where it becomes a part of the new one. Others are returned as is.
    """
    joined = _with_previous(session, text)
    if joined is None or not is_complete(session, joined):
        return text
    if not joined.startswith("$_."):
        session.take_back_input()
    return joined


def _with_previous(session: Session, text: str) -> str | None:
    """Return an entry together with the one that it continues; None where it continues none."""
    if not continues(text) or not session.inputs:
        return None
    if text.lstrip().startswith("."):
        return "$_" + text.lstrip()
    return joined_entry(session.inputs[-1][1], text)


def wants_more(session: Session, text: str) -> bool:
    """Tell whether Enter opens a line rather than running the entry."""
    if not text.strip():
        return False
    parsed = parse_command(text)
    if parsed is not None:
        command = find_command(parsed[0])
        if command is None or not command.takes_code or not parsed[1]:
            return False
        text = parsed[1]
        if command.completes[0] == "machine":
            from puppet_repl.frontend.machine_words import split_machines

            text = text[split_machines(text, session)[1] :]
    if without_semicolon(session, text)[1]:
        return False
    return next_indent(session, _with_previous(session, text) or text) is not None


def continues(text: str) -> bool:
    """Tell whether an entry can only be meant as the continuation of the one before it."""
    return _CONTINUES.match(text) is not None


def joined_entry(previous: str, text: str) -> str:
    """Return an entry together with the one that it continues."""
    return f"{previous.rstrip()}\n{text.lstrip()}"
