"""Each request by a message, each answer held to the protocol."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import puppet_repl
from puppet_repl.frontends.language_server.addresses import path_of
from puppet_repl.frontends.language_server.capabilities import (
    FIX_ALL,
    TOKEN_MODIFIERS,
    TOKEN_TYPES,
)
from tests.frontends.language_server.client import CAPABILITIES, Direct

URI = "file:///nowhere/manifests/a.pp"
ROUGH = "define a ($x) {\n  file { '/a': mode => 644 }\n  $y = upcase($x)\n}\n"


@pytest.fixture
def client() -> Direct:
    client = Direct()
    client.start()
    return client


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """Apply edits whose positions count characters."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def offset(position: dict[str, int]) -> int:
        return lines[position["line"]] + position["character"]

    for edit in sorted(edits, key=lambda edit: -offset(edit["range"]["start"])):
        start, end = (offset(edit["range"][each]) for each in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


def test_diagnostics_are_sent_and_removed(client: Direct) -> None:
    client.open(URI, ROUGH)
    found = client.diagnostics(URI)
    assert [each["code"] for each in found] == ["unquoted_file_mode", "unused_variable"]
    assert found[0]["range"]["start"] == {"line": 1, "character": 23}
    change = {
        "range": {
            "start": {"line": 1, "character": 23},
            "end": {"line": 1, "character": 26},
        },
        "text": "'0644'",
    }
    item = {"uri": URI, "version": 2}
    client.tell("textDocument/didChange", {"textDocument": item, "contentChanges": [change]})
    assert [each["code"] for each in client.diagnostics(URI)] == ["unused_variable"]
    client.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert client.diagnostics(URI) == []


@pytest.mark.parametrize("takes", [True, False])
def test_the_bracket_that_is_never_closed_is_related(takes: bool) -> None:
    client = Direct()
    published = {"relatedInformation": takes}
    text_document = {**CAPABILITIES["textDocument"], "publishDiagnostics": published}
    client.start(capabilities={**CAPABILITIES, "textDocument": text_document})
    client.open(URI, "class x {\n  $a = 1\n")
    (found,) = client.diagnostics(URI)
    assert found["range"]["start"] == {"line": 1, "character": 7}
    bracket = {"start": {"line": 0, "character": 8}, "end": {"line": 0, "character": 9}}
    location = {"uri": URI, "range": bracket}
    related = [{"location": location, "message": "the { is never closed"}]
    assert found.get("relatedInformation") == (related if takes else None)


def test_diagnostics_can_be_pulled() -> None:
    client = Direct()
    text_document = {**CAPABILITIES["textDocument"], "diagnostic": {}}
    client.start(capabilities={**CAPABILITIES, "textDocument": text_document})
    document = client.open(URI, "$x = \n")
    report = client.ask("textDocument/diagnostic", document)
    (found,) = report["items"]
    assert found["message"].splitlines()[0] == "Syntax error at end of input"
    assert found["message"].splitlines()[1].startswith("hint: something has to follow the =")
    again = client.ask(
        "textDocument/diagnostic", {**document, "previousResultId": report["resultId"]}
    )
    assert again == {"kind": "unchanged", "resultId": report["resultId"]}
    while client.server.has_work:
        assert client.server.work() == []


SHOP = Path(puppet_repl.__file__).parents[1] / "tests" / "hostile" / "shop"


def test_diagnostics_are_those_of_validate(tmp_path: Path) -> None:
    texts = {
        "metadata.json": '{"name": "me-shop", "dependencies": [{"name": "a/b"}]}',
        "manifests/init.pp": "class shop { include shop::missing, other::thing }\n",
        "manifests/wrong.pp": "class shop::wrong { file { '/a': mode => 644, }\n",
        "manifests/odd.pp": "define shop::odd ($Z) { shop::nothing { $title: } }\n",
        "functions/f.pp": "function shop::g() { 1 }\n",
        "types/port.pp": "type Shop::Port = Integer\n$x\n",
        "plans/p.pp": "plan shop::p(TargetSpec $t) { run_command('x', $t) }\n",
        "templates/t.epp": "<%- | $x | -%>\n<%= $y %>\n<% if $facts['a'] { %>b<% } %>\n",
        "hiera.yaml": "version: 5\nhierarchy:\n  - name: x\n    path: common.yaml\n",
        "data/common.yaml": "shop::a: 1\nshop::a: 2\n",
    }
    root = tmp_path / "shop"
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    client = Direct()
    client.start(root)
    number = 0
    for name, text in texts.items():
        path = root / name
        client.open(path.as_uri(), text, "puppet" if name.endswith("pp") else "yaml")
        expected = puppet_repl.validate(path, advice=True)
        found = client.diagnostics(path.as_uri())
        shown = [(each["code"], each["message"].split("\nhint: ")[0]) for each in found]
        assert sorted(shown) == sorted((each.code, each.message) for each in expected), name
        number += len(shown)
    assert number > 8


def test_hover(client: Direct) -> None:
    document = client.open(URI, ROUGH)
    hover = client.at("hover", document, 1, 4)
    assert hover["contents"]["kind"] == "markdown"
    assert "**file** *resource type*" in hover["contents"]["value"]
    assert hover["range"]["start"] == {"line": 1, "character": 2}
    assert client.at("hover", document, 3, 1) is None


def test_completion_and_its_documentation(client: Direct) -> None:
    document = client.open(URI, "$a = upc\nfile { '/x':\n  mo\n}\nser\n")
    items = client.at("completion", document, 0, 8)["items"]
    assert items[0]["label"] == "upcase"
    assert items[0]["textEdit"]["newText"] == "upcase(${1:arg})"
    assert items[0]["insertTextFormat"] == 2
    resolved = client.ask("completionItem/resolve", items[0])
    assert "upper case" in resolved["documentation"]["value"]
    items = client.at("completion", document, 2, 4)["items"]
    assert items[0]["textEdit"]["newText"] == "mode => ${0},"
    resolved = client.ask("completionItem/resolve", items[0])
    assert "**mode**" in resolved["documentation"]["value"]
    items = client.at("completion", document, 4, 3)["items"]
    assert items[0]["textEdit"]["newText"] == "service { '${1:title}':\n  $0\n}"


DEFINED = """define web::site (
  Optional[String] $alias = undef,
  String $root,
  Enum['a}', 'b'] $kind,
) { }
function web::twice(Integer $number, String $unit = 'm') { $number }
"""


@pytest.mark.parametrize(
    ("typed", "inserted"),
    [
        (
            "web::si",
            "web::site { '${1:title}':\n"
            "  root => ${2:String},\n"
            "  kind => ${3:Enum['a\\}', 'b']},\n"
            "}",
        ),
        ("$a = web::tw", "web::twice(${1:number})"),
        ("$a = 3.web::tw", "web::twice($0)"),
        ("$a = spl", "split(${1:str}, ${2:pattern})"),
        ("web::site { 'x': ", "root => ${0},"),
        ("web::site { 'x': root => 1, ", "kind => ${0},"),
    ],
)
def test_what_is_needed_is_inserted(client: Direct, typed: str, inserted: str) -> None:
    document = client.open(URI, f"{DEFINED}{typed}")
    items = client.at("completion", document, DEFINED.count("\n"), len(typed))["items"]
    assert items[0]["textEdit"]["newText"] == inserted


def test_explanations_are_made_when_they_are_asked_for() -> None:
    client = Direct()
    lazy = {"completionItem": {"resolveSupport": {"properties": ["documentation", "detail"]}}}
    client.start(capabilities={"textDocument": {"completion": lazy}})
    document = client.open(URI, "$a = upc")
    item = client.at("completion", document, 0, 8)["items"][0]
    assert "detail" not in item
    assert client.ask("completionItem/resolve", item)["detail"].startswith("Convert")


def test_without_snippets_names_are_inserted() -> None:
    client = Direct()
    client.start(capabilities={})
    document = client.open(URI, "$a = upc")
    item = client.at("completion", document, 0, 8)["items"][0]
    assert item["textEdit"]["newText"] == "upcase"
    assert "insertTextFormat" not in item


def test_signatures_have_the_ranges_of_parameters(client: Direct) -> None:
    document = client.open(URI, "$a = 'x'.regsubst(")
    found = client.at("signatureHelp", document, 0, 18)
    signature = found["signatures"][0]
    assert signature["label"].startswith("regsubst(")
    start, end = signature["parameters"][found["activeParameter"]]["label"]
    assert "pattern" in signature["label"][start:end].lower()
    assert client.at("signatureHelp", document, 0, 2) is None


def test_symbols(client: Direct) -> None:
    document = client.open(URI, ROUGH)
    symbol = client.ask("textDocument/documentSymbol", document)[0]
    assert (symbol["name"], symbol["detail"]) == ("a", "defined type")
    assert [each["name"] for each in symbol["children"]] == ["$x", "file[/a]", "$y"]


def test_symbols_while_a_line_is_typed(client: Direct) -> None:
    document = client.open(URI, "class a {\n  $x = 1\n  file { '/a': }\n}\n")
    cursor = {"line": 1, "character": 7}
    change = {"range": {"start": cursor, "end": {**cursor, "character": 8}}, "text": "["}
    item = {"uri": URI, "version": 2}
    client.tell("textDocument/didChange", {"textDocument": item, "contentChanges": [change]})
    symbols = client.ask("textDocument/documentSymbol", document)
    assert [each["name"] for each in symbols[0]["children"]] == ["file[/a]"]


def test_folds_and_selections(client: Direct) -> None:
    document = client.open(URI, ROUGH)
    folds = client.ask("textDocument/foldingRange", document)
    assert folds == [{"startLine": 0, "endLine": 2}]
    position = {"line": 2, "character": 9}
    given = {**document, "positions": [position]}
    found = client.ask("textDocument/selectionRange", given)[0]
    widths = []
    while found:
        start, end = found["range"]["start"], found["range"]["end"]
        widths.append((end["line"] - start["line"], end["character"] - start["character"]))
        found = found.get("parent")
    assert widths[:2] == [(0, 6), (0, 10)]  # upcase, upcase($x)
    assert widths[-1] == (4, 0)


def test_semantic_tokens_full_delta_and_range(client: Direct) -> None:
    document = client.open(URI, ROUGH)
    full = client.ask("textDocument/semanticTokens/full", document)
    data = full["data"]
    decoded = [(TOKEN_TYPES[data[at + 3]], data[at + 4]) for at in range(0, len(data), 5)]
    declared = 1 << TOKEN_MODIFIERS.index("declaration")
    assert decoded[:3] == [("keyword", 0), ("struct", declared), ("parameter", declared)]
    change = {
        "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}},
        "text": "  # a comment\n",
    }
    item = {"uri": URI, "version": 2}
    client.tell("textDocument/didChange", {"textDocument": item, "contentChanges": [change]})
    given = {**document, "previousResultId": full["resultId"]}
    delta = client.ask("textDocument/semanticTokens/full/delta", given)
    for edit in delta["edits"]:
        data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit["data"]
    assert data == client.ask("textDocument/semanticTokens/full", document)["data"]
    line = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 13}}
    part = client.ask("textDocument/semanticTokens/range", {**document, "range": line})
    assert part["data"] == [1, 2, 11, TOKEN_TYPES.index("comment"), 0]


