"""Node definitions that Puppet 8.11 does not find again: the warning, and where there is none."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from puppet_repl import validate
from puppet_repl.base.differences import DIFFERENCES, ENDS_IN_ERROR
from puppet_repl.frontends.cli import main
from puppet_repl.frontends.cli.batch import answer
from puppet_repl.frontends.terminal.line_mode import LineMode
from puppet_repl.host.host import Host
from puppet_repl.session import Options
from tests.recorded import Case, read

CASES = read(Path(__file__).with_name("nodes_with_lookaround.jsonl"))


def titles(reply: Case) -> list[str]:
    return [each["title"] for each in reply["resources"] if each["type"] == "Notify"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_definition_applies_with_a_warning(case: Case) -> None:
    request = {key: case[key] for key in ("id", "code", "mode", "node", "facts")}
    reply = answer(request)
    warnings = [text for _, text in reply.get("logs", ())]
    if "error" in case:
        assert len(warnings) == 1
        assert warnings[0].startswith("Puppet 8.11 ends in an error here: ")
    elif "divergence" in case:
        assert len(warnings) == 1
        assert warnings[0].startswith("Puppet 8.11 does something else here: ")
        assert titles(reply) != titles(case)
    else:
        assert warnings == []
    again = answer({**request, "language": "openvox-9"})
    assert "logs" not in again
    assert titles(again) == titles(reply)


def test_it_is_known_without_a_node() -> None:
    """Without running there are the warnings of all nodes, whoever asks."""
    by_code: dict[str, set[str]] = {}
    for case in CASES:
        warnings = by_code.setdefault(case["code"], set())
        if "divergence" in case:
            name = "node_with_lookaround" if "error" in case else "node_of_another_name"
            warnings.add(DIFFERENCES[name].warning)
    for code, expected in by_code.items():
        found = validate(text=code)
        assert {each.message for each in found} == expected, code
        assert [(each.line, each.code) for each in found] == [(1, "ENDS_IN_ERROR")] * len(found)
        logs = answer({"code": code, "mode": "parse"}).get("logs", [])
        assert [f"Warning: {text}" for _, text in logs] == [str(each) for each in found]
        assert validate(text=code, language="openvox-9") == []


@pytest.mark.parametrize("code", ["node /^app(?!x)/ { }", "node 'b',\n  /^b/,\n  /^app(?!x)/ { }"])
def test_it_is_at_the_same_place(code: str) -> None:
    found = [(each.line, each.column) for each in validate(text=code)]
    reply = answer({"code": code, "mode": "catalog", "node": "app1"})
    places = [f"(line: {line}, column: {column})" for line, column in found]
    assert [text[text.index("(line") :] for _, text in reply["logs"]] == places
    assert len(places) == 1


def test_what_nothing_validates_has_no_warning() -> None:
    """Puppet's parser alone refuses none of these texts."""
    for code in ("node /^app(?!x)/ { }", '"${true}"', "-9223372036854775808"):
        assert "logs" in answer({"code": code, "mode": "parse"})
        assert set(answer({"code": code, "mode": "parse_only"})) == {"id", "pn"}


def test_a_typed_definition_is_warned_of_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--node", "app1", "-e", "node /^app(?!x)/ { }"]) == 0
    assert capsys.readouterr().err.count(ENDS_IN_ERROR) == 1
    shown = io.StringIO()
    host = Host(Options(node="app1"), facts={})
    LineMode(host, io.StringIO("node /^app(?!x)/ { }\n"), shown).run()
    assert shown.getvalue().count(ENDS_IN_ERROR) == 1
