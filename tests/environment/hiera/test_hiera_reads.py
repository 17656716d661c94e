"""Levels of hiera.yaml and data files, which are looked at once: what may change all the same."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.environment.hiera import hiera
from puppet_repl.environment.hiera import providers as hiera_providers
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files

CONFIG = """
version: 5
hierarchy:
  - name: all
    paths: ["%{role}.yaml", "%{facts.os.name}.yaml", common.yaml]
  - name: mapped
    mapped_paths: [sites, site, "%{site}/%{role}.yaml"]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An environment with data for roles, sites and systems."""
    files = {
        "hiera.yaml": CONFIG,
        "data/web.yaml": "a: web\nm::p: web\n",
        "data/db.yaml": "a: db\nm::p: db\n",
        "data/Debian.yaml": "os: Debian",
        "data/common.yaml": "a: common\nos: other\nlookup_options: {l: {merge: unique}}",
        "data/one/mail.yaml": "s: one",
        "data/two/mail.yaml": "s: two",
        "modules/m/manifests/init.pp": "class m($p) { notice($p) }",
    }
    write_files(tmp_path, files)
    return tmp_path


def logs(root: Path, code: str, **facts: Any) -> list[str]:
    options = Options(environment=str(root), strict_variables=False)
    outcome = Session(options, facts=facts).execute(code)
    assert outcome.error is None, outcome.error
    return [text for level, text in outcome.logs if level == "notice"]


def test_a_variable_changes_between_two_lookups(root: Path) -> None:
    code = "notice(lookup('a')) $role = 'db' notice(lookup('a')) notice(lookup('a'))"
    assert logs(root, code) == ["common", "db", "db"]


def test_scopes_have_variables_of_their_own(root: Path) -> None:
    code = """
    class one { $role = 'web' notice(lookup('a')) }
    class two { $role = 'db' notice(lookup('a')) }
    class three { notice(lookup('a')) }
    include one, two, three, one
    """
    assert logs(root, code) == ["web", "db", "common"]


def test_parts_of_facts(root: Path) -> None:
    assert logs(root, "notice(lookup('os'))", os={"name": "Debian"}) == ["Debian"]
    assert logs(root, "notice(lookup('os'))", os={"name": "Other"}) == ["other"]


def test_mapped_paths(root: Path) -> None:
    code = """
    $role = 'mail'
    class one { $sites = ['one', 'two'] notice(lookup('s')) }
    class two { $sites = ['two', 'one'] notice(lookup('s')) }
    class three { $sites = ['two'] $role = 'none' notice(lookup('s', default_value => 'none')) }
    include one, two, three
    """
    assert logs(root, code) == ["one", "two", "none"]


def test_data_that_change_count_in_the_next_input(root: Path) -> None:
    session = Session(Options(environment=str(root)), facts={})
    assert session.execute("$role = 'web' lookup('a')").value == "web"
    (root / "data/web.yaml").write_text("a: changed")
    (root / "data/new.yaml").write_text("a: new\nb: [1]")
    assert session.execute("lookup('a')").value == "changed"
    assert session.execute("$role = 'new' lookup('a')").value == "new"
    (root / "hiera.yaml").write_text("version: 5\nhierarchy: [{name: x, path: common.yaml}]")
    assert session.execute("lookup('a')").value == "common"


def test_files_are_looked_at_once_for_an_input(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    stamp_of = hiera.stamp_of

    def counted(path: str) -> Any:
        looked.append(os.path.relpath(path, root))
        return stamp_of(path)

    monkeypatch.setattr(hiera, "stamp_of", counted)
    monkeypatch.setattr(hiera_providers, "stamp_of", counted)
    code = "$role = 'web' Integer[1, 9].each |$i| { lookup('a') }"
    assert logs(root, code, os={"name": "Debian"}) == []
    assert sorted(looked) == ["data/Debian.yaml", "data/common.yaml", "data/web.yaml", "hiera.yaml"]


def test_a_file_of_a_module_that_becomes_one_of_the_environment(root: Path) -> None:
    level = "version: 5\nhierarchy: [{name: all, path: %s}]\n"
    (root / "modules" / "m" / "data").mkdir()
    (root / "modules" / "m" / "hiera.yaml").write_text(level % "all.yaml")
    (root / "modules" / "m" / "data" / "all.yaml").write_text("m::q: 1\nown: 2\n")
    session = Session(Options(environment=str(root)), facts={})
    assert session.execute("lookup('m::q')").value == 1
    assert session.execute("lookup('own', default_value => 0)").value == 0
    (root / "hiera.yaml").write_text(level % "../modules/m/data/all.yaml")
    assert session.execute("lookup('own', default_value => 0)").value == 2