def test_formatting(client: Direct) -> None:
    document = client.open(URI, "class  a {\n  $x = 1\n$y=2\n}\n")
    options = {"options": {"tabSize": 2, "insertSpaces": True}}
    edits = client.ask("textDocument/formatting", {**document, **options})
    text = "class  a {\n  $x = 1\n$y=2\n}\n"
    assert applied(text, edits) == "class a {\n  $x = 1\n  $y = 2\n}\n"
    line = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 4}}
    edits = client.ask("textDocument/rangeFormatting", {**document, **options, "range": line})
    assert applied(text, edits) == "class  a {\n  $x = 1\n  $y = 2\n}\n"
    edits = client.at("onTypeFormatting", document, 3, 0, ch="\n", **options)
    assert applied(text, edits) == "class  a {\n  $x = 1\n  $y = 2\n}\n"
    edits = client.at("onTypeFormatting", document, 3, 1, ch="}", **options)
    assert applied(text, edits) == "class a {\n  $x = 1\n  $y = 2\n}\n"


def test_a_broken_text_is_not_formatted(client: Direct) -> None:
    document = client.open(URI, "class {\n")
    options = {"options": {"tabSize": 2, "insertSpaces": True}}
    error = client.request("textDocument/formatting", {**document, **options})["error"]
    assert error["code"] == -32803
    assert error["message"].startswith("not formatted: Syntax error at")


