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
    assert "<summary>3 resources, as code</summary>" in shown["text/html"]
    titles = 'Integer[1, 30].map |$n| { "c${n}" }'
    html = bundle_of(client, f"notify {{ {titles}: }}")["text/html"]
    assert "<summary>30 resources, as code, the first 20</summary>" in html
    folded = html.split("<summary>")[-1]
    assert "c20" in folded and "c21" not in folded


def test_the_beginning_of_a_long_list_is_shown_folded(client: BlockingKernelClient) -> None:
    run(client, 'Integer[1, 160].each |$n| { group { "u${n}": ensure => present } }')
    for command, size in (("resources group", "160 rows"), ("catalog", ""), ("catalog json", "")):
        shown = bundle_of(client, f":{command}")
        last = shown["text/plain"].split("\n")[-1]
        assert last.startswith("the first 100 of ") and size in last
        assert last.endswith(f"; :show full :{command} shows everything")
        assert shown["text/plain"].count("\n") < 103
        summary = last.split(";")[0]
        assert f"<details><summary>{summary}</summary>" in shown["text/html"]
        assert f":show full :{command}</code> shows everything" in shown["text/html"]
        full = bundle_of(client, f":show full :{command}")
        assert "u160" in full["text/plain"] and "u160" in full["text/html"]
        assert "shows everything" not in str(full) and "<details>" not in full["text/html"]


def test_other_lists_are_whole(client: BlockingKernelClient) -> None:
    run(client, "$numbers = Integer[1, 200].map |$n| { $n }")
    # It has 106 rows or so.
    _, published = run(client, ":names functions")
    assert "shows everything" not in str(published)
    for form in ("json", "yaml", "table", "full"):
        assert "200" in bundle_of(client, f":show {form} $numbers")["text/plain"]


def test_iterators_and_collectors_are_shown_as_what_they_hold(
    client: BlockingKernelClient,
) -> None:
    shown = bundle_of(client, "Integer[1, 3].reverse_each")
    assert shown["text/plain"] == "[3, 2, 1]\nIterator[Integer]"
    assert "Iterator[Integer]" in without_styles(shown["text/html"])
    shown = bundle_of(client, "user { 'a': ensure => present }\nUser<| |>")
    assert shown["text/plain"] == "[User['a']]\nCatalog-Collector[User]"
    assert "<summary>1 resource, as code</summary>" in shown["text/html"]
    assert bundle_of(client, '"${[1, 2].step(1)}"')["text/plain"] == "'Iterator[Integer]-Value'"
