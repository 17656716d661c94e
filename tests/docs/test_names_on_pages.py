"""Commands that the pages name exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from puppet_repl.host.command_registry import find_command

ROOT = Path(__file__).parents[2]
PAGES = [
    page
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    if "_build" not in page.parts
]
_LITERAL = re.compile(r"(?<![\w`}])`(:[^`\n]+)`")
# Options and fields of directives: `:output:`, `:param port:`, `:paramtype part: Web::Part`.
_FIELD = re.compile(r":\w+(?: \w+)?:(?!:)")


def commands_of(text: str) -> list[str]:
    """Return the names of the commands that a text has as code."""
    literals = [literal for literal in _LITERAL.findall(text) if not _FIELD.match(literal)]
    return [found[1] for literal in literals if (found := re.match(r":([a-z]+)\b", literal))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_that_a_page_names_exist(page: Path) -> None:
    named = commands_of(page.read_text(encoding="utf-8"))
    assert not [name for name in named if find_command(name) is None and name != "name"]


def test_a_command_that_does_not_exist_is_noticed() -> None:
    text = "`:no such` and `:rerun 3-5`, `:save! x`, but `:param port:`, {doc}`:x` and `::name`"
    assert commands_of(text) == ["no", "rerun", "save"]
