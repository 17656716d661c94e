"""How soon the kernel is ready, and answers a cell, beside IPython's own: they take turns."""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import psutil

from tests.benchmarks.rows import Row, Rows
from tests.benchmarks.timing import as_installed

if TYPE_CHECKING:
    from jupyter_client.blocking.client import BlockingKernelClient

KERNELS = ("puppet", "python3")
CELL = "1"
STARTS = 21
ROUNDS = 300
READY_GOAL = 1 / 1.05
CELL_GOAL = 1 / 1.2
GROUP = "kernel"
BESIDE = "IPython's kernel"


class Running(NamedTuple):
    """A kernel that is ready: it has answered its first request. And what that took."""

    client: BlockingKernelClient
    process: psutil.Process
    seconds: float
    cpu: float


class Start(NamedTuple):
    """Seconds until a kernel was ready, of these on the CPU, and seconds of its first cell."""

    ready: float
    cpu: float
    cell: float


def kernel() -> Rows:
    """Yield both kernels: medians of the seconds, means of the CPU seconds."""
    with _user() as environment:
        starts = _starts(environment)
        cells, cpu = _cells(environment)
    yield _row("ready", [[start.ready for start in its] for its in starts], READY_GOAL)
    yield _row("ready, CPU", [[statistics.mean(start.cpu for start in its)] for its in starts])
    yield _row("first cell", [[start.cell for start in its] for its in starts])
    yield _row("later cell", cells, CELL_GOAL)
    yield _row("later cell, CPU", [[each] for each in cpu])


@contextmanager
def _user() -> Iterator[dict[str, str]]:
    """Yield the environment of a user who has nothing yet, with compiled modules as installed."""
    with tempfile.TemporaryDirectory() as home:
        names = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "IPYTHONDIR")
        yield as_installed() | {name: os.path.join(home, name) for name in names}


def _starts(environment: dict[str, str]) -> list[list[Start]]:
    """Return the starts of each kernel; the first of each, which compiles modules, is left out."""
    starts: list[list[Start]] = [[] for _ in KERNELS]
    for turn in range(STARTS + 1):
        for name, its in zip(KERNELS, starts, strict=True):
            with started(name, environment) as running:
                cell = seconds_of_cell(running.client)
                if turn:
                    its.append(Start(running.seconds, running.cpu, cell))
    return starts


def _cells(environment: dict[str, str]) -> tuple[list[list[float]], list[float]]:
    """Return for each kernel the seconds of all cells, and the mean CPU seconds of one."""
    with started(KERNELS[0], environment) as ours, started(KERNELS[1], environment) as other:
        both = (ours, other)
        for running in both * 20:
            seconds_of_cell(running.client)
        before = [_cpu_seconds(running.process) for running in both]
        spent: list[list[float]] = [[] for _ in both]
        for _ in range(ROUNDS):
            for running, its in zip(both, spent, strict=True):
                its.append(seconds_of_cell(running.client))
        after = [_cpu_seconds(running.process) for running in both]
    return spent, [(b - a) / ROUNDS for a, b in zip(before, after, strict=True)]


@contextmanager
def started(name: str, environment: dict[str, str]) -> Iterator[Running]:
    """Yield a kernel as soon as it has answered a request for its information."""
    from jupyter_client.manager import KernelManager
    from jupyter_client.provisioning.local_provisioner import LocalProvisioner

    manager = KernelManager(kernel_name=name)
    start = time.perf_counter()
    manager.start_kernel(env=environment, stderr=subprocess.DEVNULL)
    client = manager.client()
    try:
        # A client that connects too early tries again after a tenth of a second: wait for the port.
        _wait_for_port(manager.shell_port)
        client.start_channels()
        client.kernel_info(reply=True, timeout=60)
        seconds = time.perf_counter() - start
        assert isinstance(manager.provisioner, LocalProvisioner)
        process = psutil.Process(manager.provisioner.pid)
        cpu = _cpu_seconds(process)
        client.wait_for_ready(timeout=60)
        yield Running(client, process, seconds, cpu)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def _wait_for_port(port: int) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.001)
    raise TimeoutError(f"nothing listens on port {port}")


def seconds_of_cell(client: BlockingKernelClient) -> float:
    """Return the seconds from the request to run a cell until the kernel is idle again."""
    start = time.perf_counter()
    request = client.execute(CELL)
    while True:
        message = client.get_iopub_msg(timeout=60)
        if (
            message["parent_header"].get("msg_id") == request
            and message["msg_type"] == "status"
            and message["content"]["execution_state"] == "idle"
        ):
            break
    seconds = time.perf_counter() - start
    client.get_shell_msg(timeout=60)
    return seconds


def _cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _row(name: str, spent: list[list[float]], goal: float | None = None) -> Row:
    ours, other = (statistics.median(each) for each in spent)
    return Row(GROUP, name, ours, other, BESIDE, goal)
