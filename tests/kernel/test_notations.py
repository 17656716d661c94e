"""Values in cells in other notations, and iterators and collectors as what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from tests.kernel.messages import run, without_styles

Bundle = dict[str, str]


@pytest.fixture(scope="module")
def client() -> Iterator[BlockingKernelClient]:
    manager, client = start_new_kernel(kernel_name="puppet")
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def bundle_of(client: BlockingKernelClient, code: str) -> Bundle:
    reply, published = run(client, code)
    assert reply["status"] == "ok", reply
    (shown,) = [each["content"]["data"] for each in published if "data" in each["content"]]
    found: Bundle = shown
    return found


def test_json_yaml_and_tables(client: BlockingKernelClient) -> None:
    value = "[{a => Sensitive('secret')}]"
    shown: Any = bundle_of(client, f":show json {value}")
    assert shown["text/plain"] == '[\n  {\n    "a": "Sensitive [value redacted]"\n  }\n]'
    assert "secret" not in str(shown)
    assert bundle_of(client, f":show yaml {value}")["text/plain"].startswith("---\n- a: Sensitive")
    html = without_styles(
        bundle_of(client, ":show table [{a => 1, b => 2}, {a => 3}]")["text/html"]
    )
    assert "<tr><th>a</th><th>b</th></tr>" in html


def test_the_summary_of_references_says_how_many_resources_they_stand_for(
    client: BlockingKernelClient,
) -> None:
    shown = bundle_of(client, "notify { ['b1', 'b2', 'b3']: }")
    assert "<summary>3 resources in the catalog</summary>" in shown["text/html"]
    titles = 'Integer[1, 30].map |$n| { "c${n}" }'
    html = bundle_of(client, f"notify {{ {titles}: }}")["text/html"]
    assert "<summary>30 resources in the catalog, the first 20</summary>" in html
    folded = html.split("<summary>")[-1]
    assert "c20" in folded and "c21" not in folded


def test_iterators_and_collectors_are_shown_as_what_they_hold(
    client: BlockingKernelClient,
) -> None:
    shown = bundle_of(client, "Integer[1, 3].reverse_each")
    assert shown["text/plain"] == "[3, 2, 1]\nIterator[Integer]"
    assert "Iterator[Integer]" in without_styles(shown["text/html"])
    shown = bundle_of(client, "user { 'a': ensure => present }\nUser<| |>")
    assert shown["text/plain"] == "[User['a']]\nCatalog-Collector[User]"
    assert "<summary>1 resource in the catalog</summary>" in shown["text/html"]
    assert bundle_of(client, '"${[1, 2].step(1)}"')["text/plain"] == "'Iterator[Integer]-Value'"
