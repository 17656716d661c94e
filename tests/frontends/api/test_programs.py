"""Programs as users write them, run as they are; mypy checks them with all of the project."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("name", NAMES)
def test_what_a_program_prints(name: str, tmp_path: Path, update_goldens: bool) -> None:
    done = subprocess.run(
        [sys.executable, PROGRAMS / f"{name}.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    golden = PROGRAMS / f"{name}.txt"
    if update_goldens:
        golden.write_text(done.stdout, encoding="utf-8")
    assert done.stdout == golden.read_text(encoding="utf-8")


def test_there_are_ten() -> None:
    assert len(NAMES) == 10
