"""Projects of Bolt: which directories of modules they have, and what the project itself is.

The rules are those of https://www.puppet.com/docs/bolt/latest/modules and bolt_projects.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import puppet_repl as puppet
from tests.conformance.judge import write_files

FILES = {
    "bolt-project.yaml": "name: shop\nmodulepath: [own]\n",
    "plans/good.pp": "plan shop::good() { }\n",
    "plans/bad.pp": "plan shop::other() { }\n",
    "plans/y.yaml": "steps: 1\n",
    "tasks/t.json": '{"parameters": {"a": {"type": "Enum["}}}',
    "tasks/t.sh": "",
    "functions/f.pp": "function shop::g() { }\n",
    "manifests/web.pp": "class shop::cart { }\n",
    "data/common.yaml": "a: [\n",
    ".modules/apt/plans/p.pp": "plan apt::q() { }\n",
    ".modules/apt/tasks/u.json": "{",
    ".modules/apt/tasks/u.sh": "",
    "modules/ntp/types/t.pp": "type Ntp::U = Any\n",
    "own/pki/manifests/ca.pp": "class pki::cb { }\n",
    "own/pki/manifests/init.pp": "class pki { include shop::cart\ninclude shop::card }\n",
    "own/pki/functions/f.pp": "function pki::f() { run_task('apt::u', 'all') }\n",
}
BAD = {
    ".modules/apt/plans/p.pp",
    ".modules/apt/tasks/u.json",
    "data/common.yaml",
    "functions/f.pp",
    "manifests/web.pp",
    "modules/ntp/types/t.pp",
    "own/pki/manifests/ca.pp",
    "plans/bad.pp",
    "plans/y.yaml",
    "tasks/t.json",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_of_the_project_and_its_modules(project: Path) -> None:
    assert {each.file for each in puppet.validate(".") if each.severity == "error"} == BAD


def test_the_project_is_a_module_by_its_name(project: Path) -> None:
    messages = "\n".join(each.message for each in puppet.validate("."))
    assert "The name 'shop::g' is unacceptable in file 'functions/f.pp'" in messages
    assert "The name 'shop::other' is unacceptable in file 'plans/bad.pp'" in messages
    advice = [each for each in puppet.validate("own", advice=True) if each.severity == "warning"]
    assert [(each.code, each.line) for each in advice] == [("unknown_class", 2)]


def test_a_project_without_a_name_has_modules_only(project: Path) -> None:
    (project / "bolt-project.yaml").write_text("modulepath: own\n")
    found = {each.file for each in puppet.validate(".") if each.severity == "error"}
    assert found == BAD - {"functions/f.pp", "manifests/web.pp", "plans/bad.pp"} | {
        "functions/f.pp"
    }


def test_a_control_repository_with_a_project_stays_one(project: Path) -> None:
    write_files(project, {"environment.conf": "", "manifests/site.pp": "node default { }\n"})
    found = {each.file for each in puppet.validate(".") if each.severity == "error"}
    assert ".modules/apt/plans/p.pp" in found
    assert not found & {"manifests/site.pp", "manifests/web.pp", "plans/bad.pp"}
