"""The checks that Jupyter publishes for kernels, and what they leave out, over real messages."""

from __future__ import annotations

import re
from queue import Empty
from typing import Any

import jupyter_kernel_test
import nbformat
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel
from jupyter_client.provisioning import LocalProvisioner

from tests.kernel.messages import (
    ENDLESS,
    outputs_of,
    printed,
    reply_to,
    run,
    wait_until_running,
)


class TestPublishedChecks(jupyter_kernel_test.KernelTests):
    """jupyter_kernel_test, with samples in Puppet."""

    kernel_name = "puppet"
    language_name = "puppet"
    file_extension = ".pp"
    code_hello_world = "notice('hello, world')"
    code_stderr = "err('careful')"
    completion_samples = ({"text": "camelc", "matches": {"camelcase"}},)
    complete_code_samples = ("1", "$x = [1, 2]", "if true { 1 }", "notice 'a'")
    incomplete_code_samples = ("$x = [1,", "if true {", "'abc", "@(END)\ntext")
    invalid_code_samples = ("$x = ]", "1 )")
    code_generate_error = "fail('no')"
    code_execute_result = (
        {"code": "1 + 1", "result": "2"},
        {"code": "'a'", "result": "'a'"},
        {"code": "[1, {a => 2}]", "result": "[1, {'a' => 2}]"},
    )
    code_display_data = ({"code": ":help map", "mime": "text/markdown"},)
    code_history_pattern = "1 + 1"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "notice"


def test_logs_come_before_the_result_and_in_order(client: BlockingKernelClient) -> None:
    reply, published = run(client, "notice('a') err('b') 5")
    assert reply["status"] == "ok"
    assert [m["msg_type"] for m in published] == ["stream", "stream", "execute_result"]
    assert [m["content"]["name"] for m in published[:2]] == ["stdout", "stderr"]
    assert published[2]["content"]["data"] == {"text/plain": "5"}


def test_warnings_are_among_the_other_messages(client: BlockingKernelClient) -> None:
    _, published = run(client, "notice('a') warning('b') notice('c')")
    assert {m["content"]["name"] for m in published} == {"stdout"}
    text = "".join([m["content"]["text"] for m in published])
    assert re.sub("\x1b.*?m", "", text) == "Notice: a\nWarning: b\nNotice: c\n"


def test_scattered_completions_come_only_where_none_begins_so(
    client: BlockingKernelClient,
) -> None:
    """JupyterLab sorts by the alphabet when all of them begin with the same letter."""
    found = {}
    for typed in ("Str", "re_ea"):
        request = client.complete(typed, len(typed))
        outputs_of(client, request)
        found[typed] = reply_to(client, request)["content"]["matches"]
    assert found["Str"][:2] == ["String", "Struct"]
    assert all(match.startswith("Str") for match in found["Str"])
    assert found["re_ea"][0] == "reverse_each"


def test_a_word_that_means_a_command_elsewhere_has_a_note(client: BlockingKernelClient) -> None:
    _, published = run(client, "reset")
    assert "'reset' is a string in Puppet; the command is :reset" in printed(published)
    assert published[-1]["content"]["data"]["text/plain"] == "'reset'"


@pytest.mark.parametrize("code", [":quit", "%quit", "exit", " quit\n", "exit()", "quit(0)"])
def test_what_leaves_a_console_tells_what_ends_the_kernel_of_a_notebook(
    client: BlockingKernelClient, code: str
) -> None:
    leave = [{"source": "ask_exit", "keepkernel": False}]
    reply, published = run(client, code, allow_stdin=False)
    assert reply["payload"] == leave
    assert [message["msg_type"] for message in published] == ["stream"]
    assert "Kernel > Shut Down Kernel" in printed(published)
    assert "Ctrl-D leaves jupyter console" in printed(published)
    reply, published = run(client, code, allow_stdin=True)  # as a console says it
    assert (reply["payload"], published) == (leave, [])


