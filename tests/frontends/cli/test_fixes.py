"""``puppet-repl validate --fix``: files in place, differences, what is counted, exit statuses."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

import puppet_repl as puppet
from puppet_repl.frontends.cli.validate import main

ROUGH = "class m {\n  include ::a\n  package { vim: ensure => 'instaled' }\n}\n"
GOOD = "class m {\n  include a\n  package { 'vim': ensure => 'instaled' }\n}\n"
BOOLEAN = "class m::b { service { 'x': enable => 'true' } }\n"
TEMPLATE = "<%- include ::a -%>\n<%= $facts['osfamily'] %>\n"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("manifests", "templates"):
        (tmp_path / "m" / name).mkdir(parents=True)
    (tmp_path / "m/manifests/init.pp").write_bytes(ROUGH.encode())
    (tmp_path / "m/manifests/b.pp").write_bytes(BOOLEAN.encode())
    (tmp_path / "m/templates/t.epp").write_bytes(TEMPLATE.encode())
    monkeypatch.chdir(tmp_path)
    return tmp_path / "m"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["validate", *arguments])
    return status, *capsys.readouterr()


def text(path: Path) -> str:
    return path.read_bytes().decode()


def test_files_are_fixed_in_place(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    init, other = module / "manifests/init.pp", module / "manifests/b.pp"
    init.chmod(0o640)
    before = other.stat().st_mtime_ns
    status, out, err = run(capsys, "--fix", "m")
    assert (status, out) == (0, "")
    assert "[quoted_booleans]" in err
    assert "[unknown_value]" in err
    assert "4 findings fixed in 2 files, 2 left\n" in err
    assert text(init) == GOOD
    assert init.stat().st_mode & 0o777 == 0o640
    assert text(module / "templates/t.epp") == (
        "<%- include a -%>\n<%= $facts['os']['family'] %>\n"
    )
    assert other.stat().st_mtime_ns == before
    assert sorted(os.listdir(module / "manifests")) == ["b.pp", "init.pp"]
    assert run(capsys, "--fix", "--fail-on-warnings", "m")[0] == 1


def test_other_values_come_on_request(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = "m/manifests/b.pp"
    assert run(capsys, "--fix-all", "--fail-on-warnings", path) == (
        0,
        "",
        "1 finding fixed in 1 file, 0 left\n",
    )
    assert text(module / "manifests/b.pp") == BOOLEAN.replace("'true'", "true")


def test_rules_that_are_left_out_change_nothing(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for rule in ("absolute_classname", "unquoted_resource_title"):
        run(capsys, "--fix", "--ignore", rule, "--ignore", "unknown_value", "m/manifests/init.pp")
        changed = text(module / "manifests/init.pp").splitlines()
        good = GOOD.splitlines()
        assert (changed[1] == good[1], changed[2] == good[2]) == (
            rule != "absolute_classname",
            rule != "unquoted_resource_title",
        )
        (module / "manifests/init.pp").write_text(ROUGH)


def test_a_difference_changes_nothing(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "--fix", "--diff", "m/manifests/init.pp")
    assert status == 0
    assert out.splitlines()[2:] == [
        "@@ -1,4 +1,4 @@",
        " class m {",
        "-  include ::a",
        "-  package { vim: ensure => 'instaled' }",
        "+  include a",
        "+  package { 'vim': ensure => 'instaled' }",
        " }",
    ]
    assert "2 findings can be fixed in 1 file\n2 warnings\n" in err
    assert text(module / "manifests/init.pp") == ROUGH


def test_findings_beside_a_difference_are_those_of_the_file(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fix that moves lines moves no finding of the text that is on the disk."""
    code = "file { '/a': mode => '0644',\n  ensure => file,\n}\nfile { '/b': mode => '0689' }\n"
    (module / "manifests/init.pp").write_bytes(
        f"file {{ '/l': ensure => '/t',\n}}\n{code}".encode()
    )
    (module / "manifests/b.pp").write_bytes(ROUGH.encode())
    plain = run(capsys, "--warn", "m")
    status, out, err = run(capsys, "--fix-all", "--diff", "m")
    assert (status, out[:3]) == (plain[0], "---")
    assert plain[2].splitlines() == [each for each in err.splitlines() if "can be" not in each]


