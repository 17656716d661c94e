"""Files of a module and what their names allow, as recorded by ``record_misplaced``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import puppet_repl as puppet

CASES = json.loads(Path(__file__).with_name("misplaced.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['path']} {case['text'][:20]!r}")
def test_errors_are_those_of_puppet(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / case["path"]
    path.parent.mkdir(parents=True)
    path.write_text(case["text"])
    (tmp_path / "environment.conf").touch()
    monkeypatch.chdir(tmp_path)
    found = puppet.validate(".")
    wanted = [each for each in case["errors"] if not each.endswith("Giving up")]
    assert len(found) == len(wanted)
    for ours, theirs in zip(found, wanted, strict=True):
        assert ours.severity == "error"
        assert theirs in (ours.message, str(ours).removeprefix("Error: "))
        assert ours.file == case["path"]


@pytest.mark.parametrize(
    ("name", "text", "messages"),
    [
        ("init", "plan m() { }", []),
        ("p", "plan m::p() { apply('all') { node default { } } }", []),
        ("p", "function m::p() { }", ["does not define the plan 'm::p' - no plan found."]),
        (
            "p",
            "plan m::pp() { }",
            ["produced plan with the wrong name, expected m::p, actual m::pp"],
        ),
        ("p", "plan m::p() { }\nplan m::p2() { }", ["it has additional definitions."]),
        ("p", "", ["does not define the plan 'm::p' - it is empty."]),
    ],
)
def test_plans(name: str, text: str, messages: list[str], tmp_path: Path) -> None:
    """Expect what the loader of plans refuses (puppet_plan_instantiator.rb of Puppet 8.11)."""
    plans = tmp_path / "plans"
    plans.mkdir()
    (tmp_path / "metadata.json").write_text('{"name": "a-m"}')
    (plans / f"{name}.pp").write_text(text)
    found = [each for each in puppet.validate(plans) if each.severity == "error"]
    assert len(found) == len(messages), found
    assert all(said in each.message for said, each in zip(messages, found, strict=True))


def test_files_that_puppet_does_not_load_by_name(tmp_path: Path) -> None:
    (tmp_path / "metadata.json").write_text('{"name": "author-m"}')
    for name in ("examples/a.pp", "spec/a.pp", "a.pp", "templates/manifests/a.pp"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("class other { } include other")
    assert [each for each in puppet.validate(tmp_path) if each.file and ".pp" in each.file] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # Recorded from "puppet parser validate" of Puppet 8.11, with the name of the file.
        ("class a { }\ndefine a() { }", "'a' AT as a class; cannot redefine as a definition"),
        ("class a { }\nclass a { }", "Class 'a' AT; cannot redefine"),
        ("node 'a' { }\nnode 'b', 'A' { }", "Node 'a' AT; cannot redefine"),
        ("node /a/ { }\nnode /a/ { }", "Node '__node_regexp__a' AT; cannot redefine"),
        ("node default { }\nnode default { }", "Node 'default' AT; cannot redefine"),
        ("node 'a' { }\nnode /a/ { }", None),
        ("node 'a' { }\ndefine a() { }", None),
        ("class a { }\nclass a::a { }", None),
    ],
)
def test_names_that_are_defined_twice(text: str, message: str | None, tmp_path: Path) -> None:
    path = tmp_path / "a.pp"
    path.write_text(text)
    wanted = (
        []
        if message is None
        else [message.replace("AT", f"is already defined (file: {path}, line: 1)")]
    )
    found = puppet.validate(path)
    assert [each.message for each in found] == wanted
    assert [(each.severity, each.line) for each in found] == [("error", 2)] * len(wanted)


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("functions/f.pp", "function m::g() { }", "expected m::f, actual m::g"),
        ("functions/a/f.pp", "function m::f() { }", "expected m::a::f, actual m::f"),
        ("types/t.pp", "type M::U = Any", "expected 'm::t', actual 'M::U'"),
        ("functions/f.pp", "function m::f() { }", None),
        ("functions/f.pp", "function f() { }", None),
        ("types/t.pp", "type T = Any", None),
    ],
)
def test_directories_that_may_be_a_module_of_any_name(
    path: str, text: str, expected: str | None, tmp_path: Path
) -> None:
    for name in ("data/common.yaml", "hiera.yaml", path):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("")
    (tmp_path / path).write_text(text)
    found = [each.message for each in puppet.validate(tmp_path / path)]
    assert len(found) == (expected is not None)
    assert all(message.endswith(f"with the wrong name, {expected}") for message in found)
