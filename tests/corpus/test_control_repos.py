"""The comparison of the nodes of control repositories, and the recording that it reads."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.control_repos import __main__ as program
from tests.corpus.control_repos import names
from tests.corpus.control_repos.digests import (
    Catalog,
    Digest,
    catalog_of,
    first_difference,
    pack,
    unpack,
)
from tests.corpus.control_repos.facts import of_node
from tests.corpus.control_repos.repositories import REPOSITORIES
from tests.corpus.modules import Verdict
from tests.recorded import read

FILE = {"type": "File", "title": "/a", "tags": ["file"], "line": 3, "parameters": {"mode": "1"}}
OTHER = {**FILE, "title": "/b"}
EDGE = {"source": "Class[main]", "target": "File[/a]"}
ANSWER: dict[str, Any] = {"resources": [FILE, OTHER], "edges": [EDGE]}


def test_names_of_regular_expressions() -> None:
    found = list(names.matches(r"^db1(0[2-4]|17)-?\d{2}\.(eqiad|codfw)\."))
    assert found[0] == "db102-00.eqiad."
    assert {"db117-99.codfw.", "db10444.eqiad."} <= {
        *names.matches(r"^db1(04|17)-?(44|99)\.(eqiad|codfw)\.")
    }


def test_a_name_for_each_body_of_node_statements(tmp_path: Path) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text(
        "node /^a1\\.eqiad\\./ {\n  role(a)\n}\n"
        "node /^a[12]\\.eqiad\\./ {\n  role(b)\n}\n"
        "node /^c\\.wikimedia\\./ {\n  role(a) # again\n}\n"
    )
    assert names.wikimedia(tmp_path) == ["a1.eqiad.wmnet", "a2.eqiad.wmnet"]


def test_facts_agree_about_the_node() -> None:
    facts = of_node("a.example.com", "10.0.0.7", "2001:db8::7")
    assert facts["networking"]["fqdn"] == facts["fqdn"] == facts["clientcert"] == "a.example.com"
    assert facts["networking"]["ip"] == facts["ipaddress"] == facts["ipaddress_ens3"] == "10.0.0.7"


CHANGED = [
    ({}, None),
    ({"resources": [FILE]}, "1 resources missing at the end"),
    ({"resources": [FILE, OTHER, FILE]}, "1 resources added at the end"),
    ({"resources": [OTHER, FILE]}, "File[/b] in the place of File[/a]"),
    ({"resources": [{**FILE, "line": 4}, OTHER]}, "File[/a]: attributes, tags or line"),
    ({"edges": []}, "edges"),
]


@pytest.mark.parametrize(("change", "difference"), CHANGED)
def test_differences(change: dict[str, Any], difference: str | None) -> None:
    assert first_difference(catalog_of(ANSWER), catalog_of({**ANSWER, **change})) == difference


def test_packed_catalogs() -> None:
    a, b, c = (Digest(each, each) for each in "abc")
    catalogs = {"x": Catalog([a, b, c], "1"), "y": Catalog([c, a, b], "2"), "z": Catalog([], "3")}
    pool, *rows = json.loads(json.dumps(list(pack(catalogs))))
    known = [Digest(*each) for each in pool["pool"]]
    assert {row["id"]: unpack(row, known) for row in rows} == catalogs


VERDICTS = [
    ({"error": "No. (line: 3) on node a"}, {"error": {"message": "No."}}, Verdict("same message")),
    (
        {"error": "No."},
        {"error": {"message": "Yes."}},
        Verdict("other message", "Yes. | Puppet: No."),
    ),
    ({"error": "No."}, ANSWER, Verdict("Puppet refuses, this compiles", "No.")),
    (
        {"resources": [], "edges": ""},
        {"error": {"message": "No."}},
        Verdict("Puppet compiles, this refuses", "No."),
    ),
]


@pytest.mark.parametrize(("row", "answer", "verdict"), VERDICTS)
def test_verdicts(row: dict[str, Any], answer: dict[str, Any], verdict: Verdict) -> None:
    assert program.verdict_of(row, [], answer) == verdict


def test_a_node_from_its_directory_to_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "ocf" / "hieradata" / "nodes"
    data.mkdir(parents=True)
    (tmp_path / "ocf" / "manifests").mkdir()
    (tmp_path / "ocf" / "manifests" / "site.pp").write_text("notify { $hostname: }")
    for name in ("a", "b"):
        (data / f"{name}.yaml").write_text("{}")
    answer = {
        "resources": [
            {
                "type": "Notify",
                "title": "a",
                "tags": ["notify", "a", "class"],
                "line": 1,
                "kind": "compilable_type",
                "exported": False,
            }
        ],
        "edges": [
            {"source": "Stage[main]", "target": "Class[Settings]"},
            {"source": "Stage[main]", "target": "Class[main]"},
            {"source": "Class[main]", "target": "Notify[a]"},
        ],
    }
    from tests.corpus.control_repos.record import rows

    recording = tmp_path / "recording.jsonl.gz"
    with gzip.open(recording, "wt", encoding="utf-8") as out:
        nodes = [f"ocf/{name}.ocf.berkeley.edu" for name in ("a", "b")]
        for row in rows([{"id": node, **answer} for node in nodes], tmp_path):
            out.write(json.dumps(row) + "\n")
    assert program.main([str(tmp_path), "--recording", str(recording), "--ruby", "off"]) == 1
    printed = capsys.readouterr().out
    assert "ocf/a.ocf.berkeley.edu: equal\n" in printed
    assert 'ocf/b.ocf.berkeley.edu: differs "Notify[b] in the place of Notify[a]"' in printed
    assert "ocf: 1 of 2 catalogs equal: 50.0 %; 1 of 2 nodes answered as by Puppet" in printed


def test_the_recording() -> None:
    pool, *rows = read(program.RECORDING)
    counts = {name: [row for row in rows if row["id"].startswith(name)] for name in REPOSITORIES}
    assert all(len(found) >= 30 for found in counts.values())
    for row in rows:
        if "error" not in row:
            assert all(start + count <= len(pool["pool"]) for start, count in row["resources"])
