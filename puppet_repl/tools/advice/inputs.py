"""Warnings about inputs, with the names of the session."""

from __future__ import annotations

from puppet_repl.base.recursion import deep_calls
from puppet_repl.tools.advice.rules import RULE_OF
from puppet_repl.tools.advice.walk import advise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax import ast
    from puppet_repl.session import Session
    from puppet_repl.tools.advice.model import Advice

# Of a longer input nobody reads warnings at a prompt.
MAX_CHARACTERS = 40_000


def advise_input(session: Session, program: ast.Program) -> list[Advice]:
    """Return the warnings about an input that has run; none for a very long input."""
    if len(program.source.text) > MAX_CHARACTERS:
        return []
    with deep_calls:
        return advise_in_session(session, program)


def advise_in_session(
    session: Session, program: ast.Program, variables: set[str] | None = None
) -> list[Advice]:
    """Return the warnings about a program in a session; ``variables`` are those of other cells."""
    known = {*session.names.variables(), *session.names.fact_names(), *(variables or ())}
    found = advise(program, known, defaults=_defaults(session))
    return [each for each in found if RULE_OF[each.rule].in_inputs]


def _defaults(session: Session) -> set[tuple[str, str]]:
    """Return types, in small letters, and the attributes that the session has given defaults."""
    if not session.has_catalog:
        return set()
    return {
        (type_name.lower(), name)
        for by_type in list(session.catalog.tables.defaults.values())
        for type_name, parameters in by_type.items()
        for name in parameters
    }