def test_a_function_of_the_user_with_the_name_of_a_way_out(client: BlockingKernelClient) -> None:
    run(client, "function exit() { 'mine' }")
    try:
        reply, published = run(client, "exit()")
    finally:
        run(client, ":forget exit")
    assert reply["payload"] == []
    assert published[-1]["content"]["data"]["text/plain"] == "'mine'"
    for code in ("'exit'", "$exit = 1", "exit(1, 2)"):
        assert not run(client, code)[0].get("payload")


def test_a_hint_is_the_last_line_of_an_error(client: BlockingKernelClient) -> None:
    reply, _ = run(client, "if true {\n  puts 'x'")
    assert reply["evalue"].startswith("Syntax error at end of input (file: cell ")
    assert "the { of line 1, column 9 is never closed" in reply["traceback"][-1]


def test_variables_last_from_cell_to_cell(client: BlockingKernelClient) -> None:
    run(client, "$kept = 41")
    _, published = run(client, "$kept + 1")
    assert published[0]["content"]["data"]["text/plain"] == "42"


def test_a_failed_cell_leaves_the_session_as_it_was(client: BlockingKernelClient) -> None:
    run(client, "$state = 'before'")
    reply, published = run(client, "$state = 'after'\n$other = 1 + 'x'")
    assert reply["status"] == "error"
    assert reply["evalue"].startswith("Evaluation Error: The value 'x' cannot be converted")
    assert [m["msg_type"] for m in published] == ["error"]
    assert published[0]["content"]["traceback"] == reply["traceback"]
    _, published = run(client, "$state")
    assert published[0]["content"]["data"]["text/plain"] == "'before'"


def test_counting_leaves_out_what_is_not_stored(client: BlockingKernelClient) -> None:
    first = run(client, "1")[0]["execution_count"]
    assert run(client, "1", store_history=False)[0]["execution_count"] == first
    assert run(client, "1", silent=True)[0]["execution_count"] == first
    assert run(client, "1")[0]["execution_count"] == first + 1


def test_a_silent_cell_publishes_nothing(client: BlockingKernelClient) -> None:
    reply, published = run(client, "notice('x') fail('y')", silent=True)
    assert reply["status"] == "error"
    assert published == []


def test_user_expressions(client: BlockingKernelClient) -> None:
    reply, _ = run(client, "$u = 6", user_expressions={"good": "$u * 7", "bad": "1 +"})
    assert reply["user_expressions"]["good"]["data"]["text/plain"] == "42"
    assert reply["user_expressions"]["bad"]["status"] == "error"


def test_an_error_aborts_the_cells_behind_it(client: BlockingKernelClient) -> None:
    # Aborted are those that have come by the time of the error, which is a second away.
    failing = "Integer[1, 30000000].each |$i| { } fail('stop')"
    requests = [client.execute(code) for code in (failing, "1", "2")]
    states = [reply_to(client, request)["content"]["status"] for request in requests]
    for request in requests:
        outputs_of(client, request)
    assert states == ["error", "aborted", "aborted"]
    requests = [client.execute(code, stop_on_error=False) for code in ("fail('go on')", "1")]
    states = [reply_to(client, request)["content"]["status"] for request in requests]
    for request in requests:
        outputs_of(client, request)
    assert states == ["error", "ok"]


def test_an_interrupt_is_answered_and_keeps_the_session(
    started: tuple[KernelManager, BlockingKernelClient],
) -> None:
    manager, client = started
    run(client, "$safe = 'yes'")
    for _ in range(3):
        request = client.execute(f"notice('on') {ENDLESS}")
        while client.get_iopub_msg(timeout=60)["msg_type"] != "stream":
            pass  # an interrupt before this may stop the cell before it begins
        manager.interrupt_kernel()
        reply = reply_to(client, request)["content"]
        assert reply["status"] == "error"
        assert reply["ename"] == "Interrupted"
        assert reply["evalue"].startswith("the cell was stopped and rolled back (file: cell ")
        assert any(ENDLESS in line for line in reply["traceback"])
        assert [m["msg_type"] for m in outputs_of(client, request)] == ["error"]
    _, published = run(client, "$safe")
    assert published[0]["content"]["data"]["text/plain"] == "'yes'"


