"""No text makes a request fail, whatever is missing at its end; edits keep the client's text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.frontends.language_server.client import Direct

EXAMPLES = sorted((Path(__file__).parents[2] / "pygments" / "examples").glob("*.[ep]*p"))
AT_A_POSITION = (
    *("hover", "completion", "signatureHelp", "definition", "documentHighlight"),
    *("references", "prepareRename"),
)
OF_A_DOCUMENT = (
    *("documentSymbol", "foldingRange", "semanticTokens/full", "diagnostic", "documentLink"),
    *("formatting", "codeAction", "inlayHint"),
)
REFUSED = -32803
STATES = 12


def ask_everything(client: Direct, uri: str, line: int, character: int) -> None:
    """Ask all that can be asked about a position; only formatting may be refused."""
    position = {"line": line, "character": character}
    document: dict[str, Any] = {"textDocument": {"uri": uri}}
    context = {"includeDeclaration": True, "diagnostics": []}
    for method in AT_A_POSITION:
        client.ask(f"textDocument/{method}", {**document, "position": position, "context": context})
    more = {
        "range": {"start": {"line": 0, "character": 0}, "end": position},
        "options": {"tabSize": 2, "insertSpaces": True},
        "context": context,
    }
    for method in OF_A_DOCUMENT:
        answered = client.request(f"textDocument/{method}", {**document, **more})
        error = answered.get("error")
        assert error is None or (method == "formatting" and error["code"] == REFUSED), answered
    client.ask("textDocument/selectionRange", {**document, "positions": [position]})
    new = {**document, "position": position, "newName": "other"}
    error = client.request("textDocument/rename", new).get("error")
    assert error is None or error["code"] == REFUSED
    assert not [each for each in client.heard if each["method"] == "window/logMessage"]


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_no_beginning_of_a_text_makes_a_request_fail(path: Path) -> None:
    text = path.read_text()
    uri = f"file:///nowhere/{path.name}"
    client = Direct()
    client.start()
    client.open(uri, "")
    for number in range(STATES):
        end = len(text) * (number + 1) // STATES
        before = text[:end]
        changes = [{"text": before}]
        item = {"uri": uri, "version": number + 2}
        client.tell("textDocument/didChange", {"textDocument": item, "contentChanges": changes})
        line = before.count("\n")
        ask_everything(client, uri, line, end - (before.rfind("\n") + 1))


DATA = """\
lookup_options:
  a::b: {merge: {strategy: deep}}
a::b: "%{lookup('c.d')} %{facts.os.family}"
classes:
  - a::b
'e': &x {f: [1, ~], g: !ruby/sym h}
"i": *x
j: |
  %{alias('k')}
"""


@pytest.mark.parametrize("name", ["data/a.yaml", "data/b.json", "hiera.yaml"])
def test_no_beginning_of_data_makes_a_request_fail(tmp_path: Path, name: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "environment.conf").touch()
    uri = (tmp_path / name).as_uri()
    client = Direct()
    client.start(tmp_path)
    client.open(uri, "", "yaml")
    for end in range(0, len(DATA), 5):
        before = DATA[:end]
        item = {"uri": uri, "version": end + 2}
        changes = [{"text": before}]
        client.tell("textDocument/didChange", {"textDocument": item, "contentChanges": changes})
        ask_everything(client, uri, before.count("\n"), end - (before.rfind("\n") + 1))


@settings(max_examples=25, deadline=None)
@given(st.text(st.sampled_from("class a{}()[]|$x'\"=>,:%<@#\n\t\\ \r😀E/"), max_size=60))
def test_no_text_makes_a_request_fail(text: str) -> None:
    client = Direct()
    client.start()
    for uri in ("untitled:1", "file:///nowhere/a.epp"):
        client.open(uri, text)
        ask_everything(client, uri, 0, len(text) // 2)
