"""What is found in texts before they run: ranges in every text, no names called unknown wrongly."""

from __future__ import annotations

import pytest

from puppet_repl.inspection.findings import find_problems
from puppet_repl.inspection.unknown_names import Names, unknown_names
from puppet_repl.session import Session
from tests import recorded

# Names that their programs do not reach.
NOT_REACHED = "evaluate.unknown-variable."


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize("suite", ["specification", "parse", "epp"])
def test_ranges_are_in_the_text(session: Session, suite: str) -> None:
    found = 0
    for case in recorded.suite(suite):
        code = case["code"]
        _, problems = find_problems(session, code, epp=case.get("mode") == "epp")
        found += len(problems)
        for each in problems:
            assert 0 <= each.start < each.end <= max(len(code), 1), case["id"]
            assert each.message
    assert found


def test_programs_that_run_have_no_unknown_names(session: Session) -> None:
    checked = 0
    wrong = []
    for case in recorded.suite("evaluate"):
        if "value" not in case or {"files", "facts", "modules"} & case.keys():
            continue
        program, _ = find_problems(session, case["code"])
        if program is None or case["id"].startswith(NOT_REACHED):
            continue
        names = Names()
        names.add_program(program)
        checked += 1
        wrong += [(case["id"], each.name) for each in unknown_names(session, program, names)]
    assert checked > 500
    assert not wrong


def test_names_that_nothing_defines(session: Session) -> None:
    text = "$host = 1\nnotice($hots, hosts($host), $other::port)"
    program, problems = find_problems(session, text)
    assert program is not None
    assert not problems
    names = Names()
    names.add_program(program)
    found = [
        (each.kind, text[each.start : each.end], each.hint)
        for each in unknown_names(session, program, names)
    ]
    assert found == [
        ("variable", "$hots", "did you mean $host?"),
        ("function", "hosts", None),
        ("variable", "$other::port", None),
    ]


def test_a_text_that_cannot_be_parsed_may_define_its_variables() -> None:
    names = Names()
    names.add_text("$a = 1\nfunction f($b) { $::c }")
    assert (names.variables, names.functions) == ({"a", "b"}, {"f"})
    names.add_text("$d = (")
    assert names.variables == {"a", "b", "d"}
