"""The index has the definitions of all files, reads only changed ones, and keeps them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puppet_repl.language.compiler.cache import NO_CACHE
from puppet_repl.tools.editing.index import Index, is_indexed

FILES = {
    "m/manifests/init.pp": "class m ($port, $host = 1) { }\nclass m::inner { }\n",
    "m/manifests/site.pp": "# A site.\ndefine m::site ($root) { }\n",
    "m/functions/twice.pp": "function m::twice($n) { $n * 2 }\n",
    "m/types/port.pp": "type M::Port = Integer\n",
    "m/plans/go.pp": "plan m::go(TargetSpec $targets) { }\n",
    "m/manifests/broken.pp": "class m::broken {\n",
    "m/README.md": "class not::code { }\n",
}


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(NO_CACHE, raising=False)
    for name, text in FILES.items():
        path = tmp_path / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "code"


def read(index: Index) -> list[str]:
    paths = map(str, Path(index.name).rglob("*.pp"))
    return sorted(os.path.relpath(path, index.name) for path in index.update(paths))


def names(index: Index) -> set[str]:
    return {each.name for each in index}


def test_definitions_have_their_ranges(directory: Path) -> None:
    index = Index(str(directory))
    assert read(index) == sorted(name for name in FILES if name.endswith(".pp"))
    found = {(each.kind, each.name) for each in index}
    assert found == {
        ("class", "m"),
        ("class", "m::inner"),
        ("define", "m::site"),
        ("function", "m::twice"),
        ("type", "M::Port"),
        ("plan", "m::go"),
    }
    for each in index:
        assert Path(each.path).read_text()[each.start : each.end] == each.name


OTHERS = {
    "them-m/metadata.json": "{}",
    "them-m/lib/puppet/functions/m/up.rb": "Puppet::Functions.create_function(:'m::up') { }\n",
    "them-m/lib/facter/role.rb": "Facter.add(:role) { }\n",
    "them-m/lib/puppet/type/broken.rb": "Puppet::Type.newtype(",
    "them-m/spec/lib_spec.rb": "Facter.add(:of_test) { }\n",
    "them-m/tasks/init.sh": "#!/bin/sh\n",
    "them-m/tasks/init.json": "{}",
    "them-m/tasks/go.rb": "Facter.add(:no_fact) { }\n",
    "them-m/tasks/where.json": '{"implementations": [{"name": "go.rb"}]}',
    "them-m/tasks/README.md": "",
    "them-m/plans/all.yaml": "steps: []\n",
    "playbook/tasks/main.yml": "- x: 1\n",
}


def test_files_in_ruby_tasks_and_plans_in_yaml_have_names(directory: Path) -> None:
    for name, text in OTHERS.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    index = Index(str(directory))
    paths = [str(directory / name) for name in OTHERS if is_indexed(str(directory / name))]
    assert [*index.update(paths)]
    assert {(each.kind, each.name, os.path.basename(each.path)) for each in index} == {
        ("ruby function", "m::up", "up.rb"),
        ("fact", "role", "role.rb"),
        ("task", "m", "init.sh"),
        ("task", "m::go", "go.rb"),
        ("task", "m::where", "where.json"),
        ("plan", "m::all", "all.yaml"),
    }
    assert index.of("m::up") == []  # code that names it is not read as a manifest


def test_only_changed_files_are_read(directory: Path) -> None:
    index = Index(str(directory))
    assert read(index)
    assert read(index) == []
    (directory / "m/manifests/site.pp").write_text("define m::page ($root) { }\n# longer\n")
    (directory / "m/types/port.pp").unlink()
    (directory / "m/manifests/new.pp").write_text("class m::new { }\n")
    assert read(index) == ["m/manifests/new.pp", "m/manifests/site.pp"]
    assert names(index) == {"m", "m::inner", "m::page", "m::twice", "m::go", "m::new"}


def test_the_definitions_are_kept_for_the_next_time(directory: Path) -> None:
    first = Index(str(directory))
    assert read(first)
    second = Index(str(directory))
    assert read(second) == []
    assert {str(each) for each in second} == {str(each) for each in first}
    assert {(each.path, each.start) for each in second} == {
        (each.path, each.start) for each in first
    }


def test_without_a_cache_nothing_is_written(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NO_CACHE, "1")
    assert read(Index(str(directory)))
    assert read(Index(str(directory)))
    assert not (directory.parent / "cache").exists()


def test_names_are_found_and_single_files_read_again(directory: Path) -> None:
    index = Index(str(directory))
    assert read(index)
    assert [each.kind for each in index.of("::m::PORT")] == ["type"]
    path = directory / "m/types/port.pp"
    assert not index.read(str(path))
    path.write_text("type M::Number = Integer\n# longer\n")
    assert index.read(str(path))
    assert index.of("m::port") == []
    assert [each.name for each in index.of("m::number")] == ["M::Number"]
    path.unlink()
    assert not index.read(str(path))
    assert index.of("m::number") == []
