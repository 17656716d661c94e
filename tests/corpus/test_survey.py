"""The survey of control repositories: their nodes, the reasons, and one from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance.judge import write_files
from tests.corpus.control_repos.survey import (
    DEFAULT,
    OTHER,
    Node,
    data_patterns,
    main,
    nodes_of,
    reason_of,
)

HIERA = """
version: 5
defaults: {datadir: hieradata}
hierarchy:
  - name: nodes
    paths: ['nodes/%{trusted.certname}.yaml', 'site/%{site}/%{facts.networking.hostname}.yaml']
  - name: server
    datadir: /etc/puppetlabs/code/environments/%{environment}/data
    path: '%{::fqdn}.yaml'
  - {name: common, path: common.yaml}
"""
SITE = """
node 'a.example.org', 'b.example.org' { notify { 'one': } }
node /^web\\d\\.(eu|us)/ { include nowhere }
node default { if $facts['os']['name'] == 'Debian' { fail('Debian is not supported') } }
"""
FILES = {
    "environment.conf": "modulepath = site:modules\n",
    "hiera.yaml": HIERA,
    "Puppetfile": "mod 'them/nginx', '1.0.0'\n",
    "manifests/site.pp": SITE,
    "hieradata/nodes/a.example.org.yaml": "{}",
    "hieradata/nodes/c.example.org.yaml": "{}",
    "hieradata/site/eu/short.yaml": "{}",
    "hieradata/common.yaml": "{}",
    "site/role/manifests/web.pp": "class role::web { include nginx }",
    "site/role/manifests/db_server.pp": "class role::db_server { }",
    "site/role/spec/fixtures/manifests/site.pp": "class role::fixture { }",
}


def test_nodes_of_statements_of_data_and_of_roles(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    assert nodes_of(tmp_path) == [
        Node("node", "a.example.org"),
        Node("node", "b.example.org"),
        Node("node", "web0.eu"),
        Node("node", DEFAULT),
        Node("data", "c.example.org"),
        Node("data", "short"),
        Node("role", "role-db-server.example.com", "role::db_server"),
        Node("role", "role-web.example.com", "role::web"),
    ]
    assert list(data_patterns(tmp_path)) == [
        "hieradata/nodes/\0.yaml",
        "hieradata/site/\1/\0.yaml",
        "data/\0.yaml",
    ]


def test_a_site_without_node_statements(tmp_path: Path) -> None:
    write_files(tmp_path, {"manifests/site.pp": "notify { 'x': }", "hiera.yaml": "- no hash"})
    assert nodes_of(tmp_path) == [Node("node", DEFAULT)]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (
            "Error: Could not find class ::ntp\n  1 | include ntp\n  hint: ntp belongs to the"
            " module a-ntp 9.0.0 of the Puppetfile, which is not installed",
            "module of the Puppetfile",
        ),
        (
            "Error: Could not find class ::ntp\n  1 | eyaml",
            "class, function or type that no file has",
        ),
        (
            "Error: Unable to find 'data_hash' function named 'x'",
            "layer of data that cannot be asked",
        ),
        (
            "Error: Unknown variable: '::fqdn'.\n  hint: the fact fqdn of earlier versions is x",
            "fact of earlier versions",
        ),
        ("Error: Unknown variable: '::role'.", "fact or variable of the site"),
        ("Error: else", OTHER),
    ],
)
def test_reasons(error: str, reason: str) -> None:
    assert reason_of(error) == reason


def test_from_the_directory_to_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path / "control", FILES)
    rows = tmp_path / "rows.jsonl"
    assert main(["--rows", str(rows), str(tmp_path / "control"), "--", "--ruby", "off"]) == 0
    reasons = "1 class, function or type that no file has, 1 module of the Puppetfile"
    assert capsys.readouterr().out.splitlines() == [
        f"control: 6 of 8 compile: {reasons}",
        f"all: 6 of 8 compile: {reasons}",
    ]
    found = {row["name"]: row for row in map(json.loads, rows.read_text("utf-8").splitlines())}
    assert found[DEFAULT]["facts"] == "ubuntu-24.04"  # the code refuses the first set
    assert found["a.example.org"]["facts"] == "debian-12"
    assert found["role-web.example.com"]["reason"] == "module of the Puppetfile"
