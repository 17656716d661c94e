"""What an entry is before it is run: complete or not, a question, more of the entry before it."""

from __future__ import annotations

import re

from puppet_repl.host.command_registry import find_command
from puppet_repl.host.command_syntax import parse_command
from puppet_repl.language.syntax.completeness import Complete, Incomplete
from puppet_repl.session.outcome import NOTHING

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


def with_previous(session: Session, text: str) -> tuple[str, int]:
    """Return an entry together with the inputs that it continues, and their number.

    A dot continues the last value. Comments between an ``if`` and its ``else`` are skipped; inputs
    before a ``:forget`` are not continued.
    """
    if not continues(text):
        return text, 0
    if text.lstrip().startswith("."):
        return "$_" + text.lstrip(), 0
    if not session.ends_in_input:
        return text, 0
    count = 0
    joined = text
    for _, before, outcome in reversed(session.inputs):
        joined = f"{before.rstrip()}\n{joined.lstrip()}"
        count += 1
        if outcome.value is not NOTHING or outcome.defined or not _is_comment(before):
            break
    return joined, count


def _is_comment(text: str) -> bool:
    return all(line.lstrip()[:1] in ("#", "") for line in text.split("\n"))


def wants_more(session: Session, text: str) -> bool:
    """Tell whether Enter opens a line rather than running the entry."""
    code = code_of(session, text)
    if code is None or without_semicolon(session, code)[1] or asks_for_documentation(text):
        return False
    return next_indent(session, code) is not None


def asks_for_documentation(text: str) -> bool:
    """Return whether a text asks for documentation as in IPython: ``each?``."""
    if not text.rstrip().endswith("?"):
        return False
    from puppet_repl.tools.hints import habits

    return habits.is_ipython_question(text)


def code_of(session: Session, text: str) -> str | None:
    """Return the code of an entry, with the inputs that it continues; None without code.

    The code ends as the entry does.
    """
    if not text.strip():
        return None
    parsed = parse_command(text)
    if parsed is not None:
        command = find_command(parsed[0])
        if command is None or not command.takes_code or not parsed[1]:
            return None
        text = parsed[1][command.code_at(parsed[1]) :]
        if command.completes[0] == "machine":
            from puppet_repl.host.machine_words import split_machines

            text = text[split_machines(text, session)[1] :]
    return with_previous(session, text)[0]


def continues(text: str) -> bool:
    """Tell whether an entry can only be meant as the continuation of the one before it."""
    return _CONTINUES.match(text) is not None
