"""Every request gets exactly one reply, whatever fails while its outputs are made or sent."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from puppet_kernel import answers, cell_magics, cells, commands, history, outputs, progress
from puppet_kernel.request_checks import request_problem
from puppet_repl.session import Session
from puppet_repl.tools.rendering import notebook_text
from tests.kernel.inside import InsideKernel, Message, inside_kernel

LONE = "sprintf('%c', 55296)"
LONG_NUMBER = (
    '$digits = Integer[1, 9].reduce(\'ffffffffff\') |$m, $i| { "$m$m" }\nInteger("0x$digits")'
)
CELLS = (
    "40 + 2",
    "[{a => 1}, {a => 2}]",
    "notice('a') warning('b') 5",
    "function f() { 1 }",
    "notify { 'n': }",
    "fail('stop')",
    "$x = [1,",
    ":vars",
    ":help map",
    ":no such command",
    ":catalog json",
    "%%time\n1 + 1",
    "%%epp x => 1\n<%= $x %>",
    "%%no_such_magic",
    "",
)
# Functions that a cell calls on its way to a reply, by the module that calls them.
STEPS: tuple[tuple[Any, str], ...] = (
    (Session, "execute"),
    (answers, "bundle_of"),
    (answers, "definition_line"),
    (answers, "error_content"),
    (cell_magics, "split_magic"),
    (cells, "bundle_of"),
    (cells, "run_command"),
    (cells, "is_cell_magic"),
    (commands, "answer_of"),
    (commands, "plain"),
    (commands, "table_html"),
    (history.KernelHistory, "add"),
    (outputs, "notebook_ansi"),
    (outputs, "plain"),
    (outputs, "render_error"),
    (notebook_text, "log_line"),
    (progress.Progress, "begin"),
    (progress.Progress, "end"),
)
SENT = ("stream", "execute_result", "display_data", "error", "clear_output")


class Unspeakable(Exception):
    """An error without a message that could be shown."""

    def __str__(self) -> str:
        raise ValueError("no text")


ERRORS = (
    ValueError("bad"),
    UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"),
    MemoryError(),
    RecursionError("too deep"),
    KeyError("\ud800"),
    OSError(28, "No space left on device"),
    Unspeakable(),
)
UNUSUAL = (KeyboardInterrupt(), SystemExit(3), GeneratorExit())


@pytest.fixture(scope="module")
def inside() -> Iterator[InsideKernel]:
    with inside_kernel() as kernel:
        yield kernel


def works(inside: InsideKernel) -> bool:
    """Tell whether the next cell runs as ever."""
    reply, shown = inside.run("40 + 2")
    results = [content for kind, content in shown if kind == "execute_result"]
    return reply["status"] == "ok" and results[0]["data"]["text/plain"] == "42"


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    code=st.sampled_from(CELLS),
    step=st.sampled_from(STEPS),
    error=st.sampled_from(ERRORS),
    options=st.fixed_dictionaries(
        {
            "silent": st.booleans(),
            "store_history": st.booleans(),
            "user_expressions": st.sampled_from(({}, {"a": "1"}, {"a": "1 +", "b": "2"})),
        }
    ),
)
def test_a_cell_is_answered_whatever_step_fails(
    inside: InsideKernel, code: str, step: tuple[Any, str], error: Exception, options: Any
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(*step, fail)
        reply, _ = inside.run(code, **options)
        assert reply["status"] in ("ok", "error")
    assert works(inside)


@pytest.mark.parametrize("error", UNUSUAL, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("step", [(Session, "execute"), (answers, "bundle_of")], ids=str)
def test_what_is_no_error_is_answered_too(
    inside: InsideKernel, step: tuple[Any, str], error: BaseException
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(*step, fail)
        reply, _ = inside.run("40 + 2")
    interrupted = isinstance(error, KeyboardInterrupt)
    assert reply["ename"] == ("Interrupted" if interrupted else "InternalError")
    assert works(inside)


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    code=st.sampled_from(CELLS),
    error=st.sampled_from(ERRORS),
    failing=st.sets(st.sampled_from(SENT), min_size=1),
)
def test_a_cell_is_answered_whatever_cannot_be_sent(
    inside: InsideKernel, code: str, error: Exception, failing: set[str]
) -> None:
    failed = []

    def fail(kind: str, content: Message) -> None:
        if kind in failing:
            failed.append(kind)
            raise error

    inside.wire.fail = fail
    try:
        reply, _ = inside.run(code)
    finally:
        inside.wire.fail = lambda *_: None
    assert not failed or reply["status"] == "error"
    assert works(inside)


@pytest.mark.parametrize(
    "code",
    [
        f"fail({LONE})",
        f"[{{a => {LONE}}}]",
        f"{{{LONE} => 1}}",
        f"notice({LONE})",
        f'notify {{ "a${{{LONE}}}": message => {LONE} }}',
        ":resources",
        ":catalog",
        ":catalog json",
        ":graph",
        f"%%epp x => {LONE}\n<%= $x %>",
        '%%facts\na: "\\ud800"',
        "$facts['a']",
        f"$lone = {LONE}",
        ":vars",
        ":vars lone",
        "$missing\ud800",
        "%%file /no/such\ud800/directory/x",
        "%%file a\0b",
        "%%file ~nosuchuser/x",
        ":load \ud800",
        ":load \0.pp",
        ":load ~nosuchuser/x.pp",
        ":save \ud800.pp",
        ":save \0.ipynb",
        ":save ~nosuchuser/x.pp",
        ":\ud800",
    ],
)
def test_hostile_text_is_answered(inside: InsideKernel, code: str) -> None:
    reply, _ = inside.run(code, user_expressions={"lone": LONE, "bad": f"fail({LONE})"})
    assert reply["status"] in ("ok", "error")
    assert reply.get("ename") != "InternalError", reply
    assert works(inside)


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("complete_request", {"code": 5, "cursor_pos": 0}),
        ("complete_request", {}),
        ("inspect_request", {"code": None, "cursor_pos": -1}),
        ("is_complete_request", {"code": []}),
        ("history_request", {}),
        ("history_request", {"hist_access_type": "tail", "output": True, "raw": True, "n": "x"}),
        ("execute_request", {}),
        ("execute_request", {"code": 7}),
        ("execute_request", {"code": "1", "user_expressions": 9, "stop_on_error": False}),
        ("comm_info_request", {"target_name": 3}),
        ("complete_request", {"code": "$x\ud800 = 'a", "cursor_pos": 3}),
        ("inspect_request", {"code": "\ud800", "cursor_pos": 1}),
        ("is_complete_request", {"code": "'\ud800"}),
    ],
)
def test_requests_of_other_shapes_are_answered(
    inside: InsideKernel, kind: str, content: Message
) -> None:
    sent = inside.request(kind, content)
    replies = [reply for name, reply in sent if name == kind.replace("_request", "_reply")]
    assert len(replies) == 1
    assert replies[0]["status"] in ("ok", "error", "complete", "incomplete", "invalid")
    assert sent[-1] == ("status", {"execution_state": "idle"})
    assert works(inside)


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        ("execute_request", {}, "execute_request needs 'code', a string"),
        ("execute_request", {"code": 7}, "'code' of execute_request has to be a string"),
        (
            "execute_request",
            {"code": "1", "user_expressions": 9},
            "'user_expressions' of execute_request has to be an object",
        ),
        ("complete_request", {"code": "a"}, "complete_request needs 'cursor_pos', a whole number"),
        (
            "complete_request",
            {"code": "a", "cursor_pos": True},
            "'cursor_pos' of complete_request has to be a whole number",
        ),
        ("inspect_request", {"code": None}, "'code' of inspect_request has to be a string"),
        ("history_request", {}, "history_request needs 'hist_access_type', a string"),
        (
            "history_request",
            {"hist_access_type": "tail", "output": 1, "raw": True},
            "'output' of history_request has to be true or false",
        ),
        (
            "history_request",
            {"hist_access_type": "tail", "output": True, "raw": True, "n": "x"},
            "'n' of history_request has to be a whole number",
        ),
        (
            "history_request",
            {"hist_access_type": "tail", "output": True, "raw": True, "last": 1},
            "history_request has no 'last'",
        ),
    ],
)
def test_a_wrong_request_is_told_what_is_wrong(
    inside: InsideKernel, kind: str, content: Any, message: str
) -> None:
    sent = inside.request(kind, content)
    (reply,) = (reply for name, reply in sent if name == kind.replace("_request", "_reply"))
    assert (reply["status"], reply["ename"], reply["evalue"]) == ("error", "RequestError", message)
    assert works(inside)


def test_the_content_of_a_request_is_an_object() -> None:
    message = "the content of is_complete_request has to be an object"
    assert request_problem("is_complete_request", ["code"]) == message
    assert request_problem("kernel_info_request", {}) is None


def test_long_integers_are_shown_or_refused(inside: InsideKernel) -> None:
    reply, shown = inside.run(LONG_NUMBER)
    assert reply["status"] == "ok"
    assert shown[-1][1]["data"]["text/plain"] == str(16**5120 - 1)
    reply, shown = inside.run("Integer(Integer[1, 17].reduce('9') |$m, $i| { \"$m$m\" })")
    assert reply["status"] == "error"
    assert "an Integer of more than 100000 digits is too long" in reply["evalue"]
    assert shown[-1] == (
        "error",
        {key: shown[-1][1][key] for key in ("ename", "evalue", "traceback")},
    )
    assert works(inside)


def test_a_session_with_a_long_integer_is_listed_and_saved(tmp_path: Path) -> None:
    path = tmp_path / "long.ipynb"
    number = "9" * 5000
    with inside_kernel() as inside:
        for code in (f"$x = [Integer('{number}')]", "$x", ":vars", f":save {path}"):
            reply, shown = inside.run(code)
            assert reply["status"] == "ok", reply
            assert shown, code
    assign, show = nbformat.read(path, as_version=4).cells
    assert number in assign.source
    assert show.outputs[0].data["text/plain"] == f"[\n  {number},\n]"


HOSTILE_COMMENT = "# Says <img src=x onerror=alert(1)> & more.\nfunction says() { 1 }"


def test_comments_in_documentation_are_no_html(inside: InsideKernel) -> None:
    assert inside.run(HOSTILE_COMMENT)[0]["status"] == "ok"
    (_, command), *_ = inside.run(":doc says")[1]
    sent = inside.request("inspect_request", {"code": "says(", "cursor_pos": 3})
    (inspection,) = (content for kind, content in sent if kind == "inspect_reply")
    for data in (command["data"], inspection["data"]):
        assert "Says &lt;img src=x onerror=alert(1)> &amp; more." in data["text/markdown"]
        # But for the code of the signature, and what is around all, which is no stranger's.
        own = r"<pre class=.*?</pre>|\A<div [^<>]*>\n|\n</div>\Z"
        assert "<" not in re.sub(own, "", data["text/markdown"])
        assert "Says <img src=x onerror=alert(1)> & more." in data["text/plain"]


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("a: 2024-13-45", "'2024-13-45'"),
        ("a: 2024-01-01", "'2024-01-01'"),
        ("a: !!binary aGk=", "'hi'"),
        ("a: !!set {x, y}", "['x', 'y']"),
        ("a: {true: 1, 1: 2}", "{'true' => 1, '1' => 2}"),
        ("a: &a [*a]", None),
        (f"a: {'[' * 3000}", None),
        ("a: &a [1, 1]\n" + "b: &a [*a, *a]\n" * 40 + "c: *a", None),
    ],
)
def test_facts_in_a_cell_are_read_as_in_a_file(
    inside: InsideKernel, yaml: str, expected: str | None
) -> None:
    reply, _ = inside.run(f"%%facts\n{yaml}")
    if expected is None:
        assert reply["ename"] == "CellError"
        return
    assert reply["status"] == "ok"
    shown = inside.run("$facts['a']")[1]
    assert shown[-1][1]["data"]["text/plain"] == expected


def test_values_of_exponential_size_are_cut_wherever_a_request_shows_them(
    inside: InsideKernel,
) -> None:
    code = "$graph = Integer[1, 40].reduce([1]) |$m, $i| { [$m, $m] }\n$hash = {'graph' => $graph}"
    reply, shown = inside.run(code)
    assert reply["status"] == "ok" and len(str(shown)) < 100_000
    history = {"hist_access_type": "tail", "output": True, "raw": True, "n": 1}
    assert len(str(inside.request("history_request", history))) < 100_000
    sent = inside.request("inspect_request", {"code": "$graph", "cursor_pos": 4})
    assert len(str(sent)) < 100_000
    for arguments in ({}, {"variablesReference": 1}):
        command = "variables" if arguments else "inspectVariables"
        request = {"seq": 1, "command": command, "arguments": arguments}
        rows = asyncio.run(inside.kernel.debugger.response(request))
        assert len(str(rows)) < 100_000


@pytest.mark.parametrize("command", [":show", ":type $d"])
def test_a_value_too_large_to_be_shown_meets_the_limit_of_memory(
    inside: InsideKernel, command: str
) -> None:
    inside.run("$d = Integer[1, 40].reduce([1]) |$m, $i| { [$m, $m] }")
    inside.run("$d")
    reply, _ = inside.run(command)
    told = (reply["status"], reply["ename"], reply["evalue"])
    assert told == ("error", "NO_MEMORY", "Memory limit exceeded (see --max-memory)")


def test_depth_and_memory_are_no_defects_either(inside: InsideKernel) -> None:
    expected = {
        RecursionError("deep"): "The value is nested too deeply",
        MemoryError(): "Memory limit exceeded (see --max-memory)",
    }
    for error, message in expected.items():

        def fail(*_: object, error: Exception = error, **__: object) -> None:
            raise error

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(answers, "bundle_of", fail)
            reply, _ = inside.run("40 + 2")
        assert reply["evalue"] == message
    assert works(inside)


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("step", [(answers, "bundle_of"), (cells, "partial")], ids=str)
def test_the_log_has_a_line_and_on_demand_the_traceback(
    inside: InsideKernel,
    step: tuple[Any, str],
    debug: bool,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise LookupError("lost")

    if debug:
        monkeypatch.setenv("PUPPET_REPL_DEBUG", "1")
    else:
        monkeypatch.delenv("PUPPET_REPL_DEBUG", raising=False)
    with monkeypatch.context() as patch:
        patch.setattr(*step, fail)
        reply, _ = inside.run("40 + 2")
    assert reply["evalue"] in caplog.messages
    assert all(record.exc_info is None for record in caplog.records)
    assert ("Traceback" in capsys.readouterr().err) is debug


def test_a_hint_stands_below_the_result(inside: InsideKernel) -> None:
    inside.run("$paths = { 'home' => '/root' }")
    _, shown = inside.run('"$paths[home]"')
    kinds = [kind for kind, _ in shown if kind in ("execute_result", "stream")]
    assert kinds == ["execute_result", "stream"]
    assert "hint: $paths is shown as a whole" in shown[-1][1]["text"]
    _, shown = inside.run('"$paths[home]";')
    assert [kind for kind, _ in shown if kind in SENT] == []
    _, shown = inside.run("undef")
    assert [kind for kind, _ in shown if kind in SENT] == []


@pytest.mark.parametrize("cell", ["%%file a\0b\nx", "%%facts a\0b", "%%facts 'a\x1b[31m"])
def test_an_error_of_a_magic_shows_every_character(inside: InsideKernel, cell: str) -> None:
    reply, _ = inside.run(cell)
    assert reply["ename"] == "CellError"
    assert not {"\0", "\x1b"} & set(reply["evalue"] + "".join(reply["traceback"]))
