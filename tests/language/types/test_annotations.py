"""Annotations of types whose definitions are read again, and of what definitions annotate."""

from __future__ import annotations

from typing import Any

import pytest

from puppet_repl.session import Session

MY_A = "type MyA = Annotation{attributes => {x => Integer}}"
CAR = "type Car = Object[{parent => P}]"
CARS = (
    "type Cars = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', "
    "types => {Car => Object[{parent => P}]}}]"
)


def value(session: Session, code: str) -> Any:
    """The value of one input that has to succeed."""
    outcome = session.execute(code)
    assert outcome.error is None, outcome.error
    return outcome.value


@pytest.fixture
def session() -> Session:
    made = Session(facts={})
    value(made, MY_A)
    value(made, "type P = Object[{attributes => {a => Integer}}]")
    return made


@pytest.mark.parametrize(
    ("definition", "annotated"),
    [(CAR, "Car"), (CARS, "Cars"), (CARS, "Cars::Car"), ("type Alias = Array[P]", "Alias")],
)
def test_a_type_that_is_read_again_keeps_its_annotations(
    session: Session, definition: str, annotated: str
) -> None:
    value(session, definition)
    value(session, f"MyA.annotate({annotated}, {{x => 1}})")
    value(session, "type P = Object[{attributes => {b => Integer}}]")
    assert value(session, f"MyA.annotate({annotated}).x") == 1
    value(session, f"MyA.annotate({annotated}, {{x => 2}})")
    assert len(session.undo(2)) == 2  # back to the type that was read first
    assert value(session, f"MyA.annotate({annotated}).x") == 1
    session.undo()
    assert value(session, f"MyA.annotate({annotated})") is None


@pytest.mark.parametrize(("definition", "annotated"), [(CAR, "Car"), (CARS, "Cars::Car")])
def test_another_definition_has_no_annotations(
    session: Session, definition: str, annotated: str
) -> None:
    value(session, definition)
    value(session, f"MyA.annotate({annotated}, {{x => 1}})")
    value(session, definition.replace("{parent", "{equality_include_type => false, parent"))
    assert value(session, f"MyA.annotate({annotated})") is None


def test_an_annotation_of_a_definition_is_always_the_same(session: Session) -> None:
    value(session, "type Own = Object[{annotations => {MyA => {x => 1}}}]")
    assert value(session, "MyA.annotate(Own) == MyA.annotate(Own)") is True
