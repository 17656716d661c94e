"""The recording of catalogs, as far as it needs no Puppet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.corpus import record
from tests.corpus.modules import Answer, Case, Requests, Verdict

ANSWER = {"resources": [], "edges": [], "logs": [], "needs": ["3x:pick"]}


def test_the_cases_of_modules(tmp_path: Path) -> None:
    manifests = tmp_path / "web" / "manifests"
    (manifests / "mod").mkdir(parents=True)
    (manifests / "init.pp").write_text("class web($port = 80) { }")
    (manifests / "mod" / "ssl.pp").write_text("class web::mod::ssl($key, $cert, $x = 1) { }")
    (manifests / "broken.pp").write_text("class web::broken {")
    (manifests / "site.pp").write_text("define web::site() { }")
    (tmp_path / "web" / "examples").mkdir()
    (tmp_path / "web" / "examples" / "one.pp").write_text("include web")
    cases = list(record.cases_of(tmp_path, ["f"]))
    assert [(case["id"], case.get("code"), case.get("mandatory")) for case in cases] == [
        ("f/web/web", "include web", 0),
        ("f/web/web::mod::ssl", "include web::mod::ssl", 2),
        ("f/web/web::mod::ssl+base", "include web\ninclude web::mod::ssl", 2),
        ("f/web/examples/one.pp", None, None),
    ]
    assert cases[-1]["file"] == "web/examples/one.pp"
    (tmp_path / "web" / "README.md").write_text("```puppet\ninclude web\n```\n```\nls\n```\n")
    assert ("f/web/README.md:2", "include web") in [
        (case["id"], case.get("code")) for case in record.cases_of(tmp_path, ["f"])
    ]
    (tmp_path / "web" / "README.md").unlink()
    assert list(record.cases_of(tmp_path, ["f"], ["web"])) == cases
    (tmp_path / "other").mkdir()
    assert list(record.cases_of(tmp_path, ["f"], ["other"])) == []


def test_what_differs_is_not_kept() -> None:
    assert record.stable(ANSWER, {**ANSWER, "logs": [["notice", "x"]]})
    assert not record.stable(ANSWER, {**ANSWER, "edges": [{}]})
    assert not record.stable({"error": "a"}, {"error": "b"})
    assert not record.stable(ANSWER, None)
    assert not record.stable({"error": "x", "crash": True}, {"error": "x"})


def test_paths_of_this_machine_are_not_kept(tmp_path: Path) -> None:
    answer = {"error": f"no (file: {tmp_path.resolve()}/web/manifests/a.pp, line: 1)", "needs": []}
    case = record.recorded({"id": "x"}, answer, Requests(tmp_path, tmp_path))
    assert case == {
        "id": "x",
        "needs": [],
        "answer": {"error": "no (file: web/manifests/a.pp, line: 1)"},
    }
    assert record.recorded({"id": "x"}, ANSWER, Requests(tmp_path, tmp_path))["answer"] == {
        "resources": [],
        "edges": [],
    }


def test_only_what_is_answered_otherwise_here_is_asked_twice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cases = [
        {"id": name, "code": f"notify {{ {name}: }}", "facts": "debian-12", "node": "n"}
        for name in ("same", "stable", "random")
    ]
    asked: list[list[str]] = []

    def ask(requests: Iterable[Case], _: int) -> dict[str, Answer]:
        asked.append([request["id"] for request in requests])
        random = {"error": f"random {len(asked)}"}
        known = {"same": {"error": "no"}, "stable": {"error": "yes"}, "random": random}
        return {name: dict(known[name]) for name in asked[-1]}

    def compare(rows: list[Case], _: Requests) -> Iterator[tuple[Case, Answer, Verdict]]:
        for row in rows:
            same = row["id"] == "same"
            yield row, {}, Verdict("same message" if same else "other message")

    monkeypatch.setattr(record, "ask", ask)
    monkeypatch.setattr(record, "compare", compare)
    rows = list(record.rows_of(cases, Requests(tmp_path, tmp_path)))
    assert [row["id"] for row in rows] == ["same", "stable"]
    assert asked == [["same", "stable", "random"], ["random", "stable"]]


def test_a_case_adds_facts_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"x": 1, "y": 2}')
    case = {"id": "x", "code": "1", "facts": "a", "node": "n", "own_facts": {"y": 3}}
    assert Requests(tmp_path, tmp_path).request(case)["facts"] == {"x": 1, "y": 3}
