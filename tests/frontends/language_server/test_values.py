"""Values that data give to the parameters of a class, for the chosen node."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.language_server.client import CAPABILITIES, Direct
from tests.frontends.language_server.test_data import at_cursor
from tests.frontends.language_server.test_nodes import write

CLASS = """\
class shop (
  Integer $port = 80,
  Array[String] $names = [],
  String $os = 'none',
  String $secret = 'x',
  String $role = 'none',
  Integer $more,
) { notice($port) }
"""
LEVEL = "version: 5\nhierarchy:\n"
COMMON = f"{LEVEL}  - {{name: common, path: common.yaml}}\n"
NODES = (
    f"{LEVEL}  - {{name: nodes, path: 'nodes/%{{trusted.certname}}.yaml'}}\n"
    "  - {name: rest, paths: ['os/%{facts.os.family}.yaml', common.yaml]}\n"
)
ROLES = (
    f"{LEVEL}  - {{name: roles, path: 'roles/%{{role}}.yaml'}}\n"
    "  - {name: common, path: common.yaml}\n"
)
FUNCTION = (
    f"{LEVEL}  - {{name: code, data_hash: 'shop::data'}}\n  - {{name: common, path: common.yaml}}\n"
)
MERGED = (
    "lookup_options:\n  shop::names: {merge: unique}\n  shop::secret: {convert_to: Sensitive}\n"
    "shop::names: [c]\nshop::secret: hidden\n"
)


def started(root: Path, files: dict[str, str], **options: str) -> Direct:
    write(root, {"environment.conf": "", "modules/shop/manifests/init.pp": CLASS, **files})
    client = Direct()
    client.start(root, initializationOptions=options)
    return client


def hints(client: Direct, root: Path, last: int = 99) -> list[dict[str, Any]]:
    uri = (root / "modules/shop/manifests/init.pp").as_uri()
    document = client.open(uri, CLASS)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": last, "character": 0}}
    found: list[dict[str, Any]] = client.ask("textDocument/inlayHint", {**document, "range": whole})
    return found


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"hiera.yaml": COMMON, "data/common.yaml": "shop::port: 8080\nshop::gone: 1\n"},
            {"port": ("8080", "data/common.yaml:1 (environment, level common)")},
        ),
        (
            {
                "hiera.yaml": NODES,
                "data/common.yaml": 'shop::port: 1\nshop::os: "%{facts.os.name}"\n',
                "data/nodes/web1.example.com.yaml": "shop::port: 2\n",
                "data/nodes/db1.example.com.yaml": "shop::port: 3\nshop::names: [a]\n",
                "data/os/RedHat.yaml": "# nothing\nshop::more: 4\n",
            },
            {
                "port": ("2", "data/nodes/web1.example.com.yaml:1 (environment, level nodes)"),
                "os": ("'Rocky'", "data/common.yaml:2 (environment, level rest)"),
                "more": ("4", "data/os/RedHat.yaml:2 (environment, level rest)"),
            },
        ),
        (  # the role is a variable of code: only keys that no role has are known
            {
                "hiera.yaml": ROLES,
                "data/common.yaml": 'shop::port: 1\nshop::role: "%{role}"\nshop::more: 2\n',
                "data/roles/deep/web.yaml": "shop::port: 9\n",
                "data/other.yaml": "shop::more: 3\n",
            },
            {"more": ("2", "data/common.yaml:3 (environment, level common)")},
        ),
        (  # options that some role may have
            {
                "hiera.yaml": ROLES,
                "data/common.yaml": "shop::names: [a]\n",
                "data/roles/web.yaml": "lookup_options: {'^shop::n': {merge: unique}}\n",
            },
            {},
        ),
        (  # a function might return anything
            {
                "hiera.yaml": FUNCTION,
                "data/common.yaml": "shop::port: 1\n",
                "modules/shop/functions/data.pp": (
                    "function shop::data($o, $c) { fail('was run') }\n"
                ),
            },
            {},
        ),
        (  # layers are merged, and secrets stay secret
            {
                "hiera.yaml": COMMON,
                "data/common.yaml": "shop::names: [a]\n",
                "modules/shop/hiera.yaml": COMMON,
                "modules/shop/data/common.yaml": MERGED,
            },
            {
                "names": (
                    "['a', 'c']",
                    "data/common.yaml:1 (environment, level common)\n"
                    "modules/shop/data/common.yaml:4 (module shop, level common)",
                ),
                "secret": (
                    "#<Sensitive [value redacted]>",
                    "modules/shop/data/common.yaml:5 (module shop, level common)",
                ),
            },
        ),
        (  # nobody has the key of encrypted values here
            {
                "hiera.yaml": (
                    f"{LEVEL}  - name: common\n    lookup_key: eyaml_lookup_key\n"
                    "    path: common.yaml\n    options: {pkcs7_private_key: /nowhere/key.pem}\n"
                ),
                "data/common.yaml": "shop::port: 5\nshop::secret: ENC[PKCS7,MIIB]\n",
            },
            {"port": ("5", "data/common.yaml:1 (environment, level common)")},
        ),
        (  # types of modules are code
            {
                "hiera.yaml": COMMON,
                "data/common.yaml": (
                    "lookup_options:\n  shop::port: {convert_to: 'Optional[Shop::Port]'}\n"
                    "  shop::more: {convert_to: 'Shop::Other'}\n"
                    "  shop::role: {convert_to: [String, '%d']}\n"
                    "shop::port: '12'\nshop::more: 2\nshop::role: 3\n"
                ),
                "modules/shop/types/port.pp": "type Shop::Port = Integer\n",
            },
            {
                "role": ("'3'", "data/common.yaml:7 (environment, level common)"),
            },
        ),
        (  # values that other keys give
            {
                "hiera.yaml": COMMON,
                "data/common.yaml": (
                    "shop::port: \"%{alias('p')}\"\np: 5\nshop::os: \"%{lookup('q')}\"\n"
                    'q: "%{custom}"\nshop::role: "%{lookup(\'shop::role\')}"\n'
                ),
            },
            {"port": ("5", "data/common.yaml:1 (environment, level common)")},
        ),
        ({"hiera.yaml": "version: 5\nhierarchy: 3\n"}, {}),
        ({"hiera.yaml": f"{LEVEL}  - {{name: x, path: /etc/passwd}}\n"}, {}),
        (
            {"hiera.yaml": f"{LEVEL}  - {{name: x, glob: '%{{role}}/*.yaml'}}\n"},
            {},
        ),
        ({}, {}),
    ],
)
def test_hints(tmp_path: Path, files: dict[str, str], expected: dict[str, Any]) -> None:
    client = started(tmp_path, files, node="web1.example.com", facts="rocky-9")
    found = {}
    for each in hints(client, tmp_path):
        line = CLASS.splitlines()[each["position"]["line"]]
        assert line[each["position"]["character"] :] == ","
        (label,) = each["label"]
        assert "location" not in label
        resolved = client.ask("inlayHint/resolve", each)
        (part,) = resolved["label"]
        name = line.partition("$")[2].partition(" ")[0].strip(",")
        found[name] = (label["value"].removeprefix("Hiera: "), resolved["tooltip"])
        place = part["location"]
        path, _, line_number = resolved["tooltip"].split(" (")[0].partition(":")
        assert place["uri"] == (tmp_path / path).as_uri()
        assert place["range"]["start"]["line"] == int(line_number) - 1
    assert found == expected


def test_hints_are_for_a_range_and_a_chosen_node(tmp_path: Path) -> None:
    files = {"hiera.yaml": COMMON, "data/common.yaml": "shop::port: 1\nshop::more: 2\n"}
    assert len(hints(started(tmp_path, files, facts="rocky-9"), tmp_path)) == 2
    assert len(hints(started(tmp_path, files, facts="rocky-9"), tmp_path, last=2)) == 1
    assert hints(started(tmp_path, files), tmp_path) == []


@pytest.mark.parametrize("marked", ["$po$0rt = 80", "notice($po$0rt)"])
def test_documentation_has_the_value(tmp_path: Path, marked: str) -> None:
    files = {"hiera.yaml": COMMON, "data/common.yaml": "\nshop::port: 8080\n"}
    client = started(tmp_path, files, facts="rocky-9")
    text = CLASS.replace(marked.replace("$0", ""), marked)
    found = at_cursor(client, tmp_path, "modules/shop/manifests/init.pp", text, "hover")
    assert "Value from data: `8080`" in found["contents"]["value"]
    assert "from: data/common.yaml:2 (environment, level common)" in found["contents"]["value"]


def test_clients_ask_again_after_changes(tmp_path: Path) -> None:
    files = {"hiera.yaml": COMMON, "data/common.yaml": "shop::port: 1\n"}
    write(tmp_path, {"environment.conf": "", "modules/shop/manifests/init.pp": CLASS, **files})
    client = Direct()
    workspace = {"inlayHint": {"refreshSupport": True}}
    client.start(tmp_path, capabilities={**CAPABILITIES, "workspace": workspace})
    assert hints(client, tmp_path) == []
    settings = {"puppet-repl": {"facts": "rocky-9"}}
    client.tell("workspace/didChangeConfiguration", {"settings": settings})
    assert [each["label"][0]["value"] for each in hints(client, tmp_path)] == ["Hiera: 1"]
    data = tmp_path / "data/common.yaml"
    data.write_text("shop::port: 22\n")
    changes = [{"uri": data.as_uri(), "type": 2}]
    client.tell("workspace/didChangeWatchedFiles", {"changes": changes})
    assert [each["label"][0]["value"] for each in hints(client, tmp_path)] == ["Hiera: 22"]
    asked = [each["method"] for each in client.heard if "id" in each]
    assert asked == ["workspace/inlayHint/refresh"] * 2


def test_defaults_are_shown_at_resources_without_a_node(tmp_path: Path) -> None:
    client = Direct()
    client.start(tmp_path)
    path = tmp_path / "site.pp"
    lines = [
        "File { mode => '0644', owner => 'root', group => $x }",
        "file { '/x':",
        "  owner => 'me',",
        "}",
        f"Exec {{ path => ['/bin', '{'/usr' * 20}'] }} exec {{ 'y': }}",
    ]
    document = client.open(path.as_uri(), "\n".join(lines))
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    mode, long = client.ask("textDocument/inlayHint", {**document, "range": span})
    assert mode["position"] == {"line": 1, "character": len(lines[1])}
    (part,) = mode["label"]
    assert (part["value"], part["tooltip"]) == ("mode => '0644'", "by default")
    assert part["location"]["range"]["start"] == {"line": 0, "character": 7}
    assert client.ask("inlayHint/resolve", mode) == mode
    (part,) = long["label"]
    assert len(part["value"]) == 40
    assert part["value"].startswith("path => ['/bin', '/usr/usr")
    client.open(path.as_uri(), f"{lines[0]}\nfile {{ '/x'\n")
    assert client.ask("textDocument/inlayHint", {**document, "range": span}) == []
