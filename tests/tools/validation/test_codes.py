"""The page on warnings names each code of the checks of other files."""

from __future__ import annotations

import re
from pathlib import Path

import puppet_repl.tools.validation

CHECKS = Path(puppet_repl.tools.validation.__file__).parent
PAGE = Path(__file__).parents[3] / "docs/reference/warnings.md"
MODULES = (
    *("environment_files", "fixtures", "json_files", "metadata", "puppetfile", "ruby_files"),
    *("tasks", "yaml_files", "yaml_plans"),
)
CALL = re.compile(r'(?:advi[cs]e|error|warning|_errors)\([^"]{0,20}"([a-z]+_[a-z_]+|license)",')


def test_the_page_names_the_codes() -> None:
    texts = [(CHECKS / f"{name}.py").read_text("utf-8") for name in MODULES]
    used = {code for text in texts for code in CALL.findall(text)}
    named = set(re.findall(r"^\| `[^`]+` \| `(\w+)` \|", PAGE.read_text("utf-8"), re.MULTILINE))
    assert len(named) > 30
    assert len(used) > 20
    assert used <= named
