"""The lines of keys in data files."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from puppet_repl.base import yaml_nodes
from puppet_repl.environment.hiera.explanation import line_of

YAML = """\
# A comment.
a: 1
"b": {a: 2, z: 3}
:c: [z, a]
? d
: &x z
list:
  - a: 5
  - z: 6
? [a, z]
: 1
*x : 7
a: 8
"""
LINES = {"a": 13, "b": 3, "c": 4, ":c": 4, ":a": 13, "d": 5, "list": 7, "z": 12, "x": None}


@pytest.mark.parametrize("loader", ["CBaseLoader", "BaseLoader"])
def test_lines(loader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(yaml, loader):
        pytest.skip("PyYAML has no libyaml here")
    monkeypatch.setattr(yaml_nodes, "_loader", lambda: getattr(yaml, loader))
    (tmp_path / "a.yaml").write_text(YAML)
    assert {key: line_of(str(tmp_path / "a.yaml"), key) for key in LINES} == LINES
    (tmp_path / "a.json").write_text('{"a": 1,\n "b": {"c": 1},\n"c": 2}')
    found = {key: line_of(str(tmp_path / "a.json"), key) for key in "abcd"}
    assert found == {"a": 1, "b": 2, "c": 3, "d": None}


@pytest.mark.parametrize(
    "text", ["", "- a: 1\n", "a", "a: [\n", "---\nb: 1\n---\na: 1\n", "b: \x00\n", "[" * 100_000]
)
def test_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(text)
    assert line_of(str(tmp_path / "a.yaml"), "a") is None
    assert line_of(str(tmp_path / "none.yaml"), "a") is None


def test_a_large_file_is_not_composed_by_the_slow_loader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(yaml, "compose", refuse)
    (tmp_path / "a.yaml").write_text("".join(f"k{i}: {{a: [1, 2]}}\n" for i in range(5000)))
    assert line_of(str(tmp_path / "a.yaml"), "k4999") == 5000
