"""The reader of recorded cases, and the process that answers them."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

from tests import recorded
from tests.batch import Batch


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
