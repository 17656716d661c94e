"""``pip install ./puppet_repl/environment/facts/distribution``: fact sets, without code."""

from __future__ import annotations

from pathlib import Path

from tests.environment.facts.make_factsets import DISTRIBUTION
from tests.install.environment import Environment

FIND = """
from importlib.metadata import entry_points
from importlib.resources import files
for entry in entry_points(group="puppet_repl.fact_sets"):
    print(entry.value, (files(entry.value) / "factsets.gz").read_bytes()[:2])
"""


def test_nothing_comes_with_them(tmp_path: Path) -> None:
    environment = Environment(tmp_path, str(DISTRIBUTION))
    assert set(environment.distributions()) - {"pip", "setuptools"} == {"puppet-repl-facts"}
    assert environment.run("python", "-c", FIND) == "puppet_repl_facts b'\\x1f\\x8b'\n"
