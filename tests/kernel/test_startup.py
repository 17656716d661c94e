"""The user's files at the start of a kernel: the start-up file and the settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from tests.kernel.messages import Message, run

Start = Callable[..., BlockingKernelClient]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start kernels with a start-up file and settings of their own."""
    stops = []

    def begin(startup: bytes, config: str = "") -> BlockingKernelClient:
        directory = tmp_path / "puppet-repl"
        directory.mkdir()
        (directory / "startup.pp").write_bytes(startup)
        (directory / "config.toml").write_text(config)
        environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path)}
        manager, client = start_new_kernel(kernel_name="puppet", env=environment)
        stops.append(client.stop_channels)
        stops.append(lambda: manager.shutdown_kernel(now=True))
        return client

    yield begin
    for stop in stops:
        stop()


def texts(published: list[Message], stream: str) -> str:
    contents = [message["content"] for message in published if message["msg_type"] == "stream"]
    return "".join(each["text"] for each in contents if each["name"] == stream)


def test_the_startup_file_runs_and_the_first_cell_shows_its_logs(start: Start) -> None:
    client = start(b"notice('hello')\ndebug('hidden')\nfunction twice($x) { $x * 2 }")
    reply, published = run(client, "twice(21)")
    assert reply["execution_count"] == 1
    assert published[-1]["content"]["data"]["text/plain"] == "42"
    shown = texts(published, "stdout")
    assert "hello" in shown and "hidden" not in shown
    assert texts(run(client, "1")[1], "stdout") == ""


@pytest.mark.parametrize(
    ("startup", "told"), [(b"\xff", "cannot read"), (b"1 + $nope", "Unknown variable: 'nope'")]
)
def test_a_startup_file_that_fails_is_a_warning(start: Start, startup: bytes, told: str) -> None:
    client = start(startup)
    reply, published = run(client, "1 + 1")
    assert reply["status"] == "ok"
    assert told in texts(published, "stderr")


def test_settings_count_and_their_problems_are_told(start: Start) -> None:
    client = start(b"", 'strict = "off"\nnope = 1\n')
    _, published = run(client, "1 + '1'")
    assert published[-1]["content"]["data"]["text/plain"] == "2"
    assert "there is no setting 'nope'" in texts(published, "stderr")


@pytest.mark.parametrize("cell", [":reset", ":node web01", ":facts rocky-9", "%%facts rocky-9"])
def test_the_startup_file_runs_again_once_where_a_cell_resets(start: Start, cell: str) -> None:
    client = start(b"notice('hello')\nfunction twice($x) { $x * 2 }")
    run(client, "1")
    assert texts(run(client, cell)[1], "stdout").count("hello") == 1
    _, published = run(client, "twice(21)")
    assert published[-1]["content"]["data"]["text/plain"] == "42"
    assert texts(published, "stdout") == ""
