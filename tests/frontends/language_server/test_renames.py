"""New names by messages: edits of several files, a file that moves, and refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puppet_repl.frontends.language_server.addresses import path_of
from tests.frontends.language_server.client import CAPABILITIES, Direct
from tests.frontends.language_server.test_features import applied

FILES = {
    "environment.conf": "",
    "modules/shop/manifests/init.pp": "class shop ($port = 1) {\n  include shop::db\n}\n",
    "modules/shop/manifests/db.pp": "class shop::db {\n  notice($shop::port)\n}\n",
    "manifests/site.pp": "class { 'shop': port => 2 }\n",
    "data/common.yaml": "shop::port: 3\n",
}
RENAMES: dict[str, Any] = {
    **CAPABILITIES,
    "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["rename"]}},
}
INIT = "modules/shop/manifests/init.pp"


def start(tmp_path: Path, capabilities: dict[str, Any], **files: str) -> tuple[Direct, Path]:
    root = tmp_path / "site"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    client = Direct()
    client.start(root, capabilities)
    return client, root


def rename(client: Direct, root: Path, name: str, at: tuple[int, int], new: str) -> Any:
    language = "puppet" if name.endswith("pp") else "text"
    document = client.open((root / name).as_uri(), (root / name).read_text(), language)
    given = {**document, "position": {"line": at[0], "character": at[1]}, "newName": new}
    return client.request("textDocument/rename", given)


@pytest.mark.parametrize(
    ("name", "at"),
    [
        (INIT, (0, 14)),
        ("modules/shop/manifests/db.pp", (1, 18)),
        ("manifests/site.pp", (0, 18)),
    ],
)
def test_a_parameter(tmp_path: Path, name: str, at: tuple[int, int]) -> None:
    client, root = start(tmp_path, CAPABILITIES)
    changes = rename(client, root, name, at, "door")["result"]["changes"]
    after = {
        str(Path(path_of(uri) or "").relative_to(root)): applied(
            Path(path_of(uri) or "").read_text(), edits
        )
        for uri, edits in changes.items()
    }
    assert after == {
        path: text.replace("port", "door") for path, text in FILES.items() if "port" in text
    }


DATA = """\
lookup_options:
  shop::port: {merge: first}
