"""What ``puppet lookup`` of Puppet 8.11 says about a control repository, and what is said here."""

from __future__ import annotations

import pytest

from tests.control_repo.compare import HERE, answer, cases, deliberate, differences, pending

CASES = cases()
DELIBERATE = deliberate()
PENDING = pending()


@pytest.mark.parametrize("name", CASES)
def test_the_answer_is_that_of_puppet(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)  # the keys of eyaml are named relative to it
    given = answer(CASES[name])
    assert "Traceback" not in given["errors"]
    found = differences(CASES[name], given)
    expected = DELIBERATE.get(name)
    if expected is not None:
        assert found, "agrees now: remove it from deliberate.json"
        assert given["status"] == expected["status"]
        assert expected.get("output", "") in given["output"]
        assert expected.get("errors", "") in given["errors"]
    elif name in PENDING:
        assert found, "agrees now: remove it from pending.json"
        pytest.xfail(PENDING[name])
    else:
        assert not found, "\n".join(found)


def test_the_named_cases_exist() -> None:
    assert PENDING.keys() | DELIBERATE.keys() <= CASES.keys()
    assert not PENDING.keys() & DELIBERATE.keys()
