"""Catalogs as documents, and exported resources, against those that Puppet 8.11 made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.catalog.exports import ExportStore
from puppet_repl.catalog.json import document
from puppet_repl.session import Options, Session

RECORDED = [
    json.loads(line)
    for line in Path(__file__).with_name("documents.jsonl").read_text("utf-8").splitlines()
]
# The facts that record_documents.rb gives a node.
FACTS = {
    "os": {"family": "Debian", "name": "Debian", "release": {"major": "12"}},
    "kernel": "Linux",
    "networking": {"fqdn": "node.example.com", "hostname": "node", "ip": "10.0.0.1"},
}


def compiled(
    case: dict[str, Any], node: dict[str, Any], directory: Path, store: ExportStore
) -> Any:
    """Return the document of a node, or its error; what it exports goes into the store."""
    options = Options(
        environment=str(directory),
        node=node["name"],
        storeconfigs=case.get("storeconfigs", False),
    )
    session = Session(options, facts=node.get("facts", FACTS), exports=store)
    outcome = session.compile_site(case.get("code", ""), "")
    if outcome.error is not None:
        return {"error": f"{outcome.error} on node {node['name']}"}
    session.keep_exports()
    made = document(session.catalog, redacted=False)
    session.close()
    del made["catalog_uuid"], made["version"]
    return made


def keys_of(data: Any) -> Any:
    """Return the keys of JSON data in their order, with those of what they hold."""
    if isinstance(data, dict):
        return [[key, keys_of(value)] for key, value in data.items()]
    return [keys_of(value) for value in data] if isinstance(data, list) else None


def rows_of(store: ExportStore) -> list[dict[str, Any]]:
    """Return the resources of a store as PuppetDB describes them."""
    return [
        {
            "certname": each.certname,
            "parameters": each.parameters,
            "type": each.type,
            "title": each.title,
            "tags": list(each.tags),
            "exported": True,
            "file": each.file,
            "line": each.line,
        }
        for each in store.resources()
    ]


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["id"])
def test_as_puppet(case: dict[str, Any], tmp_path: Path) -> None:
    directory = tmp_path / "production"
    (directory / "manifests").mkdir(parents=True)
    for name, text in case.get("files", {}).items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    store = ExportStore()
    for node, expected in zip(case["nodes"], case["documents"], strict=True):
        made = compiled(case, node, directory, store)
        text = json.dumps(made).replace(str(directory), "<environment>")
        assert json.loads(text) == expected
        assert json.dumps(keys_of(json.loads(text))) == json.dumps(keys_of(expected))
    if not case.get("storeconfigs"):
        return
    text = json.dumps(rows_of(store)).replace(str(directory), "<environment>")
    assert json.loads(text) == case["store"]


def test_enough_is_recorded() -> None:
    assert len(RECORDED) >= 90
    assert sum("error" not in made for case in RECORDED for made in case["documents"]) >= 120
