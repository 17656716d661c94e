"""The time of an input that is up while its value is shown: the message names the statement."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest

from puppet_repl.base.errors import TimeLimitExceeded
from puppet_repl.frontends.cli import batch, program
from puppet_repl.frontends.shared import entry_display
from puppet_repl.frontends.shared.results import stop_error
from puppet_repl.frontends.terminal import line_mode
from puppet_repl.host.host import Host
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import plain

CODE = "$a = 1\n[$a,\n 2]"
MESSAGE = "Time limit exceeded (see --max-seconds)"


def expire(*_: object, **__: object) -> None:
    raise TimeLimitExceeded


def test_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "value_text", expire)
    place = f"Error: {MESSAGE} (file: a.pp, line: 2, column: 1)\n"
    assert program.run_program(CODE, "a.pp", Host(facts={})) == 1
    assert capsys.readouterr().err == place + "  2 | [$a,\n    | ^^^^\n"


def test_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "_describe", expire)
    requests = [{"code": CODE}, {"code": "<%= 1 %>", "mode": "epp"}]
    answers = [json.loads(each) for each in batch.answer_lines(map(json.dumps, requests))]
    assert [each["error"] for each in answers] == [
        {"message": MESSAGE, "line": 2, "column": 1, "code": "NO_TIME"},
        {"message": MESSAGE, "line": None, "column": None, "code": "NO_TIME"},
    ]


def test_an_input_of_the_line_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    output = StringIO()
    mode = line_mode.LineMode(Host(facts={}), StringIO(), output)
    monkeypatch.setattr(entry_display, "render_outcome", expire)
    mode.handle(CODE)
    assert output.getvalue() == f"Error: {MESSAGE} In[1]:2:1\n  2 | [$a,\n    | ^^^^\n"


def test_an_input_of_the_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    prompt = pytest.importorskip("tests.frontends.terminal.prompt")
    monkeypatch.setattr(entry_display, "render_outcome", expire)
    with prompt.open_prompt() as opened:
        assert f"Error: {MESSAGE} In[1]:2:1\n" in opened.run(CODE)


def test_a_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    inside = pytest.importorskip("tests.kernel.inside")
    monkeypatch.setattr("puppet_kernel.answers.bundle_of", expire)
    with inside.inside_kernel() as kernel:
        reply, _ = kernel.run(CODE)
    assert reply["evalue"] == f"{MESSAGE} (file: cell 1, line: 2, column: 1)"


@pytest.mark.parametrize("code", ["", "# nothing", "1 +"])
def test_where_there_is_no_statement(code: str) -> None:
    error = stop_error(TimeLimitExceeded(), shown=(code, None))
    assert plain(render_error(error)) == f"Error: {MESSAGE}"
