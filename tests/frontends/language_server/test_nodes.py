"""The node that data are looked up for: the nodes of a site, and the setting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.language_server.client import Direct

FILES = {
    "environment.conf": "",
    "hiera.yaml": "version: 5\nhierarchy:\n"
    "  - {name: node, path: 'nodes/%{trusted.certname}.yaml'}\n"
    "  - {name: common, path: common.yaml}\n",
    "data/nodes/db1.example.com.yaml": "a: 1\n",
    "data/common.yaml": "a: 2\n",
    "manifests/site.pp": "node 'Web1.example.com', /^w/, default { }\n",
    "manifests/broken.pp": "node 'x' {\n",
}


def write(directory: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)


def execute(client: Direct, command: str, *arguments: object) -> Any:
    given = {"command": command, "arguments": list(arguments)}
    return client.ask("workspace/executeCommand", given)


@pytest.mark.parametrize("is_named", [False, True])
def test_nodes_have_blocks_or_data(tmp_path: Path, is_named: bool) -> None:
    write(tmp_path, FILES)
    client = Direct()
    options = {"node": "db1.example.com", "facts": "rocky-9"}
    result = client.start(tmp_path, initializationOptions=options)
    assert "puppet-repl.nodes" in result["capabilities"]["executeCommandProvider"]["commands"]
    site = tmp_path / "manifests" / "site.pp"
    found = execute(client, "puppet-repl.nodes", *([site.as_uri()] if is_named else []))
    assert [each["name"] for each in found["nodes"]] == ["db1.example.com", "web1.example.com"]
    location = found["nodes"][1]["location"]
    assert location["uri"] == site.as_uri()
    assert location["range"]["start"] == {"line": 0, "character": 5}
    assert location["range"]["end"] == {"line": 0, "character": 23}
    assert (found["node"], found["facts"]) == ("db1.example.com", "rocky-9")
    assert "debian-12" in found["factSets"]


def test_no_directory_has_no_nodes() -> None:
    client = Direct()
    client.start()
    assert execute(client, "puppet-repl.nodes")["nodes"] == []
    assert execute(client, "puppet-repl.nodes", "untitled:1")["nodes"] == []


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"node": 3}, "it is the name of a node"),
        ({"node": "../secret"}, "no node can have this name"),
        ({"node": ""}, None),
        ({"node": "web1"}, None),
    ],
)
def test_the_setting_node(given: dict[str, object], reason: str | None) -> None:
    client = Direct()
    client.start(initializationOptions=given)
    found = execute(client, "puppet-repl.nodes")
    logged = [each["params"]["message"] for each in client.heard]
    if reason is None:
        assert logged == []
        assert found["node"] == (given["node"] or None)
    else:
        assert logged == [f"the setting puppet-repl.node is not used: {reason}"]
        assert found["node"] is None


def test_an_unknown_command_is_refused() -> None:
    client = Direct()
    client.start()
    answered = client.request("workspace/executeCommand", {"command": "puppet-repl.x"})
    assert answered["error"]["message"] == "no command puppet-repl.x"
