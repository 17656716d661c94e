"""Hostile files end in an error of the reader, and the fuzzer of files finds what is planted."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import file_readers, files
from tests.fuzz.file_seeds import SEEDS
from tests.fuzz.files import FileTarget, mutated
from tests.fuzz.watch import watched
from tests.recorded import read

INPUTS = 10_000 if os.environ.get("STRESS") else 260
FOUND = read(Path(__file__).with_name("found_files.jsonl"))


def test_a_fixed_run_finds_nothing() -> None:
    command = [sys.executable, "-m", "tests.fuzz.files", "--inputs", str(INPUTS)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    assert f"{INPUTS} inputs" in run.stdout


@pytest.mark.parametrize("row", FOUND, ids=lambda row: f"{row['file']}: {row['input'][:40]!a}")
def test_what_was_found_is_mended(row: dict[str, str]) -> None:
    assert watched(FileTarget(row["file"]), row["input"])[0] is None


@pytest.mark.parametrize("name", SEEDS)
def test_each_kind_has_a_reader_that_takes_a_seed(name: str) -> None:
    found = [watched(FileTarget(name), text) for text in SEEDS[name]]
    assert [finding for finding, _ in found if finding is not None] == []
    assert any(valid for _, valid in found)


def test_a_planted_defect_is_found_and_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(path: Path) -> bool:
        raise KeyError(path.name)

    monkeypatch.setattr(files, "OUTPUT", tmp_path)
    monkeypatch.setattr(files, "READERS", {"history": fail})
    assert files.run(None, 3, 1) == 3
    assert [row["kind"] for row in read(tmp_path / "found.jsonl")] == ["exception"] * 3
    assert "3 inputs, 0 valid, 3 findings" in capsys.readouterr().out


def test_the_same_seed_makes_the_same_files() -> None:
    def made(seed: int) -> list[str]:
        chance = random.Random(seed)
        return [mutated(name, chance) for name in file_readers.READERS for _ in range(20)]

    assert made(1) == made(1) != made(2)
    assert len(set(made(1))) > 200
