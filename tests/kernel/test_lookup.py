"""``:lookup`` in cells: the table as HTML, errors, and completion of keys with their values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from tests.conformance.judge import write_files
from tests.kernel.messages import reply_to, run, without_styles

Message = dict[str, Any]

FILES = {
    "hiera.yaml": "version: 5\nhierarchy:\n"
    "  - {name: '<Role>', path: 'roles/%{facts.role}.yaml'}\n"
    "  - {name: Common, path: common.yaml}\n",
    "data/common.yaml": "lookup_options:\n  web::key: {convert_to: Sensitive}\n"
    "web::port: 8080\nweb::key: not for the notebook\n",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BlockingKernelClient]:
    root: Path = tmp_path_factory.mktemp("production")
    write_files(root, FILES)
    manager, client = start_new_kernel(kernel_name="puppet")
    run(client, f":environment {root}")
    run(client, ":facts debian-12")
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def displayed(published: list[Message], kind: str) -> str:
    shown = [m["content"].get("data", {}) for m in published]
    return "".join([data[kind] for data in shown if kind in data])


def test_a_table_with_a_row_for_each_level(client: BlockingKernelClient) -> None:
    reply, published = run(client, ":lookup web::port")
    assert reply["status"] == "ok"
    html = without_styles(displayed(published, "text/html"))
    assert "<caption>web::port (merge first)</caption>" in html
    assert "<th>Layer</th><th>Level</th><th>File</th><th>Value</th>" in html
    assert "&lt;Role&gt;" in html and "<Role>" not in html
    assert "empty: %{facts.role}" in html
    assert "data/common.yaml:3" in html
    assert "8080" in displayed(published, "text/plain")


def test_secrets_are_in_no_output(client: BlockingKernelClient) -> None:
    _reply, published = run(client, ":lookup web::key\n")
    assert "not for the notebook" not in str(published)
    assert "redacted" in displayed(published, "text/plain")


def test_nothing_found_is_an_error_below_the_table(client: BlockingKernelClient) -> None:
    reply, published = run(client, ":lookup web::prot")
    assert reply["status"] == "error"
    assert "<caption>web::prot" in without_styles(displayed(published, "text/html"))
    assert "did not find a value for the name 'web::prot'" in reply["evalue"]


@pytest.mark.parametrize("text", [":lookup web::", "lookup('web::", "hiera('web::"])
def test_keys_complete_with_their_values(client: BlockingKernelClient, text: str) -> None:
    reply = reply_to(client, client.complete(text, len(text)))["content"]
    assert reply["matches"] == ["web::key", "web::port"]
    types = [item["type"] for item in reply["metadata"]["_jupyter_types_experimental"]]
    assert types[0] == types[1]
    signatures = str(reply["metadata"])
    assert "8080" in signatures and "not for the notebook" not in signatures
