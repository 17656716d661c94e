"""Files whose content sessions share."""

from __future__ import annotations

import os
import time
from pathlib import Path

from puppet_repl.base.stamp import full_stamp_of
from puppet_repl.environment.modules.shared_files import SharedFiles
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session import Options, Session, Shared

MAX_KEPT = 1000
OLD = time.time_ns() - 60_000_000_000
CONTENT = PuppetHash([("a", 1)])
STAMP = (OLD, OLD, 7, 10)


def test_content_is_that_of_a_file_as_it_is() -> None:
    data = SharedFiles(MAX_KEPT)
    for other in [(OLD + 1, OLD, 7, 10), (OLD, OLD + 1, 7, 10), (OLD, OLD, 8, 10)]:
        data.keep(("yaml_data", "/x"), STAMP, CONTENT)
        assert data.find(("yaml_data", "/x"), STAMP) is CONTENT
        assert data.find(("json_data", "/x"), STAMP) is None
        assert data.find(("yaml_data", "/x"), other) is None
        assert data.find(("yaml_data", "/x"), STAMP) is None


def test_what_has_just_changed_is_read_again() -> None:
    data = SharedFiles(MAX_KEPT)
    stamp = (OLD, time.time_ns(), 7, 10)
    data.keep(("yaml_data", "/x"), stamp, CONTENT)
    assert data.find(("yaml_data", "/x"), stamp) is None


def test_files_used_last_are_kept() -> None:
    data = SharedFiles(MAX_KEPT)
    stamp = (OLD, OLD, 7, MAX_KEPT // 3)
    for path in ("/a", "/b", "/c"):
        data.keep(("yaml_data", path), stamp, CONTENT)
    assert data.find(("yaml_data", "/a"), stamp) is CONTENT
    data.keep(("yaml_data", "/d"), stamp, CONTENT)
    kept = [path for path in ("/a", "/b", "/c", "/d") if data.find(("yaml_data", path), stamp)]
    assert kept == ["/a", "/c", "/d"]
    large = (OLD, OLD, 7, MAX_KEPT + 1)
    data.keep(("yaml_data", "/large"), large, CONTENT)
    assert data.find(("yaml_data", "/large"), large) is None
    assert data.find(("yaml_data", "/a"), stamp) is CONTENT


TIME = 1_000_000_000
# Seconds until a file that has changed counts as unchanged.
A_WHILE = 0.15


def write(path: Path, text: str) -> None:
    """Replace a file by another, of the same time, as ``rsync -t`` does."""
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    os.utime(new, (TIME, TIME))
    new.replace(path)


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

    write(common, "key: one\n")
    time.sleep(A_WHILE)
    assert [value("a"), value("b")] == ["one", "one"]
    stamp = full_stamp_of(str(common))
    assert shared.data is not None and stamp is not None
    assert shared.data.find(("yaml_data", str(common)), stamp)
    write(common, "key: two\n")
    time.sleep(A_WHILE)
    assert value("c") == "two"
    common.write_text("key: six\n", encoding="utf-8")
    os.utime(common, (TIME, TIME))
    assert value("c") == "six"
    write(common, "- no hash\n")
    assert "does not contain a valid yaml hash" in str(value("d"))
    common.unlink()
    assert "did not find a value for the name 'key'" in str(value("e"))
