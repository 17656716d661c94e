"""The recipes of CONTRIBUTING.md, carried out in a copy of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.recipes import PAGE, Block, Copy, commands, recipes

RECIPES = recipes(PAGE.read_text(encoding="utf-8"))
EXPECTED = {
    "A function",
    "A command",
    "A completion source",
    "A message",
    "A lint rule",
    "A cell magic",
    "An option",
}


def test_there_is_a_recipe_for_each_kind_of_addition() -> None:
    assert set(RECIPES) == EXPECTED


@pytest.mark.parametrize("title", RECIPES)
def test_recipe_works_as_it_stands(title: str, tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    consoles = [block for block in RECIPES[title] if block.language == "console"]
    assert consoles, "a recipe ends in a command that shows what it is good for"
    for command, expected in commands(consoles[-1].lines):
        assert copy.run(command) != expected, "the command shows nothing: it worked before"
        break
    for block in RECIPES[title]:
        copy.carry_out(block)


def test_a_step_that_no_longer_fits_is_noticed(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    with pytest.raises(AssertionError, match="has these lines 0x"):
        copy.carry_out(Block("diff", ["+++ puppet_repl/base/version.py", "-__version__ = 'none'"]))
    with pytest.raises(AssertionError, match="is new, or it is not"):
        copy.carry_out(Block("python", ["# puppet_repl/no_such_file.py", "pass"]))
    with pytest.raises(AssertionError, match="2"):
        copy.carry_out(Block("console", ["$ puppet-repl -e '1 + 1'", "3"]))
