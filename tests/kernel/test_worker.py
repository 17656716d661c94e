"""The kernel without Jupyter: requests and replies in JSON. In a browser: tests/pyodide."""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import encodebytes
from pathlib import Path
from typing import Any

import pytest

from puppet_kernel.worker import Worker

Content = dict[str, Any]
ROOT = Path(__file__).parents[2]


class Page:
    """A page with a worker, and what that has sent for the last request."""

    def __init__(self) -> None:
        self.sent: list[Content] = []
        self.worker = Worker(lambda text: self.sent.append(json.loads(text)))

    def ask(self, kind: str, **content: Any) -> Content:
        self.sent.clear()
        reply: Content = json.loads(self.worker.answer(json.dumps({"type": kind, **content})))
        return reply

    def run(self, code: str) -> str:
        """Run a cell; return its value as text, or its error."""
        reply = self.ask("execute", code=code)
        if reply["status"] == "error":
            return str(reply["evalue"])
        results = [each for each in self.sent if each["type"] == "execute_result"]
        return str(results[-1]["content"]["data"]["text/plain"]) if results else ""


@pytest.fixture
def page() -> Page:
    return Page()


def test_a_cell_sends_what_it_shows_in_order(page: Page) -> None:
    reply = page.ask("execute", code="notice('one')\n[1, 2].map |$x| { $x * 2 }")
    assert reply == {"status": "ok", "execution_count": 1, "payload": [], "user_expressions": {}}
    assert [each["type"] for each in page.sent] == ["stream", "execute_result"]
    assert page.sent[0]["content"] == {"name": "stdout", "text": "Notice: one\n"}
    assert page.sent[1]["content"]["data"]["text/plain"] == "[2, 4]"


def test_an_error_is_sent_and_replied(page: Page) -> None:
    reply = page.ask("execute", code="fail('x')")
    assert reply["status"] == "error"
    assert page.sent[-1]["type"] == "error"
    assert page.sent[-1]["content"]["traceback"] == reply["traceback"]
    assert "(file: cell 1, line: 1, column: 1)" in reply["evalue"]


def test_a_name_of_a_file_that_no_file_can_have_is_shown(page: Page) -> None:
    message = page.run("%%file a\0b\nx")
    assert message == "cannot write a\N{SYMBOL FOR NULL}b: not the name of a file"


def test_a_machine_is_restored_without_a_number(page: Page) -> None:
    kept = [[1, "$before = 1"], [0, ":facts use rocky-9"], [2, "$a = $facts['os']['name']"]]
    assert page.ask("restore", cells=kept, count=2) == {"status": "ok"}
    assert page.sent == []
    assert page.ask("machines")["machine"] == "rocky-9"
    assert page.run("$a") == "'Rocky'"
    assert [number for number, _, _ in page.worker.host.entries()] == [1, 2, 3]


def test_a_restored_session_is_as_the_ended_one(page: Page) -> None:
    cells = [
        "$x = 20",
        "%%facts rocky-9",
        ":set show_assignments off\nfail('too late')",
        "function double($n) { $n * 2 }",
        "$y = 'kept'",
        "double(4)",
        "$y",
    ]
    answers = [page.run(cell) for cell in cells]
    new = Page()
    kept = [*enumerate(cells[:-1], 1)]
    assert new.ask("restore", cells=kept, count=9) == {"status": "ok"}
    assert new.sent == []
    assert new.run("$y") == answers[-1] == "'kept'"
    assert new.run("$facts['os']['name']") == "'Rocky'"
    assert new.ask("execute", code="$z = 1")["execution_count"] == 12
    assert new.sent == [], "the setting is as it was"
    assert new.run("$_6") == page.run("$_6") == "8"


def test_a_reset_begins_another_session(page: Page) -> None:
    page.run("$x = 1\nnotify { 'a': }\n:set advice off")
    assert page.ask("reset") == {"status": "ok"}
    assert "Unknown variable: 'x'" in page.run("$x")
    assert page.run("$x = 2") == "2"
    page.run("notify { 'a': }")
    assert page.sent[-1]["content"]["execution_count"] == 3


def test_a_reset_takes_a_set_of_facts(page: Page) -> None:
    for name, family in (("rocky-9", "RedHat"), ("windows-2022", "windows")):
        assert page.ask("reset", facts=name) == {"status": "ok"}
        assert page.run("$facts['os']['family']") == f"'{family}'"
    assert "one of debian-12" in page.ask("reset", facts="/etc/passwd")["evalue"]
    assert page.run("$facts['os']['family']") == "'windows'"


def test_a_cell_that_is_not_stored_has_no_number(page: Page) -> None:
    page.run("file { '/a': } -> file { '/b': }")
    reply = page.ask("execute", code=":graph", store_history=False)
    assert reply["execution_count"] == 1
    assert "<img" in page.sent[-1]["content"]["data"]["text/html"]
    assert page.run("5") == page.run("$_2") == "5"
    reply = page.ask("execute", code="1", store_history="no")
    assert "'store_history' of execute_request has to be true or false" in reply["evalue"]


def test_what_captures_and_times_works_as_in_a_notebook(page: Page) -> None:
    page.run("%%capture $seen\nnotice('hidden')\n5")
    assert page.sent == []
    assert page.run("$seen['value']") == "5"
    assert page.run(":rerun 1") == "a cell with %%capture is run again by hand only"


