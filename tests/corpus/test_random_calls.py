"""The random calls of stdlib's functions, as far as they need no Puppet."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.environment.modules.stdlib import BUNDLED_STDLIBS
from puppet_repl.language.syntax.completeness import Complete
from puppet_repl.session import Options, Session
from tests.corpus import random_calls
from tests.corpus.random_calls import POOL, VERSIONS, calls, recorded_calls


@pytest.mark.parametrize("text", POOL)
def test_the_pool_has_valid_values(text: str) -> None:
    outcome = Session(Options()).execute(text)
    assert outcome.error is None


@pytest.mark.parametrize("version", VERSIONS)
def test_calls_are_valid_programs(version: str) -> None:
    names = ["any2array", "pick", "delete", "range"]
    made = list(calls(version, names, 200, seed=1))
    assert made == list(calls(version, names, 200, seed=1))
    assert made != list(calls(version, names, 200, seed=2))
    session = Session(Options(stdlib=version[0], strict="off"))
    for number, call in enumerate(made):
        assert call["code"].startswith(names[number % 4] + "(")
        assert isinstance(session.check(call["code"]), Complete)


def test_recorded_calls_keep_their_arguments() -> None:
    found = recorded_calls("stdlib8")
    assert ("has_key({'a'=>1},'a')", ["{'a'=>1}", "'a'"]) in found["has_key"]


def test_names_are_those_of_the_files(tmp_path: Path) -> None:
    for path in (
        "lib/puppet/functions/stdlib/a.rb",
        "lib/puppet/parser/functions/b.rb",
        "lib/puppet/parser/functions/shuffle.rb",
        "functions/c.pp",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    assert random_calls.names_of(tmp_path) == ["b", "stdlib::a", "stdlib::c"]
    bundled = random_calls.names_of(Path(BUNDLED_STDLIBS["9"]))
    assert "stdlib::ensure" in bundled
