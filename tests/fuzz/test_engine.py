"""The fuzzer of the engine finds what is planted; what it has found is mended."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import watch
from tests.fuzz.engine import Fuzzer
from tests.fuzz.mutation import Programs, Requests, slots_of, tokens_of
from tests.fuzz.seeds import programs, requests, templates
from tests.fuzz.targets import SEEDS, TARGETS, Flaw, Target
from tests.fuzz.watch import watched
from tests.recorded import read

FOUND = read(Path(__file__).with_name("found.jsonl"))
INPUTS = 3000 if os.environ.get("STRESS") else 60


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_a_fixed_run_finds_nothing(name: str) -> None:
    command = [sys.executable, "-m", "tests.fuzz.engine", name, "--inputs", str(INPUTS)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    assert f"{INPUTS} inputs" in run.stdout


@pytest.mark.parametrize("row", FOUND, ids=lambda row: f"{row['target']}: {row['input'][:40]!a}")
def test_what_was_found_is_mended(row: dict[str, str]) -> None:
    assert watched(TARGETS[row["target"]](), row["input"])[0] is None


class Planted(Target):
    """Has one defect of each kind, each for a text of its own."""

    def __call__(self, text: str) -> bool:
        if text == "flaw":
            raise Flaw("as planted")
        if text == "exception":
            return bool({}[text])
        if text == "recursion":
            return self(text)
        while text == "endless":
            pass
        if text == "memory":
            bytearray(b"x") * (20 << 20)
        return text == "valid"


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("flaw", "as planted"),
        ("exception", "KeyError: 'exception'"),
        ("recursion", "RecursionError"),
        ("endless", ""),
        ("memory", "MB"),
    ],
)
def test_a_planted_defect_is_found(text: str, detail: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "MAX_SECONDS", 0.5)
    monkeypatch.setattr(watch, "MAX_MEMORY", 10 << 20)
    # Whatever this process had at its most before.
    monkeypatch.setattr(watch, "_highest", iter(range(0, 4 << 30, 1 << 30)).__next__)
    monkeypatch.setattr(watch, "_in_use", lambda: 0)
    if text != "memory":
        monkeypatch.setattr(watch, "_highest", lambda: 0)
    finding, valid = watched(Planted(), text)
    assert not valid
    assert finding is not None
    assert finding.kind == ("exception" if text == "recursion" else text)
    assert detail in finding.detail


def test_an_input_that_is_sound_is_none() -> None:
    assert watched(Planted(), "valid") == (None, True)
    assert watched(Planted(), "other") == (None, False)


def test_what_is_found_is_reported_and_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.fuzz.engine.OUTPUT", tmp_path)
    monkeypatch.setitem(TARGETS, "planted", Planted)
    fuzzer = Fuzzer("planted", seed=1)
    for text in ("valid", *["flaw"] * 5, "exception"):
        fuzzer.give(text)
    kept = read(tmp_path / "planted" / "found.jsonl")
    assert [row["input"] for row in kept] == ["flaw"] * 3 + ["exception"]
    assert len(capsys.readouterr().out.splitlines()) == 4
    assert "7 inputs, 1 valid, 6 findings" in fuzzer.report()


def test_there_are_seeds_of_each_kind() -> None:
    assert len(programs()) > 10_000
    assert len(templates()) > 50
    assert all(isinstance(json.loads(text)["code"], str) for text in requests())
    assert {TARGETS[name]().kind for name in TARGETS} == set(SEEDS)


def test_tokens_are_the_text() -> None:
    for text in [*random.Random(1).sample(programs(), 500), *templates(), "'a", '"\\', "\ud800(]"]:
        assert "".join(tokens_of(text)) == text


def test_slots_are_tokens_and_groups() -> None:
    tokens = tokens_of("f($x, [1, 'a'])")
    found = [(kind, "".join(tokens[start:end])) for kind, start, end in slots_of(tokens)]
    assert found == [
        ("call", "f"),
        ("variable", "$x"),
        ("number", "1"),
        ("string", "'a'"),
        ("[]", "[1, 'a']"),
        ("()", "($x, [1, 'a'])"),
    ]


def test_the_same_numbers_make_the_same_inputs() -> None:
    def made(seed: int) -> list[str]:
        chance = random.Random(seed)
        maker = Programs(["$a = [1, 2]", "notice('x')", "f($b)"], chance)
        requests_made = Requests(['{"code": "1"}'], maker, chance)
        return [maker.new() for _ in range(50)] + [requests_made.new() for _ in range(50)]

    assert made(1) == made(1)
    assert made(1) != made(2)
    assert len(set(made(1))) > 60
