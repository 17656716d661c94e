"""The reader of recorded cases, and the process that answers them."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from puppet_repl.environment.ruby import engines
from tests import recorded
from tests.conformance.run import FILES, RUBY_FILES, Run, listed
from tests.frontends.cli.batch import Batch

ROOT = Path(__file__).parent.parent


def test_files_compressed_or_not(tmp_path: Path) -> None:
    rows = [{"id": "one", "code": "'a\u2028b\x85c'"}, {"id": "two", "code": ""}]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    plain.write_text(text, encoding="utf-8")
    packed.write_bytes(gzip.compress(text.encode()))
    assert recorded.read(plain) == recorded.read(packed) == rows


def test_an_internal_error_is_a_difference_whatever_is_expected(tmp_path: Path) -> None:
    case = {"id": "a", "code": "", "error": {"message": "no"}, "internal": "syntax"}
    failure = {"error": {"code": "INTERNAL", "message": "internal error"}}
    assert recorded.check(case, tmp_path, lambda _: failure) == ["CRASH internal error"]
    refusal = {"error": {"code": None, "message": "other words of a parser"}}
    assert recorded.check(case, tmp_path, lambda _: refusal) == []


def test_a_process_that_ends_is_replaced() -> None:
    program = "import sys; print(sys.stdin.readline().strip(), flush=True)"
    with Batch((sys.executable, "-c", program)) as batch:
        assert batch.ask({"id": 1}) == {"id": 1}
        assert batch.ask({"id": 2})["error"]["message"].startswith("no answer")
        assert batch.ask({"id": 3}) == {"id": 3}
    assert batch.starts == 2


def test_a_process_that_does_not_answer_is_ended() -> None:
    with Batch((sys.executable, "-c", "import time; time.sleep(60)"), patience=0.2) as batch:
        error = batch.ask({"id": 1})["error"]
    assert error["code"] == "INTERNAL"
    assert error["message"].startswith("no answer")


def test_a_recording_by_its_path(tmp_path: Path) -> None:
    row = {"id": "one", "code": "1 + 1", "value": "2"}
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "id": "two", "value": "3"}) + "\n")
    assert [(case["id"], found) for case, found in Run(str(path))] == [
        ("one", []),
        ("two", ["value: expected '3', got '2'"]),
    ]


EVERY = 7
# What a process may take more after the last answer than after the first one, in MB: modules that
# are loaded when they are needed, and caches that have an upper limit.
MAX_GROWTH = 130


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_one_process_answers_as_many_do(name: str, tmp_path: Path) -> None:
    """Every seventh case of a file, answered by the command that users start."""
    if name in RUBY_FILES and engines.missing():
        pytest.skip(str(engines.missing()))
    path = tmp_path / f"{name}.jsonl"
    rows = recorded.suite(name)[::EVERY]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run = Run(str(path), is_process=True)
    failing = {case["id"]: found for case, found in run if found}
    known = listed("pending.txt").keys() | listed("divergent.txt").keys()
    assert failing.keys() == {row["id"] for row in rows} & known, failing
    used = run.process
    assert used is not None
    assert used.starts == 1
    assert used.left == []
    # One Ruby may be kept for the next request that needs it: a thread and a file.
    kept = int(name in (*RUBY_FILES, "stdlib"))
    assert used.last.files <= used.first.files + kept
    assert used.last.threads <= used.first.threads + kept
    assert used.last.memory - used.first.memory < MAX_GROWTH


def test_a_run_that_is_ended_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    row = {"id": "one", "code": "1", "value": "1", "files": {"m/manifests/init.pp": "class m { }"}}
    path.write_text("".join(json.dumps({**row, "id": f"n{n}"}) + "\n" for n in range(20_000)))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    command = [sys.executable, "-m", "tests.conformance.run", str(path)]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(command, cwd=ROOT, env=environment) as process:
        while not list(temporary.glob("*/n1")):
            assert process.poll() is None
            time.sleep(0.01)
        process.terminate()
    assert process.returncode == 143
    assert list(temporary.iterdir()) == []
