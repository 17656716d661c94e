"""Kernels that are used hard. ``make stress`` runs all of it, ``make test`` the first part."""

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

FULL = bool(os.environ.get("STRESS"))
CELLS = 5000 if FULL else 400
WARM_UP = 500 if FULL else 100
INTERRUPTS = 200 if FULL else 25
MOST_GROWTH = 50 << 20
ENDLESS = (
    'Integer[1, 9223372036854775807].each |$i| { $done = [$i, $safe].map |$x| { md5("${x}") } }'
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
    for _ in range(INTERRUPTS):
        request = client.execute(ENDLESS)
        # From before the cell begins to far inside of it.
        time.sleep(chance.choice((0, 0.002, 0.005, 0.02, 0.1)) * chance.random())
        asked = time.monotonic()
        manager.interrupt_kernel()
        while not client.shell_channel.msg_ready():
            time.sleep(0.01)
            # It came before the request did, and an idle kernel has nothing to stop.
            if time.monotonic() - asked > 1:
                asked = time.monotonic()
                manager.interrupt_kernel()
        assert reply_of(client, request)["ename"] == "Interrupted"
        assert shown_by(client, request) == ["Interrupted"]
    assert run(client, "$safe") == ["'yes'"]
    assert run(client, "$done") == ["UNKNOWN_VARIABLE"]


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