def test_values_of_expressions(page: Page) -> None:
    reply = page.ask("execute", code="$x = 1", user_expressions={"x": "$x + 1", "no": "fail('n')"})
    assert reply["user_expressions"]["x"]["data"] == {"text/plain": "2"}
    assert reply["user_expressions"]["no"]["status"] == "error"


def test_requests_that_read(page: Page) -> None:
    assert page.ask("is_complete", code="[1,")["status"] == "incomplete"
    assert "upcase" in page.ask("complete", code="'a'.upc", cursor_pos=7)["matches"]
    assert page.ask("inspect", code="upcase", cursor_pos=2)["found"]
    (problem,) = page.ask("check", code="$a = $nope", cells=[])["problems"]
    assert (problem["start"], problem["end"], problem["severity"]) == (5, 10, "unknown")
    assert "rocky-9" in page.ask("facts")["sets"]
    assert page.ask("info")["version"]


@pytest.mark.parametrize(
    ("request_", "problem"),
    [
        ({"type": "nope"}, "there is no request nope"),
        ({}, "there is no request None"),
        ({"type": "execute"}, "execute_request needs 'code', a string"),
        ({"type": "complete", "code": "a"}, "complete_request needs 'cursor_pos', a whole number"),
        ({"type": "check", "code": 1}, "check needs 'code', a string"),
        ({"type": "restore", "cells": [["a", 1]]}, "restore needs 'cells'"),
        ([], "a request is an object"),
    ],
)
def test_a_request_that_is_wrong_is_told_so(page: Page, request_: Any, problem: str) -> None:
    reply = json.loads(page.worker.answer(json.dumps(request_)))
    assert reply["status"] == "error"
    assert problem in reply["evalue"]


def test_what_is_no_json_is_told_so(page: Page) -> None:
    reply = json.loads(page.worker.answer("{"))
    assert reply["status"] == "error" and "not a JSON request" in reply["evalue"]


def test_half_a_surrogate_pair_is_refused_as_in_puppet(page: Page) -> None:
    assert "invalid byte sequence in UTF-8" in page.run('"\\uD83D"')
    assert page.run("'kept'") == "'kept'"


def test_it_needs_nothing_of_jupyter() -> None:
    code = (
        "import sys; from puppet_kernel.worker import Worker; Worker(print); "
        "print({'ipykernel', 'traitlets', 'jupyter_client', 'zmq', 'asyncio'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_it_says_what_the_kernel_in_a_process_says(page: Page) -> None:
    reply = page.ask("info")
    lesson = json.loads((ROOT / "notebooks" / "00-index.ipynb").read_text("utf-8"))
    assert reply["status"] == "ok"
    assert reply["language_info"] == lesson["metadata"]["language_info"]
    assert reply["implementation"] == "puppet-repl"  # as the labextension asks
    assert reply["supported_features"] == []  # no debugger
    assert reply["banner"] and [link["url"] for link in reply["help_links"]]


def test_files_are_written_and_the_directory_is_that_given(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    root = tmp_path / "files"
    files = [
        {"path": f"{root}/a/b.pp", "format": "text", "content": "notice('é')\n"},
        {"path": f"{root}/c.bin", "format": "base64", "content": "AP8=\n"},
        {"path": f"{root}/e.bin", "format": "base64", "content": encodebytes(bytes(256)).decode()},
        {"path": f"{root}/d.json", "format": "json", "content": {"a": [1]}},
        {"path": f"{root}/f.json", "format": "json", "content": "\ud800"},
    ]
    assert page.ask("files", files=files, directory=f"{root}/a") == {"status": "ok"}
    assert (root / "a" / "b.pp").read_text("utf-8") == "notice('é')\n"
    assert (root / "c.bin").read_bytes() == b"\x00\xff"
    assert (root / "e.bin").read_bytes() == bytes(256)
    assert json.loads((root / "d.json").read_text("utf-8")) == {"a": [1]}
    assert Path.cwd() == root / "a"
    assert page.ask("execute", code=":load b.pp")["status"] == "ok"
    changed = [{"path": f"{root}/a/b.pp", "format": "text", "content": "notice('new')\n"}]
    assert page.ask("files", files=changed) == {"status": "ok"}
    page.ask("execute", code=":load b.pp")
    assert page.sent[0]["content"]["text"] == "Notice: new\n"


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"files": [], "directory": 1},
        {"files": [1]},
        {"files": [{"path": "x", "format": "text", "content": 1}]},
        {"files": [{"path": "x", "format": "base64", "content": "?"}]},
        {"files": [{"path": "x", "format": "base64", "content": "\u00e9"}]},
        {"files": [{"path": "x", "format": None, "content": "x"}]},
        {"files": [{"path": "x\0y", "format": "text", "content": "x"}]},
        {"files": [], "directory": "x\0y"},
        {"files": [{"path": "", "format": "text", "content": "x"}]},
    ],
)
def test_files_that_are_none_are_refused(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: Content
) -> None:
    monkeypatch.chdir(tmp_path)
    reply = page.ask("files", **wrong)
    assert (reply["status"], reply["ename"]) == ("error", "RequestError")
    assert list(tmp_path.iterdir()) == []
