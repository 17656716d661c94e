"""What runs programs leaves nothing behind, also when a process does not answer or not end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.differential import run, workshop
from tests.differential.grammar import programs
from tests.differential.relations import Relation
from tests.differential.run import Run
from tests.differential.workshop import Workshop

SILENT = (sys.executable, "-c", "import time; time.sleep(60)")


@pytest.mark.slow
def test_a_process_that_does_not_answer_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workshop, "BATCH", SILENT)
    monkeypatch.setattr(workshop, "SECONDS", 0.3)
    before = dict(os.environ)
    work = Workshop()
    with pytest.raises(AssertionError, match="took too long"):
        work.batch({"code": "1"})
    work.close()
    assert dict(os.environ) == before


@pytest.mark.slow
def test_a_process_that_does_not_end_leaves_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = "import time; input(); print('{}', flush=True); time.sleep(60)"
    monkeypatch.setattr(workshop, "BATCH", (sys.executable, "-c", answers))
    before = dict(os.environ)
    work = Workshop()
    assert work.batch({"code": "1"}) == {}
    assert dict(os.environ) != before
    monkeypatch.setattr(workshop, "SECONDS", 0.3)
    with pytest.raises(subprocess.TimeoutExpired):
        work.close()
    assert dict(os.environ) == before
    assert not work.directory.exists()


@pytest.mark.parametrize("is_kept", [True, False])
def test_violations_are_kept_in_the_file_that_is_given(
    is_kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "OUTPUT", tmp_path / "other" / "violations.txt")
    path = tmp_path / "kept" / "violations.txt"
    broken = Relation("broken", lambda trial: iter([(trial.base, trial.base._replace(text="x"))]))
    work = Run(1, [broken], tries=0, output=path if is_kept else None)
    try:
        work.add(next(iter(programs(1))))
    finally:
        work.close()
    assert len(work.violations) == 1
    assert [found.relative_to(tmp_path) for found in tmp_path.rglob("*.txt")] == (
        [Path("kept/violations.txt")] if is_kept else []
    )
