"""The index has the definitions of all files, reads only changed ones, and keeps them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puppet_repl.base.reach import Reach
from puppet_repl.language.compiler.cache import NO_CACHE
from puppet_repl.tools.editing.index import Index

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
    return sorted(os.path.relpath(path, index.directory) for path in index.update())


def test_definitions_have_their_ranges(directory: Path) -> None:
    index = Index(str(directory))
    assert read(index) == sorted(name for name in FILES if name.endswith(".pp"))
    found = {(each.kind, each.name, each.parameters) for each in index}
    assert found == {
        ("class", "m", ("port", "host")),
        ("class", "m::inner", ()),
        ("define", "m::site", ("root",)),
        ("function", "m::twice", ("n",)),
        ("type", "M::Port", ()),
        ("plan", "m::go", ("targets",)),
    }
    for each in index:
        assert Path(each.path).read_text()[each.start : each.end] == each.name


def test_only_changed_files_are_read(directory: Path) -> None:
    index = Index(str(directory))
    assert read(index)
    assert read(index) == []
    (directory / "m/manifests/site.pp").write_text("define m::page ($root) { }\n# longer\n")
    (directory / "m/types/port.pp").unlink()
    (directory / "m/manifests/new.pp").write_text("class m::new { }\n")
    assert read(index) == ["m/manifests/new.pp", "m/manifests/site.pp"]
    assert index.find("define", "m::site") == []
    assert [each.name for each in index.find("define", "::m::page")] == ["m::page"]
    assert index.find("type", "m::port") == []
    assert index.find("class", "M::NEW")


def test_the_definitions_are_kept_for_the_next_time(directory: Path) -> None:
    first = Index(str(directory))
    assert read(first)
    second = Index(str(directory))
    assert read(second) == []
    assert {str(each) for each in second} == {str(each) for each in first}
    assert {each.parameters for each in second} == {each.parameters for each in first}


def test_without_a_cache_nothing_is_written(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NO_CACHE, "1")
    assert read(Index(str(directory)))
    assert read(Index(str(directory)))
    assert not (directory.parent / "cache").exists()


def test_a_search_finds_the_best_first(directory: Path) -> None:
    index = Index(str(directory))
    assert read(index)
    assert [each.name for each in index.search("msite")][:1] == ["m::site"]
    assert index.search("nothing::like::this") == []


def test_files_out_of_reach_are_not_read(directory: Path, tmp_path: Path) -> None:
    outside = tmp_path / "secret.pp"
    outside.write_text("class secret { }\n")
    (directory / "m/manifests/link.pp").symlink_to(outside)
    index = Index(str(directory), Reach([str(directory)]))
    assert "m/manifests/link.pp" not in read(index)
    assert index.find("class", "secret") == []
    assert index.find("class", "m")
