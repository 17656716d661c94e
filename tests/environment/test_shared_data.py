"""Data files whose content sessions share."""

from __future__ import annotations

import os
import time
from pathlib import Path

from puppet_repl.base.stamp import stamp_of
from puppet_repl.environment.shared_data import MAX_KEPT, SharedData
from puppet_repl.session import Options, Session, Shared
from puppet_repl.values.hash import PuppetHash

OLD = time.time_ns() - 60_000_000_000
CONTENT = PuppetHash([("a", 1)])


def test_content_is_that_of_a_file_as_it_is() -> None:
    data = SharedData()
    data.keep("yaml_data", "/x", (OLD, 10), CONTENT)
    assert data.find("yaml_data", "/x", (OLD, 10)) is CONTENT
    assert data.find("json_data", "/x", (OLD, 10)) is None
    assert data.find("yaml_data", "/x", (OLD + 1, 10)) is None
    assert data.find("yaml_data", "/x", (OLD, 10)) is None


def test_what_has_just_changed_is_read_again() -> None:
    data = SharedData()
    stamp = (time.time_ns(), 10)
    data.keep("yaml_data", "/x", stamp, CONTENT)
    assert data.find("yaml_data", "/x", stamp) is None


def test_files_used_last_are_kept() -> None:
    data = SharedData()
    stamp = (OLD, MAX_KEPT // 3)
    for path in ("/a", "/b", "/c"):
        data.keep("yaml_data", path, stamp, CONTENT)
    assert data.find("yaml_data", "/a", stamp) is CONTENT
    data.keep("yaml_data", "/d", stamp, CONTENT)
    kept = [path for path in ("/a", "/b", "/c", "/d") if data.find("yaml_data", path, stamp)]
    assert kept == ["/a", "/c", "/d"]
    data.keep("yaml_data", "/large", (OLD, MAX_KEPT + 1), CONTENT)
    assert data.find("yaml_data", "/large", (OLD, MAX_KEPT + 1)) is None
    assert data.find("yaml_data", "/a", stamp) is CONTENT


def write(path: Path, text: str, seconds_ago: int) -> None:
    """Write a file that looks as if it had changed some time ago."""
    path.write_text(text, encoding="utf-8")
    changed = time.time() - seconds_ago
    os.utime(path, (changed, changed))


def test_nodes_see_one_file_and_its_changes(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "manifests").mkdir()
    common = tmp_path / "data" / "common.yaml"
    (tmp_path / "hiera.yaml").write_text("version: 5\n", encoding="utf-8")
    shared = Shared()

    def value(node: str) -> object:
        options = Options(environment=str(tmp_path), node=node)
        outcome = Session(options, facts={}, shared=shared).execute("lookup('key')")
        return outcome.value if outcome.error is None else outcome.error.message

    write(common, "key: one\n", 60)
    assert [value("a"), value("b")] == ["one", "one"]
    assert shared.data is not None
    assert shared.data.find("yaml_data", str(common), stamp_of(str(common)) or (0, 0))
    write(common, "key: two\n", 30)
    assert value("c") == "two"
    write(common, "- no hash\n", 20)
    assert "does not contain a valid yaml hash" in str(value("d"))
    common.unlink()
    assert "did not find a value for the name 'key'" in str(value("e"))
