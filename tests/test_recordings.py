"""Files of recorded cases are tests, and say which case fails and how."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.recordings import (
    READ_BY_TESTS,
    TESTS,
    fault_of,
    name_of,
    read,
    sampled,
    unknown_keys,
)

RIGHT = {"id": "right", "code": "1 + 1", "value": "2"}
WRONG = {"id": "wrong", "code": "1 + 2", "value": "4"}


def test_a_case_that_fails_is_shown_with_both_answers(tmp_path: Path) -> None:
    assert fault_of(RIGHT, tmp_path, False) is None
    assert fault_of(WRONG, tmp_path, False) == "wrong: 1 + 2\n    value: expected '4', got '3'"
    text = {"code": "1", "str": "2", "type": "Integer[1, 1]"}
    assert fault_of(text, tmp_path, False) == "1: 1\n    str: expected '2', got '1'"
    text = {"code": "1", "error": "no"}
    fault = fault_of(text, tmp_path, False)
    assert fault is not None and "error: expected 'no', got None" in fault
    place = {"code": "1 / 0", "error": "Evaluation Error: Division by 0", "line": 1, "column": 9}
    assert fault_of(place, tmp_path, False) == "1 / 0: 1 / 0\n    column: expected 9, got 5"


def test_a_case_that_is_known_to_differ_must_differ(tmp_path: Path) -> None:
    assert fault_of(WRONG, tmp_path, True) is None
    fault = fault_of(RIGHT, tmp_path, True)
    assert fault is not None and "is answered as by Puppet" in fault


def collected(path: Path, *cases: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run pytest on a recording of some cases, which is written outside of the tests."""
    path.write_text("".join(json.dumps(case) + "\n" for case in cases), "utf-8")
    # The hooks of a conftest.py are for what lies beside it, those of a plugin for all files.
    options = ("-c", "pyproject.toml", "-p", "tests.conftest", "-p", "no:cacheprovider")
    command = [sys.executable, "-m", "pytest", *options, str(path)]
    return subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True)


def test_a_recording_is_a_test(tmp_path: Path) -> None:
    """The line of the file that is wrong is named, with what was recorded and what was got."""
    done = collected(tmp_path / "some.jsonl", RIGHT, WRONG)
    assert done.returncode == 1, done.stdout
    assert "some.jsonl 1-2" in done.stdout
    assert "wrong: 1 + 2\n    value: expected '4', got '3'" in done.stdout
    assert "right: 1 + 1" not in done.stdout


def test_a_misspelt_key_is_refused(tmp_path: Path) -> None:
    done = collected(tmp_path / "some.jsonl", RIGHT, {"id": "odd", "code": "1", "vaule": "2"})
    assert done.returncode == 2, done.stdout
    assert "odd: unknown 'vaule'" in done.stdout
    assert unknown_keys(RIGHT) == []
    assert unknown_keys({"code": "1", "str": "1", "value": "1"}) == ["value"]


def test_a_sample_is_the_same_each_time_and_has_its_size() -> None:
    cases = [{"id": f"case-{number}", "code": ""} for number in range(2000)]
    chosen = sampled(cases, 20)
    assert 60 < len(chosen) < 140
    assert chosen == sampled(cases, 20)
    assert sampled(cases, 1) == cases


def test_each_file_is_a_recording_or_read_by_a_test() -> None:
    for path in TESTS.rglob("*.jsonl"):
        name = path.relative_to(TESTS).as_posix()
        if name in READ_BY_TESTS:
            reader = (TESTS / READ_BY_TESTS[name]).read_text("utf-8")
            assert path.name in reader or f'"{path.stem}"' in reader, name
        else:
            cases = read(path)
            assert all("code" in case for case in cases), f"say in READ_BY_TESTS who reads {name}"
            names = [name_of(case) for case in cases if "id" in case]
            assert len(set(names)) == len(names), name
    assert all((TESTS / name).is_file() for name in READ_BY_TESTS)
