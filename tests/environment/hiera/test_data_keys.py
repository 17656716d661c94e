"""The keys that data files have, for completion."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.environment.facts.facts import load_facts
from puppet_repl.language.runtime.options import Options
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.session import Session

HIERA = """\
version: 5
hierarchy:
  - {name: Family, path: "%{facts.os.family}.yaml"}
  - {name: Unknown, path: "%{nowhere}.yaml"}
  - {name: Function, data_hash: explode}
  - {name: Encrypted, lookup_key: eyaml_lookup_key, path: secret.eyaml}
  - {name: Common, path: common.yaml}
"""
COMMON = """\
lookup_options:
  '^secret': {convert_to: Sensitive}
color: common
secret::word: hidden
greeting: "%{facts.os.name}"
1: no name
"""


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "hiera.yaml").write_text(HIERA)
    (tmp_path / "data" / "common.yaml").write_text(COMMON)
    (tmp_path / "data" / "Debian.yaml").write_text("color: debian\n")
    (tmp_path / "data" / "RedHat.yaml").write_text("only::red: 1\n")
    (tmp_path / "data" / "secret.eyaml").write_text("sealed: ENC[PKCS7,abc]\n")
    functions = tmp_path / "functions"
    functions.mkdir()
    (functions / "explode.pp").write_text(
        "function environment::explode($options, $context) { fail('it was called') }\n"
    )
    module = tmp_path / "modules" / "clock"
    (module / "data").mkdir(parents=True)
    (module / "hiera.yaml").write_text(
        "version: 5\nhierarchy: [{name: All, path: all.yaml}]\n"
        "default_hierarchy: [{name: Rest, path: rest.yaml}]\n"
    )
    (module / "data" / "all.yaml").write_text("clock::rate: 1\nother::key: 2\n")
    (module / "data" / "rest.yaml").write_text("clock::spare: 3\n")
    return tmp_path


def session_of(directory: Path, facts: str = "debian-12") -> Session:
    return Session(Options(environment=str(directory), stdlib="off"), facts=load_facts(facts))


def test_the_first_value_in_the_levels_of_the_node_counts(environment: Path) -> None:
    values = session_of(environment).data_keys.values()
    assert values["color"] == "debian"
    assert values["greeting"] == "%{facts.os.name}"
    assert values["sealed"] == "ENC[PKCS7,abc]"
    assert values["clock::rate"] == 1
    assert values["clock::spare"] == 3
    assert "only::red" not in values
    assert "other::key" not in values, "a module has keys of its own only"
    assert "only::red" in session_of(environment, "rocky-9").data_keys.values()


def test_secrets_stay_hidden(environment: Path) -> None:
    assert isinstance(session_of(environment).data_keys.values()["secret::word"], Sensitive)


def test_nothing_is_logged_and_the_first_lookup_still_warns(environment: Path) -> None:
    lines = [line for line in HIERA.splitlines() if "explode" not in line and "eyaml" not in line]
    (environment / "hiera.yaml").write_text("\n".join(lines))
    logged: list[str] = []
    session = session_of(environment)
    session.log = lambda level, text: logged.append(text)
    session.data_keys.values()
    assert logged == []
    assert session.execute("lookup('greeting')").value == "Debian"
    assert len(logged) == 1
    assert "Interpolation failed with 'nowhere'" in logged[0]


def test_changed_files_are_read_again(environment: Path) -> None:
    session = session_of(environment)
    assert session.data_keys.values()["color"] == "debian"
    (environment / "data" / "Debian.yaml").write_text("color: changed for good\n")
    assert session.data_keys.values()["color"] == "changed for good"


@pytest.mark.parametrize("broken", ["hiera.yaml", "data/common.yaml", "modules/clock/hiera.yaml"])
def test_a_broken_file_hides_nothing_else(environment: Path, broken: str) -> None:
    (environment / broken).write_text("version: [5\n")
    values = session_of(environment).data_keys.values()
    assert ("clock::rate" in values) == ("clock" not in broken)
    assert ("color" in values) == (broken != "hiera.yaml")


@pytest.mark.parametrize(
    "text", ["lookup('col", 'lookup("col', "$x = hiera('col", ":lookup col", "lookup( 'col"]
)
def test_keys_complete_with_their_values(environment: Path, text: str) -> None:
    found = session_of(environment).complete(text, len(text))
    assert [(item.text, item.detail) for item in found.items] == [("color", "'debian'")]
    assert text[found.start : found.end] == "col"


def test_without_data_there_are_none() -> None:
    assert Session().data_keys.values() == {}
