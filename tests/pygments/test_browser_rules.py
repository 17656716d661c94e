"""The rules and names of the JupyterLab extension and of the lexer of cells are those of today."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from puppet_repl.base.version import __version__
from tests.pygments import browser_rules


@pytest.mark.parametrize("path", browser_rules.FILES, ids=lambda path: path.name)
def test_rules_and_names_are_those_of_today(path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    assert written == browser_rules.FILES[path](), "make labextension writes it"


@pytest.mark.parametrize("name", ["labextension", "jupyterlite"])
def test_the_version_of_the_extension_is_that_of_the_project(name: str) -> None:
    path = Path(__file__).parents[2] / "kernel" / name / "package.json"
    package = json.loads(path.read_text("utf-8"))
    assert package["version"] == __version__, f"write it into {path}"


def test_expressions_are_those_of_javascript() -> None:
    assert browser_rules.in_javascript(r"[.\s]?.\Z[\s\S]\.") == (
        f"[.{browser_rules._BLANKS}]?[^\\n](?![^])[^]\\."
    )
    assert re.fullmatch(f"[{browser_rules._BLANKS}]+", "\x1c\x85 \n ")
    with pytest.raises(ValueError, match="means nothing in JavaScript"):
        browser_rules.in_javascript("(?P<name>a)")
