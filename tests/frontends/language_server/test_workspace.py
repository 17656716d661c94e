"""Names of all files of the open directories, which are indexed between the messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.language_server.client import CAPABILITIES, Direct

FILES = {
    "environment.conf": "modulepath = site\n",
    "manifests/site.pp": """
# For all nodes.
class everywhere(Integer $port) { }
define at_site(String $docroot) { }
function of_site(Integer $count) { $count }
type Of_site = Integer[1]
""",
    "site/app/manifests/init.pp": "class app { }\n",
    "site/app/manifests/.hidden.d/x.pp": "class app::hidden { }\n",
}
CREATED, CHANGED, DELETED = 1, 2, 3


def idle(client: Direct) -> None:
    """Let the server do what it does between the messages."""
    while client.server.has_work:
        client.messages += client.server.work()


@pytest.fixture
def client(tmp_path: Path) -> Direct:
    for name, text in FILES.items():
        write(tmp_path / name, text)
    client = Direct()
    client.start(tmp_path)
    idle(client)
    return client


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def labels(client: Direct, tmp_path: Path, typed: str) -> list[str]:
    """Return what is offered at the end of a line in a class."""
    uri = (tmp_path / "site/app/manifests/typed.pp").as_uri()
    line = f"  {typed}"
    document = client.open(uri, f"class app::typed {{\n{line}\n}}\n")
    found = client.at("completion", document, 1, len(line))
    return [each["label"] for each in found["items"]]


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        ("include every", "everywhere"),
        ("class { 'everywhere': po", "port"),
        ("at_s", "at_site"),
        ("at_site { 'x': doc", "docroot"),
        ("$x = of_s", "of_site"),
        ("$x = $everywhere::", "$everywhere::port"),
        ("$x = Of_", "Of_site"),
    ],
)
def test_definitions_of_site_manifests_are_offered(
    client: Direct, tmp_path: Path, typed: str, label: str
) -> None:
    assert label in labels(client, tmp_path, typed)


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("include everywhere", "For all nodes."),
        ("at_site { 'x': }", "String $docroot"),
        ("notice(of_site(1))", "Integer $count"),
        ("$x = Of_site", "Integer[1]"),
    ],
)
def test_definitions_of_site_manifests_are_explained(
    client: Direct, tmp_path: Path, code: str, wanted: str
) -> None:
    document = client.open((tmp_path / "site/app/manifests/typed.pp").as_uri(), code)
    places = [client.at("hover", document, 0, index) for index in range(len(code))]
    assert any(wanted in each["contents"]["value"] for each in places if each)


def test_calls_of_functions_of_site_manifests_have_signatures(
    client: Direct, tmp_path: Path
) -> None:
    document = client.open((tmp_path / "x.pp").as_uri(), "of_site(")
    found = client.at("signatureHelp", document, 0, 8)
    assert found["signatures"][0]["label"] == "of_site(Integer $count)"


def test_ruby_and_tasks_have_symbols(client: Direct, tmp_path: Path) -> None:
    fact = tmp_path / "site/app/lib/facter/role.rb"
    write(fact, "Facter.add(:role) { }\n")
    task = tmp_path / "site/app/tasks/restart"
    write(task, "")
    task.write_bytes(b"\x7fELF\xff")
    changes = [{"uri": each.as_uri(), "type": CREATED} for each in (fact, task)]
    client.tell("workspace/didChangeWatchedFiles", {"changes": changes})
    (found,) = client.ask("workspace/symbol", {"query": "restart"})
    assert (found["name"], found["location"]["uri"]) == ("app::restart", task.as_uri())
    (found,) = client.ask("workspace/symbol", {"query": "role"})
    assert found["location"]["range"]["start"] == {"line": 0, "character": 12}
    document = client.open(fact.as_uri(), "# Of nodes.\nFacter.add('roles') { }\n", "ruby")
    (found,) = client.ask("workspace/symbol", {"query": "role"})
    assert (found["name"], found["location"]["range"]["start"]["line"]) == ("roles", 1)
    (symbol,) = client.ask("textDocument/documentSymbol", document)
    assert (symbol["name"], symbol["detail"]) == ("roles", "fact")


def test_files_that_are_saved_or_come_or_go_are_indexed(client: Direct, tmp_path: Path) -> None:
    new = tmp_path / "site/other/manifests/new.pp"
    document = client.open(new.as_uri(), "class other::unsaved { }\n")
    assert "other::unsaved" in labels(client, tmp_path, "include other::")
    write(new, "class other::saved { }\n")
    client.tell("textDocument/didSave", document)
    client.tell("textDocument/didClose", document)
    idle(client)
    found = labels(client, tmp_path, "include other::")
    assert "other::saved" in found
    assert "other::unsaved" not in found
    hidden = tmp_path / "site/app/manifests/.hidden.d/x.pp"
    outside = tmp_path.parent / f"{tmp_path.name}-outside.pp"
    write(outside, "class other::outside { }\n")
    changes = [{"uri": each.as_uri(), "type": CREATED} for each in (hidden, outside)]
    new.unlink()
    changes.append({"uri": new.as_uri(), "type": DELETED})
    client.tell("workspace/didChangeWatchedFiles", {"changes": changes})
    idle(client)
    names = {each["name"] for each in client.ask("workspace/symbol", {"query": ""})}
    assert labels(client, tmp_path, "include other::") == []
    assert names - {"app::typed"} == {"everywhere", "at_site", "of_site", "Of_site", "app"}


def test_an_unsaved_text_counts_instead_of_its_file(client: Direct, tmp_path: Path) -> None:
    uri = (tmp_path / "manifests/site.pp").as_uri()
    client.open(uri, "class elsewhere(String $url) { }\n")
    assert labels(client, tmp_path, "include everyw") == []
    assert "url" in labels(client, tmp_path, "class { 'elsewhere': u")


# Progress


def many(tmp_path: Path) -> None:
    for number in range(250):
        text = f"class app::x{number} {{ include app }}\n"
        write(tmp_path / f"site/app/manifests/x{number}.pp", text)


def progress(messages: list[dict[str, Any]]) -> list[str]:
    given = [each["params"] for each in messages if each.get("method") == "$/progress"]
    return [each["value"]["kind"] for each in given]


@pytest.mark.parametrize("takes_progress", [False, True])
def test_indexing_many_files_is_shown(tmp_path: Path, takes_progress: bool) -> None:
    many(tmp_path)
    client = Direct()
    window = {"window": {"workDoneProgress": takes_progress}}
    client.start(tmp_path, {**CAPABILITIES, **window})
    while client.server.has_work:
        messages = client.server.work()
        client.messages += messages
        for each in messages:
            if each.get("method") == "window/workDoneProgress/create":
                client.send({"id": each["id"], "result": None})
    shown = ["begin", "report", "end"] if takes_progress else []
    assert progress(client.messages) == shown


def test_each_work_has_a_token_of_its_own(tmp_path: Path) -> None:
    many(tmp_path)
    client = Direct()
    client.start(tmp_path, {**CAPABILITIES, "window": {"workDoneProgress": True}})
    for _ in range(2):
        while client.server.has_work:
            client.messages += client.server.work()
        client.tell("workspace/didChangeWorkspaceFolders", {"event": {}})
    method = "window/workDoneProgress/create"
    made = [each["params"]["token"] for each in client.messages if each.get("method") == method]
    assert len(made) == len({*made}) == 2


def test_a_search_in_many_files_is_shown_if_it_is_asked_for(tmp_path: Path) -> None:
    many(tmp_path)
    client = Direct()
    client.start(tmp_path)
    document = client.open((tmp_path / "site/app/manifests/init.pp").as_uri(), "class app { }\n")
    asked = {"context": {"includeDeclaration": False}, "position": {"line": 0, "character": 7}}
    sent: list[dict[str, Any]] = []
    client.server.send = sent.append
    found = client.ask("textDocument/references", {**document, **asked, "workDoneToken": 7})
    assert len(found) == 250
    assert progress(sent) == ["begin", "report", "end"]
    assert {each["params"]["token"] for each in sent} == {7}
    sent.clear()
    client.ask("textDocument/references", {**document, **asked})
    assert sent == []
    client.ask("textDocument/references", {**document, **asked, "workDoneToken": 8})
    sent.clear()
    client.tell("workspace/didChangeWorkspaceFolders", {"event": {}})
    while client.server.has_work:
        client.server.work()
    for _ in range(250):
        client.server._features.state.check()
    assert sent == []  # the request is over


def test_a_long_request_is_cancelled_between_two_files(tmp_path: Path) -> None:
    many(tmp_path)
    client = Direct()
    client.start(tmp_path)
    document = client.open((tmp_path / "site/app/manifests/init.pp").as_uri(), "class app { }\n")
    server = client.server

    def cancel(message: dict[str, Any]) -> None:
        server.note({"method": "$/cancelRequest", "params": {"id": 99}})

    server.send = cancel
    parameters = {**document, "position": {"line": 0, "character": 7}, "workDoneToken": "t"}
    asked = {"id": 99, "method": "textDocument/references", "params": parameters}
    server.note(asked)
    assert server.answer(asked)[-1]["error"]["code"] == -32800
