"""The kernel under the tools of Jupyter: what it loads, the console, encryption."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pexpect
import pytest
import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel

from puppet_kernel.install import kernel_spec
from tests.kernel.messages import ENDLESS, Message, reply_to, run, wait_until_running

KERNELSPEC = Path(__file__).parents[2] / "kernel" / "kernelspec" / "kernel.json"
SECONDS = 60


def test_requests_beside_a_running_cell_import_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPROFILEIMPORTTIME": "1"}
    listing = tmp_path / "imports.txt"

    def loaded() -> list[str]:
        rows = listing.read_text().splitlines()
        return [row.rpartition("|")[2].strip() for row in rows if row.startswith("import time:")]

    with listing.open("w") as errors:
        manager, client = start_new_kernel(kernel_name="puppet", env=environment, stderr=errors)
    try:
        # It waits for idle time; keys of data are the last thing that it loads.
        deadline = time.monotonic() + SECONDS
        while "puppet_repl.environment.hiera.data_keys" not in loaded():
            assert time.monotonic() < deadline, "nothing was loaded in idle time"
            time.sleep(0.1)
        run(client, "$list = [1]\nInteger[1, 2].each |$i| { $i + 1 }")
        request = client.execute(ENDLESS)
        wait_until_running(client, request)
        before = loaded()
        for code in ("$list.ea", "upc", "$facts['os']['", "include ", "lookup('", "%%on deb"):
            matches = reply_to(client, client.complete(code, len(code)))["content"]["matches"]
            assert matches or code == "lookup('"
        for code in ("notify", "upcase", "$facts", "file { '/x': ensure", ":resources", "%%on"):
            assert reply_to(client, client.inspect(code, len(code)))["content"]["found"]
        assert loaded()[len(before) :] == []
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_a_kernel_loads_no_debugger_of_python(tmp_path: Path) -> None:
    listing = tmp_path / "imports.txt"
    environment = {**os.environ, "PYTHONPROFILEIMPORTTIME": "1"}
    with listing.open("w") as errors:
        manager, client = start_new_kernel(kernel_name="puppet", env=environment, stderr=errors)
        run(client, "1 + 1")
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    loaded = {line.rpartition("|")[2].strip() for line in listing.read_text().splitlines()}
    assert "puppet_kernel.kernel" in loaded
    assert [name for name in loaded if name.startswith(("debugpy", "pydevd", "_pydev"))] == []
    assert "ipykernel.debugger" not in loaded


@pytest.fixture
def console() -> Iterator[Console]:
    opened = Console()
    yield opened
    opened.child.close(force=True)


class Console:
    """``jupyter console`` with the kernel, in a pseudo-terminal; ``shown`` is all of its output."""

    def __init__(self) -> None:
        self._shown = io.StringIO()
        self.child: Any = pexpect.spawn(
            sys.executable,
            ["-m", "jupyter_console", "--kernel", "puppet"],
            encoding="utf-8",
            timeout=SECONDS,
            dimensions=(40, 120),
            env={**os.environ, "TERM": "xterm-256color"},
        )
        self.child.logfile_read = self._shown
        self._number = 1
        self.child.expect(r"In [^\n]*\[[^\n]*1")

    @property
    def shown(self) -> str:
        return self._shown.getvalue()

    def run(self, code: str) -> str:
        """Run a cell; return what is shown from its echo to the next prompt."""
        start = len(self.shown)
        number, self._number = self._number, self._number + 1
        self.child.send(f"{code}\r")
        self.child.expect(rf"Out[^\n]*\[[^\n]*{number}")
        self.child.expect(rf"In [^\n]*\[[^\n]*{self._number}")
        return self.shown[start:]


def test_the_console_shows_nothing_of_a_debugger(console: Console) -> None:
    assert "42" in console.run("20 + 22")
    assert "puppet-repl" in console.shown
    # That the kernel's connection is not encrypted is said by ipykernel, for every kernel.
    for word in ("Debugger", "frozen", "pydevd", "PYDEVD", "Traceback"):
        assert word not in console.shown


@pytest.mark.parametrize("code", ["exit", "quit()", ":quit"])
def test_leaving_the_console(console: Console, code: str) -> None:
    console.run("1")
    console.child.send(f"{code}\r")
    console.child.expect(pexpect.EOF)
    assert "Shutting down kernel" in console.shown
    assert "Shut Down Kernel in the menu" not in console.shown


LONG = (
    "$end = Timestamp() + Timespan(6.5) "
    "notice(upcase('first')) "
    "Integer[1, 1000000000].each |$i| { if Timestamp() > $end { break() } } "
    "notice(upcase('last')) "
    "upcase('value')"
)


@pytest.mark.slow
def test_the_console_shows_the_outputs_of_a_long_cell_once(console: Console) -> None:
    shown = console.run(LONG)
    assert "running for" in shown
    assert [shown.count(word) for word in ("FIRST", "LAST", "VALUE")] == [1, 1, 1]
    assert "42" in console.run("20 + 22")


def test_both_kernelspecs_say_the_same() -> None:
    written = json.loads(KERNELSPEC.read_text("utf-8"))
    made = kernel_spec(sys.executable)
    assert {**written, "argv": written["argv"][1:]} == {**made, "argv": made["argv"][1:]}
    assert made["metadata"]["supported_encryption"] == ["curve"]


@pytest.fixture
def encrypted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BlockingKernelClient]:
    """A kernel, started from the kernelspec of the wheel, whose channels are encrypted."""
    directory = tmp_path / "kernels" / "encrypted"
    directory.mkdir(parents=True)
    shutil.copy(KERNELSPEC, directory)
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    manager = KernelManager(
        kernel_name="encrypted", transport="tcp", transport_encryption="required"
    )
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=SECONDS)
        yield client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.mark.skipif(
    not hasattr(KernelManager, "transport_encryption"), reason="jupyter_client < 8.9 cannot encrypt"
)
def test_all_channels_work_encrypted(encrypted: BlockingKernelClient) -> None:
    keys = json.loads(Path(encrypted.connection_file).read_text("utf-8"))
    assert keys["curve_publickey"] and keys["curve_secretkey"]
    reply, published = run(encrypted, "notice('hidden') 1 + 1")
    assert reply["status"] == "ok"
    assert [message["msg_type"] for message in published] == ["stream", "execute_result"]
    request = encrypted.session.msg(
        "debug_request", {"type": "request", "seq": 1, "command": "debugInfo", "arguments": {}}
    )
    encrypted.control_channel.send(request)
    answer: Message = encrypted.get_control_msg(timeout=SECONDS)["content"]
    assert answer["success"] is True
    assert encrypted.is_alive()
    # Whoever does not have the key gets no answer.
    plain = BlockingKernelClient()
    plain.load_connection_info({key: keys[key] for key in keys if not key.startswith("curve")})
    plain.start_channels()
    # Once the kernel has refused the connection nobody takes the question.
    plain.shell_channel.socket.setsockopt(zmq.SNDTIMEO, 2000)
    try:
        with pytest.raises((Empty, zmq.Again)):
            plain.kernel_info()
            plain.get_shell_msg(timeout=2)
    finally:
        plain.stop_channels()


# Editors inspect a variable of their list by its name, some of them at position 0.


def test_names_are_inspected_at_any_position(client: BlockingKernelClient) -> None:
    run(client, "$inspected = {'port' => 80}")

    def inspect(code: str, position: int) -> Message:
        request = client.inspect(code, position)
        message: Message = reply_to(client, request)["content"]
        return message

    for code in ("inspected", "$inspected", "$facts", "facts", "notice", "Integer"):
        for position in range(len(code) + 1):
            reply = inspect(code, position)
            assert reply["status"] == "ok" and reply["found"], (code, position)
    assert "80" in inspect("inspected", 0)["data"]["text/plain"]
    for code in ("", "nothing_of_this_name", "$nothing_of_this_name"):
        assert inspect(code, 0)["found"] is False
