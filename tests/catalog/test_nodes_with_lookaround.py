"""Node definitions that Puppet 8.11 does not find again: the warning, and where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.frontends.cli.batch import answer
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.advice import advise
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
    """Of a definition that errs for some node the rule warns, and of no other one."""
    by_code: dict[str, bool] = {}
    for case in CASES:
        by_code[case["code"]] = by_code.get(case["code"], False) or "error" in case
    for code, fails in by_code.items():
        rules = [each.rule for each in advise(parse(Source(code)))]
        if "node /app/" not in code:
            assert rules == ["node_with_lookaround"] * fails, code
        assert advise(parse(Source(code)), language="openvox-9") == []
