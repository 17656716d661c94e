"""What an ENC says counts as in Puppet; enc.rb has recorded it."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.catalog.json import document
from puppet_repl.session import Options, Session
from tests.recorded import Case, read

CASES = read(Path(__file__).with_name("enc.jsonl"))
NODE = "web01.example.com"


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_a_node_is_classified_as_by_puppet(case: Case, tmp_path: Path) -> None:
    enc = tmp_path / "enc.yaml"
    enc.write_text(case["enc"])
    session = Session(Options(node=NODE, enc=enc), facts=case.get("facts", {}))
    outcome = session.finish_catalog(session.compile_site(case.get("code", "")))
    if "error" in case or "ours" in case:
        assert outcome.error is not None
        shown = str(outcome.error).replace(f"({enc}): ", "")
        assert shown == case.get("ours") or _plain(case["error"])
    else:
        assert outcome.error is None
        assert _content(session) == case["catalog"]
    assert [text for level, text in outcome.logs if level == "warning"] == case.get("warnings", [])


def _plain(error: str) -> str:
    return error.removesuffix(f" on node {NODE}").replace("(<unknown>): ", "")


def _content(session: Session) -> dict[str, object]:
    found = document(session.catalog)
    keys = ("type", "title", "parameters", "tags", "exported", "line", "kind")
    resources = [{key: each[key] for key in keys if key in each} for each in found["resources"]]
    names = ("tags", "environment", "classes", "edges")
    return {name: found[name] for name in names} | {"resources": resources}
