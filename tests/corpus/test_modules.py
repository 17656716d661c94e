"""The comparison of recorded catalogs, and a part of those of Debian's modules."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.corpus import modules
from tests.corpus.modules import Verdict, judge
from tests.environment.ruby.engine import needs_sandbox
from tests.recorded import read

FILE = {"type": "File", "title": "/a", "tags": ["file"], "line": 3, "parameters": {"mode": "1"}}
EDGE = {"source": "Class[main]", "target": "File[/a]"}
CATALOG = {"resources": [FILE], "edges": [EDGE]}
REFUSAL = {
    "error": "Evaluation Error: Unknown variable: 'x'. (file: a/manifests/init.pp, line: 2,"
    " column: 5) on node foo.example.com"
}


def failure(message: str) -> dict[str, Any]:
    """An answer of batch that refuses."""
    return {"error": {"message": message, "line": 2, "column": 5, "code": None}}


def changed(**parts: object) -> dict[str, Any]:
    """The catalog with another resource."""
    return {"resources": [{**FILE, **parts}], "edges": [EDGE]}


JUDGED = [
    (CATALOG, CATALOG, Verdict("equal")),
    (CATALOG, changed(line=4), Verdict("differs", "File: line")),
    (CATALOG, changed(title="/b"), Verdict("differs", "another resource than File")),
    (CATALOG, changed(parameters={"mode": "2"}), Verdict("differs", "File: parameter mode")),
    (CATALOG, changed(parameters={}), Verdict("differs", "File: parameter mode")),
    (CATALOG, {**CATALOG, "edges": []}, Verdict("differs", "edges")),
    (CATALOG, {**CATALOG, "resources": []}, Verdict("differs", "resources missing at the end")),
    (
        {"resources": [], "edges": []},
        {"resources": [FILE], "edges": []},
        Verdict("differs", "resources added at the end"),
    ),
    (
        CATALOG,
        failure("Evaluation Error: Error while evaluating a Function Call, no /x/y/pick.rb 12"),
        Verdict("Puppet compiles, this refuses", "no .../pick.rb N"),
    ),
    (REFUSAL, failure("Evaluation Error: Unknown variable: 'x'."), Verdict("same message")),
    (
        REFUSAL,
        failure("Evaluation Error: Unknown variable: 'y'."),
        Verdict("other message", "Unknown variable: 'y'."),
    ),
    (REFUSAL, CATALOG, Verdict("Puppet refuses, this compiles", "Unknown variable: 'x'.")),
]


@pytest.mark.parametrize(("expected", "actual", "verdict"), JUDGED)
def test_verdicts(
    expected: dict[str, Any], actual: dict[str, Any], verdict: modules.Verdict
) -> None:
    assert judge(expected, actual) == verdict


def test_messages_without_their_places() -> None:
    text = "a (file: x/y.pp, line: 1, column: 2) and b (line: 3) (file & line not available)"
    assert modules.cleaned(f"{text} on node foo.example.com") == "a and b"
    assert modules.last_line(text) == 3
    assert modules.last_line("none") is None


def test_the_summary_counts() -> None:
    summary = modules.Summary()
    case = {"id": "one", "answer": CATALOG}
    refused = {"id": "two", "answer": REFUSAL}
    for each, answer in (
        (case, CATALOG),
        (case, changed(line=4)),
        (case, failure("nothing")),
        (refused, failure("Evaluation Error: Unknown variable: 'x'.")),
    ):
        summary.add(each, answer, judge(each["answer"], answer))
    assert summary.compiling == 3
    assert round(summary.share, 1) == 33.3
    report = list(summary.lines())
    assert "    1   [differs] File: line   e.g. one" in report
    assert report[-4:] == [
        "1 of 3 catalogs equal: 33.3 %",
        "2 of 4 cases answered as by Puppet",
        "of the equal catalogs 1 have the same log messages",
        "of the equal refusals 1 name the same line",
    ]


def test_modules_are_linked_under_their_own_names(tmp_path: Path) -> None:
    for name, metadata in (("puppetlabs-stdlib", '{"name": "puppetlabs-stdlib"}'), ("nova", "")):
        (tmp_path / "unpacked" / name).mkdir(parents=True)
        (tmp_path / "unpacked" / name / "metadata.json").write_text(metadata)
    links = modules.link_modules(tmp_path / "unpacked", tmp_path / "links")
    modules.link_modules(tmp_path / "unpacked", tmp_path / "links")
    assert sorted(os.listdir(links)) == ["nova", "stdlib"]


def test_requests_read_facts_and_examples(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "site.pp").write_text("include m")
    (tmp_path / "own.json").write_text('{"os": {}}')
    requests = modules.Requests(tmp_path, tmp_path)
    case = {"id": "x", "file": "m/site.pp", "facts": "own", "node": "n"}
    request = requests.request(case)
    assert (request["code"], request["facts"]) == ("include m", {"os": {}})
    assert requests.facts("debian-12")["os"]["name"] == "Debian"


def test_paths_of_modules_are_left_out(tmp_path: Path) -> None:
    requests = modules.Requests(tmp_path, tmp_path)
    said = 'deprecation. is_string. at ["%sm/manifests/init.pp", 14]'
    given = {**failure(said % f"{tmp_path}/"), "logs": [["err", f"{tmp_path}/m/a.erb"]]}
    assert requests.without_paths(given) == {**failure(said % ""), "logs": [["err", "m/a.erb"]]}


@needs_sandbox
@pytest.mark.skipif(not modules.UNPACKED.is_dir(), reason="make corpus unpacks the modules")
def test_a_part_of_the_catalogs_of_debian() -> None:
    links = modules.link_modules(modules.UNPACKED, modules.LINKS)
    recorded = read(modules.RECORDED / "debian.jsonl.gz")
    cases = modules.selected(recorded, None, every=17)
    requests = modules.Requests(links, modules.RECORDED / "facts")
    summary = modules.Summary()
    for case, answer, verdict in modules.compare(cases, requests):
        summary.add(case, answer, verdict)
    assert summary.share >= modules.BARS["debian.jsonl.gz"], "\n".join(summary.lines())