shop::port: 3
classes: ['shop::db']
text: "%{shop::port} %{::shop::port} %{lookup('shop::port')}"
other::port: {shop: 1}
"""


@pytest.mark.parametrize(
    ("line", "word", "name", "new"),
    [
        (1, "port", "port", "door"),
        (2, "port", "port", "door"),
        (2, "shop", "port", "shop::door"),
        (3, "db", "shop::db", "shop::data"),
        (4, "port}", "port", "door"),
        (4, "port} %{lookup", "port", "door"),
        (4, "port')", "port", "door"),
    ],
)
def test_names_in_data(tmp_path: Path, line: int, word: str, name: str, new: str) -> None:
    client, root = start(tmp_path, RENAMES)
    path = root / "data/common.yaml"
    path.write_text(DATA)
    (root / "hiera.yaml").write_text("version: 5\nhierarchy:\n  - {name: a, path: common.yaml}\n")
    (root / "manifests/site.pp").write_text("include lookup('classes')\n")
    at = DATA.splitlines()[line].index(word)
    result = rename(client, root, "data/common.yaml", (line, at), new)["result"]
    found = {
        each["textDocument"]["uri"]: each["edits"]
        for each in result["documentChanges"]
        if "edits" in each
    }
    short = name.rpartition("::")[2]
    old, after = f"shop::{short}", f"shop::{new.rpartition('::')[2]}"
    assert applied(DATA, found[path.as_uri()]) == DATA.replace(old, after)
    assert applied(FILES[INIT], found[(root / INIT).as_uri()]) == FILES[INIT].replace(
        short, new.rpartition("::")[2]
    )
    document = {"textDocument": {"uri": path.as_uri()}}
    assert client.at("prepareRename", document, line, at)["placeholder"] == name


@pytest.mark.parametrize(
    ("name", "at"),
    [("modules/shop/templates/x.epp", (0, 6)), ("modules/shop/manifests/page.pp", (0, 42))],
)
def test_a_parameter_of_a_template(tmp_path: Path, name: str, at: tuple[int, int]) -> None:
    client, root = start(tmp_path, CAPABILITIES)
    files = {
        "modules/shop/templates/x.epp": "<% |$title_| %>\n<%= $title_ %>",
        "modules/shop/manifests/page.pp": (
            "class shop::page { epp('shop/x.epp', { 'title_' => 1 }) }"
        ),
    }
    for path, text in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    changes = rename(client, root, name, at, "heading")["result"]["changes"]
    assert {
        uri: applied(Path(path_of(uri) or "").read_text(), changes[uri]) for uri in changes
    } == {(root / path).as_uri(): text.replace("title_", "heading") for path, text in files.items()}
    document = {"textDocument": {"uri": (root / name).as_uri()}}
    assert client.at("prepareRename", document, *at)["placeholder"] == "title_"


def test_resources_from_nested_data(tmp_path: Path) -> None:
    client, root = start(tmp_path, CAPABILITIES)
    (root / "modules/shop/manifests/site.pp").write_text("define shop::site ($mode) { }\n")
    (root / "manifests/site.pp").write_text(
        "$sites = lookup('sites')\ncreate_resources('shop::site', $sites)\nnotice($sites)\n"
    )
    (root / "data/common.yaml").write_text("sites:\n  one:\n    mode: 1\n")
    error = rename(client, root, "modules/shop/manifests/site.pp", (0, 20), "x")["error"]
    assert error["message"] == (
        "resources of shop::site may get mode from the hash at manifests/site.pp:2, whose keys are "
        "not all known: mode at data/common.yaml:3 may be one of them"
    )


@pytest.mark.parametrize(
    "code",
    [
        "create_resources('shop::site', $sites)",
        "$sites.each |$name, $given| { shop::site { $name: * => $given } }",
    ],
)
def test_a_key_inside_of_a_value_is_renamed_from_code_and_from_data(
    tmp_path: Path, code: str
) -> None:
    client, root = start(tmp_path, CAPABILITIES)
    texts = {
        "modules/shop/manifests/site.pp": "define shop::site ($num) { notice($num) }\n",
        "modules/shop/manifests/all.pp": f"class shop::all ($sites) {{ {code} }}\n",
        "data/common.yaml": "shop::all::sites:\n  one:\n    num: 1\n",
    }
    (root / "hiera.yaml").write_text("version: 5\nhierarchy: [{name: c, path: common.yaml}]\n")
    for name, text in texts.items():
        (root / name).write_text(text)
    first, _, last = texts
    for name, at in ((first, (0, 21)), (last, (2, 5))):
        changes = rename(client, root, name, at, "count")["result"]["changes"]
        assert {uri.removeprefix(f"{root.as_uri()}/") for uri in changes} == {first, last}
        for each in (first, last):
            new = applied(texts[each], changes[(root / each).as_uri()])
            assert new == texts[each].replace("num", "count")
    document = {"textDocument": {"uri": (root / last).as_uri()}}
    assert client.at("prepareRename", document, 2, 5)["placeholder"] == "num"


def test_data_without_a_name(tmp_path: Path) -> None:
    client, root = start(tmp_path, RENAMES)
    (root / "data/common.yaml").write_text(DATA)
    (root / "hiera.yaml").write_text("version: 5\n")
    error = rename(client, root, "data/common.yaml", (5, 15), "x")["error"]
    assert error["message"] == (
        "in data only classes, their variables, and the keys of parameters can be renamed: "
        "rename others in the manifest"
    )
    error = rename(client, root, "data/common.yaml", (3, 15), "shop::data")["error"]
    assert error["message"] == "no code is known that looks shop::db up here"
    template = root / "modules/shop/templates/x.erb"
    template.parent.mkdir()
    template.write_text("<%= @port %>")
    error = rename(client, root, "modules/shop/templates/x.erb", (0, 6), "x")["error"]
    assert error["message"] == (
        "names are changed in manifests, templates in EPP and data: rename it in a manifest"
    )


def test_a_link_to_a_file(tmp_path: Path) -> None:
    client, root = start(tmp_path, CAPABILITIES)
    (root / "modules/shop/manifests/same.pp").symlink_to("init.pp")
    for name in (INIT, "modules/shop/manifests/same.pp"):
        changes = rename(client, root, name, (0, 14), "door")["result"]["changes"]
        assert {path_of(each) for each in changes} == {
            str(root / (name if path == INIT else path))
            for path, text in FILES.items()
            if "port" in text
        }


def test_the_range_of_a_name(tmp_path: Path) -> None:
    client, root = start(tmp_path, CAPABILITIES)
    document = client.open((root / INIT).as_uri(), FILES[INIT])
    assert client.at("prepareRename", document, 0, 13) == {
        "range": {"start": {"line": 0, "character": 13}, "end": {"line": 0, "character": 17}},
        "placeholder": "port",
    }
    assert client.at("prepareRename", document, 1, 14)["placeholder"] == "shop::db"
    assert client.at("prepareRename", document, 1, 4) is None  # include is Puppet's
    document = client.open((root / "manifests/site.pp").as_uri(), FILES["manifests/site.pp"])
    assert client.at("prepareRename", document, 0, 17)["placeholder"] == "port"
    assert client.at("prepareRename", document, 0, 24) is None


def test_a_class_and_its_file(tmp_path: Path) -> None:
    client, root = start(tmp_path, RENAMES)
    site = (root / "manifests/site.pp").as_uri()
    client.open(site, "include shop::db\n")
    db = "modules/shop/manifests/db.pp"
    done = rename(client, root, INIT, (1, 14), "shop::data")["result"]["documentChanges"]
    assert done[-1] == {
        "kind": "rename",
        "oldUri": (root / db).as_uri(),
        "newUri": (root / "modules/shop/manifests/data.pp").as_uri(),
    }
    versions = {each["textDocument"]["uri"]: each["textDocument"]["version"] for each in done[:-1]}
    assert versions == {site: 1, (root / INIT).as_uri(): 1, (root / db).as_uri(): None}
    for each in done[:-1]:
        assert [edit["newText"] for edit in each["edits"]] == ["shop::data"]


@pytest.mark.parametrize(
    ("capabilities", "at", "new", "reason"),
    [
        (
            CAPABILITIES,
            (1, 14),
            "shop::data",
            "modules/shop/manifests/db.pp has to become modules/shop/manifests/data.pp, and this "
            "editor renames no files for a server",
        ),
        (RENAMES, (1, 14), "other::data", "names in the module shop are shop or begin with shop::"),
        (RENAMES, (1, 4), "other", "no open file defines include"),
        (
            RENAMES,
            (0, 2),
            "other",
            "only variables, parameters, classes, defined types, functions and type aliases can be "
            "renamed",
        ),
        (RENAMES, (0, 14), "title", "title has a meaning in Puppet"),
    ],
)
def test_refusals(
    tmp_path: Path, capabilities: dict[str, Any], at: tuple[int, int], new: str, reason: str
) -> None:
    client, root = start(tmp_path, capabilities)
    error = rename(client, root, INIT, at, new)["error"]
    assert error == {"code": -32803, "message": reason}


def test_files_that_are_not_open(tmp_path: Path) -> None:
    client, root = start(tmp_path, RENAMES)
    other = tmp_path / "lib" / "wood" / "manifests" / "init.pp"
    other.parent.mkdir(parents=True)
    other.write_text("class wood ($age = 1) { }\n")
    settings = {"modulePath": [str(tmp_path / "lib")]}
    client.tell("workspace/didChangeConfiguration", {"settings": settings})
    site = root / "manifests/site.pp"
    site.write_text("class { 'wood': age => 2 }\n")
    error = rename(client, root, "manifests/site.pp", (0, 17), "years")["error"]
    assert (
        error["message"] == "lib/wood/manifests/init.pp would change, and is in no open directory"
    )


def test_a_text_with_an_error(tmp_path: Path) -> None:
    client, root = start(tmp_path, RENAMES)
    (root / INIT).write_text("class shop (")
    error = rename(client, root, INIT, (0, 8), "other")["error"]
    assert error["message"] == "a text with a syntax error keeps its names"


ASKS: dict[str, Any] = {
    **CAPABILITIES,
    "workspace": {
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["rename"],
            "changeAnnotationSupport": {},
        }
    },
}
UNSEEN = "manifests/roles.pp:1 computes the name of a class"
LABEL = "A place that may mean the old name when it runs stays as it is"


@pytest.mark.parametrize("asks", [True, False])
def test_places_that_cannot_be_seen(tmp_path: Path, *, asks: bool) -> None:
    client, root = start(tmp_path, ASKS if asks else RENAMES)
    (root / "manifests/roles.pp").write_text("include $facts['role']\n")
    done = rename(client, root, INIT, (1, 14), "shop::data")["result"]
    changes = done["documentChanges"]
    edits = [edit for each in changes[:-1] for edit in each["edits"]]
    assert {edit["newText"] for edit in edits} == {"shop::data"}
    named = {each.get("annotationId") for each in [*edits, changes[-1]]}
    messages = [
        each["params"] for each in client.heard if each.get("method") == "window/showMessage"
    ]
    if asks:
        (name,) = named
        assert done["changeAnnotations"] == {
            name: {"label": LABEL, "needsConfirmation": True, "description": UNSEEN}
        }
        assert messages == []
    else:
        assert named == {None}
        assert "changeAnnotations" not in done
        assert messages == [{"type": 2, "message": f"{LABEL}:\n{UNSEEN}"}]


def test_nothing_is_asked_about_names_that_are_seen(tmp_path: Path) -> None:
    client, root = start(tmp_path, ASKS)
    (root / "manifests/roles.pp").write_text("include \"role::${facts['role']}\"\n")
    done = rename(client, root, INIT, (1, 14), "shop::data")["result"]
    assert "changeAnnotations" not in done
    assert "annotationId" not in done["documentChanges"][-1]
