"""Kernels that are used hard. ``make stress`` runs all of it, ``make test-slow`` the first part."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from typing import Any

import psutil
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel

from tests.kernel.messages import wait_until_running

pytestmark = pytest.mark.slow

FULL = bool(os.environ.get("STRESS"))
CELLS = 5000 if FULL else 400
WARM_UP = 500 if FULL else 100
INTERRUPTS = 500 if FULL else 28
MOST_GROWTH = 50 << 20
# What has no end, or none that a test would wait for; a value that is kept would be in $done.
BUSY = (
    'Integer[1, 9223372036854775807].each |$i| { $done = [$i, $safe].map |$x| { md5("${x}") } }',
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' =~ /^(a|aa)+$/\n$done = 1",
    "Array(Integer[1, 3000000]).sort |$a, $b| { compare($b, $a) }\n$done = 1",
    'Integer[1, 3000000].each |$i| { notify { "n${i}": } }\n$done = 1',
    "function f($n) { if $n > 3 { f($n - 1) + f($n - 2) } else { 1 } }\n$done = f(90)",
    "%%epp\n<% Integer[1, 1000000000].each |$i| { %><%= $i %><% } %>",
    "%%time\nInteger[1, 9223372036854775807].each |$i| { $done = $i }",
)
# What ends by itself, most of it in being shown.
SHORT = (
    'Array(Integer[1, 20000]).map |$i| { {number => $i, text => "text ${i}"} }',
    "Integer[1, 2000].each |$i| { notice($i) }",
    ":names functions",
    ":help",
    "Integer[1, 40].reduce([1]) |$m, $i| { [$m, $m] }",
)

Started = tuple[KernelManager, BlockingKernelClient]


def start() -> Started:
    manager, client = start_new_kernel(kernel_name="puppet")
    return manager, client


def stop(manager: KernelManager, client: BlockingKernelClient) -> None:
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.fixture
def started() -> Iterator[Started]:
    manager, client = start()
    yield manager, client
    stop(manager, client)


def reply_of(client: BlockingKernelClient, request: str) -> dict[str, Any]:
    while True:
        message = client.get_shell_msg(timeout=30)
        if message["parent_header"]["msg_id"] == request:
            content: dict[str, Any] = message["content"]
            return content


def shown_by(client: BlockingKernelClient, request: str) -> list[str]:
    """The text of the result of a request and its errors; ends when the kernel is idle again."""
    found = []
    while True:
        message = client.get_iopub_msg(timeout=30)
        if message["parent_header"].get("msg_id") != request:
            continue
        content = message["content"]
        if content.get("execution_state") == "idle":
            return found
        if message["msg_type"] == "execute_result":
            found.append(content["data"]["text/plain"])
        elif message["msg_type"] == "error":
            found.append(content["ename"])


def run(client: BlockingKernelClient, code: str) -> list[str]:
    request = client.execute(code)
    shown = shown_by(client, request)
    reply_of(client, request)
    return shown


def some_cell(number: int) -> str:
    """One of the things that people do in cells, never twice the same text."""
    return (
        f"$value = {number}\n$value * 2",
        f"[{number}, 'text'].map |$x| {{ \"a ${{x}}\" }}",
        f"function helper(Integer $n) {{ $n + {number} }}\nhelper(1)",
        f"notify {{ 'same': message => 'in cell {number}' }}",
        f"1 + 'x{number}'",
        f"notice('cell {number}')",
        ":vars",
    )[number % 7]


def test_many_cells_take_no_more_memory(started: Started) -> None:
    manager, client = started
    process = psutil.Process(manager.provisioner.pid)
    before = 0
    for number in range(CELLS):
        if number == WARM_UP:
            before = process.memory_info().rss
        run(client, some_cell(number))
    assert process.memory_info().rss - before < MOST_GROWTH
    assert run(client, "40 + 2") == ["42"]


def test_interrupts_at_any_moment_are_answered(started: Started) -> None:
    manager, client = started
    chance = random.Random(8)
    run(client, "$safe = 'yes'")
    for number in range(INTERRUPTS):
        request = client.execute(BUSY[number % len(BUSY)])
        wait_until_running(client, request)
        # From the first moment of the cell to far inside of it.
        time.sleep(chance.choice((0, 0.002, 0.005, 0.02, 0.1)) * chance.random())
        manager.interrupt_kernel()
        reply = reply_of(client, request)
        assert reply["ename"] == "Interrupted", reply
        assert shown_by(client, request) == ["Interrupted"]
    assert run(client, "$safe") == ["'yes'"]
    assert run(client, "$done") == ["UNKNOWN_VARIABLE"]


def test_interrupts_while_values_are_shown_and_history_is_written(started: Started) -> None:
    manager, client = started
    chance = random.Random(9)
    run(client, "$safe = 'yes'")
    states = set()
    for number in range(INTERRUPTS):
        request = client.execute(SHORT[number % len(SHORT)])
        wait_until_running(client, request)
        time.sleep(chance.choice((0, 0.001, 0.005, 0.02)) * chance.random())
        manager.interrupt_kernel()
        reply = reply_of(client, request)
        states.add(reply["status"])
        # It may come too late for this cell, and then it stops no other.
        assert reply["status"] == "ok" or reply["ename"] == "Interrupted", reply
        shown_by(client, request)
        if number % 10 == 0:
            assert run(client, "$safe") == ["'yes'"]
    assert run(client, "40 + 2") == ["42"]
    assert "error" in states


def test_two_kernels_do_not_touch(started: Started) -> None:
    _, first = started
    manager, second = start()
    try:
        requests = [
            first.execute("$who = 'first'\nInteger[1, 100000].each |$i| { md5($who) }"),
            second.execute("$who = 'second'\nInteger[1, 100000].each |$i| { md5($who) }"),
        ]
        for client, request in zip((first, second), requests, strict=True):
            shown_by(client, request)
            assert reply_of(client, request)["status"] == "ok"
        assert run(first, "$who") == ["'first'"]
        assert run(second, "$who") == ["'second'"]
    finally:
        stop(manager, second)