def test_code_actions(client: Direct) -> None:
    document = client.open(URI, ROUGH)
    everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 0}}
    given = {**document, "range": everywhere, "context": {"diagnostics": []}}
    found = client.ask("textDocument/codeAction", given)
    by_title = {each["title"]: each for each in found}
    fix = next(each for title, each in by_title.items() if title.startswith("Fix: write "))
    assert "mode => '0644'" in applied(ROUGH, fix["edit"]["changes"][URI])
    silence = by_title["Silence unused_variable with a comment"]
    silenced = applied(ROUGH, silence["edit"]["changes"][URI])
    assert "$y = upcase($x) # lint:ignore:unused_variable\n" in silenced
    left = [each.code for each in puppet_repl.validate(text=silenced, advice=True)]
    assert left == ["unquoted_file_mode"]
    only = {**given, "context": {"diagnostics": [], "only": ["source.fixAll"]}}
    (everything,) = client.ask("textDocument/codeAction", only)
    assert everything["kind"] == FIX_ALL
    assert applied(ROUGH, everything["edit"]["changes"][URI]) == puppet_repl.fix_text(ROUGH)


def test_a_template(client: Direct) -> None:
    uri = "untitled:Untitled-1"
    document = client.open(uri, "it's <%= $facts['os']['fam'] %>\n", "epp")
    assert client.diagnostics(uri) == []
    items = client.at("completion", document, 0, 25)["items"]
    assert items[0]["label"] == "family"


