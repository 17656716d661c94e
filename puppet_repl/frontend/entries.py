"""What an entry stands for before it is run, in the full terminal and in the plain line mode."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session

# An entry that begins so goes on with the one before it.
_CONTINUES = re.compile(r"\s*(?:else\b|elsif\b|->|~>|<-|<~|\.(?=[a-z_]))")


def is_complete(session: Session, text: str) -> bool:
    """Whether a text can be run as it is."""
    return type(session.check(text)).__name__ == "Complete"


def is_incomplete(session: Session, text: str) -> bool:
    """Whether a text asks for further lines."""
    return type(session.check(text)).__name__ == "Incomplete"


def without_semicolon(session: Session, text: str) -> tuple[str, bool]:
    """A semicolon at the end asks for no result; Puppet itself would wait for more."""
    stripped = text.rstrip()
    if stripped.endswith(";") and is_complete(session, stripped[:-1]):
        return stripped[:-1], True
    return text, False


def continued(session: Session, text: str) -> str:
    """An entry that begins with else, an arrow or a dot, with what it goes on with.

    The entry before is taken back where it becomes a part of the new one.
    """
    if not continues(text) or not session.inputs:
        return text
    if text.lstrip().startswith("."):
        return "$_" + text.lstrip()
    joined = joined_entry(session.inputs[-1][1], text)
    if not is_complete(session, joined):
        return text
    session.undo()
    return joined


def wants_more(session: Session, text: str) -> bool:
    """Whether Enter opens a line rather than running the entry."""
    from puppet_repl.commands import parse_command

    if not text.strip():
        return False
    command = parse_command(text)
    if command is not None:
        from puppet_repl.commands.registry import find_command

        found = find_command(command[0])
        if found is None or not found.takes_code or not command[1]:
            return False
        text = command[1]
    if without_semicolon(session, text)[1]:
        return False
    return is_incomplete(session, text)


def continues(text: str) -> bool:
    """Whether an entry can only be meant as the rest of the one before it."""
    return _CONTINUES.match(text) is not None


def joined_entry(previous: str, text: str) -> str:
    """An entry together with the one that it goes on with."""
    return f"{previous.rstrip()}\n{text.lstrip()}"
