"""The recording of catalogs, as far as it needs no Puppet."""

from __future__ import annotations

from pathlib import Path

from tests.corpus import record
from tests.corpus.modules import Requests

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
