"""``validate`` gives the verdicts of the command ``puppet-repl validate``, as data."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NoReturn

import pytest

import puppet_repl as puppet
from puppet_repl.frontends.cli.validate import main
from puppet_repl.tools.validation.file import File
from puppet_repl.tools.validation.workspace import Workspace
from tests.recorded import suite

FINDING = re.compile(r"(Error|Warning): ")
SUMMARY = re.compile(r"Error: Language validation logged \d+ errors")
# The place that Puppet's line lacks.
AT_END = re.compile(r"(at end of input \(file: [^,]*), line: \d+, column: \d+(?=\))")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """Return the exit status of the command and its findings, without excerpts and sums."""
    status = main(["validate", *arguments])
    lines = capsys.readouterr().err.splitlines()
    return status, [each for each in lines if FINDING.match(each) and not SUMMARY.match(each)]


def test_verdicts_are_those_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = [case for case in suite("parse") if "\n" not in case["id"]]
    for number, case in enumerate(cases):
        text = case["code"].encode("utf-8", "surrogatepass")
        (tmp_path / f"{number:04}.pp").write_bytes(text)
    status, theirs = printed(capsys, str(tmp_path))
    ours = puppet.validate(tmp_path)
    refused = {each.file for each in ours if each.severity == "error"}
    assert status == 1
    assert len(cases) > 1400
    assert len(refused) > 300
    shown = [AT_END.sub(r"\1", str(each)) for each in ours]
    # Messages of several lines: the command's findings are told by their first ones.
    assert [re.split("[\n\u240a]", each)[0] for each in shown] == [
        each.split("\u240a")[0] for each in theirs
    ]
    for each in ours:
        json.dumps(each.to_dict())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("$x = 1\n", []),
        ("", []),
        ("\n$x = ]", [("error", "SYNTAX_ERROR", 2, 6, 2, 7)]),
        ("$x = [1,", [("error", "SYNTAX_ERROR", 1, 8, 1, 9)]),
        ("class x {\n  $a = 1\n\n", [("error", "SYNTAX_ERROR", 2, 8, 2, 9)]),
        ("$1 = 1\n$2 = 2", [("error", "ILLEGAL_NUMERIC_ASSIGNMENT", 1, 1, 1, 3)] * 2),
        ("$x = {a => 1, a => 2}", [("error", "DUPLICATE_KEY", 1, 17, None, None)]),
        ("'a\nb", [("error", "UNCLOSED_QUOTE", 1, 2, None, None)]),
    ],
)
def test_spans(text: str, wanted: list[tuple[Any, ...]]) -> None:
    found = puppet.validate(text=text)
    assert [(each.severity, each.code) for each in found] == [each[:2] for each in wanted]
    for each, (_, _, *place) in list(zip(found, wanted, strict=True))[:1]:
        assert (each.line, each.column) == tuple(place[:2])
        if place[2] is not None:
            assert (each.end_line, each.end_column) == tuple(place[2:])
        assert each.file is None


@pytest.mark.parametrize(
    ("options", "severities"),
    [
        ({}, ["error"]),
        ({"strict": "warning"}, ["warning"]),
        ({"strict": "off"}, []),
    ],
)
def test_strict(options: Any, severities: list[str]) -> None:
    found = puppet.validate(text="$x = {a => 1, a => 2}", **options)
    assert [each.severity for each in found] == severities


@pytest.mark.parametrize("arguments", [[], ["--warn"], ["--tasks"], ["--strict", "warning"]])
def test_options_are_those_of_the_command(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "a.pp": "if $x = 1 { }\n$y = {a => 1, a => 2}\n",
        "b.epp": "<% if $x { %>\n",
        "c.epp": "<%= 1 %>\n",
        "module/plans/p.pp": "plan p() { }\n",
        "module/manifests/p.pp": "plan q() { }\n",
        "advice.pp": "file { '/x': mode => 644 }\n$z = \"plain\"\n",
        "latin.pp": "$x = '\udce4'\n",
        "other.txt": "nothing",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    chosen: dict[str, Any] = {
        "advice": "--warn" in arguments,
        "tasks": "--tasks" in arguments,
        "strict": "warning" if "--strict" in arguments else "error",
    }
    status, theirs = printed(capsys, *arguments, str(tmp_path))
    ours = puppet.validate(tmp_path, **chosen)
    assert [AT_END.sub(r"\1", str(each)).split("\n")[0] for each in ours] == [
        re.sub(r" \[[\w-]+\] \(", " (", each) for each in theirs
    ]
    assert status == any(each.severity == "error" for each in ours)


def test_paths(tmp_path: Path) -> None:
    one, two = tmp_path / "one.pp", tmp_path / "two.epp"
    one.write_text("]")
    two.write_text("<% ] %>")
    assert [each.file for each in puppet.validate(one)] == [str(one)]
    assert [each.file for each in puppet.validate(str(tmp_path))] == [str(one), str(two)]
    assert [each.file for each in puppet.validate([two, str(one)])] == [str(two), str(one)]
    (tmp_path / "empty").mkdir()
    found = puppet.validate(tmp_path / "empty")
    assert [(each.severity, each.code) for each in found] == [("warning", "NO_FILES")]
    with pytest.raises(FileNotFoundError, match="nothing"):
        puppet.validate(tmp_path / "nothing")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.pp").symlink_to("/dev/zero")
    found = puppet.validate(tmp_path / "a.pp")
    assert [(each.severity, each.code) for each in found] == [("error", "UNREADABLE")]
    assert (
        str(found[0]) == f"Error: cannot read it: {found[0].message[16:]} (file: {tmp_path}/a.pp)"
    )


def test_the_name_of_a_text_says_what_it_is() -> None:
    assert puppet.validate(text="<%= 1 %>")
    assert puppet.validate(text="<%= 1 %>", name="x.epp") == []
    assert puppet.validate(text="plan a() { }")
    assert puppet.validate(text="plan a() { }", name="m/plans/a.pp") == []
    assert puppet.validate(text="]", name="x.pp")[0].file == "x.pp"


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({}, TypeError, "a path, or a text"),
        ({"path": ".", "text": ""}, TypeError, "a path, or a text"),
        ({"text": "", "strict": "x"}, ValueError, "strict is one of error, warning, off"),
        ({"text": "", "language": "x"}, ValueError, "language is one of puppet-8"),
    ],
)
def test_arguments_are_checked(arguments: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        puppet.validate(**arguments)


def test_text_is_safe_for_terminals() -> None:
    assert "\x1b" not in str(puppet.validate(text="]", name="\x1b[31mx.pp")[0])


def test_findings_have_the_path_that_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifests = tmp_path / "m" / "manifests"
    manifests.mkdir(parents=True)
    (tmp_path / "m" / "metadata.json").write_text('{"name": "a-m"}')
    (manifests / "a.pp").write_text("class m::a { class { 'm::b': size => 1 } }")
    (manifests / "b.pp").write_text("class m::b($size) { notice($::osfamily, $size) }")
    monkeypatch.chdir(tmp_path)
    found = [each.file for each in puppet.validate("m/manifests", advice=True)]
    assert found == ["m/manifests/b.pp"]  # which the check of a.pp has read before


def test_tasks_of_environments(tmp_path: Path) -> None:
    (tmp_path / "environment.conf").write_text("")
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "t.json").write_text('{"parameters": {"a": {"type": "Enum["}}}')
    (tmp_path / "tasks" / "t.sh").write_text("")
    found = [each.code for each in puppet.validate(tmp_path) if each.severity == "error"]
    assert found == ["task_type"]


@pytest.mark.parametrize("place", ["api.validation", "cli.validate"])
def test_the_ruby_ends_with_an_interrupted_run(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.pp").write_text("")
    closed: list[Workspace] = []

    def interrupted(_: File) -> NoReturn:
        raise KeyboardInterrupt

    def close(workspace: Workspace) -> None:
        closed.append(workspace)

    monkeypatch.setattr(f"puppet_repl.frontends.{place}.findings_of", interrupted)
    monkeypatch.setattr(Workspace, "close", close)
    with pytest.raises(KeyboardInterrupt):
        if place == "api.validation":
            puppet.validate(tmp_path)
        else:
            main(["validate", str(tmp_path)])
    assert len(closed) == 1


def test_errors_have_hints() -> None:
    (end,) = puppet.validate(text="class x {\n  $a = 1\n")
    assert end.hints == ("the { of line 1, column 9 is never closed",)
    assert end.to_dict()["hints"] == list(end.hints)
    assert end[4:8] == (2, 8, 2, 9)
    assert end.related == (puppet.RelatedLocation("the { is never closed", None, 1, 9, 1, 10),)
    assert end.to_dict()["related"] == [end.related[0]._asdict()]
    (bar,) = puppet.validate(text="<%- | String $a\n-%>\ntext <%= $a %>\n", name="a.epp")
    assert (bar.message, bar.line) == ("Syntax error at 'text '", 2)  # as puppet epp validate
    assert "the | of line 1" in bar.hints[0]
    for good in ("<%- | String $a | -%>\n<%= ] %>", "<% ] %>", "<%- $a = 1 -%>\n<%= ] %>"):
        assert puppet.validate(text=good, name="a.epp")[0].hints == ("no [ is open here",)


def test_rules_to_ignore_or_one_rule() -> None:
    for ignore in ("absolute_classname", ["absolute_classname"]):
        assert puppet.validate(text="include ::a", advice=True, ignore=ignore) == []
    with pytest.raises(ValueError, match="no rule 'absolute'"):
        puppet.validate(text="include ::a", advice=True, ignore="absolute")