def test_names_of_modules_beside(tmp_path: Path) -> None:
    (tmp_path / "environment.conf").write_text("")
    for name in ("apache", "site"):
        manifests = tmp_path / "modules" / name / "manifests"
        manifests.mkdir(parents=True)
        (manifests / "init.pp").write_text(f"class {name} (Integer $port = 80) {{ }}\n")
    client = Direct()
    client.start(tmp_path)
    uri = (tmp_path / "modules" / "site" / "manifests" / "init.pp").as_uri()
    document = client.open(uri, "class site {\n  include apa\n}\n")
    assert client.diagnostics(uri) == []  # a module of that name may be elsewhere
    items = client.at("completion", document, 1, 13)["items"]
    assert items[0]["label"] == "apache"


def test_the_kernel_answers_about_notebooks(tmp_path: Path) -> None:
    client = Direct()
    client.start(tmp_path)
    uri = (tmp_path / "cells.ipynb").as_uri()
    document = client.open(uri, ":facts debian-12\n\n\n$a = upc\ninclude nothing::x\n")
    assert client.diagnostics(uri) == []
    assert client.at("hover", document, 3, 6) is None
    assert client.at("completion", document, 3, 8)["items"] == []
    assert client.at("definition", document, 4, 9) in (None, [])
    assert client.ask("textDocument/documentSymbol", document) == []
    assert client.ask("textDocument/semanticTokens/full", document)["data"] == []
    options = {"options": {"tabSize": 2, "insertSpaces": True}}
    assert client.ask("textDocument/formatting", {**document, **options}) == []


