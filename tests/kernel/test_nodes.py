"""Nodes and facts in cells: what is told, and that the site runs again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from tests.kernel.messages import Message, printed, run


@pytest.fixture
def client(tmp_path: Path) -> Iterator[BlockingKernelClient]:
    site = tmp_path / "manifests" / "site.pp"
    site.parent.mkdir()
    site.write_text("node /^web/ { notice(\"web on ${facts['os']['family']}\") }\n")
    manager, made = start_new_kernel(kernel_name="puppet", cwd=str(tmp_path))
    yield made
    made.stop_channels()
    manager.shutdown_kernel(now=True)


def shown(published: list[Message]) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", printed(published))


def test_the_node_of_a_notebook(client: BlockingKernelClient) -> None:
    run(client, ":facts debian-12")
    run(client, ":environment .")
    reply, published = run(client, ":node web01")
    assert (reply["status"], shown(published)) == (
        "ok",
        "Notice: web on Debian\nnode web01; session reset\n",
    )
    _, published = run(client, "%%facts rocky-9\nrole: web")
    assert "Notice: web on RedHat\n" in shown(published)
    reply, published = run(client, ":node mail")
    assert reply["status"] == "error"
    assert "Could not find node statement with name 'default' or 'mail'" in reply["evalue"]
    reply, published = run(client, "node default { notice('here') }\nnode db { }")
    assert shown(published) == "node default applies to mail\nNotice: here\n"
    _, published = run(client, "node db { }")
    assert shown(published) == "node db does not apply to mail: node default does\n"
