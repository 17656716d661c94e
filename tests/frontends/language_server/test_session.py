"""From ``initialize`` to ``exit``: errors, cancellation, settings, encodings, directories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puppet_repl.frontends.language_server.server import Server
from tests.frontends.language_server.client import CAPABILITIES, Direct

URI = "file:///nowhere/a.pp"


def error_of(messages: list[dict[str, Any]]) -> int:
    code: int = messages[-1]["error"]["code"]
    return code


def test_requests_before_and_after_the_session() -> None:
    server = Server()
    hover = {"id": 1, "method": "textDocument/hover", "params": {}}
    assert error_of(server.answer(hover)) == -32002
    begin = {"id": 2, "method": "initialize", "params": {"capabilities": {}}}
    assert "capabilities" in server.answer(begin)[0]["result"]
    assert error_of(server.answer(begin)) == -32600
    assert server.answer({"id": 3, "method": "shutdown"})[0]["result"] is None
    assert error_of(server.answer(hover)) == -32600
    assert server.status is None
    assert server.answer({"method": "exit"}) == []
    assert server.status == 0


def test_exit_without_shutdown_fails() -> None:
    server = Server()
    server.answer({"method": "exit"})
    assert server.status == 1


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"id": 1, "method": "no/such"}, -32601),
        ({"id": 1, "method": "$/no"}, -32601),
        ({"id": None, "method": "shutdown"}, -32600),
        ({"id": True, "method": "shutdown"}, -32600),
        ({"id": 1}, -32600),
        ({"id": 1, "method": "textDocument/hover", "params": []}, -32602),
        ({"id": 1, "method": "textDocument/hover", "params": {"textDocument": 1}}, -32602),
        (
            {
                "id": 1,
                "method": "textDocument/hover",
                "params": {"textDocument": {"uri": "file:///b.pp"}},
            },
            -32602,
        ),
        (
            {
                "id": 1,
                "method": "textDocument/hover",
                "params": {"textDocument": {"uri": URI}, "position": {"line": -1}},
            },
            -32602,
        ),
    ],
)
def test_wrong_messages_are_refused(message: dict[str, Any], code: int) -> None:
    client = Direct()
    client.start()
    client.open(URI, "notice(1)\n")
    assert error_of(client.server.answer(message)) == code
    assert client.ask("textDocument/foldingRange", {"textDocument": {"uri": URI}}) == []


def test_wrong_notifications_are_logged() -> None:
    client = Direct()
    client.start()
    client.open(URI, "notice(1)\n")
    item = {"uri": URI, "version": 2}
    for changes in (None, [{}], [{"text": "x", "range": {"start": 1}}]):
        given = {"textDocument": item, "contentChanges": changes}
        (logged,) = client.server.answer({"method": "textDocument/didChange", "params": given})
        assert logged["method"] == "window/logMessage"
    assert client.server.answer({"method": "$/unknown"}) == []
    assert client.server.answer({"method": "textDocument/didSomething"}) == []


def test_a_defect_is_logged_and_the_server_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Direct()
    client.start()
    document = client.open(URI, "notice(1)\n")

    def fail(_: object) -> None:
        raise ZeroDivisionError("by a test")

    monkeypatch.setitem(client.server._features.requests, "textDocument/hover", fail)
    asked = {"id": 9, "method": "textDocument/hover", "params": document}
    logged, answered = client.server.answer(asked)
    assert "this is a defect of puppet-repl: ZeroDivisionError" in logged["params"]["message"]
    assert answered["error"] == {"code": -32603, "message": "ZeroDivisionError: by a test"}
    assert client.ask("textDocument/foldingRange", document) == []


def test_a_cancelled_request_is_not_computed() -> None:
    client = Direct()
    client.start()
    document = client.open(URI, "notice(1)\n")
    asked = {"id": "x", "method": "textDocument/foldingRange", "params": document}
    cancel = {"method": "$/cancelRequest", "params": {"id": "x"}}
    server = client.server
    for message in (asked, cancel):
        server.note(message)
    assert error_of(server.answer(asked)) == -32800
    assert server.answer(cancel) == []
    # The number is free again, and a cancellation that comes too late has no effect.
    server.note(cancel)
    server.note(asked)
    assert server.answer(asked)[0]["result"] == []


@pytest.mark.parametrize(
    ("offered", "chosen", "character"),
    [
        (None, "utf-16", 10),
        (["utf-16"], "utf-16", 10),
        (["utf-8", "utf-16"], "utf-8", 14),
        (["utf-16", "utf-32"], "utf-32", 8),
    ],
)
def test_the_encoding_of_positions(offered: list[str] | None, chosen: str, character: int) -> None:
    client = Direct()
    general = {} if offered is None else {"general": {"positionEncodings": offered}}
    result = client.start(capabilities=general)
    assert result["capabilities"]["positionEncoding"] == chosen
    document = client.open(URI, "'😀😀' == $x\n")
    data = client.ask("textDocument/semanticTokens/full", document)["data"]
    assert data[6] == character  # of $x


def test_settings_are_asked_for() -> None:
    client = Direct()
    client.start(capabilities={**CAPABILITIES, "workspace": {"configuration": True}})
    asked = client.receive()
    assert asked["params"] == {"items": [{"section": "puppet-repl"}]}
    client.send({"id": asked["id"], "result": [{"advice": False, "width": "x", "ignore": ["y"]}]})
    logged = [client.receive()["params"]["message"] for _ in range(2)]
    assert logged == [
        "the setting puppet-repl.ignore is not used: no rule 'y'",
        "the setting puppet-repl.width is not used: it is a number of columns",
    ]
    client.open(URI, "file { '/a': mode => 644 }\n")
    assert client.diagnostics(URI) == []
    client.tell("workspace/didChangeConfiguration", {"settings": None})
    asked = client.receive()
    client.send({"id": asked["id"], "result": [{"ignore": []}]})
    assert [each["code"] for each in client.diagnostics(URI)] == ["unquoted_file_mode"]


def test_without_settings_those_of_the_start_count() -> None:
    client = Direct()
    workspace = {"workspace": {"configuration": True}}
    client.start(
        capabilities={**CAPABILITIES, **workspace}, initializationOptions={"advice": False}
    )
    client.open(URI, "file { '/a': mode => 644 }\n")
    for answered, codes in ((None, []), ({}, ["unquoted_file_mode"]), (None, [])):
        asked = client.receive()
        client.send({"id": asked["id"], "result": [answered]})
        assert [each["code"] for each in client.diagnostics(URI)] == codes
        client.tell("workspace/didChangeConfiguration", {"settings": None})


def test_settings_are_sent_or_given_at_the_start() -> None:
    client = Direct()
    client.start(initializationOptions={"advice": False})
    client.open(URI, "file { '/a': mode => 644 }\n")
    assert client.diagnostics(URI) == []
    settings = {"puppet-repl": {"ignore": ["unquoted_file_mode"]}}
    client.tell("workspace/didChangeConfiguration", {"settings": settings})
    assert client.diagnostics(URI) == []
    client.tell("workspace/didChangeConfiguration", {"settings": {"puppet-repl": {}}})
    assert [each["code"] for each in client.diagnostics(URI)] == ["unquoted_file_mode"]


def test_changed_files_are_read_again(tmp_path: Path) -> None:
    manifests = tmp_path / "m" / "manifests"
    manifests.mkdir(parents=True)
    (tmp_path / "m" / "metadata.json").write_text('{"name": "me-m", "dependencies": []}')
    init = manifests / "init.pp"
    text = "class m { include m::b }\n"
    init.write_text(text)
    watched = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
    client = Direct()
    client.start(tmp_path / "m", capabilities={"workspace": watched})
    asked = client.receive()
    assert asked["method"] == "client/registerCapability"
    client.send({"id": asked["id"], "result": None})
    client.open(init.as_uri(), text)
    assert len(client.diagnostics(init.as_uri())) == 1
    (manifests / "b.pp").write_text("class m::b { }\n")
    change = {"uri": (manifests / "b.pp").as_uri(), "type": 1}
    client.tell("workspace/didChangeWatchedFiles", {"changes": [change]})
    assert client.diagnostics(init.as_uri()) == []


def test_an_environment_that_puppet_refuses(tmp_path: Path) -> None:
    (tmp_path / "environment.conf").write_text("manifest = $nonsense[\nx\n")
    module = tmp_path / "modules" / "environment"
    module.mkdir(parents=True)
    text = "file { '/a': source => 'puppet:///modules/a/b' }\ninclude a\n"
    uri = (tmp_path / "manifests" / "site.pp").as_uri()
    client = Direct()
    client.start(tmp_path)
    document = client.open(uri, text)
    for method in ("documentLink", "hover", "completion", "definition"):
        asked = {**document, "position": {"line": 1, "character": 9}}
        answered = client.request(f"textDocument/{method}", asked)
        assert answered.get("error", {"code": -32803})["code"] == -32803
    client.diagnostics(uri)
    assert not [each for each in client.heard if each["method"] == "window/logMessage"]


def test_several_directories(tmp_path: Path) -> None:
    for name in ("one", "two"):
        manifests = tmp_path / name / "modules" / f"of_{name}" / "manifests"
        manifests.mkdir(parents=True)
        (tmp_path / name / "environment.conf").write_text("")
        (manifests / "init.pp").write_text(f"class of_{name} {{ }}\n")
    client = Direct()
    folders = [{"uri": (tmp_path / "one").as_uri(), "name": "one"}]
    client.start(tmp_path, workspaceFolders=folders)
    document = client.open((tmp_path / "two" / "a.pp").as_uri(), "include of_")
    labels = [each["label"] for each in client.at("completion", document, 0, 11)["items"]]
    assert labels == ["of_two"]  # its root is found without the client's help
    added = [{"uri": (tmp_path / "two").as_uri(), "name": "two"}]
    event = {"added": added, "removed": folders}
    client.tell("workspace/didChangeWorkspaceFolders", {"event": event})
    labels = [each["label"] for each in client.at("completion", document, 0, 11)["items"]]
    assert labels == ["of_two"]


def test_modules_that_the_setting_links_to_are_known(tmp_path: Path) -> None:
    """Links in the repository itself are not followed out of it."""
    for name in ("linked", "outside"):
        manifests = tmp_path / "checkouts" / name / "manifests"
        manifests.mkdir(parents=True)
        (manifests / "init.pp").write_text(f"class {name} {{ }}\n")
    path, own = tmp_path / "path", tmp_path / "own"
    fixtures = own / "spec" / "fixtures" / "modules"
    for directory in (path, fixtures):
        directory.mkdir(parents=True)
    (own / "metadata.json").write_text('{"name": "o-own", "version": "1.0.0"}')
    (path / "linked").symlink_to(tmp_path / "checkouts" / "linked")
    (fixtures / "outside").symlink_to(tmp_path / "checkouts" / "outside")
    client = Direct()
    client.start(own, initializationOptions={"modulePath": [str(path)]})
    document = client.open((own / "manifests" / "init.pp").as_uri(), "include ")
    offered = {item["label"] for item in client.at("completion", document, 0, 8)["items"]}
    assert "linked" in offered
    assert "outside" not in offered


def test_settings_of_an_untrusted_directory_give_no_access(tmp_path: Path) -> None:
    for name in ("outside/linked", "chosen/first", "own/inside/second"):
        (tmp_path / name / "manifests").mkdir(parents=True)
        text = f"class {Path(name).name} {{ }}\n"
        (tmp_path / name / "manifests" / "init.pp").write_text(text)
    own, chosen, outside = tmp_path / "own", str(tmp_path / "chosen"), tmp_path / "outside"
    (own / "environment.conf").write_text("")
    (own / "link").symlink_to(outside)
    (own / "links").mkdir()
    (own / "links" / "linked").symlink_to(outside / "linked")
    asked = [chosen, str(outside), *[str(own / each) for each in ("inside", "link", "links")]]
    for trust, expected in ((False, {"first", "second"}), (True, {"first", "second", "linked"})):
        client = Direct()
        client.start(own, initializationOptions={"trust": trust, "modulePath": [chosen]})
        settings = {"puppet-repl": {"trust": True, "modulePath": asked}}
        client.tell("workspace/didChangeConfiguration", {"settings": settings})
        document = client.open((own / "manifests" / "a.pp").as_uri(), "include ")
        offered = {item["label"] for item in client.at("completion", document, 0, 8)["items"]}
        assert offered & {"first", "second", "linked"} == expected


@pytest.mark.parametrize(
    "parameters",
    [{"workspaceFolders": 5}, {"workspaceFolders": [5]}, {"rootUri": 5}],
    ids=str,
)
def test_directories_of_another_kind(parameters: dict[str, Any]) -> None:
    client = Direct()
    client.ask("initialize", {"capabilities": {}, "processId": None, **parameters})
    client.tell("initialized")
    client.tell("workspace/didChangeConfiguration", {"settings": {"modulePath": ["a\0b"]}})
    client.open(URI, "notice(1)\n")
    assert client.diagnostics(URI) == []
    logged = [each["params"]["message"] for each in client.heard if "message" in each["params"]]
    told = "the setting puppet-repl.modulePath is not used: a string has NUL in it"
    assert logged == [told]


def test_the_files_beside_a_single_one_are_not_read(tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    beside = tmp_path / "loose" / "sub"
    for directory in (opened, beside):
        directory.mkdir(parents=True)
        (directory / "b.pp").write_text("include one\n")
    client = Direct()
    client.start(opened)
    document = client.open((beside.parent / "a.pp").as_uri(), "class one { }\n")
    context = {"context": {"includeDeclaration": True}}
    found = client.at("references", document, 0, 7, **context)
    assert [each["uri"] for each in found] == [document["textDocument"]["uri"]]


VHOST = "define shop::vhost (Integer $port) {\n}\n"
CLIENT = "class shop::client {\n  shop::vhost { 'a': port => 1 }\n}\n"


def retext(client: Direct, document: dict[str, Any], version: int, text: str) -> None:
    """Change the whole text of a document."""
    item = {**document["textDocument"], "version": version}
    client.tell(
        "textDocument/didChange", {"textDocument": item, "contentChanges": [{"text": text}]}
    )


def published(client: Direct, uri: str) -> list[list[str]]:
    """Return the messages of each list of diagnostics that the server sends until it has done."""
    while client.server.has_work:
        client.messages += client.server.work()
    told = [each for each in client.messages if each.get("params", {}).get("uri") == uri]
    client.messages.clear()
    return [[each["message"] for each in one["params"]["diagnostics"]] for one in told]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    files = {
        "metadata.json": '{"name": "me-shop", "version": "1.0.0"}',
        "hiera.yaml": "version: 5\nhierarchy: [{name: c, path: common.yaml}]\n",
        "manifests/vhost.pp": VHOST,
        "manifests/client.pp": CLIENT,
        "manifests/init.pp": "class shop {\n}\n",
        "data/common.yaml": "shop::fresh: 3\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_unsaved_definitions_count_in_other_documents(shop: Path) -> None:
    client = Direct()
    client.start(shop)
    used = (shop / "manifests" / "client.pp").as_uri()
    client.open(used, CLIENT)
    vhost = client.open((shop / "manifests" / "vhost.pp").as_uri(), VHOST)
    assert published(client, used) == [[]]
    retext(client, vhost, 2, VHOST.replace("port", "prt"))
    [found] = published(client, used)
    assert any("needs a value for prt" in each for each in found)
    retext(client, vhost, 3, VHOST.replace("{\n", "{\n  notice(1)\n").replace("port", "prt"))
    assert published(client, used) == []
    retext(client, vhost, 4, VHOST)
    assert published(client, used) == [[]]


def test_unsaved_parameters_count_in_data(shop: Path) -> None:
    client = Direct()
    client.start(shop)
    data = (shop / "data" / "common.yaml").as_uri()
    client.open(data, "shop::fresh: 3\n", "yaml")
    init = client.open((shop / "manifests" / "init.pp").as_uri(), "class shop {\n}\n")
    [found] = published(client, data)
    assert any("fresh" in each for each in found)
    retext(client, init, 2, "class shop (Integer $fresh) {\n}\n")
    assert published(client, data) == [[]]


def test_a_client_that_asks_is_told_to_ask_again(shop: Path) -> None:
    client = Direct()
    capabilities = {
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": True}},
    }
    client.start(shop, capabilities)
    used = client.open((shop / "manifests" / "client.pp").as_uri(), CLIENT)
    vhost = client.open((shop / "manifests" / "vhost.pp").as_uri(), VHOST)
    assert client.ask("textDocument/diagnostic", used)["items"] == []
    for version, text, asked in ((2, VHOST.replace("port", "prt"), 1), (3, VHOST + "\n", 2)):
        retext(client, vhost, version, text)
        client.ask("textDocument/diagnostic", vhost)
        told = [each.get("method") for each in (*client.heard, *client.messages)]
        assert told.count("workspace/diagnostic/refresh") == asked
        items = client.ask("textDocument/diagnostic", used)["items"]
        assert bool(items) == (asked == 1)
