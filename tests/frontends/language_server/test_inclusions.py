"""A code lens counts the nodes that include a class, as literals in code and data tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.language_server.client import Direct

HIERA = """\
version: 5
hierarchy:
  - {name: nodes, path: "nodes/%{trusted.certname}.yaml"}
  - {name: common, path: common.yaml}
"""
SITE = """\
lookup('classes', Array[String], 'unique', []).include
node 'web1.example.com', 'web2.example.com' { include role::web }
node /^db/ { include role::db }
node 'log.example.com' { class { 'profile::log': } }
"""
FILES = {
    "environment.conf": "modulepath = site\n",
    "hiera.yaml": HIERA,
    "manifests/site.pp": SITE,
    "data/common.yaml": "classes: [role::everywhere]\n",
    "data/nodes/db1.example.com.yaml": "classes:\n  - role::db\n",
    "site/role/manifests/web.pp": "class role::web { contain profile::web }\n",
    "site/role/manifests/db.pp": "class role::db inherits profile::base { }\n",
    "site/role/manifests/unused.pp": "class role::unused { include role::loop }\n",
    "site/role/manifests/loop.pp": "class role::loop { include role::unused }\n",
    "site/profile/manifests/web.pp": (
        "class profile::web {\n  if $facts['x'] { profile::site { 'a': } }\n}\n"
    ),
    "site/profile/manifests/site.pp": (
        "define profile::site { ['profile::base', 'profile::ssl'].include }\n"
    ),
    "site/profile/manifests/base.pp": "class profile::base { }\n",
    "site/profile/manifests/ssl.pp": "class profile::ssl { }\n",
    "site/profile/manifests/log.pp": "class profile::log { }\n",
    "other/manifests/site.pp": "node 'other.example.com' { include role::db }\n",
}
WEB = ["web1.example.com", "web2.example.com"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def shown(root: Path, name: str) -> tuple[str, str]:
    """Return the title of the lens of a class, and the text of its command."""
    client = Direct()
    client.start(root)
    while client.server.has_work:
        client.messages += client.server.work()
    path = root / name
    document = client.open(path.as_uri(), path.read_text())
    lenses = client.ask("textDocument/codeLens", document)
    (lens,) = [each for each in lenses if "data" in each]
    command = client.ask("codeLens/resolve", lens)["command"]
    arguments = [{**command["arguments"][0], "show": False}]
    given = {"command": command["command"], "arguments": arguments}
    return command["title"], client.ask("workspace/executeCommand", given)["text"]


def test_lenses_are_asked_for_again_when_all_files_are_indexed(root: Path) -> None:
    client = Direct()
    client.start(root, {"workspace": {"codeLens": {"refreshSupport": True}}})
    while client.server.has_work:
        client.messages += client.server.work()
    methods = [each.get("method") for each in client.messages]
    assert methods.count("workspace/codeLens/refresh") == 1


@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        ("site/role/manifests/web.pp", WEB),
        ("site/profile/manifests/ssl.pp", WEB),
        ("site/profile/manifests/base.pp", ["db1.example.com", *WEB]),
        ("site/profile/manifests/log.pp", ["log.example.com"]),
        ("site/role/manifests/db.pp", ["db1.example.com"]),
        ("site/role/manifests/unused.pp", []),
    ],
)
def test_nodes_are_counted_and_listed(root: Path, name: str, nodes: list[str]) -> None:
    title, text = shown(root, name)
    counts = title.split(", ")
    number = "1 node" if len(nodes) == 1 else f"{len(nodes)} nodes"
    assert counts[1:] == ([number] if nodes else [])
    listed = text.partition(f"## {number}\n\n")[2].splitlines()
    assert [line.partition(":")[0] for line in listed] == [f"- `{each}`" for each in nodes]


def test_the_way_from_a_node_to_a_class_is_told(root: Path) -> None:
    _, text = shown(root, "site/profile/manifests/ssl.pp")
    way = "role::web > profile::web > profile::site > profile::ssl"
    assert f"- `web1.example.com`: `{way}`" in text


def test_classes_of_data_count_only_if_the_site_looks_them_up(root: Path) -> None:
    (root / "manifests/site.pp").write_text("node 'x.example.com' { }\n")
    assert shown(root, "site/role/manifests/db.pp")[0] == "2 references"


def test_code_of_the_site_outside_of_node_blocks_is_that_of_all_nodes(root: Path) -> None:
    (root / "manifests/site.pp").write_text(f"include role::unused\n{SITE}")
    title, _ = shown(root, "site/role/manifests/unused.pp")
    assert title == "2 references, 4 nodes"
