"""What tests of sessions share: inputs that succeed or fail, and the state of a session."""

from __future__ import annotations

import json
from typing import Any

from puppet_repl.base.errors import PuppetError
from puppet_repl.catalog.json import document
from puppet_repl.session import NOTHING, Session

FACTS: dict[str, Any] = {"os": {"name": "Debian"}, "kernel": "Linux"}


def value(session: Session, code: str) -> Any:
    """The value of one input that has to succeed."""
    outcome = session.execute(code)
    assert outcome.error is None, outcome.error
    return outcome.value


def failed(session: Session, code: str) -> PuppetError:
    """The error of one input that has to fail."""
    outcome = session.execute(code)
    assert outcome.error is not None
    assert outcome.value is NOTHING
    assert outcome.number is None
    return outcome.error


def furnish(session: Session) -> Session:
    """Give a session one thing of each kind, and return it."""
    value(session, "$kept = 1")
    value(session, "function old() { 'old' } type Old = Integer")
    value(session, "class c { $v = 'old' } include c")
    value(session, "notify { 'old': message => 'old' }")
    value(session, "'abc' =~ /(b)/")
    return session


def state(session: Session) -> object:
    """What a user can see of a session."""
    context = session._context
    return (
        {name: bound for name, bound in context.top.variables.items() if name not in context.fixed},
        sorted(context.functions),
        sorted(context.types.known),
        session.count,
        [text for _, text, _ in session.inputs],
        json.dumps(document(context.catalog)["resources"]) if context.has_catalog else "[]",
    )
