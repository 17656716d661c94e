"""ensure_packages() as stdlib has it since 8.6.0, against the answers of Puppet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import recorded

CASES = recorded.read(Path(__file__).parent / "ensure_packages.jsonl")


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    """A directory with what tells that there is stdlib 8.6.0 and that it has the function."""
    functions = tmp_path / "modules" / "stdlib" / "lib" / "puppet" / "functions"
    functions.mkdir(parents=True)
    (functions / "ensure_packages.rb").touch()
    metadata = {"name": "puppetlabs-stdlib", "version": "8.6.0", "dependencies": []}
    metadata.update(dict.fromkeys(("author", "license", "source"), "x"))
    (tmp_path / "modules" / "stdlib" / "metadata.json").write_text(json.dumps(metadata))
    return tmp_path / "modules"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_as_puppet(case: recorded.Case, modules: Path, tmp_path: Path) -> None:
    assert recorded.check(case, tmp_path, modulepath=[str(modules)]) == []
