"""``puppet-repl parse`` and ``puppet-repl validate``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_repl.frontends.cli import parse, validate


def write(directory: Path, name: str, data: str | bytes) -> str:
    path = directory / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)


def test_trees_of_several_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [write(tmp_path, "a.pp", "$x = 1"), write(tmp_path, "b.epp", "<%= 2 %>")]
    assert parse.main(["parse", *names]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"--- {names[0]}",
        '(= (var "x") 1)',
        f"--- {names[1]}",
        "(lambda {:body [(epp (render 2))]})",
    ]


def test_tree_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse.main(["parse", "--format", "json", "-e", "1 + 2"]) == 0
    assert json.loads(capsys.readouterr().out) == {"^": ["+", 1, 2]}


def test_errors_name_their_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = write(tmp_path, "good.pp", "notice('x')")
    bad = write(tmp_path, "bad.pp", "notice('x'\n}")
    end = write(tmp_path, "end.pp", "$x =")
    two = write(tmp_path, "two.pp", "$1 = 1\n$2 = 2")
    assert validate.main(["validate", good, bad, end, two]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    numeric = "Numeric variables are not assignable"
    assert captured.err.splitlines() == [
        f"Error: Syntax error at '}}' (file: {bad}, line: 2, column: 1)",
        "  2 | }",
        "    | ^",
        "  hint: the ( of line 1, column 7 is not closed before it",
        f"Error: Syntax error at end of input (file: {end})",
        "  1 | $x =",
        "    |    ^",
        "  hint: something has to follow the = of line 1, column 4",
        "Error: Illegal attempt to assign to the numeric match result variable '$1'. "
        f"{numeric} (file: {two}, line: 1, column: 1)",
        "  1 | $1 = 1",
        "    | ^^",
        "Error: Illegal attempt to assign to the numeric match result variable '$2'. "
        f"{numeric} (file: {two}, line: 2, column: 1)",
        "  2 | $2 = 2",
        "    | ^^",
        f"Error: Language validation logged 2 errors. Giving up (file: {two})",
        "4 errors",
    ]


def test_warnings_do_not_refuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = write(tmp_path, "a.pp", 'notice("\\q")')
    assert validate.main(["validate", name]) == 0
    assert capsys.readouterr().err.startswith("Warning: Unrecognized escape sequence '\\q'")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xef\xbb\xbf$x = 1", "Illegal UTF-8 Byte Order mark at beginning of input: [EF BB BF]"),
        (b"\xff\xfe$\0", "Illegal UTF-16 Byte Order mark at beginning of input: [FF FE]"),
        (
            b"$x = 1\n '\xff'",
            "Invalid UTF-8: the byte FF begins no character (file: F, line: 2, column: 3)",
        ),
    ],
)
def test_bytes_that_are_no_text(
    data: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = write(tmp_path, "a.pp", data)
    assert validate.main(["validate", name]) == 1
    assert message.replace("file: F", f"file: {name}") in capsys.readouterr().err


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert validate.main(["validate", str(tmp_path / "no.pp")]) == 2
    said = f"Error: cannot read {tmp_path}/no.pp: No such file or directory\n1 error\n"
    assert capsys.readouterr().err == said


def test_a_directory_stands_for_its_manifests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    write(tmp_path, "manifests/init.pp", "$x = ")
    write(tmp_path, "a.epp", "<% } %>")
    write(tmp_path, "readme.txt", "}")
    assert validate.main(["validate", str(tmp_path)]) == 1
    found = [
        line for line in capsys.readouterr().err.splitlines() if line.startswith("Error: Syntax")
    ]
    assert len(found) == 2


def test_plans_need_tasks(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse.main(["parse", "--tasks", "-e", "plan a($x) { }"]) == 0
    assert capsys.readouterr().out == '(plan {:name "a" :params {:x {}}})\n'
    assert parse.main(["parse", "-e", "plan a($x) { }"]) == 1
