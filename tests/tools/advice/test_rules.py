"""Each rule warns of its example and of nothing in what to write instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import puppet_repl.tools.advice
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate
from puppet_repl.tools.advice.rules import RULES, Rule
from puppet_repl.tools.advice.walk import advise

CHECKS = Path(puppet_repl.tools.advice.__file__).parent


def rules_broken_by(code: str, *, with_style: bool = False) -> list[str]:
    program = parse(Source(code))
    assert validate(program) == []
    return [advice.rule for advice in advise(program, with_style=with_style)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_example_of_a_rule_breaks_it_and_the_other_code_none(rule: Rule) -> None:
    assert rules_broken_by(rule.example, with_style=not rule.warns) == [rule.name]
    assert rules_broken_by(rule.instead, with_style=not rule.warns) == []
    assert rules_broken_by(rule.example) == [rule.name] * rule.warns


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_comment_switches_a_rule_off(rule: Rule) -> None:
    style = not rule.warns
    for silent in (
        f"{rule.example} # lint:ignore:{rule.name}",
        f"# lint:ignore:{rule.name}\n{rule.example}\n# lint:endignore",
    ):
        assert rules_broken_by(silent, with_style=style) == []
    loud = f"{rule.example} # lint:ignore:{rule.name}x"
    assert rules_broken_by(loud, with_style=style) == [rule.name]


def test_the_table_has_every_rule_that_a_check_names() -> None:
    names = [rule.name for rule in RULES]
    assert names == sorted(set(names))
    texts = [path.read_text("utf-8") for path in CHECKS.glob("*.py") if path.stem != "rules"]
    used = {name for text in texts for name in re.findall(r'"([a-z]+(?:_[a-z]+)+)"', text)}
    assert set(names) <= used
    warned = {
        name for text in texts for name in re.findall(r'(?:warn|warn_span)\(\s*"([a-z_]+)"', text)
    }
    assert warned <= set(names)
