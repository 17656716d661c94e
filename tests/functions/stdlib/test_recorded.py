"""What Puppet answers to calls of stdlib's functions, recorded from it: the .jsonl files here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance.run import check

HERE = Path(__file__).parent


@pytest.mark.parametrize("path", sorted(HERE.glob("*.jsonl")), ids=lambda path: path.stem)
def test_answers_as_puppet_does(path: Path, tmp_path: Path) -> None:
    if path.stem == "crypto":
        pytest.importorskip("bcrypt")
        pytest.importorskip("cryptography")
    failing = []
    for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n"):
        case = json.loads(line)
        found = check(case, tmp_path)
        if found:
            failing.append(f"{case['id']}: {case['code']}\n    " + "\n    ".join(found))
    assert not failing, "\n".join(failing)