def test_documents_that_are_no_code_have_no_names(client: Direct) -> None:
    document = client.open("file:///nowhere/README.md", "# a\n", "markdown")
    assert client.at("hover", document, 0, 2) is None
    assert client.at("completion", document, 0, 2)["items"] == []
    assert client.ask("textDocument/documentSymbol", document) == []
    assert client.ask("textDocument/foldingRange", document) == []
    assert client.diagnostics("file:///nowhere/README.md") == []


LIBRARY = {
    "metadata.json": json.dumps(
        {"name": "me-shop", "version": "1.0.0", "author": "me", "license": "MIT", "source": "x"}
        | {"summary": "A shop.", "dependencies": []}
    ),
    "manifests/init.pp": "class shop (Integer $port = 80) {\n  include shop::db\n}\n",
    "manifests/db.pp": "# Keeps data.\nclass shop::db { shop::table { 'x': } }\n",
    "manifests/table.pp": "define shop::table (\n  $size = shop::half(4),\n) { }\n",
    "functions/half.pp": "function shop::half($x) {\n  $y = $x / 2\n  $y\n}\n",
}


def start(tmp_path: Path, name: str) -> tuple[Direct, dict[str, Any], Path]:
    root = tmp_path / "shop"
    for path, text in LIBRARY.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    client = Direct()
    client.start(root)
    return client, client.open((root / name).as_uri(), LIBRARY[name]), root


@pytest.mark.parametrize(
    ("name", "line", "character", "target", "at"),
    [
        ("manifests/init.pp", 1, 12, "manifests/db.pp", 1),
        ("manifests/db.pp", 1, 20, "manifests/table.pp", 0),
        ("manifests/table.pp", 1, 14, "functions/half.pp", 0),
        ("functions/half.pp", 2, 3, "functions/half.pp", 1),
        ("functions/half.pp", 1, 8, "functions/half.pp", 0),
    ],
)
def test_definitions(
    tmp_path: Path, name: str, line: int, character: int, target: str, at: int
) -> None:
    client, document, root = start(tmp_path, name)
    found = client.at("definition", document, line, character)
    assert found["uri"] == (root / target).as_uri()
    assert found["range"]["start"]["line"] == at


def test_references(tmp_path: Path) -> None:
    client, document, root = start(tmp_path, "manifests/db.pp")
    context = {"includeDeclaration": True}
    found = client.at("references", document, 1, 20, context=context)
    places = {(each["uri"], each["range"]["start"]["line"]) for each in found}
    assert places == {
        ((root / "manifests/db.pp").as_uri(), 1),
        ((root / "manifests/table.pp").as_uri(), 0),
    }
    found = client.at("references", document, 1, 8, context={"includeDeclaration": False})
    assert [each["uri"] for each in found] == [(root / "manifests/init.pp").as_uri()]


def test_highlights_and_a_new_name(tmp_path: Path) -> None:
    client, document, _ = start(tmp_path, "functions/half.pp")
    found = client.at("documentHighlight", document, 1, 8)
    assert [(each["range"]["start"]["line"], each["kind"]) for each in found] == [(0, 3), (1, 2)]
    assert client.at("prepareRename", document, 1, 8)["start"]["character"] == 8
    assert client.at("prepareRename", document, 0, 2) is None
    edit = client.at("rename", document, 1, 8, newName="$whole")
    uri = document["textDocument"]["uri"]
    text = applied(LIBRARY["functions/half.pp"], edit["changes"][uri])
    assert text == "function shop::half($whole) {\n  $y = $whole / 2\n  $y\n}\n"
    position = {"line": 1, "character": 8}
    given = {**document, "position": position, "newName": "y"}
    error = client.request("textDocument/rename", given)["error"]
    assert error == {"code": -32803, "message": "there is a variable $y already"}


