"""What a kernel writes: the history, whoever holds its lock, and sessions that cells save."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from puppet_repl.host.history import read_entries
from tests.frontends.shared.locks import lock_of_a_stopped_process
from tests.kernel.messages import run


@pytest.fixture
def client(tmp_path: Path) -> Iterator[BlockingKernelClient]:
    """Return the client of a kernel whose data is in the test's directory."""
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
    manager, made = start_new_kernel(kernel_name="puppet", env=environment)
    yield made
    made.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_the_lock_of_a_stopped_process_holds_no_cell_up(
    client: BlockingKernelClient, tmp_path: Path
) -> None:
    history = tmp_path / "data" / "puppet-repl" / "history"
    run(client, "$a = 1")
    with lock_of_a_stopped_process(history):
        reply, published = run(client, "$a + 1")
        assert reply["status"] == "ok"
        assert published[-1]["content"]["data"]["text/plain"] == "2"
    assert list(read_entries(history.read_text("utf-8"))) == ["$a = 1", "$a + 1"]


def test_a_history_that_cannot_be_written_is_told_once(
    client: BlockingKernelClient, tmp_path: Path
) -> None:
    run(client, "$a = 1")
    history = tmp_path / "data" / "puppet-repl" / "history"
    history.unlink()
    history.mkdir()
    reply, published = run(client, "$a + 1")
    assert reply["status"] == "ok"
    told = published[0]["content"]
    assert told["name"] == "stdout"
    assert f"the history is not kept: cannot write {history}: " in told["text"]
    assert published[1]["content"]["data"]["text/plain"] == "2"
    reply, published = run(client, "$a + 2")
    assert [each["msg_type"] for each in published] == ["execute_result"]
    history.rmdir()
    run(client, "$a + 3")
    assert list(read_entries(history.read_text("utf-8"))) == ["$a + 1", "$a + 2", "$a + 3"]


def test_a_cell_saves_over_no_file_of_others(client: BlockingKernelClient, tmp_path: Path) -> None:
    path = tmp_path / "site.ipynb"
    path.write_text("{}")
    run(client, "$a = 1")
    reply, _ = run(client, f":save {path}")
    assert reply["status"] == "error"
    assert "exists, and this session has not saved it" in reply["evalue"]
    assert path.read_text() == "{}"
    reply, _ = run(client, f"%save! {path}")
    assert reply["status"] == "ok"
    assert [cell["source"] for cell in json.loads(path.read_text())["cells"]] == ["$a = 1"]
    run(client, "$b = 2")
    assert run(client, f":save {path}")[0]["status"] == "ok"
    assert len(json.loads(path.read_text())["cells"]) == 2
    run(client, f":save {tmp_path}/new.ipynb")
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "new.ipynb").stat().st_mode) == 0o600
