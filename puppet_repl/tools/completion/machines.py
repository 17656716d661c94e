"""Completion of names of machines, and of the code after them."""

from __future__ import annotations

import re

from puppet_repl.base.fuzzy_search import ranked
from puppet_repl.environment.facts.facts import factset_names
from puppet_repl.host.machine_words import named_nodes, split_machines
from puppet_repl.tools.completion.files import complete_file
from puppet_repl.tools.completion.model import MAX_COMPLETIONS, Completion, Completions
from puppet_repl.tools.completion.sources import complete_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session
    from puppet_repl.session.symbols import SessionSymbols

_NAME = re.compile(r"[A-Za-z][\w.-]*")


def complete_machine(session: Session, before: str, start: int) -> Completions:
    """Complete the word from ``start`` on: a fact set, a node that has a block, or a path."""
    found = _machines(session, before[start:])
    return _or_file(session, before, start, found)


def complete_catalog(session: Session, before: str, start: int) -> Completions:
    """Complete what ``:diff`` compares: a mark, the last one first, or a machine."""
    marks = marks_of(session)
    found = [*ranked(marks, before[start:]), *_machines(session, before[start:])]
    return _or_file(session, before, start, found)


def _or_file(session: Session, before: str, start: int, found: list[Completion]) -> Completions:
    if found:
        return Completions(start, len(before), found)
    return complete_file(before, start, session.reach)


def marks_of(session: Session) -> list[Completion]:
    """Return the marks of a session, the last one first."""
    return [
        Completion(name, "value", detail=f"a mark of {session.marks[name].name}", weight=order)
        for order, name in enumerate(reversed(list(session.marks)))
    ]


def complete_machine_or_code(known: SessionSymbols, before: str) -> Completions:
    """Complete the last of the words that name machines, or the code after them."""
    session = known.session
    words, start = split_machines(before, session)
    code = before[start:]
    last = len(before) - len(before.split()[-1]) if before.strip() else 0
    if not words:
        return complete_machine(session, before, last)
    if not code and not before[-1:].isspace():
        return complete_machine(session, before, last)
    found = complete_code(known, code)
    items = found.items
    if not code or _NAME.fullmatch(code):
        # Either another machine or the beginning of the code.
        items = [*_machines(session, code), *items]
        return Completions(start, len(before), items[:MAX_COMPLETIONS])
    return Completions(start + found.start, start + found.end, items)


def _machines(session: Session, word: str) -> list[Completion]:
    names = [*factset_names(), *named_nodes(session)]
    return list(ranked([Completion(name, "value") for name in names], word))[:MAX_COMPLETIONS]
