"""Directories of facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.environment.facts.facts import FactsError
from puppet_repl.host.node_facts import FactsDirectories

CACHED = "--- !ruby/object:Puppet::Node::Facts\nname: web01\nvalues:\n  role: web\n"


def test_the_cache_of_puppet(tmp_path: Path) -> None:
    cache = tmp_path / "yaml" / "facts"
    cache.mkdir(parents=True)
    (cache / "Web01.example.com.yaml").write_text(CACHED)
    (cache / ".hidden.yaml").write_text("x")
    (cache / "readme.txt").write_text("x")
    for directory in (cache, tmp_path):
        nodes = FactsDirectories([str(directory)])
        assert nodes.names() == ["web01.example.com"]
        found = nodes.of("WEB01.example.com")
        assert found.path == str(cache / "Web01.example.com.yaml")
        assert found.on_top_of(None, ()) == {"role": "web", "clientcert": "web01"}
        assert nodes.of("web02").path is None


def test_later_directories_win_and_patterns(tmp_path: Path) -> None:
    for name, role in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "web01.json").write_text(f'{{"role": {role}}}')
    (tmp_path / "one" / "db01.yml").write_text("role: 3")
    nodes = FactsDirectories([str(tmp_path / "one"), str(tmp_path / "two")])
    assert nodes.names() == ["db01", "web01"]
    found = nodes.of("web01").on_top_of({"role": 0, "site": "a"}, ["site=b"])
    assert found == {"role": 2, "site": "b"}
    assert nodes.matching("*01") == ["db01", "web01"]
    assert nodes.matching("[dw]b01") == ["db01"]
    assert nodes.matching("x*") == []


def test_directories_without_facts(tmp_path: Path) -> None:
    with pytest.raises(FactsError, match="no facts of nodes"):
        FactsDirectories([str(tmp_path)])
    (tmp_path / "a.json").write_text("[1]")
    with pytest.raises(FactsError, match=r"a\.json"):
        FactsDirectories([str(tmp_path)]).of("a").on_top_of(None, ())
