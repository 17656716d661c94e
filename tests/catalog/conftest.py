"""A session on a known node, and what its catalog holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from puppet_repl.catalog import json
from puppet_repl.session import Options, Outcome, Session

FACTS: dict[str, Any] = {"networking": {"fqdn": "node.example.com"}, "os": {"family": "Debian"}}


class Catalogs:
    """A session whose inputs are catalog code."""

    def __init__(self, **options: Any) -> None:
        self.session = Session(Options(**options), facts=FACTS)

    def run(self, code: str) -> Outcome:
        """Evaluate an input that must succeed."""
        outcome = self.session.execute(code)
        assert outcome.error is None, outcome.error
        return outcome

    def refused(self, code: str) -> str:
        """The message of an input that must fail."""
        outcome = self.session.execute(code)
        assert outcome.error is not None
        return outcome.error.message

    def shown(self) -> dict[str, dict[str, Any]]:
        """The real resources with their attributes, in order."""
        answer: list[dict[str, Any]] = json.contents(self.session.catalog)[0]
        return {f"{one['type']}[{one['title']}]": one.get("parameters", {}) for one in answer}


@pytest.fixture
def make() -> Callable[..., Catalogs]:
    """Sessions with options."""
    return Catalogs


@pytest.fixture
def catalogs() -> Catalogs:
    """One session."""
    return Catalogs()
