"""Files of exported resources."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from puppet_repl.catalog.export_data import ExportedResource, exported_by
from puppet_repl.catalog.exports import ExportStore
from puppet_repl.catalog.exports_file import (
    ExportsError,
    ExportsFile,
    read_exports,
    write_exports,
)
from puppet_repl.session import Options, Session

STORE = ExportStore(
    [
        ExportedResource("a", "Notify", "n", {"message": ["ü", 1, None]}, ("x",), "/site.pp", 3),
        ExportedResource("b", "My::Thing", "t", {}),
    ]
)


def test_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "exports.json"
    write_exports(str(path), STORE)
    assert json.loads(path.read_text("utf-8")) == [
        {
            "certname": "a",
            "type": "Notify",
            "title": "n",
            "tags": ["x"],
            "exported": True,
            "parameters": {"message": ["ü", 1, None]},
            "file": "/site.pp",
            "line": 3,
        },
        {
            "certname": "b",
            "type": "My::Thing",
            "title": "t",
            "tags": [],
            "exported": True,
            "parameters": {},
            "file": None,
            "line": None,
        },
    ]
    again = tmp_path / "again.json"
    write_exports(str(again), read_exports(str(path)))
    assert again.read_text("utf-8") == path.read_text("utf-8")
    assert sorted(os.listdir(tmp_path)) == ["again.json", "exports.json"]


def test_a_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "exports.json"
    path.write_text("[]")
    path.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    write_exports(str(link), STORE)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert len(read_exports(str(path)).resources()) == 2


def test_a_missing_file_is_empty(tmp_path: Path) -> None:
    assert read_exports(str(tmp_path / "none.json")).resources() == []


def test_rows_of_puppetdb(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    row = {"certname": "a", "type": "Notify", "title": "n", "resource": "0f", "environment": "x"}
    path.write_text(json.dumps([row, {**row, "title": "m", "exported": False}]))
    assert [each.title for each in read_exports(str(path)).resources()] == ["n"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[{", "not JSON: Expecting property name enclosed in double quotes"),
        *((text, "neither an array of exported resources nor") for text in ("{}", "5", "null")),
        ("[1]", "row 1 of 'resources' must be an object"),
        ('{"inventory": {}}', "'inventory' must be an array of rows"),
        ('{"inventory": [{}, 1]}', "row 2 of 'inventory' must be an object"),
        ('{"queries": []}', "'queries' must be an object with answers by query"),
        ('[{"certname": "a", "type": "X"}]', "resource 1 has no title"),
        ('[{"certname": 1, "type": "X", "title": "t"}]', "resource 1 has no certname"),
        (
            '[{"certname": "a", "type": "X", "title": "t", "tags": [1]}]',
            "resource 1: tags are an array of strings",
        ),
        (
            '[{"certname": "a", "type": "X", "title": "t", "parameters": []}]',
            "resource 1: parameters are an object",
        ),
        ("\udcff", "exports.json: not UTF-8 (byte 0)"),
    ],
)
def test_what_is_no_such_file(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "exports.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ExportsError) as caught:
        read_exports(str(path))
    assert str(path) in str(caught.value) and message in str(caught.value)


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ExportsError, match="cannot read"):
        read_exports(str(tmp_path))
    with pytest.raises(ExportsError, match="cannot write"):
        write_exports(str(tmp_path / "none" / "x.json"), STORE)
    with pytest.raises(ExportsError, match="cannot write"):
        write_exports(str(tmp_path), STORE)
    assert os.listdir(tmp_path) == []


def test_numbers_that_json_has_no_word_for_are_texts(tmp_path: Path) -> None:
    path = tmp_path / "exports.json"
    session = Session(Options(node="a"), facts={"nan": float("nan")})
    values = "[Float('1e999'), Float('-1e999'), $facts['nan'], {Float('1e999') => 1.5}]"
    outcome = session.execute(f"@@notify {{ 'n': message => {values} }}")
    assert outcome.error is None
    write_exports(str(path), ExportStore(exported_by(session.catalog)))
    (kept,) = read_exports(str(path)).resources()
    expected = ["Infinity", "-Infinity", "NaN", {"Infinity": 1.5}]
    assert kept.parameters == {"message": expected}


def test_a_number_too_large_in_a_file_can_be_written_again(tmp_path: Path) -> None:
    path = tmp_path / "exports.json"
    row = '{"certname": "a", "type": "Notify", "title": "n", "parameters": {"message": [1e999]}}'
    path.write_text(f"[{row}]")
    write_exports(str(path), read_exports(str(path)))
    (kept,) = read_exports(str(path)).resources()
    assert kept.parameters == {"message": ["Infinity"]}


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_a_writer_changes_its_own_nodes_only(tmp_path: Path) -> None:
    def keep(file: ExportsFile, node: str, title: str) -> None:
        store = file.store()
        store.keep(node, [ExportedResource(node, "Notify", title, {})] if title else [])
        file.write(store)

    path = str(tmp_path / "exports.json")
    first, second = ExportsFile(path), ExportsFile(path)
    keep(first, "a", "of first")
    keep(second, "b", "of second")
    keep(first, "a", "again")
    assert [each.title for each in read_exports(path).resources()] == ["again", "of second"]
    keep(second, "a", "by second")
    keep(second, "b", "")
    assert [each.title for each in read_exports(path).resources()] == ["by second"]
    keep(first, "a", "again")
    assert [each.title for each in read_exports(path).resources()] == ["by second"], "no change"
    keep(first, "a", "changed")
    assert [each.title for each in read_exports(path).resources()] == ["changed"]


def test_processes_that_write_at_once_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "exports.json"
    code = (
        "import sys; from puppet_repl.catalog.export_data import ExportedResource;"
        "from puppet_repl.catalog.exports_file import ExportsFile;"
        "path, name = sys.argv[1:]; file = ExportsFile(path); store = file.store();"
        "input(); "
        "[(store.keep(node, [ExportedResource(node, 'Notify', 'n', {})]), file.write(store))"
        " for node in (f'{name}{n}' for n in range(20))]"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", code, path, name], stdin=subprocess.PIPE)
        for name in "abc"
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.close()
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    kept = {each.certname for each in read_exports(str(path)).resources()}
    assert kept == {f"{name}{n}" for name in "abc" for n in range(20)}
    assert os.listdir(tmp_path) == ["exports.json"]
