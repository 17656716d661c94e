"""What ``puppet lookup`` of Puppet 8.11 says about a control repository, and what is said here."""

from __future__ import annotations

import pytest

from tests.control_repo.compare import HERE, answer, cases, deliberate, differences
from tests.environment.ruby.engine import needs_ruby

pytest.importorskip("cryptography")  # for eyaml
pytestmark = needs_ruby  # two of the backends are functions in Ruby

CASES = cases()
DELIBERATE = deliberate()


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
    else:
        assert not found, "\n".join(found)


def test_the_named_cases_exist() -> None:
    assert DELIBERATE.keys() <= CASES.keys()
