"""Files of modules and environments that are no Puppet code, against the tools that read them.

The answers are recorded: metadata.json by metadata-json-lint 5 and Puppet 8.11, tasks by Puppet,
plans in YAML by Bolt 4, Puppetfile by r10k 5, .fixtures.yml by puppetlabs_spec_helper 8, templates
by Ruby.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.tools.validation.diagnostic import Diagnostic, diagnostics
from puppet_repl.tools.validation.file import Choices
from puppet_repl.tools.validation.kinds import KINDS
from puppet_repl.tools.validation.walk import Walk, findings_of
from puppet_repl.tools.validation.workspace import Workspace
from tests.conformance.judge import write_files
from tests.environment.ruby.engine import needs_ruby

CASES = [
    json.loads(line) for line in Path(__file__).with_name("files.jsonl").read_text().splitlines()
]
# What metadata-json-lint calls by the name of a field.
FIELDS = ("author", "issues_url", "name", "summary", "tags", "version")
# What is only advice, or not what those tools look at.
ADVICE = ("strict_dependencies", "puppetfile_ref", "task_name")


def found_in(root: Path, path: str) -> list[Diagnostic]:
    """Return what is found in one file of a directory."""
    workspace = Workspace(Choices(advice=True))
    walk = Walk(workspace, KINDS)
    walk.add(str(root))
    files = [file for file in walk.files if file.path == str(root / path)]
    return [one for file in files for found in findings_of(file) for one in diagnostics(found)]


def written(root: Path, text: str) -> str:
    """Return the text of an answer as it is here."""
    text = re.sub(r"^Parse error in step (?:number \d+|\"\w+\"|\d+): (?:\n )?", "", text)
    text = re.sub(r" \(file: \S+\)$| - its type is \w+$| with args \{.*?\}+(?= doesn't)", "", text)
    text = re.sub(r"(Plan \S+ key )?('private' must be a boolean), received: $", r"\2", text)
    return text.replace("ROOT", str(root)).replace("ABOVE", str(root.parent))


def of(kind: str) -> Any:
    cases = [case for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", cases, ids=lambda case: case["id"])


def write(tmp_path: Path, case: dict[str, Any]) -> tuple[Path, list[Diagnostic]]:
    root = tmp_path / "m"
    write_files(root, case["files"])
    if case["kind"] != "puppetfile":  # which makes it an environment
        write_files(root, {"manifests/init.pp": "class m { }"})
    return root, found_in(root, case["path"])


@of("metadata")
def test_metadata(case: dict[str, Any], tmp_path: Path) -> None:
    _, found = write(tmp_path, case)
    codes = {one.code for one in found}
    messages = {one.message for one in found if one.severity == "error"}
    told = set()
    for level, check, message in case["found"]:
        if check == "puppet" and "parse error" not in message:
            message = message.replace("'version_range'", "'version_requirement'")
            assert any(one.startswith(message) for one in messages), message
        elif check in FIELDS:
            assert "metadata_fields" in codes
        elif check == "file":
            assert codes & {"json_syntax", "newline_at_end"}
        elif check not in ("puppet", "crash"):
            told.add((level, check))
    # A combination of licenses is one to SPDX, and not every advice makes a module unusable.
    told.discard(("warning", "license")) if "Apache-2.0 OR MIT" in str(case["files"]) else None
    assert {check for _, check in told} <= codes
    assert {level for level, _ in told} >= {one.severity for one in found if one.code in told}
    if not case["found"]:
        assert not messages
        assert codes <= {*ADVICE, "metadata_fields"}


@pytest.mark.parametrize("kind", ["task", "yaml_plan", "fixtures"])
def test_refusals(kind: str, tmp_path: Path) -> None:
    for number, case in enumerate(each for each in CASES if each["kind"] == kind):
        root, found = write(tmp_path / str(number), case)
        check_verdict(root, case, found)


@needs_ruby
def test_puppetfiles(tmp_path: Path) -> None:
    for number, case in enumerate(each for each in CASES if each["kind"] == "puppetfile"):
        root, found = write(tmp_path / str(number), case)
        check_verdict(root, case, found)


def check_verdict(root: Path, case: dict[str, Any], found: list[Diagnostic]) -> None:
    ours = [(one.severity, one.message) for one in found if one.code not in ADVICE]
    answers = [each for each in case["found"] if "control repo branch" not in each[2]]
    assert {level for level, _ in ours} == {
        level for level, check, message in answers if message != "no task"
    }, (case["id"], ours)
    for level, check, message in answers:
        is_own = check in ("ruby", "NoMethodError", "IndexError", "TypeError", "SyntaxError")
        if not (is_own and "unrecognized" not in message) and not re.search(
            "unexpected token|YAML|did not find|visit_|no task", message
        ):
            wanted = (level, written(root, message))
            assert any(one[0] == level and wanted[1] in one[1] for one in ours), (wanted, ours)


@needs_ruby
@of("erb")
def test_templates(case: dict[str, Any], tmp_path: Path) -> None:
    _, found = write(tmp_path, case)
    errors = [one for one in found if one.severity == "error"]
    last = case["files"][case["path"]].count("\n")
    assert [one.line for one in errors] == [min(int(line), last) for _, line, _ in case["found"]]
    for one, (_, _, message) in zip(errors, case["found"], strict=True):
        assert one.message.split(",")[0] == message.split(",")[0]


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ({"requirements": [{"name": "puppet", "version_requirment": ">= 7.0.0"}]}, "requirements"),
        ({"requirements": [{"name": "puppet"}]}, "requirements"),
        ({"requirements": [{"name": "puppet", "version_requirement": ">= 7.0.0"}]}, None),
        ({"dependencies": [{"name": "a/b", "version_requirments": ">= 1.0.0"}]}, "dependencies"),
        ({"dependencies": [{"name": "a/b", "version_requirement": "1.x"}]}, None),
        ({"issues_url": "htps://example.com"}, "metadata_fields"),
        ({"issues_url": "https:/example.com"}, "metadata_fields"),
        ({"project_page": "example.com"}, "metadata_fields"),
        ({"project_page": "http://example.com"}, None),
        ({"issues_url": "mailto:me@example.com"}, None),
    ],
)
def test_slips_in_metadata(field: dict[str, Any], code: str | None, tmp_path: Path) -> None:
    """Expect advice about what Puppet and the Forge accept or ignore."""
    good = next(case for case in CASES if case["id"] == "metadata.good")["files"]["metadata.json"]
    text = json.dumps({**json.loads(good), **field}, indent=2) + "\n"
    write_files(tmp_path, {"m/metadata.json": text})
    found = found_in(tmp_path / "m", "metadata.json")
    assert [(each.severity, each.code) for each in found] == ([("warning", code)] if code else [])
