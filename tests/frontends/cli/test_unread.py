"""Files that nobody has read are not counted as checked, and what no file has is one warning."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import puppet_repl as puppet
from puppet_repl.frontends.cli import parse, validate

COUNTED = "checked 1 file\nnot read: 1 *.erb, 1 *.rb\n"
FILES = {
    "manifests/init.pp": "class m { }\n",
    "lib/facter/f.rb": "def (\n",
    "templates/t.erb": "<% if %>\n",
}


@pytest.fixture(autouse=True)
def _module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = tmp_path / "m"
    for name, text in FILES.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (directory / "empty").mkdir()
    monkeypatch.chdir(directory)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    status = validate.main(["validate", *arguments])
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_without_ruby_its_files_are_not_checked(capsys: pytest.CaptureFixture[str]) -> None:
    warning = "Warning: not read: 1 .erb and 1 .rb (--ruby off)\n"
    assert run(capsys, "--ruby", "off", ".") == (0, "", f"{warning}1 warning\n{COUNTED}")
    assert run(capsys, "--ruby", "off", "--fail-on-warnings", ".")[0] == 1


def test_each_form_tells_of_files_that_nobody_read(capsys: pytest.CaptureFixture[str]) -> None:
    message = "not read: 1 .erb and 1 .rb (--ruby off)"
    status, out, err = run(capsys, "--ruby", "off", "--format", "json", ".")
    data = json.loads(out)
    assert (status, err) == (0, "")
    assert data["summary"] == {"files": 1, "kinds": {"manifests": 1}, "errors": 0, "warnings": 1}
    (found,) = data["findings"]
    wanted = ("warning", "NO_RUBY", message, None)
    assert (found["severity"], found["code"], found["message"], found["file"]) == wanted
    assert data["not_read"] == {"*.erb": 1, "*.rb": 1}
    out = run(capsys, "--ruby", "off", "--format", "github", ".")[1]
    assert out == f"::warning title=NO_RUBY::{message}\n"
    (part,) = json.loads(run(capsys, "--ruby", "off", "--format", "sarif", ".")[1])["runs"]
    assert [(each["ruleId"], each["locations"]) for each in part["results"]] == [("NO_RUBY", [])]
    suites = ElementTree.fromstring(run(capsys, "--ruby", "off", "--format", "junit", ".")[1])
    names = [each.attrib["name"] for each in suites.iter("testcase")]
    assert names == ["manifests/init.pp", "files that only Ruby can read"]
    assert suites.attrib["failures"] == "0"


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif", "junit"])
def test_a_ruby_that_does_not_start_is_an_error(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--ruby", "/nope", "--format", form)
    status, out, err = run(capsys, *arguments, ".")
    assert status == 2
    assert "/nope" in out + err
    assert run(capsys, *arguments, "manifests")[0] == 0  # nothing asks for it


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif", "junit"])
def test_a_directory_without_files_is_a_warning(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "--format", form, "empty")
    assert status == 0
    assert "no files to check" in out + err
    strict = run(capsys, "--format", form, "--fail-on-warnings", "empty")
    assert strict[0] == 1
    if form == "junit":
        assert ElementTree.fromstring(out).attrib["failures"] == "0"
        assert ElementTree.fromstring(strict[1]).attrib["failures"] == "1"


@pytest.mark.parametrize("name", ["x.yaml", "x.json", "x.pp", "x.epp", "hiera.yaml"])
def test_a_text_is_of_the_kind_of_a_file_of_its_name(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "a: [1]\n"
    Path(name).write_text(text)
    data = json.loads(run(capsys, "--format", "json", name)[1])
    ours = puppet.validate(text=text, name=name)
    assert [each.to_dict() for each in ours] == data["findings"]
    assert (ours == []) == (name in ("x.yaml", "x.epp"))


def test_help_names_what_each_command_reads(capsys: pytest.CaptureFixture[str]) -> None:
    for main, reads in ((validate.main, True), (parse.main, False)):
        with pytest.raises(SystemExit):
            main(["", "--help"])
        told = " ".join(capsys.readouterr().out.split())
        assert ("metadata.json" in told and "data files" in told) == reads
        assert (".pp and .epp files" in told) != reads