def test_lines_of_a_difference_end_at_newlines(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As git and patch read them: a form feed, a carriage return and U+2028 are in a line."""
    path = module / "manifests/b.pp"
    path.write_bytes("# a\x0cb\r# c\u2028d\ninclude ::a # \x85e".encode())
    patch = (
        "--- m/manifests/b.pp\n+++ m/manifests/b.pp\n@@ -1,2 +1,2 @@\n # a\x0cb\r# c\u2028d\n"
        "-include ::a # \x85e\n\\ No newline at end of file\n"
        "+include a # \x85e\n\\ No newline at end of file\n"
    )
    assert run(capsys, "--fix", "--diff", "m/manifests/b.pp")[1] == patch


def test_line_ends_and_errors_stay(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    init, wrong = module / "manifests/init.pp", module / "manifests/wrong.pp"
    init.write_bytes(ROUGH.replace("\n", "\r\n").encode())
    wrong.write_text("include ::a\n$x = ]\n")
    bytes_ = module / "manifests/bytes.pp"
    bytes_.write_bytes(b"include ::a # \xff\n")
    assert run(capsys, "--fix", "m")[0] == 1
    assert init.read_bytes() == GOOD.replace("\n", "\r\n").encode()
    assert text(wrong) == "include ::a\n$x = ]\n"
    assert bytes_.read_bytes() == b"include ::a # \xff\n"


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write every file"
)
def test_a_file_that_cannot_be_written_is_an_error(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (module / "manifests/init.pp").chmod(0o400)
    status, _, err = run(capsys, "--fix", "m/manifests/init.pp")
    assert status == 2
    assert "Error: cannot write m/manifests/init.pp: " in err
    assert text(module / "manifests/init.pp") == ROUGH


def test_the_input_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def given(code: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(code.encode())))

    given("include ::a\n")
    assert run(capsys, "--fix", "-") == (
        0,
        "include a\n",
        "1 finding fixed in 1 file, 0 left\n",
    )
    given("$x = ]")
    assert run(capsys, "--fix")[:2] == (1, "")


def test_findings_as_data_carry_their_edits(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(capsys, "--warn", "--format", "json", "m/manifests/b.pp")
    assert status == 0
    (finding,) = json.loads(out)["findings"]
    assert finding["edits"] == [
        {"line": 1, "column": 39, "end_line": 1, "end_column": 45, "text": "true"}
    ]
    (same,) = puppet.validate(text=BOOLEAN, advice=True)
    assert same.edits == (puppet.Edit(1, 39, 1, 45, "true"),)


def test_arguments_that_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, told in (
        (["--diff"], "--diff needs --fix or --fix-all"),
        (["--fix", "--diff", "--format", "json", "x.pp"], "--diff and --format both print"),
        (["--fix", "--format", "json", "-"], "--fix of the input and --format both print"),
        (["--fix-all", "--format", "sarif"], "--fix of the input and --format both print"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["validate", *arguments])
        assert ended.value.code == 2
        assert told in capsys.readouterr().err


def test_text_is_fixed_as_the_file_would_be() -> None:
    assert puppet.fix_text(ROUGH) == GOOD
    assert puppet.fix_text(BOOLEAN) == BOOLEAN
    assert puppet.fix_text(BOOLEAN, fix_all=True) == BOOLEAN.replace("'true'", "true")
    assert puppet.fix_text("text ::a <% include ::a %>", name="x.epp") == (
        "text ::a <% include a %>"
    )
    assert puppet.fix_text("a: ::b", name="data/x.yaml") == "a: ::b"
    with pytest.raises(puppet.PuppetError, match="Syntax error"):
        puppet.fix_text("$x = ]")
