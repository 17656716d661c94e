"""A session for programs, and what they give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from puppet_repl.session import Outcome, Session

Run = Callable[[str], Outcome]


@pytest.fixture
def session() -> Session:
    return Session(facts={"kernel": "Linux"})


@pytest.fixture
def value(session: Session) -> Callable[[str], Any]:
    """The value of a program that must not fail."""

    def evaluate(text: str) -> Any:
        outcome = session.execute(text)
        assert outcome.error is None, outcome.error
        return outcome.value

    return evaluate
