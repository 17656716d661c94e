"""``puppet-repl --format FORM``: the value of a program for other programs, by the real command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.frontends.cli.test_cli import run

CODE = "[{a => 1, b => Sensitive('secret')}, {a => /r/}]"


def test_json_and_yaml_can_be_read() -> None:
    expected = [{"a": 1, "b": "Sensitive [value redacted]"}, {"a": "/r/"}]
    status, out, err = run("-e", CODE, "--format", "json")
    assert (status, json.loads(out), err) == (0, expected, "")
    status, out, err = run("-e", CODE, "--format=yaml")
    assert (status, yaml.safe_load(out), err) == (0, expected, "")


def test_the_form_counts_for_files_and_pipes_too(tmp_path: Path) -> None:
    (tmp_path / "site.pp").write_text("notice('on the way')\n$x = {a => [1, 2]}\n$x\n")
    text = '{\n  "a": [\n    1,\n    2\n  ]\n}\n'
    for answer in (
        run("site.pp", "--format", "json", directory=tmp_path),
        run("--format", "json", given=(tmp_path / "site.pp").read_bytes()),
    ):
        assert answer == (0, text, "Notice: on the way\n")


def test_code_can_be_read_again() -> None:
    code = "{'long' => [" + ", ".join(f"'item number {n}'" for n in range(12)) + "]}"
    status, out, _ = run("-e", code, "--format", "puppet")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 100 < len(code)
    assert run("-e", f"{out} == {code}")[1] == "true\n"


def test_a_table() -> None:
    status, out, _ = run("-e", "[{name => 'web', port => 80}, {name => 'db'}]", "--format", "table")
    assert (status, out) == (0, "name  port\nweb   80\ndb    \n")


@pytest.mark.parametrize(
    ("form", "out"), [("json", "null\n"), ("yaml", "---\n"), ("puppet", "undef\n")]
)
def test_undef_is_a_value(form: str, out: str) -> None:
    status, written, err = run("-e", "undef", "--format", form)
    assert (status, written.rstrip(), err) == (0, out.rstrip(), "")
    assert run("-e", "function f() { 1 }", "--format", form)[1] == written


def test_iterators_and_collectors_are_what_they_hold() -> None:
    code = "user { 'a': }\nUser<| |>"
    assert json.loads(run("-e", code, "--format", "json")[1]) == ["User['a']"]
    assert run("-e", code) == (0, "[User['a']]\n", "")
    assert run("-e", "Integer[1, 3].reverse_each") == (0, "[3, 2, 1]\n", "")
    assert run("-e", '"${Integer[1, 3].reverse_each}"') == (0, "'Iterator[Integer]-Value'\n", "")


def test_errors_keep_their_stream_and_status() -> None:
    status, out, err = run("-e", "1 / 0", "--format", "json")
    assert (status, out) == (1, "")
    assert "Division by 0" in err


def test_a_command_with_a_value_has_the_form_as_well() -> None:
    assert run("-e", ":facts os.family", "--facts", "debian-12", "--format", "json") == (
        0,
        '"Debian"\n',
        "",
    )
    status, out, err = run("-e", ":vars", "--format", "json")
    assert (status, out, err) == (1, "", "Error: :vars has no value for --format json\n")


def test_wrong_use() -> None:
    status, out, err = run("-e", "1", "--format", "xml")
    assert (status, out) == (2, "")
    assert "json" in err
