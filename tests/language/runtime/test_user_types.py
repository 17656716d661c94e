"""The types of a session: which are read again, and what that costs."""

from __future__ import annotations

from typing import Any

import pytest

from puppet_repl.language.types.model import alias, stale
from puppet_repl.session import Session

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
    assert stale.stale_types(chained.names.types()) == []
    assert len(asked) == CHAIN


def test_all_that_lead_to_a_type_that_is_defined_again_are_read_again(chained: Session) -> None:
    value(chained, "type X = Integer")
    before = chained.names.types()
    value(chained, "type T7 = String")
    after = chained.names.types()
    renewed = {name for name in after if after[name] is not before[name]}
    assert renewed == {f"t{one}" for one in range(7, CHAIN)}
    assert value(chained, "[['a'] =~ T8, [['a']] =~ T9, [1] =~ T8]") == (True, True, False)


def test_a_rollback_walks_types_only_where_they_have_changed(
    chained: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    walks: list[object] = []
    find = stale.stale_types

    def stale_types(types: Any) -> list[str]:
        walks.append(types)
        return find(types)

    monkeypatch.setattr(stale, "stale_types", stale_types)
    assert chained.execute("fail('x')").error is not None
    with chained.temporarily():
        value(chained, "1 =~ T3")
    assert walks == []
    assert chained.execute("type New = Integer fail('x')").error is not None
    assert len(walks) == 1
    assert "new" not in chained.names.types()


def test_a_type_that_was_read_between_rollbacks_is_read_again() -> None:
    session = Session(facts={})
    value(session, "type A = Array[P]")
    value(session, "type P = Integer")
    with session.temporarily():
        session.forget("P")
        assert value(session, "[1] =~ A") is False
    assert value(session, "[1] =~ A") is True


def test_states_that_are_restored_in_turn_have_the_types_they_had() -> None:
    session = Session(facts={})
    value(session, "type A = Array[P]")
    value(session, "type P = Integer")
    with session.temporarily():
        session.undo()
        with session.temporarily():
            assert value(session, "[1] =~ A") is False
        assert set(session.names.types()) == {"a"}
    assert set(session.names.types()) == {"a", "p"}
    assert value(session, "[1] =~ A") is True


def test_a_value_tells_which_definitions_of_its_type_are_of_the_past() -> None:
    session = Session(facts={})
    value(session, "type A = Integer")
    assert session.past_definitions(value(session, "$t = A\n$t")) == []
    value(session, "type A = String")
    assert session.past_definitions(value(session, "A")) == []
    line = "A of an earlier input, redefined in a later input"
    assert session.past_definitions(value(session, "Tuple[$t, $t]")) == [line]
    assert session.forget("A")
    line = "A of an earlier input, forgotten since"
    assert session.past_definitions(value(session, "$t")) == [line]


def test_a_type_in_a_set_has_the_definition_of_the_set() -> None:
    session = Session(facts={})
    cars = (
        "type Cars = TypeSet[{{pcore_version => '1.0.0', version => '1.0.0', "
        "types => {{Car => {}}}}}]"
    )
    value(session, cars.format("Integer"))
    old = value(session, "Cars::Car")
    value(session, cars.format("Integer"))
    assert session.past_definitions(old) == []
    value(session, cars.format("String"))
    line = "Cars::Car of an earlier input, redefined in a later input"
    assert session.past_definitions(old) == [line]
