"""What ``validate`` writes for other programs, which files it takes, and what it leaves."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import puppet_repl as puppet
from puppet_repl.frontends.cli.validate import main

FILES = {
    "metadata.json": json.dumps(
        {
            "name": "author-m",
            "version": "1.0.0",
            "author": "author",
            "license": "Apache-2.0",
            "summary": "A module.",
            "source": "https://example.com/m",
            "dependencies": [],
        }
    ),
    "manifests/init.pp": "class m { }\n",
    "manifests/bad.pp": "class m::bad {\n  $x = ]\n}\n",
    "manifests/wrong,name.pp": "# <&\x07>\nclass m::other { }\n",
    "manifests/warned.pp": 'class m::warned { notice("\\q") }\n',
    "templates/t.epp": "<%= 1 %>\n",
    "lib/a.xyz": "",
    "lib/b.xyz": "",
    "README": "",
}


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    status = main(["validate", *arguments])
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_json_has_the_findings_of_the_api(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "--format", "json", ".")
    data = json.loads(out)
    assert (status, err) == (1, "")
    assert data["findings"] == [each.to_dict() for each in puppet.validate(".")]
    assert data["summary"]["errors"] == 2
    assert data["summary"]["warnings"] == 1
    assert data["summary"]["kinds"]["manifests"] == 4
    assert data["summary"]["files"] == sum(data["summary"]["kinds"].values())
    assert data["not_read"]["*.xyz"] == 2
    assert data["not_read"]["README"] == 1


def test_github_marks_lines(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "--format", "github", "manifests")
    assert (status, err) == (1, "")
    assert out.splitlines()[0].partition("%0Ahint: ")[0] == (
        "::error file=manifests/bad.pp,line=2,col=8,title=SYNTAX_ERROR::Syntax error at ']'"
    )
    assert "::error file=manifests/wrong%2Cname.pp,line=2,col=1" in out
    assert "::warning file=manifests/warned.pp," in out
    assert run(capsys, "--format", "github", "manifests/init.pp") == (0, "", "")


def test_sarif_has_rules_and_places(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--format", "sarif", ".")
    data = json.loads(out)
    assert status == 1
    assert data["version"] == "2.1.0"
    (part,) = data["runs"]
    rules = [rule["id"] for rule in part["tool"]["driver"]["rules"]]
    assert part["tool"]["driver"]["name"] == "puppet-repl"
    texts = {rule["id"]: rule.get("shortDescription") for rule in part["tool"]["driver"]["rules"]}
    assert texts["SYNTAX_ERROR"] is None
    found = puppet.validate(".")
    assert len(part["results"]) == len(found)
    for result, ours in zip(part["results"], found, strict=True):
        assert rules[result["ruleIndex"]] == result["ruleId"] == ours.code
        assert result["level"] == ours.severity
        place = result["locations"][0]["physicalLocation"]
        assert place["region"]["startLine"] == ours.line
    places = [each["locations"][0]["physicalLocation"] for each in part["results"]]
    uris = [place["artifactLocation"]["uri"] for place in places]
    assert uris == ["manifests/bad.pp", "manifests/warned.pp", "manifests/wrong%2Cname.pp"]


def test_sarif_has_the_edits_of_a_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "file { '/a': mode => 0644 }\n"
    (tmp_path / "a b.pp").write_text(code)
    monkeypatch.chdir(tmp_path)
    data = json.loads(run(capsys, "--format", "sarif", "--warn", "a b.pp")[1])
    (result,) = data["runs"][0]["results"]
    (fix,) = result["fixes"]
    (change,) = fix["artifactChanges"]
    (replacement,) = change["replacements"]
    region = replacement["deletedRegion"]
    assert change["artifactLocation"] == {"uri": "a%20b.pp"}
    assert region["startLine"] == region["endLine"] == 1
    start, end = region["startColumn"] - 1, region["endColumn"] - 1
    text = replacement["insertedContent"]["text"]
    assert code[:start] + text + code[end:] == "file { '/a': mode => '0644' }\n"


@pytest.mark.parametrize("arguments", [[], ["--fail-on-warnings"]])
def test_junit_has_a_test_for_each_file(
    module: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    status, out, _ = run(capsys, "--format", "junit", *arguments, ".")
    assert status == 1
    suites = ElementTree.fromstring(out)
    cases = suites.findall("testsuite/testcase")
    found = puppet.validate(".", advice=bool(arguments))
    refused = {each.file for each in found if arguments or each.severity == "error"}
    failed = {case.attrib["name"] for case in cases if case.find("failure") is not None}
    assert failed == refused
    assert {"manifests/bad.pp", "manifests/wrong,name.pp"} <= failed
    assert ("manifests/warned.pp" in failed) == bool(arguments)
    assert suites.attrib["failures"] == str(len(failed))
    assert suites.attrib["tests"] == str(len(cases))
    files = json.loads(run(capsys, "--format", "json", ".")[1])["summary"]["files"]
    assert len(cases) == files


def test_the_end_counts_files_and_names_what_was_not_read(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (module / "broken").symlink_to("nowhere")
    (module / "up").symlink_to("manifests")
    os.mkfifo(module / "pipe")
    _, out, err = run(capsys, ".")
    assert out == ""
    end = err.splitlines()[-3:]
    assert end[0] == "1 warning, 2 errors"
    assert "manifests 4" in end[1]
    assert end[2].startswith("not read: 2 *.xyz, ")
    for told in ("README", "broken (a broken link)", "up (a link to a directory)"):
        assert told in end[2]
    assert "pipe (a named pipe)" in end[2]


def test_many_findings_are_counted_by_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(21):
        (tmp_path / f"{number}.pp").write_text("]" if number else "$1 = 1")
    err = run(capsys, str(tmp_path))[2]
    assert "by rule: 20 SYNTAX_ERROR, 1 ILLEGAL_NUMERIC_ASSIGNMENT" in err.splitlines()


def test_a_file_of_no_kind_is_named_and_no_error(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "README", "lib/a.xyz", "manifests/init.pp")
    assert (status, out) == (0, "")
    assert err == "checked 1 file\nnot read: README, lib/a.xyz\n"


def test_a_file_that_cannot_be_read_is_in_each_form(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for form in ("json", "github", "sarif", "junit"):
        status, out, err = run(capsys, "--format", form, "gone.pp")
        assert (status, err) == (2, "")
        assert "cannot read it: No such file or directory" in out


def git(directory: Path, *arguments: str) -> None:
    names = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *names, *arguments], cwd=directory, check=True, capture_output=True)


def test_since_takes_what_differs(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(module, "init", "-q")
    (module / ".gitignore").write_text("ignored.pp\n")
    git(module, "add", "-A")
    git(module, "commit", "-qm", "one")
    assert run(capsys, "--since", "HEAD", ".") == (0, "", "checked 0 files\n")
    (module / "manifests/init.pp").write_text("class m {\n")
    (module / "manifests/new é.pp").write_text("]")
    (module / "ignored.pp").write_text("]")
    (module / "manifests/bad.pp").unlink()

    def files(*arguments: str) -> set[Any]:
        status, out, _ = run(capsys, "--format", "json", "--since", "HEAD", *arguments)
        assert status in (0, 1)
        return {each["file"] for each in json.loads(out)["findings"]}

    assert files() == files(".") == {"manifests/init.pp", "manifests/new é.pp"}
    assert files("manifests/init.pp") == {"manifests/init.pp"}
    assert files("templates") == set()
    git(module, "add", "-A")
    git(module, "commit", "-qm", "two")
    assert files() == set()
    status, _, err = run(capsys, "--since", "HEAD~1", ".")
    assert status == 1
    assert "manifests/init.pp" in err


@pytest.mark.parametrize("revision", ["nothing", "--output=x", ""])
def test_since_wants_a_revision(
    module: Path, revision: str, capsys: pytest.CaptureFixture[str]
) -> None:
    git(module, "init", "-q")
    status, out, err = run(capsys, f"--since={revision}", ".")
    assert (status, out) == (2, "")
    assert err == f"puppet-repl validate: git knows no revision '{revision}' in .\n"
    assert not (module / "x").exists()


def test_since_wants_git_and_a_repository(
    module: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, err = run(capsys, "--since", "HEAD", ".")
    assert status == 2
    assert "not a git repository" in err
    monkeypatch.setenv("PATH", str(module))
    assert run(capsys, "--since", "HEAD")[2] == "puppet-repl validate: git is not installed\n"
    with pytest.raises(SystemExit):
        main(["validate", "--hermetic", "--since", "HEAD"])
    assert "--since asks git" in capsys.readouterr().err


def test_all_forms_have_hints_and_the_place_of_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.pp").write_text("class x {\n  $a = 1\n")
    monkeypatch.chdir(tmp_path)
    hint = "hint: the { of line 1, column 9 is never closed"
    github = run(capsys, "--format", "github", ".")[1]
    assert "file=a.pp,line=2,col=8,title" in github
    assert github.endswith(f"%0A{hint}\n")
    (result,) = json.loads(run(capsys, "--format", "sarif", ".")[1])["runs"][0]["results"]
    assert result["message"]["text"].endswith(f"\n{hint}")
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
    (related,) = result["relatedLocations"]
    assert related["message"] == {"text": "the { is never closed"}
    region = {"startLine": 1, "startColumn": 9, "endLine": 1, "endColumn": 10}
    assert related["physicalLocation"] == {"artifactLocation": {"uri": "a.pp"}, "region": region}
    case = ElementTree.fromstring(run(capsys, "--format", "junit", ".")[1]).find(".//testcase")
    assert case is not None
    assert case.attrib["line"] == "2"
    assert hint in (case.findtext("failure") or "")
    (found,) = json.loads(run(capsys, "--format", "json", ".")[1])["findings"]
    assert (found["line"], f"hint: {found['hints'][0]}") == (2, hint)
