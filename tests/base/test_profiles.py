"""The profiles of the language: each difference, as Puppet 8.11 and OpenVox 9.0.0-beta2 answer."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from puppet_repl.base.profiles import DEFAULT_LANGUAGE, LANGUAGES, PROFILES, Profile
from puppet_repl.language.runtime.call_location import NO_LOCATION
from puppet_repl.session import Options, Session
from tests.environment.ruby.engine import needs_sandbox
from tests.recorded import Case, check, read

DIFFERENCES = tuple(
    name for name in Profile.__slots__ if name not in ("name", "stands_for", "title")
)
CASES = read(Path(__file__).with_name("profiles.jsonl"))
IN_RUBY = ("inline_template", "legacy_functions_page")


def _parameter(case: Case) -> object:
    text = case["difference"] + case["code"]
    marks = needs_sandbox if any(each in text for each in IN_RUBY) else ()
    return pytest.param(case, marks=marks, id=case["id"])


@pytest.mark.parametrize("case", [_parameter(case) for case in CASES])
def test_recorded_cases(case: Case, tmp_path: Path) -> None:
    assert check({**case, "logs": [_shown(log) for log in case.get("logs", ())]}, tmp_path) == []


def _shown(log: list[str]) -> list[str]:
    """Return a message as it is shown here: Puppet puts that it has no place behind each."""
    level, text = log
    return [level, text.removesuffix(NO_LOCATION) if "environment.conf" in text else text]


@pytest.mark.parametrize("difference", DIFFERENCES)
def test_every_difference_has_cases(difference: str) -> None:
    values = [getattr(profile, difference) for profile in PROFILES.values()]
    assert all(one != other for one, other in combinations(values, 2))
    with_cases = {case["language"] for case in CASES if case["difference"] == difference}
    assert with_cases == set(LANGUAGES)


def test_the_documentation_has_a_row_for_each() -> None:
    text = (Path(__file__).parents[2] / "docs" / "openvox.md").read_text("utf-8")
    table = text.partition("## What differs\n\n")[2].partition("\n\n")[0].splitlines()
    assert table[0] == f"| what | {' | '.join(f'`{name}`' for name in LANGUAGES)} |"
    assert len(table) - 2 == len(DIFFERENCES)
    for profile in PROFILES.values():
        assert f"| {profile.stands_for} |" in text


def test_the_default_is_the_first() -> None:
    assert LANGUAGES[0] == DEFAULT_LANGUAGE == Options().language


def test_types_whose_modules_the_agent_lacks() -> None:
    for language, profile in PROFILES.items():
        for name in ("zone", "host"):
            outcome = Session(Options(language=language)).execute(f"{name} {{ 'a': }}")
            assert (outcome.error is not None) == (name in profile.without_types)


def test_another_language_counts_from_the_reset_on() -> None:
    session = Session()
    code = "regsubst('a', 'a', 'b', 'G', 'N')"
    assert session.execute(code).value == "b"
    session.options.language = "openvox-9"
    session.reset()
    outcome = session.execute(code)
    assert outcome.error is not None
    assert outcome.error.message.endswith("'regsubst' expects between 3 and 4 arguments, got 5")


def test_unknown_languages() -> None:
    with pytest.raises(ValueError, match="language is one of puppet-8, openvox-9, not 'puppet-7'"):
        Options(language="puppet-7")


def test_samples_have_the_version_of_the_agent() -> None:
    code = "[$facts['puppetversion'], $facts['implementation']]"
    assert Session(Options()).execute(code).value == ("8.11.0", None)
    assert Session(Options(language="openvox-9")).execute(code).value == ("9.0.0", "openvox")


def test_facts_of_a_node_stay() -> None:
    options = Options(language="openvox-9")
    session = Session(options, facts={"puppetversion": "7.34.0", "kernel": "Linux"})
    outcome = session.execute("[$facts['puppetversion'], $facts['implementation']]")
    assert outcome.value == ("7.34.0", None)


def test_documentation_has_the_signatures_of_the_language() -> None:
    for language, is_there in (("puppet-8", True), ("openvox-9", False)):
        found = Session(Options(language=language)).inspect("regsubst", 4)
        assert found is not None
        assert ("encoding" in " ".join(found.signatures)) == is_there
