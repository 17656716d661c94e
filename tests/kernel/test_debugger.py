"""The debugger over real messages: the panel of variables, breakpoints and steps."""

from __future__ import annotations

import time
from functools import partial
from queue import Empty
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.kernel.messages import ENDLESS, Message, reply_to, run


def ask_debugger(client: BlockingKernelClient, command: str, **arguments: Any) -> Message:
    message = client.session.msg(
        "debug_request",
        {"type": "request", "seq": 1, "command": command, "arguments": arguments},
    )
    client.control_channel.send(message)
    reply: Message = client.get_control_msg(timeout=20)["content"]
    return reply


def forget_published(client: BlockingKernelClient) -> None:
    while True:
        try:
            client.get_iopub_msg(timeout=0.3)
        except Empty:
            return


def test_the_variables_panel(client: BlockingKernelClient) -> None:
    run(client, "$panel = {'port' => 80, 'tags' => ['a']}")

    ask = partial(ask_debugger, client)
    assert ask("debugInfo")["body"]["isStarted"] is False
    assert ask("attach")["success"]
    assert ask("debugInfo")["body"]["isStarted"] is True
    rows = {row["name"]: row for row in ask("inspectVariables")["body"]["variables"]}
    assert rows["panel"]["value"] == "{'port' => 80, 'tags' => ['a']}"
    assert rows["panel"]["type"].startswith("Hash[")
    parts = ask("variables", variablesReference=rows["panel"]["variablesReference"])
    names = [row["name"] for row in parts["body"]["variables"]]
    assert names == ["'port'", "'tags'"]
    assert ask("nonsense")["success"] is False
    forget_published(client)


DEBUGGED = """function half(Integer $n) {
  # a comment has no code
  $h = $n / 2
  $h
}
$results = [10, 20].map |$x| {
  $y = half($x)
  $y + 1
}
$results"""


def stopped_event(client: BlockingKernelClient, running: str) -> Message:
    while True:
        message = client.get_iopub_msg(timeout=20)
        if message["msg_type"] == "debug_event":
            assert message["parent_header"]["msg_id"] == running
            content: Message = message["content"]
            return content


def test_breakpoints_and_steps(started: tuple[KernelManager, BlockingKernelClient]) -> None:
    manager, client = started
    ask = partial(ask_debugger, client)
    ask("initialize")
    ask("attach")
    path = ask("dumpCell", code=DEBUGGED)["body"]["sourcePath"]
    placed = ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": 2}])["body"]
    assert [(each["line"], each["verified"]) for each in placed["breakpoints"]] == [(3, True)]
    running = client.execute(DEBUGGED)

    ids: list[int] = []

    def place() -> tuple[str, int]:
        event = stopped_event(client, running)
        assert event["event"] == "stopped"
        frames = ask("stackTrace", threadId=1)["body"]["stackFrames"]
        assert {frame["source"]["path"] for frame in frames} == {path}
        ids[:] = [frame["id"] for frame in frames]
        return frames[0]["name"], frames[0]["line"]

    def local_variables(frame: int) -> dict[str, str]:
        scopes = ask("scopes", frameId=ids[frame])["body"]["scopes"]
        rows = ask("variables", variablesReference=scopes[0]["variablesReference"])["body"]
        return {row["name"]: row["value"] for row in rows["variables"]}

    assert place() == ("function half", 3)
    assert ask("debugInfo")["body"]["stoppedThreads"] == [1]
    assert local_variables(0) == {"n": "10"}
    assert local_variables(1) == {"x": "10"}
    assert ask("evaluate", expression="$n", frameId=ids[0])["body"]["result"] == "10"
    assert not ask("evaluate", expression="1 + 1", frameId=ids[0])["success"]
    ask("next")
    assert place() == ("function half", 4)
    assert local_variables(0) == {"h": "5", "n": "10"}
    ask("stepOut")
    assert place() == ("lambda", 8)
    ask("continue")
    assert place() == ("function half", 3)
    ask("setBreakpoints", source={"path": path}, breakpoints=[])
    ask("continue")
    assert reply_to(client, running)["content"]["status"] == "ok"
    forget_published(client)
    _, published = run(client, "$results")
    assert published[0]["content"]["data"]["text/plain"] == "[6, 11]"
    # An interrupt ends a cell that is stopped.
    ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": 7}])
    running = client.execute(DEBUGGED)
    assert place() == ("lambda", 7)
    manager.interrupt_kernel()
    assert reply_to(client, running)["content"]["ename"] == "Interrupted"
    ask("disconnect")
    forget_published(client)
    assert run(client, DEBUGGED)[0]["status"] == "ok"


def test_time_at_a_breakpoint_is_not_that_of_the_cell(client: BlockingKernelClient) -> None:
    code = "$waited = 1\n$waited + 1"
    ask = partial(ask_debugger, client)
    ask("attach")
    path = ask("dumpCell", code=code)["body"]["sourcePath"]
    ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": 2}])
    forget_published(client)
    run(client, ":set max_seconds 2")
    running = client.execute(code)
    assert stopped_event(client, running)["event"] == "stopped"
    time.sleep(2.5)
    ask("continue")
    assert reply_to(client, running)["content"]["status"] == "ok"
    ask("disconnect")
    forget_published(client)
    assert run(client, ENDLESS)[0]["evalue"].startswith("Time limit exceeded")
    run(client, ":set max_seconds none")