def test_the_time_of_a_cell_is_limited_by_a_setting(client: BlockingKernelClient) -> None:
    run(client, ":set max_seconds 0.5")
    try:
        reply, _ = run(client, f"$x = 1\n{ENDLESS}")
    finally:
        run(client, ":set max_seconds off")
    assert reply["ename"] == "NO_TIME"
    assert reply["evalue"].startswith("Time limit exceeded (see :set max_seconds N) (file: cell ")
    assert "line: 2, column:" in reply["evalue"]


def test_questions_are_answered_while_a_cell_runs(
    started: tuple[KernelManager, BlockingKernelClient],
) -> None:
    manager, client = started
    running = client.execute(ENDLESS)
    wait_until_running(client, running)
    completion = reply_to(client, client.complete("camelc", 6))["content"]
    inspection = reply_to(client, client.inspect("notice", 0))["content"]
    completeness = reply_to(client, client.is_complete("$x = {"))["content"]
    assert completion["matches"] == ["camelcase"]
    assert inspection["found"]
    assert completeness["status"] == "incomplete"
    with pytest.raises(Empty):
        client.get_shell_msg(timeout=0.1)
    manager.interrupt_kernel()
    assert reply_to(client, running)["content"]["status"] == "error"
    while True:
        message = client.get_iopub_msg(timeout=20)
        if (
            message["parent_header"].get("msg_id") == running
            and message["content"].get("execution_state") == "idle"
        ):
            break


def test_completions_carry_their_kinds_one_to_one(client: BlockingKernelClient) -> None:
    request = client.complete("not", 3)
    outputs_of(client, request)
    content = reply_to(client, request)["content"]
    types = content["metadata"]["_jupyter_types_experimental"]
    assert [each["text"] for each in types] == content["matches"]
    assert {each["type"] for each in types} >= {"function"}


def test_kernel_info_claims_what_is_there(client: BlockingKernelClient) -> None:
    request = client.kernel_info()
    outputs_of(client, request)
    content = reply_to(client, request)["content"]
    assert content["supported_features"] == ["debugger"]
    assert content["language_info"]["file_extension"] == ".pp"


def test_a_shutdown_is_answered_and_ends_the_process() -> None:
    manager, client = start_new_kernel(kernel_name="puppet")
    try:
        client.shutdown()
        reply = client.get_control_msg(timeout=20)
        assert reply["msg_type"] == "shutdown_reply"
        assert reply["content"] == {"status": "ok", "restart": False}
        # Without the help of Jupyter, which ends it after some seconds.
        assert isinstance(manager.provisioner, LocalProvisioner)
        process = manager.provisioner.process
        assert process is not None and process.wait(timeout=8) == 0
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_a_notebook_is_loaded_without_its_commands(
    client: BlockingKernelClient, tmp_path: Any
) -> None:
    cells = ["$loaded = 41", ":vars", "%%epp\ntext", "$loaded + 1"]
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in cells])
    path = tmp_path / "cells.ipynb"
    nbformat.write(made, path)
    reply, _ = run(client, f"%load {path}")
    assert reply["status"] == "ok"
    _, published = run(client, "$loaded")
    assert published[0]["content"]["data"]["text/plain"] == "41"


def test_a_session_is_saved(client: BlockingKernelClient, tmp_path: Any) -> None:
    run(client, "$saved = 'here'")
    for name in ("session.pp", "session.ipynb"):
        run(client, f"%save {tmp_path / name}")
        assert "$saved = 'here'" in (tmp_path / name).read_text("utf-8")


def test_comms_are_refused_by_target_and_not_unknown(client: BlockingKernelClient) -> None:
    message = client.session.msg(
        "comm_open", {"comm_id": "c1", "target_name": "nobody", "data": {}}
    )
    client.shell_channel.send(message)
    kinds = [m["msg_type"] for m in outputs_of(client, message["header"]["msg_id"])]
    assert kinds[-1] == "comm_close"


