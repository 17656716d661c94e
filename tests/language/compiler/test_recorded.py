"""What Puppet answers to small programs, recorded from it: see the .jsonl files beside this one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import recorded

HERE = Path(__file__).parent


@pytest.mark.parametrize("path", sorted(HERE.glob("*.jsonl")), ids=lambda path: path.stem)
def test_answers_as_puppet_does(path: Path, tmp_path: Path) -> None:
    failing = []
    for case in recorded.read(path):
        found = recorded.check(case, tmp_path)
        if found:
            failing.append(f"{case['id']}: {case['code']}\n    " + "\n    ".join(found))
    assert not failing, "\n".join(failing)