def test_names_of_other_open_documents(tmp_path: Path) -> None:
    client, document, root = start(tmp_path, "manifests/init.pp")
    client.open((root / "manifests/newer.pp").as_uri(), "class shop::newer (\n  $part\n) { }\n")
    change = [{"text": "class shop {\n  class { 'shop::newer': pa }\n}\n"}]
    item = {**document["textDocument"], "version": 2}
    client.tell("textDocument/didChange", {"textDocument": item, "contentChanges": change})
    items = client.at("completion", document, 1, 27)["items"]
    assert [each["label"] for each in items][:1] == ["part"]
    found = client.at("definition", document, 1, 15)
    assert found["uri"] == (root / "manifests/newer.pp").as_uri()
    change = [{"text": "class shop {\n  include shop::newer\n}\n"}]
    item = {**item, "version": 3}
    client.tell("textDocument/didChange", {"textDocument": item, "contentChanges": change})
    assert client.diagnostics(document["textDocument"]["uri"]) == []


def test_links_to_files_of_modules(tmp_path: Path) -> None:
    client, document, root = start(tmp_path, "manifests/init.pp")
    for path in ("files/a.txt", "templates/b.epp"):
        (root / path).parent.mkdir()
        (root / path).write_text("x")
    text = (
        "class shop {\n  file { '/a': source => 'puppet:///modules/shop/a.txt' }\n"
        "  file { '/b': content => epp('shop/b.epp', { 'x' => 'shop/b.epp' }) }\n"
        "  file { '/c': content => file('shop/none', '/etc/passwd', 'shop/../../x') }\n}\n"
    )
    item = {**document["textDocument"], "version": 2}
    given = {"textDocument": item, "contentChanges": [{"text": text}]}
    client.tell("textDocument/didChange", given)
    links = client.ask("textDocument/documentLink", document)
    targets = {each["range"]["start"]["line"]: each["target"] for each in links}
    assert targets == {
        1: (root / "files/a.txt").as_uri(),
        2: (root / "templates/b.epp").as_uri(),
    }
    assert len(links) == 2
    assert links[1]["range"]["start"]["character"] == 31
    assert links[1]["range"]["end"]["character"] == 41


def test_symbols_of_all_files(tmp_path: Path) -> None:
    client, _, root = start(tmp_path, "manifests/db.pp")
    found = client.ask("workspace/symbol", {"query": "Half"})
    assert [each["name"] for each in found] == ["shop::half"]
    assert found[0]["location"]["uri"] == (root / "functions/half.pp").as_uri()
    names = {each["name"] for each in client.ask("workspace/symbol", {"query": ""})}
    assert names == {"shop", "shop::db", "shop::table", "shop::half"}


def test_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    client, document, root = start(tmp_path, "manifests/db.pp")
    odd = os.fsdecode(os.fsencode(root / "manifests") + b"/caf\xe9.pp")
    try:
        Path(odd).write_text("class shop::odd { shop::table { 'y': } }\n")
    except OSError:
        pytest.skip("the file system takes only names that are text")
    uri = f"{(root / 'manifests').as_uri()}/caf%E9.pp"
    (found,) = client.ask("workspace/symbol", {"query": "odd"})
    assert found["location"]["uri"] == uri
    context = {"includeDeclaration": False}
    places = client.at("references", document, 1, 20, context=context)
    assert uri in [each["uri"] for each in places]
    assert path_of(uri) == odd
    document = client.open(uri, "class shop::odd { include shop::db }\n")
    found = client.at("definition", document, 0, 30)
    assert found["uri"] == (root / "manifests/db.pp").as_uri()