def test_subshells_are_refused(client: BlockingKernelClient) -> None:
    message = client.session.msg("create_subshell_request", {})
    client.control_channel.send(message)
    assert outputs_of(client, message["header"]["msg_id"]) == []
    reply = client.get_control_msg(timeout=20)
    assert reply["parent_header"]["msg_id"] == message["header"]["msg_id"]
    assert reply["content"]["status"] == "error"
    assert "no subshells" in reply["content"]["evalue"]


def test_a_restart_starts_anew() -> None:
    manager, client = start_new_kernel(kernel_name="puppet")
    try:
        run(client, "$gone = 1")
        manager.restart_kernel()
        client.wait_for_ready(timeout=20)
        reply, _ = run(client, "$gone")
        assert reply["evalue"].startswith("Evaluation Error: Unknown variable: 'gone'")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_results_have_the_numbers_of_their_cells(client: BlockingKernelClient) -> None:
    run(client, "fail('one that does not count')")
    reply, _ = run(client, "6 * 7")
    _, published = run(client, f"$_{reply['execution_count']}")
    assert published[0]["content"]["data"]["text/plain"] == "42"


def test_settings_last_and_decide_what_is_logged(client: BlockingKernelClient) -> None:
    run(client, ":set log_level err")
    _, published = run(client, "notice('hidden') err('shown')")
    assert "hidden" not in printed(published) and "shown" in printed(published)
    run(client, ":set log_level notice")


@pytest.mark.parametrize("code", ["fail(sprintf('%c', 55296))", "[{a => sprintf('%c', 56320)}]"])
def test_half_surrogates_lose_no_reply(client: BlockingKernelClient, code: str) -> None:
    reply, published = run(client, code)
    assert reply["status"] == ("error" if "fail" in code else "ok")
    assert "\ufffd" in str(published)


def test_an_earlier_input_comes_back_to_be_edited(client: BlockingKernelClient) -> None:
    number = run(client, "$again = 1")[0]["execution_count"]
    reply, _ = run(client, f":edit {number}")
    assert reply["payload"] == [
        {"source": "set_next_input", "text": "$again = 1", "replace": False}
    ]


def test_a_graph_is_a_drawing_and_a_readable_text() -> None:
    manager, client = start_new_kernel(kernel_name="puppet")
    try:
        run(client, "notify { 'a': } -> notify { 'b': }")
        _, published = run(client, ":graph")
        data = published[0]["content"]["data"]
        assert set(data) == {"text/plain", "text/html"}
        said = "Graph of 2 resources and 1 relationship: Notify[&#x27;a&#x27;] comes before "
        assert f'><img alt="{said}' in data["text/html"]
        assert data["text/plain"] == "Notify['a']  → Notify['b']\nNotify['b']"
        _, published = run(client, ":graph svg")
        drawn = published[0]["content"]["data"]
        assert drawn.pop("image/svg+xml").startswith("<svg ")
        assert drawn == data
        _, published = run(client, ":graph mermaid")
        # Beside text/html a notebook would not draw it.
        assert set(published[0]["content"]["data"]) == {"text/plain", "text/vnd.mermaid"}
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_many_log_lines_are_few_messages(client: BlockingKernelClient) -> None:
    _, published = run(client, "Integer[1, 2000].each |$i| { notice($i) } warning('end')")
    assert len(published) < 200
    assert printed(published).count("Notice") == 2000
    assert "end" in published[-1]["content"]["text"]


def test_history_outlives_the_kernel() -> None:
    for code, expected in (("$first_kernel = 1", None), ("1", "$first_kernel = 1")):
        manager, client = start_new_kernel(kernel_name="puppet")
        try:
            run(client, code)
            request = client.history(hist_access_type="search", pattern="$first_*", n=5)
            outputs_of(client, request)
            found = [entry[2] for entry in reply_to(client, request)["content"]["history"]]
            assert expected is None or found == [expected]
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
