"""What Puppet answers to calls of stdlib's functions, recorded from it: the .jsonl files here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import recorded

HERE = Path(__file__).parent


@pytest.mark.parametrize("path", sorted(HERE.glob("*.jsonl")), ids=lambda path: path.stem)
def test_answers_as_puppet_does(path: Path, tmp_path: Path) -> None:
    if path.stem == "crypto":
        pytest.importorskip("bcrypt")
        pytest.importorskip("cryptography")
    failing = []
    for case in recorded.read(path):
        found = recorded.check(case, tmp_path)
        if found:
            failing.append(f"{case['id']}: {case['code']}\n    " + "\n    ".join(found))
    assert not failing, "\n".join(failing)
