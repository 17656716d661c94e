"""The types of a session: which are read again, and what that costs."""

from __future__ import annotations

from typing import Any

import pytest

from puppet_repl.session import Session
from puppet_repl.types.model import alias, stale

CHAIN = 200


@pytest.fixture
def chained() -> Session:
    """Return a session with a chain of aliases that has been read."""
    session = Session(facts={})
    links = [f"type T{one} = Array[T{one - 1}]" for one in range(1, CHAIN)]
    assert session.execute("\n".join(["type T0 = Integer", *links])).error is None
    assert value(session, f"[] =~ T{CHAIN - 1}") is True
    return session


def value(session: Session, code: str) -> Any:
    """Return the value of one input that has to succeed."""
    outcome = session.execute(code)
    assert outcome.error is None, outcome.error
    return outcome.value


def test_a_chain_of_types_is_walked_once(chained: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    parts = alias.TypeAliasType.read_parts

    def read_parts(self: alias.TypeAliasType) -> Any:
        asked.append(self)
        return parts(self)

    monkeypatch.setattr(alias.TypeAliasType, "read_parts", read_parts)
    assert stale.stale_types(chained.types()) == []
    assert len(asked) == CHAIN


def test_all_that_lead_to_a_type_that_is_defined_again_are_read_again(chained: Session) -> None:
    value(chained, "type X = Integer")
    before = chained.types()
    value(chained, "type T7 = String")
    after = chained.types()
    renewed = {name for name in after if after[name] is not before[name]}
    assert renewed == {f"t{one}" for one in range(7, CHAIN)}
    assert value(chained, "[['a'] =~ T8, [['a']] =~ T9, [1] =~ T8]") == (True, True, False)
