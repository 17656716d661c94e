"""One process of ``puppet-repl batch`` and what it uses over thousands of requests.

``make stress`` runs all of it, ``make test-slow`` the first part.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.frontends.cli import batch, batch_sessions
from puppet_repl.frontends.cli.batch_sessions import Sessions
from tests.conformance.run import FILES, RUBY_FILES
from tests.environment.ruby.engine import needs_sandbox
from tests.frontends.cli.batch import Batch, Usage
from tests.recorded import check, suite

FULL = bool(os.environ.get("STRESS"))
MAX_GROWTH = 4
"""MB by which a process may grow between two measurements that should be the same."""
FILE = 'Integer[1, 100].each |$i| { file { "/tmp/f${i}": content => "x${i}" } }'
HOG = "Integer[1, 100].reduce('ffffffffff') |$m, $i| { \"$m$m\" }"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no memory is told here"),
    pytest.mark.untraced,
]


def grown(requests: list[dict[str, Any]], warm_up: int, *arguments: str) -> tuple[float, float]:
    """Ask all requests of one process; return by how many MB it grew after the first ones.

    They are those of resident memory and of address space.
    """
    with Batch((*Batch().command, *arguments)) as process:
        before = (0.0, 0.0)
        for number, request in enumerate(requests):
            if number == warm_up:
                before = process.usage().memory, process.address_space()
            answer = process.ask(request)
            assert answer.get("error", {}).get("code") not in ("INTERNAL", "REQUEST"), answer
        after = process.usage().memory, process.address_space()
        assert process.starts == 1
    return after[0] - before[0], after[1] - before[1]


@pytest.mark.parametrize(
    ("request_", "count"),
    [
        ({"code": "1"}, 10_000 if FULL else 2000),
        ({"code": "function f() { fail('no') } f()"}, 2000 if FULL else 300),
        ({"code": FILE, "mode": "catalog", "document": True}, 500 if FULL else 60),
        ({"code": FILE, "mode": "catalog", "node": "a", "session": "s"}, 500 if FULL else 60),
        ({"code": "<%= $facts %><%= 'x' * 0 %>", "mode": "epp"}, 1000 if FULL else 100),
        ({"code": "class c { $x = [1].map |$y| { $y } }", "mode": "parse"}, 2000 if FULL else 200),
        ({"code": HOG}, 20 if FULL else 6),
        ({"code": "[" * 200}, 1000 if FULL else 100),
    ],
    ids=["small", "failing", "catalog", "node", "epp", "parse", "hog", "deep"],
)
def test_a_process_does_not_grow(request_: dict[str, Any], count: int) -> None:
    resident, address_space = grown([request_] * count, count // 3)
    assert resident < MAX_GROWTH
    assert address_space < MAX_GROWTH


def test_named_sessions_take_what_they_hold() -> None:
    count = 1000 if FULL else 200
    requests = [{"code": "$x = 1 $x + 1", "session": f"s{number}"} for number in range(count)]
    resident, address_space = grown(requests, count // 10)
    assert resident < 0.05 * count
    assert address_space < 0.05 * count


def test_sessions_that_have_ended_take_nothing() -> None:
    count = 2000 if FULL else 300
    code = "$x = Array(Integer[1, 20000])"
    requests = [{"code": code, "session": f"s{number}"} for number in range(count)]
    resident, _ = grown(requests, count // 3, "--max-sessions", "10")
    assert resident < MAX_GROWTH


def collected(process: Batch) -> Usage:
    """What a process uses without garbage, which is looked for before memory is refused."""
    process.ask({"code": HOG})
    return process.usage()


@pytest.mark.skipif(not FULL, reason="takes minutes: make stress")
def test_the_recorded_cases_in_one_process(tmp_path: Path) -> None:
    with Batch() as process:
        for name in FILES:
            for case in suite(name):
                check(case, tmp_path, process.ask)
        before = collected(process)
        for name in FILES:
            if name not in RUBY_FILES:
                for case in suite(name):
                    check(case, tmp_path, process.ask)
        after = collected(process)
        assert process.starts == 1
    assert after.memory < before.memory + 10
    assert (after.files, after.threads) == (before.files, before.threads)


# Garbage: when it is looked for, and where it is in the way


@pytest.mark.parametrize(
    ("named", "anonymous", "at_least", "at_most"),
    [(0, 20, 20, 20), (3, 20, 20, 20), (80, 42, 2, 4)],
)
def test_garbage_is_looked_for_as_often_as_there_may_be_much(
    named: int,
    anonymous: int,
    at_least: int,
    at_most: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    collected: list[bool] = []
    monkeypatch.setattr(
        batch_sessions, "collect_garbage", lambda *, is_all: collected.append(is_all)
    )
    monkeypatch.setattr(batch_sessions, "_automatic_collections", lambda: 0)
    sessions = [{"code": "1", "session": f"s{number}"} for number in range(named)]
    answers(*sessions, *[{"code": "1"}] * anonymous)
    assert at_least <= len(collected) <= at_most
    assert set(collected) == {not named}


def test_a_request_that_leaves_much_is_freed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[bool] = []
    monkeypatch.setattr(
        batch_sessions, "collect_garbage", lambda *, is_all: collected.append(is_all)
    )
    monkeypatch.setattr(batch_sessions, "_automatic_collections", iter(range(999)).__next__)
    named = [{"code": "1", "session": f"s{number}"} for number in range(40)]
    answers(*named, {"code": "1"}, {"code": "1"})
    assert len(collected) == 2


def lacking(monkeypatch: pytest.MonkeyPatch, times: int) -> list[str]:
    """Let requests lack memory so many times; return a list of the codes that are attempted."""
    attempted: list[str] = []
    answer = batch.answer

    def short_of_memory(request: dict[str, Any], sessions: Sessions) -> dict[str, Any]:
        attempted.append(request["code"])
        if len(attempted) <= times:
            return {"id": None, "error": {"message": "no memory", "code": "NO_MEMORY"}}
        return answer(request, sessions)

    monkeypatch.setattr(batch, "answer", short_of_memory)
    return attempted


def answers(*requests: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(each) for each in batch.answer_lines(json.dumps(each) for each in requests)]


def test_a_request_that_garbage_of_others_may_hinder_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attempted = lacking(monkeypatch, times=2)
    found = answers({"code": "0", "session": "a"}, {"code": "1"}, {"code": "2"})
    # There was nothing to free for the first one; the last one needed no second attempt.
    assert attempted == ["0", "1", "1", "2"]
    assert [each.get("value") for each in found] == [None, "1", "2"]


def test_it_is_tried_again_once(monkeypatch: pytest.MonkeyPatch) -> None:
    attempted = lacking(monkeypatch, times=9)
    found = answers({"code": "0", "session": "a"}, {"code": "1"}, {"code": "2"})
    assert attempted == ["0", "1", "1", "2"]
    assert all(each["error"]["code"] == "NO_MEMORY" for each in found)


# Every request gets an answer


def broken(*_: object) -> None:
    raise LookupError("lost\nin two lines")


def test_a_defect_is_told_and_the_next_request_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(batch, "_describe", broken)
        (failed,) = answers({"id": 7, "code": "1"})
    assert failed["id"] == 7 and failed["error"]["code"] == "INTERNAL"
    assert "this is a defect of puppet-repl: LookupError: lost in two" in failed["error"]["message"]
    assert answers({"code": "1"})[0]["value"] == "1"


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "described",
    [{"value": deep(100_000)}, {"resources": [{"a": deep(20_000)}]}],
    ids=["value", "resource"],
)
def test_what_cannot_be_written_as_json_is_an_error(
    monkeypatch: pytest.MonkeyPatch, described: dict[str, Any]
) -> None:
    monkeypatch.setattr(batch, "_describe", lambda *_: described)
    (failed,) = answers({"id": 7, "code": "1"})
    assert failed["error"]["message"] == "The value is nested too deeply"


def test_a_request_may_have_another_limit_of_time() -> None:
    request = {"code": "Integer[1, 5000000].each |$x| { $x } 1"}
    with Batch((*Batch().command, "--max-seconds", "0.001")) as process:
        assert process.ask(request)["error"]["code"] == "NO_TIME"
        assert process.ask({**request, "max_seconds": 60})["value"] == "1"


def test_limits_of_the_process() -> None:
    command = (*Batch().command, "--max-memory", "64M", "--max-seconds", "0.5")
    with Batch(command) as process:
        assert process.ask({"code": HOG})["error"]["code"] == "NO_MEMORY"
        long = "Integer[1, 1000000000].each |$x| { $y = $x }"
        assert process.ask({"code": long})["error"]["code"] == "NO_TIME"
        message = process.ask({"code": "Array(Integer[1, 100000000])"})["error"]["message"]
        assert "an Array of 100000000 elements" in message
        assert process.ask({"code": "1"})["value"] == "1"
        assert process.starts == 1


@needs_sandbox
@pytest.mark.parametrize(
    ("hog", "code"),
    [
        (
            """Integer[1, 40000].reduce('') |$m, $x| { notice($m) "${m}aaaaaaaaaaaa" }""",
            "NO_MEMORY",
        ),
        ("""Integer[1, 40000].map |$x| { notice("${x}yyyyyyyyyyyyyyyyyyy") $x }""", None),
        ("inline_template('<% loop { $stderr.write(%q(y) * 1_000_000) } %>')", "NO_TIME"),
        ("inline_template('<% loop { $stderr.write(%q(y)) } %>')", "NO_TIME"),
    ],
    ids=["messages", "many messages", "Ruby's output", "pieces of Ruby's output"],
)
def test_what_a_request_has_printed_takes_nothing_from_the_next_ones(
    hog: str, code: str | None
) -> None:
    limits = ("--hermetic", "--max-memory", "500M", "--max-seconds", "3")
    with Batch((*Batch().command, *limits)) as process:
        for _ in range(2):
            assert process.ask({"code": hog}).get("error", {}).get("code") == code
            assert process.ask({"code": "inline_template('<%= 1 + 1 %>')"})["value"] == "'2'"
            assert process.ask({"code": "'aab' =~ /^(a)\\1b$/"})["value"] == "true"
        assert process.starts == 1


def test_the_first_messages_stay_where_memory_has_run_out() -> None:
    code = """Integer[1, 40000].reduce('') |$m, $x| { notice($m) "${m}aaaaaaaaaaaa" }"""
    with Batch((*Batch().command, "--max-memory", "100M")) as process:
        logs = process.ask({"code": code})["logs"]
    texts = [text for _, text in logs]
    assert texts[:3] == ["", "a" * 12, "a" * 24]
    assert sum(map(len, texts)) < 2_000_000
    assert logs[-1][0] == "warning"
    assert texts[-1].endswith(" further messages: memory has run out")
