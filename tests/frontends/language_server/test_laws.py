"""No text makes a request fail, whatever is missing at its end; edits keep the client's text."""

from __future__ import annotations

import re
import tracemalloc
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
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
ROOT = Path(__file__).parents[3]
MANIFESTS = sorted(
    path
    for place in ("kernel/playground/examples", "notebooks/modules", "tests/environment/reference")
    for path in (ROOT / place).rglob("*.pp")
)
STATES = 12
PLACEHOLDER = re.compile(r"\$(?:\d+|\{\d+(?::((?:[^\\}]|\\.)*))?\})")
EDITS = 10_000
# How many words of the files are completed at least.
COMPLETED = 300


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


def is_parsed(text: str, name: str) -> bool:
    """Tell whether a text has no syntax error."""
    try:
        parse(Source(text, name), epp=name.endswith(".epp"))
    except PuppetError:
        return False
    return True


def filled(item: dict[str, Any]) -> str:
    """Return what an item inserts, each place with what it suggests."""
    text: str = item["textEdit"]["newText"]
    if item.get("insertTextFormat") != 2:
        return text
    shown = PLACEHOLDER.sub(lambda found: found[1] or "", text)
    return re.sub(r"\\([\\$}])", r"\1", shown)


def completed(path: Path) -> int:
    """Complete each word of a file from its first letters, and count those that are offered.

    The file parses with the completed word if it parsed before.
    """
    text = path.read_text(errors="replace")
    was_parsed = is_parsed(text, path.name)
    uri = f"file:///nowhere/{path.name}"
    client = Direct()
    client.start()
    client.open(uri, text)
    count = 0
    for version, word in enumerate(re.finditer(r"[a-z_][\w:]{3,}", text, re.IGNORECASE), 2):
        shown = text[: word.start() + 2] + text[word.end() :]
        item = {"textDocument": {"uri": uri, "version": version}}
        client.tell("textDocument/didChange", {**item, "contentChanges": [{"text": shown}]})
        line = text.count("\n", 0, word.start())
        column = word.start() + 2 - (text.rfind("\n", 0, word.start()) + 1)
        found = client.at("completion", {"textDocument": {"uri": uri}}, line, column)
        for each in found["items"]:
            if each["label"] == word[0]:
                start = each["textEdit"]["range"]["start"]["character"] - column
                after = shown[: word.start() + 2 + start] + filled(each) + text[word.end() :]
                assert is_parsed(after, path.name) == was_parsed, (path.name, word[0], each)
                count += 1
    return count


@pytest.mark.slow
def test_a_word_that_is_completed_leaves_a_text_that_parses() -> None:
    """Without a count the law would hold for a server that completes nothing."""
    assert sum([completed(path) for path in (*EXAMPLES, *MANIFESTS)]) >= COMPLETED


@pytest.mark.slow
def test_ten_thousand_edits_grow_no_memory() -> None:
    uri = "file:///nowhere/site.pp"
    text = "".join(f"file {{ '/a{n}': ensure => file, mode => '0644' }}\n" for n in range(5))
    client = Direct()
    client.start()
    client.open(uri, text)
    sizes = []
    tracemalloc.start()
    try:
        for version in range(2, EDITS + 2):
            # A letter comes, and the next edit takes it away.
            line = version // 2 % 5
            place = {"line": line, "character": 6}
            span = {"start": place, "end": {**place, "character": 6 + version % 2}}
            item = {"textDocument": {"uri": uri, "version": version}}
            changes = [{"range": span, "text": "" if version % 2 else "x"}]
            client.tell("textDocument/didChange", {**item, "contentChanges": changes})
            if version % 100 == 0:
                ask_everything(client, uri, line, 3)
            while client.server.has_work:
                client.server.work()
            client.heard.clear()
            if version % (EDITS // 4) == 1:
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    # A leak grows in each part, a table of the interpreter that is enlarged in one of them only.
    grown = [after - before for before, after in pairwise(sizes)]
    assert len(grown) == 3 and min(grown) < (1 << 20) // 3
