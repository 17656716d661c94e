"""Explained lookups: the text and the Hash that ``puppet lookup --explain`` of 8.11 prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.environment.hiera.explain_data import explain_data
from puppet_repl.environment.hiera.explain_text import explain_text
from puppet_repl.language.types.text.format import program_text
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session import NOTHING, Options, Session
from tests import recorded

RECORDED = recorded.read(Path(__file__).parent / "explained.jsonl.gz")
CASES = [(row, case) for row in RECORDED for case in row["cases"]]


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("<global>", str(root)))


def session_of(row: dict[str, Any], root: Path) -> Session:
    write(root / "environment", row["files"])
    write(root / "global", row.get("global", {}))
    config = str(root / "global" / "hiera.yaml") if "global" in row else None
    options = Options(environment=str(root / "environment"), hiera_config=config)
    return Session(options, facts=row["facts"])


def recorded_text(text: str, root: Path) -> str:
    text = text.replace(str(root / "environment"), "<environment>")
    return text.replace(str(root / "global"), "<global>")


def plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if type(value) is PuppetHash:
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if type(value) is tuple else value


@pytest.mark.parametrize(("row", "case"), CASES, ids=lambda part: str(part.get("key", "")))
def test_as_puppet(row: dict[str, Any], case: dict[str, Any], tmp_path: Path) -> None:
    session = session_of(row, tmp_path)
    key = case["key"] if isinstance(case["key"], str) else tuple(case["key"])
    outcome, explanation = session.explain(
        key, merge=case.get("merge"), options_only=case.get("options_only", False)
    )
    assert recorded_text(explain_text(explanation), tmp_path) == case["explain"]
    if "value" in case:
        assert outcome.value is not NOTHING, outcome.error
        assert program_text(outcome.value) == case["value"]
    else:
        assert recorded_text(str(outcome.error), tmp_path) == case["error"]
    if "hash" in case:
        data = json.dumps(plain(explain_data(explanation)))
        assert json.loads(recorded_text(data, tmp_path)) == case["hash"]


FILES = {
    "hiera.yaml": """
version: 5
hierarchy:
  - {name: node, path: "nodes/%{facts.name}-%{facts.site}.yaml"}
  - {name: common, paths: [first.yaml, second.yaml]}
""",
    "data/nodes/web-.yaml": "---\na: 1\n\nk: 'x%{facts.name}%{facts.none}%{lookup(\"b\")}'\n",
    "data/second.yaml": 'l: [2]\nk: 2\nb: "%{facts.none}"\n',
    "data/first.yaml": "l: [1]\n",
}


@pytest.fixture
def session(tmp_path: Path) -> Session:
    write(tmp_path, FILES)
    return Session(Options(environment=str(tmp_path)), facts={"name": "web", "site": ""})


def test_places(session: Session) -> None:
    _, explanation = session.explain("k", merge="first")
    (place,) = explanation.places()
    assert (place.layer, place.level, place.status, place.taken) == (
        "environment",
        "node",
        "found",
        True,
    )
    assert (place.original, place.line) == ("nodes/%{facts.name}-%{facts.site}.yaml", 4)
    assert str(place.location).endswith("nodes/web-.yaml")
    assert (place.raw, place.value) == ('x%{facts.name}%{facts.none}%{lookup("b")}', "xweb")
    assert place.path_empty == ("facts.site",)
    assert place.value_empty == ("facts.none", 'lookup("b")')
    assert explanation.empty == ("facts.site", "facts.none", 'lookup("b")')


def test_places_of_a_merge(session: Session) -> None:
    outcome, explanation = session.explain("l", merge="unique")
    assert outcome.value == (1, 2)
    assert [(place.status, place.taken) for place in explanation.places()] == [
        ("not found", False),
        ("found", True),
        ("found", True),
    ]
    assert explanation.merge == "unique"


def test_places_that_are_missing(session: Session, tmp_path: Path) -> None:
    (tmp_path / "data/first.yaml").unlink()
    outcome, explanation = session.explain("none")
    assert outcome.error is not None
    assert [place.status for place in explanation.places()] == ["not found", "missing", "not found"]
    assert explanation.merge == "first"


def test_a_lookup_leaves_the_session_as_it_is(session: Session) -> None:
    session.execute("$x = 5")
    assert session.lookup("k").value == "xweb"
    assert session.lookup("none", default={"a": [1]}).error is None
    assert session.lookup("a", type="String").error is not None
    assert session.lookup(("none", "a"), type="Integer").value == 1
    assert (session.count, session.execute("[$x, $_]").value) == (1, (5, 5))


def test_without_an_environment() -> None:
    outcome, explanation = Session(facts={}).explain("k", default=3)
    assert outcome.value == 3
    assert explain_text(explanation).splitlines()[-2:] == [
        "  Global Data Provider (hiera configuration version 5)",
        '    No such key: "k"',
    ]
