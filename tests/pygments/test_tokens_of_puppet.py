"""Tokens against those of Puppet 8.11's lexer, recorded for cases of the conformance suite.

The record is `puppet_tokens.jsonl`: the id of a case or the name of an example, and the tokens as
"KIND offset length", those in the text of a heredoc with a mark.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests import recorded
from tests.pygments.against_puppet import disagreements, lexer_for

HERE = Path(__file__).parent
SUITES = ("catalog", "epp", "evaluate", "functions", "parse", "random", "specification")


@cache
def tokens_of_puppet() -> dict[str, list[list]]:
    found = {}
    for record in recorded.read(HERE / "puppet_tokens.jsonl"):
        tokens = [token.split(" ") for token in record["tokens"].split(";") if token]
        found[record["id"]] = [[kind, int(a), int(b), *sub] for kind, a, b, *sub in tokens]
    return found


@pytest.mark.parametrize("suite", SUITES)
def test_cases(suite: str) -> None:
    wanted = tokens_of_puppet()
    wrong = []
    compared = 0
    for case in recorded.suite(suite):
        if case["id"] in wanted:
            compared += 1
            lexer = lexer_for("x.epp" if case.get("mode") == "epp" else "x.pp")
            found = disagreements(lexer, case["code"], wanted[case["id"]])
            wrong += [f"{case['id']}: {message}" for message in found]
    assert not wrong
    assert compared > 50


@pytest.mark.parametrize("path", sorted((HERE / "examples").iterdir()), ids=lambda path: path.name)
def test_examples(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not disagreements(
        lexer_for(path.name), text, tokens_of_puppet()[f"examples/{path.name}"]
    )
    assert "Token.Error" not in {str(kind) for kind, _ in lexer_for(path.name).get_tokens(text)}
