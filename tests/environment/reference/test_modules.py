"""Modules as puppet-strings documents them: REFERENCE.md, JSON and warnings.

What is expected was recorded from puppet-strings itself (``record``).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from puppet_repl.environment.reference.checks import RULES, check_module
from puppet_repl.environment.reference.json_form import as_json
from puppet_repl.environment.reference.markdown import as_markdown
from puppet_repl.environment.reference.model import Module, Problem
from puppet_repl.environment.reference.module import read_module
from tests.environment.reference.messages import Told, told

HERE = Path(__file__).parent
MODULES = sorted(path.name for path in (HERE / "modules").iterdir())
#: What only we report.
OWN_RULES = {"defined-twice"}


def reference_of(name: str) -> Module:
    return read_module(HERE / "modules" / name)


def recorded(name: str) -> str:
    return (HERE / "recorded" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in MODULES if name != "crashes"])
def test_markdown(name: str) -> None:
    assert as_markdown(reference_of(name)) == recorded(f"{name}.md")


def test_markdown_that_puppet_strings_cannot_write() -> None:
    text = as_markdown(reference_of("crashes"))
    assert "##### `nothing`\n\nData type: ``\n\nwithout a type\n" in text
    assert "#### `Coin.flip(a)`\n\nFlips it.\n\nReturns: `Boolean` wrong type\n" in text


@pytest.mark.parametrize("name", MODULES)
def test_json(name: str) -> None:
    text = as_json(reference_of(name))
    assert json.loads(text) == json.loads(recorded(f"{name}.json"))
    assert text == recorded(f"{name}.json")


@pytest.mark.parametrize("name", MODULES)
def test_problems(name: str) -> None:
    """Each message of puppet-strings has one of ours: of its rule, its file, with its name."""
    missing = told(recorded(f"{name}.log"))
    unexpected: list[Problem] = []
    for problem in check_module(reference_of(name)):
        meant = next((each for each in missing if matches(problem, each)), None)
        if meant is None:
            unexpected.append(problem)
            continue
        missing[meant] -= 1
        missing = +missing
    assert not missing
    assert [each for each in unexpected if each.rule not in OWN_RULES] == []


def matches(problem: Problem, meant: Told) -> bool:
    rule, name, file = meant
    if problem.rule != rule or (file and problem.file != file):
        return False
    if not name or rule in ("misplaced-tag", "wrong-arguments", "missing-description"):
        return not name or name in problem.message
    quoted = re.search(r"'(.*?)'|@!?(\S+)$|@(\S+)$", problem.message)
    return quoted is not None and name in quoted.groups()


def test_all_rules_are_met() -> None:
    """Every rule is broken by one of the modules, so that none goes untested."""
    broken = Counter(each.rule for name in MODULES for each in check_module(reference_of(name)))
    assert set(broken) == set(RULES)


def test_lines_are_those_of_tags_and_parameters() -> None:
    lines = (HERE / "modules/shop/manifests/init.pp").read_text(encoding="utf-8").split("\n")
    for problem in check_module(reference_of("shop")):
        if problem.file == "manifests/init.pp":
            name = problem.message.split("'")[1]
            assert name in lines[problem.line - 1]


def test_a_missing_directory() -> None:
    with pytest.raises(OSError, match="No such file"):
        read_module(HERE / "nowhere")
