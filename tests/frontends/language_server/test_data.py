"""Keys of data and parameters of classes; $0 is the cursor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.frontends.language_server.client import Direct

HIERA = """\
version: 5
hierarchy:
  - name: nodes
    path: nodes/%{trusted.certname}.yaml
  - name: os
    paths: ['os/%{facts.os.family}.yaml', common.yaml]
  - name: more
    path: more.json
    data_hash: json_data
"""
FILES = {
    "environment.conf": "modulepath = modules\n",
    "hiera.yaml": HIERA,
    "data/common.yaml": "shop::port: 8080\nnames: [a]\nclasses:\n  - shop\n",
    "data/nodes/db1.example.com.yaml": "shop::port: 99\n",
    "data/os/Debian.yaml": "other: \"%{lookup('shop::port')} %{facts.os.family}\"\n",
    "data/more.json": '{"shop::port": 1, "more": "%{alias(\'names\')}"}',
    "data/unread.txt": "shop::port: 3\n",
    "modules/shop/manifests/init.pp": (
        "# A shop.\n# @param port where it listens\n"
        "class shop (Integer $port = 80, Array $names = lookup('names')) {\n"
        "  notice($port)\n}\n"
    ),
    "modules/shop/hiera.yaml": "version: 5\nhierarchy:\n  - {name: x, path: common.yaml}\n",
    "modules/shop/data/common.yaml": (
        "shop::port: 81\nlookup_options:\n  shop::names: {merge: unique}\n"
    ),
    "manifests/site.pp": "notice(lookup('shop::port'))\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def at_cursor(client: Direct, root: Path, name: str, marked: str, method: str) -> Any:
    """Return the answer to a request at the mark of an open text."""
    before, _, after = marked.partition("$0")
    language = "puppet" if name.endswith("pp") else "yaml"
    document = client.open((root / name).as_uri(), before + after, language)
    line, character = before.count("\n"), len(before) - before.rfind("\n") - 1
    more = {"context": {"includeDeclaration": True}}
    return client.at(method, document, line, character, **more)


def shown(root: Path, found: Any) -> list[str]:
    """Return locations as FILE:LINE:TEXT."""
    listed = found if isinstance(found, list) else [] if found is None else [found]
    result = []
    for each in listed:
        path = Path(unquote(each["uri"].removeprefix("file://")))
        start, end = each["range"]["start"], each["range"]["end"]
        line = path.read_text().splitlines()[start["line"]]
        name = path.relative_to(root).as_posix()
        text = line[start["character"] : end["character"]]
        result.append(f"{name}:{start['line'] + 1}:{text}")
    return result


PARAMETER = "modules/shop/manifests/init.pp:3:port"
KEYS = [
    "data/common.yaml:1:shop::port",
    "data/more.json:1:shop::port",
    "data/nodes/db1.example.com.yaml:1:shop::port",
    "modules/shop/data/common.yaml:1:shop::port",
]


@pytest.mark.parametrize(
    ("name", "marked", "expected"),
    [
        ("data/common.yaml", "shop::po$0rt: 8080\n", [PARAMETER]),
        ("data/more.json", '{"sh$0op::port": 1}', [PARAMETER]),
        ("data/common.yaml", "x: 1\nshop::po$0rt: [\n", [PARAMETER]),
        ("data/common.yaml", "lookup_options:\n  shop::po$0rt: {}\n", [PARAMETER]),
        ("data/common.yaml", "shop::pot$0: 8080\n", []),
        ("data/common.yaml", "classes:\n  - sh$0op\n", ["modules/shop/manifests/init.pp:3:shop"]),
        ("data/common.yaml", "classes:\n  - sh$0op2\n", []),
        ("data/os/Debian.yaml", "x: \"%{lookup('shop::p$0ort')}\"\n", KEYS),
        ("data/os/Debian.yaml", "x: \"%{alias('na$0mes')}\"\n", ["data/common.yaml:2:names"]),
        ("data/os/Debian.yaml", 'x: "%{facts.o$0s.family}"\n', []),
        ("manifests/site.pp", "notice(lookup('shop::p$0ort'))\n", KEYS),
        (
            "manifests/site.pp",
            "notice(lookup('shop::n$0ames'))\n",
            ["modules/shop/manifests/init.pp:3:names"],
        ),
        ("manifests/site.pp", "include sh$0op", ["modules/shop/manifests/init.pp:3:shop"]),
    ],
)
def test_definitions(root: Path, name: str, marked: str, expected: list[str]) -> None:
    client = Direct()
    client.start(root)
    found = at_cursor(client, root, name, marked, "definition")
    assert sorted(shown(root, found)) == sorted(expected)


LOOKUPS = ["data/os/Debian.yaml:1:shop::port", "manifests/site.pp:1:shop::port"]
INIT = FILES["modules/shop/manifests/init.pp"]
VARIABLES = ["modules/shop/manifests/init.pp:3:port", "modules/shop/manifests/init.pp:4:port"]


@pytest.mark.parametrize(
    ("name", "marked", "expected"),
    [
        (
            "data/common.yaml",
            FILES["data/common.yaml"].replace("port", "po$0rt"),
            [*VARIABLES, *KEYS, *LOOKUPS],
        ),
        ("manifests/site.pp", "notice(lookup('shop::po$0rt'))\n", [*VARIABLES, *KEYS, *LOOKUPS]),
        (
            "modules/shop/manifests/init.pp",
            INIT.replace("$port =", "$p$0ort ="),
            [*VARIABLES, *KEYS, *LOOKUPS],
        ),
        (
            "modules/shop/manifests/init.pp",
            INIT.replace("notice($port", "notice($po$0rt"),
            [*VARIABLES, *KEYS, *LOOKUPS],
        ),
        (
            "data/common.yaml",
            FILES["data/common.yaml"].replace("names:", "na$0mes:"),
            [
                "data/common.yaml:2:names",
                "data/more.json:1:names",
                "modules/shop/manifests/init.pp:3:names",
            ],
        ),
        ("data/common.yaml", "x: '%{facts.o$0s}'", []),
        *[
            (name, marked, ["data/common.yaml:4:shop", "modules/shop/manifests/init.pp:3:shop"])
            for name, marked in (
                ("data/common.yaml", FILES["data/common.yaml"].replace("- shop", "- sh$0op")),
                ("modules/shop/manifests/init.pp", INIT.replace("class shop", "class sh$0op")),
            )
        ],
        (
            "data/common.yaml",
            FILES["data/common.yaml"].replace("- shop", "- oth$0er"),
            ["data/common.yaml:4:shop"],
        ),
    ],
)
def test_references(root: Path, name: str, marked: str, expected: list[str]) -> None:
    client = Direct()
    client.start(root)
    found = at_cursor(client, root, name, marked, "references")
    assert sorted(shown(root, found)) == sorted(expected)


@pytest.mark.parametrize(
    ("name", "marked", "expected"),
    [
        (
            "data/common.yaml",
            "shop::po$0rt: 8080\n",
            ["**shop::port** *parameter*", "where it listens", "Integer", "Default: `80`", "8080"],
        ),
        ("data/common.yaml", "na$0mes: 8080\n", ["**names** *data key*", "level os"]),
        ("data/common.yaml", "classes: [sh$0op]\n", ["**shop** *class*", "A shop."]),
        ("data/common.yaml", 'x: "%{facts.os.fam$0ily}"', ["RedHat", "Facts: `rocky-9`"]),
        ("hiera.yaml", HIERA.replace("facts.os", "facts.o$0s"), ["RedHat"]),
        ("hiera.yaml", HIERA.replace("certname", "cert$0name"), ["db1.example.com", "Node: "]),
        ("data/common.yaml", 'x: "%{facts.cus$0tom}"', ["These facts give no value"]),
        ("data/common.yaml", "x: \"%{lookup('na$0mes')}\"", ["**names** *data key*"]),
        ("data/common.yaml", "x: [1, $02]", None),
        ("data/unread.txt", "shop::po$0rt: 3", None),
    ],
)
def test_documentation(root: Path, name: str, marked: str, expected: list[str] | None) -> None:
    client = Direct()
    options = {"node": "db1.example.com", "facts": "rocky-9"}
    client.start(root, initializationOptions=options)
    found = at_cursor(client, root, name, marked, "hover")
    if expected is None:
        assert found is None
    else:
        for each in expected:
            assert each in found["contents"]["value"]


@pytest.mark.parametrize(
    ("name", "marked", "expected", "others"),
    [
        ("data/common.yaml", "shop::$0", {"shop::port: ", "shop::mode::"}, {"x: "}),
        ("data/common.yaml", "shop::port: 1\nshop::$0\n", {"shop::names: "}, {"shop::port: "}),
        ("data/common.yaml", "shop::po$0rt: 1\n", {"shop::port"}, {"shop::port: "}),
        ("data/common.yaml", "'shop::po$0': 1\n", {"shop::port"}, {"shop::port: "}),
        ("data/common.yaml", "sho$0", {"shop::port: ", "shop::mode::"}, {"x"}),
        ("data/common.yaml", "$0", {"lookup_options: ", "more: ", "shop::"}, {"shop"}),
        ("data/common.yaml", "a: [\nmor$0\n", {"more: "}, {"names: "}),
        ("data/common.yaml", "lookup_options:\n  shop::$0", {"shop::port: "}, {"lookup_options: "}),
        (
            "data/common.yaml",
            "lookup_options:\n  a:\n    $0",
            {"merge: ", "convert_to: "},
            {"shop::"},
        ),
        ("data/common.yaml", "classes:\n  - s$0\n", {"shop", "shop::mode"}, {"shop::port: "}),
        ("data/common.yaml", "classes:\n- '$0'\n", {"shop"}, set()),
        ("data/common.yaml", "others:\n- $0\n", set(), {"shop"}),
        ("data/common.yaml", "a:\n  $0\n", set(), {"shop::"}),
        ("data/common.yaml", "shop::mode::kind: $0", {"fast", "slow", "true"}, {"Enum"}),
        ("data/common.yaml", "shop::mode::kind: 'f$0'", {"fast"}, {"true", "slow"}),
        ("data/common.yaml", "a: '%{fac$0", {"facts"}, {"shop"}),
        ("data/common.yaml", "a: '%{facts.os.fam$0}'", {"family"}, {"name", "facts"}),
        ("data/common.yaml", "a: \"%{lookup('shop::p$0", {"shop::port"}, {"facts"}),
        ("data/common.yaml", "a: \"%{lookup('b')} $0", set(), {"facts", "names"}),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - path: '%{trusted.cert$0}'",
            {"certname"},
            set(),
        ),
        ("data/more.json", '{"a": 1, "shop::$0"}', {"shop::port"}, {"shop::port: "}),
        ("data/unread.txt", "shop::$0", set(), {"shop::port: "}),
        (
            "modules/shop/data/common.yaml",
            "$0",
            {"lookup_options: ", "shop::", "shop::mode::"},
            {"classes: ", "more: ", "other::", "names: "},
        ),
        ("modules/shop/data/common.yaml", "shop::p$0", {"shop::port: "}, set()),
        ("modules/shop/data/common.yaml", "other::$0", set(), {"other::", "other::port: "}),
        ("data/common.yaml", "other::$0", {"other::port: "}, set()),
        (
            "modules/shop/data/common.yaml",
            "lookup_options:\n  $0",
            {"shop::"},
            {"more: ", "other::"},
        ),
        ("modules/shop/data/common.yaml", "shop::mode::kind: $0", {"fast"}, set()),
    ],
)
def test_completion(
    root: Path, name: str, marked: str, expected: set[str], others: set[str]
) -> None:
    mode = root / "modules/shop/manifests/mode.pp"
    mode.write_text("class shop::mode (Variant[Boolean, Optional[Enum['fast', 'slow']]] $kind) { }")
    other = root / "modules/other/manifests/init.pp"
    other.parent.mkdir(parents=True)
    other.write_text("class other ($port) { }")
    client = Direct()
    client.start(root, initializationOptions={"facts": "rocky-9"})
    found = at_cursor(client, root, name, marked, "completion")["items"]
    texts = {each["textEdit"]["newText"] for each in found}
    assert texts >= expected
    assert not texts & others
    assert all("insertTextFormat" not in each for each in found)


def test_completion_is_documented(root: Path) -> None:
    client = Direct()
    client.start(root)
    found = at_cursor(client, root, "data/common.yaml", "shop::po$0", "completion")["items"][0]
    assert (found["label"], found["detail"]) == ("shop::port", "Integer = 80")
    edit = found["textEdit"]
    assert edit["range"]["start"]["character"] == 0
    resolved = client.ask("completionItem/resolve", found)
    assert "where it listens" in resolved["documentation"]["value"]


def test_completion_tells_defaults_in_the_data_of_the_module(root: Path) -> None:
    module = root / "modules/sized"
    for name, text in {
        "manifests/init.pp": "class sized (Integer $size, String $text) { }\n",
        "hiera.yaml": "hierarchy: [{name: all, path: all.yaml}]\n",
        "data/all.yaml": "sized::size: 41\n",
    }.items():
        (module / name).parent.mkdir(parents=True, exist_ok=True)
        (module / name).write_text(text, encoding="utf-8")
    client = Direct()
    client.start(root)
    found = at_cursor(client, root, "data/common.yaml", "sized::$0", "completion")["items"]
    details = {each["label"]: each["detail"] for each in found}
    assert details["sized::size"] == "Integer = 41"
    assert details["sized::text"] == "String"


def test_highlights(root: Path) -> None:
    client = Direct()
    client.start(root)
    text = "sh$0op::port: 1\nx: \"%{lookup('shop::port')}\"\ny: shop::port\n"
    found = at_cursor(client, root, "data/common.yaml", text, "documentHighlight")
    assert [(each["kind"], each["range"]["start"]["line"]) for each in found] == [(3, 0), (2, 1)]


def test_data_out_of_reach_are_not_read(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "x.yaml").write_text("shop::port: 666\n")
    (root / "data" / "os" / "Linked.yaml").symlink_to(outside / "x.yaml")
    (root / "data" / "nodes" / "linked").symlink_to(outside)
    (root / "hiera.yaml").write_text(HIERA.replace("nodes/%{trusted", "../../*/%{trusted"))
    client = Direct()
    client.start(root)
    found = at_cursor(client, root, "manifests/site.pp", "lookup('shop::p$0ort')", "references")
    assert "666" not in json.dumps(found)
    assert "Linked" not in json.dumps(found)
    assert str(outside) not in json.dumps(found)


WITH_RESOURCES = {
    "modules/shop/manifests/sites.pp": (
        "class shop::sites (Hash $hosts = {}, Hash $usual = {}) {\n"
        "  create_resources('shop::vhost', $hosts, $usual)\n}\n"
    ),
    "modules/shop/manifests/vhost.pp": (
        "# @param port where it listens\n"
        "define shop::vhost (Integer $port, Enum['on', 'off'] $tls = 'on') {\n  notice($port)\n}\n"
    ),
    "manifests/users.pp": "lookup('people').each |$name, $given| { user { $name: * => $given } }\n",
}
HOSTS = "shop::sites::hosts:\n  one:\n    "


@pytest.fixture
def with_resources(root: Path) -> Path:
    for name, text in WITH_RESOURCES.items():
        (root / name).write_text(text)
    return root


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        (f"{HOSTS}po$0rt: 80\n", ["modules/shop/manifests/vhost.pp:2:port"]),
        ("shop::sites::usual: {t$0ls: on}\n", ["modules/shop/manifests/vhost.pp:2:tls"]),
        ("shop::sites::usual:\n  t$0ls: on\n", ["modules/shop/manifests/vhost.pp:2:tls"]),
        (f"{HOSTS}nothing$0: 80\n", []),
        ("shop::sites::hosts:\n  po$0rt: {a: 1}\n", []),
        ("shop::port:\n  one:\n    po$0rt: 80\n", []),
    ],
)
def test_definitions_of_nested_keys(with_resources: Path, marked: str, expected: list[str]) -> None:
    client = Direct()
    client.start(with_resources)
    found = at_cursor(client, with_resources, "data/common.yaml", marked, "definition")
    assert shown(with_resources, found) == expected


def test_nested_keys_are_explained_and_have_references(with_resources: Path) -> None:
    client = Direct()
    client.start(with_resources)
    place = (client, with_resources, "data/common.yaml")
    (with_resources / "data/common.yaml").write_text(f"{HOSTS}port: 80\n")
    found = at_cursor(*place, f"{HOSTS}po$0rt: 80\n", "hover")
    assert "where it listens" in found["contents"]["value"]
    found = at_cursor(*place, "people:\n  me:\n    ui$0d: 80\n", "hover")
    assert "**uid**" in found["contents"]["value"]
    found = at_cursor(*place, f"{HOSTS}po$0rt: 80\n", "references")
    lines = [
        "modules/shop/manifests/vhost.pp:2:port",
        "modules/shop/manifests/vhost.pp:3:port",
        "data/common.yaml:3:port",
    ]
    assert shown(with_resources, found) == lines
    manifest = (with_resources / lines[0].partition(":")[0]).read_text()
    marked = manifest.replace("$port)", "$po$0rt)")
    found = at_cursor(
        client, with_resources, "modules/shop/manifests/vhost.pp", marked, "references"
    )
    assert shown(with_resources, found) == lines


def test_keys_inside_of_values_are_references_of_attributes(with_resources: Path) -> None:
    data = "people:\n  me: {uid: 1}\n  you:\n    uid: 2\nuid: 3\nother: {me: {uid: 4}}\n"
    (with_resources / "data/common.yaml").write_text(data)
    client = Direct()
    client.start(with_resources)
    code = "user { 'x': ui$0d => 1 }\n"
    (with_resources / "manifests/x.pp").write_text(code.replace("$0", ""))
    found = at_cursor(client, with_resources, "manifests/x.pp", code, "references")
    lines = ["manifests/x.pp:1:uid", "data/common.yaml:2:uid", "data/common.yaml:4:uid"]
    assert shown(with_resources, found) == lines


@pytest.mark.parametrize(
    ("marked", "expected", "others"),
    [
        (f"{HOSTS}$0", {"port: ", "tls: "}, {"uid: "}),
        (f"{HOSTS}port: 1\n    tl$0s: x\n", {"tls"}, {"tls: "}),
        (f"{HOSTS}tls: $0", {"'on'", "'off'"}, {"port"}),
        ("shop::sites::hosts:\n  $0", set(), {"port: "}),
        ("shop::sites::usual:\n  $0", {"port: "}, set()),
        ("people:\n  me:\n    ui$0", {"uid: "}, {"port: "}),
        ("shop::port:\n  one:\n    $0", set(), {"port: "}),
    ],
)
def test_completion_of_nested_keys(
    with_resources: Path, marked: str, expected: set[str], others: set[str]
) -> None:
    client = Direct()
    client.start(with_resources)
    found = at_cursor(client, with_resources, "data/common.yaml", marked, "completion")["items"]
    texts = {each["textEdit"]["newText"] for each in found}
    assert texts >= expected
    assert not texts & others
    for each in found:
        if each["label"] == "port":
            resolved = client.ask("completionItem/resolve", each)
            assert "where it listens" in resolved["documentation"]["value"]
