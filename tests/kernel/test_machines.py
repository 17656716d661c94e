"""``%%on``, ``:on``, ``:diff --mark`` and ``:diff`` in a notebook: messages, HTML, interrupts."""

from __future__ import annotations

import re

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.kernel.messages import (
    ENDLESS,
    Message,
    outputs_of,
    reply_to,
    run,
    wait_until_running,
    without_styles,
)


def displayed(published: list[Message]) -> list[dict[str, str]]:
    return [m["content"]["data"] for m in published if m["msg_type"] == "display_data"]


def test_a_cell_for_several_nodes(client: BlockingKernelClient) -> None:
    run(client, "%%facts debian-12")
    run(client, "function f() { $facts['os']['family'] }")
    cell = (
        "%%on debian-12 rocky-9, windows-2022\nif f() == 'RedHat' {\n  fail('<not here>')\n}\nf()"
    )
    reply, published = run(client, cell)
    assert reply["status"] == "ok"
    (data,) = displayed(published)
    lines = data["text/plain"].split("\n")
    assert lines[0] == "debian-12     'Debian'"
    assert lines[1].startswith("rocky-9       Error: ")
    assert "line: 3, column: 3)" in data["text/plain"]
    assert lines[-1] == "windows-2022  'windows'"
    html = without_styles(data["text/html"])
    assert html.startswith("<div><table><thead><tr><th>Machine</th><th>Result</th></tr></thead>")
    assert html.count("<tr>") == 4
    assert "&lt;not here&gt;" in html and "<not here>" not in html


def test_the_session_is_untouched(client: BlockingKernelClient) -> None:
    run(client, "%%facts debian-12")
    run(client, "$a = 1")
    _reply, published = run(client, "%%on rocky-9\n$a = 2\nnotify { x: }\nnotice('hello')")
    (data,) = displayed(published)
    assert data["text/plain"] == "rocky-9  Notice: hello\n         Notify['x']"
    assert [m["msg_type"] for m in published] == ["display_data"]
    _, published = run(client, "[$a, defined(Notify[x])]")
    assert published[0]["content"]["data"]["text/plain"] == "[1, false]"


def test_other_nodes_know_the_captured_variables_of_this_one(client: BlockingKernelClient) -> None:
    def known() -> list[str]:
        """Return what this node says of the variable, then another one."""
        question = "defined('$captured')"
        _, here = run(client, question)
        _, there = run(client, f"%%on rocky-9\n{question}")
        return [here[0]["content"]["data"]["text/plain"], displayed(there)[0]["text/plain"]]

    run(client, "$kept = 1")
    run(client, ":forget $kept")
    run(client, "%%capture $captured\n:type 1")
    assert known() == ["true", "rocky-9  true"]
    run(client, ":undo")
    assert known() == ["false", "rocky-9  false"]
    run(client, "%%capture $captured\n:type 1")
    run(client, ":forget $captured")
    assert known() == ["false", "rocky-9  false"]
    run(client, ":undo")
    assert known() == ["true", "rocky-9  true"]


def test_the_command_is_the_same(client: BlockingKernelClient) -> None:
    _, published = run(client, ":on rocky-9 ubuntu-24.04 $facts['os']['name']")
    assert displayed(published)[0]["text/plain"] == "rocky-9       'Rocky'\nubuntu-24.04  'Ubuntu'"
    reply, _ = run(client, ":on nope 1")
    assert reply["status"] == "error"
    assert "which machines?" in reply["evalue"]


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("%%on\n1", "%%on needs machines: debian-12, "),
        ("%%on debian-12\n", "%%on needs code below its line"),
        (
            "%%on debian-12 rocky9\n1",
            "there is no fact set 'rocky9'; did you mean rocky-9? (the sets",
        ),
        ("%%on debian-12\n%%check\n1 == 1", "%%on and %%check do not go together; a condition"),
        ("%%check\n%%on debian-12\n1 == 1", "%%check and %%on do not go together; a condition"),
        ("%%on debian-12\n:why 1 == 1", "%%on runs code: :why is a command"),
        (":on debian-12 :why 1 == 1", "Error: :on runs code, and :why is a command"),
        (":on debian-11 1", "Error: there is no fact set 'debian-11'"),
        (":diff Debian-12", "Error: there is no fact set 'Debian-12'"),
        ("%%on centos\n1", "'centos' is not a fact set, file or known node; the"),
        ("%%on debian-12 nosuch\n1", "'nosuch' is not a fact set, file or known node"),
        (
            ":diff production staging",
            "Error: 'production' is not a mark, fact set, file or known node",
        ),
        (":facts rocky9", "Error: no fact matches 'rocky9'"),
        (":facts debain-12", "Error: no fact matches 'debain-12'"),
        ("%%facts rokcy-9", "rokcy-9: No such file or directory; did you mean rocky-9?"),
    ],
)
def test_wrong_uses(client: BlockingKernelClient, cell: str, message: str) -> None:
    reply, _ = run(client, cell)
    assert (reply["status"], reply["evalue"][: len(message)]) == ("error", message)


def test_nodes_that_nothing_knows_are_told(client: BlockingKernelClient) -> None:
    run(client, "%%facts debian-12")
    _, published = run(client, "%%on web01.lan web02.lan\n$trusted['certname']")
    assert displayed(published)[0]["text/plain"] == (
        "web01.lan  'web01.lan'\nweb02.lan  'web02.lan'"
    )
    (note,) = [m["content"]["text"] for m in published if m["msg_type"] == "stream"]
    assert "no node block or data names web01.lan and web02.lan" in note


def test_a_difference_is_a_table(client: BlockingKernelClient) -> None:
    run(client, ":reset")
    run(client, "file { '/a': content => \"<one>\\ntwo\\n\" }\nnotify { '<old>': }")
    run(client, ":diff --mark before")
    run(client, ":reset")
    run(client, "file { '/a': content => \"<one>\\n2\\n\" }\npackage { 'p': ensure => '1' }")
    _reply, published = run(client, ":diff before")
    (data,) = displayed(published)
    assert data["text/plain"].split("\n")[2:5] == [
        *("- Notify['<old>']", "+ Package['p']", "+   ensure => '1'"),
    ]
    html = without_styles(data["text/html"])
    assert "<caption>before → this session</caption>" in html
    assert "&lt;old&gt;" in html and "<old>" not in html and "<one>" not in html
    # The signs are text, so that the table can be read where a notebook drops the styles.
    text = re.sub("<[^>]*>", "", html.replace("</td>", " "))
    assert "- Notify[&#x27;&lt;old&gt;&#x27;]" in text
    assert "+ Package[&#x27;p&#x27;] ensure =&gt; &#x27;1&#x27;" in text
    assert "\n-     two\n+     2" in text
    _, published = run(client, ":diff before before")
    html = without_styles(displayed(published)[0]["text/html"])
    assert html == "<div><p>before → before: no difference</p></div>"


def test_json(client: BlockingKernelClient) -> None:
    run(client, ":diff --mark here")
    _, published = run(client, ":diff here --json")
    assert '"same": true' in displayed(published)[0]["text/plain"]


def test_an_interrupt_ends_all_machines(
    started: tuple[KernelManager, BlockingKernelClient],
) -> None:
    manager, client = started
    run(client, "$safe = 'yes'")
    for code in (f"%%on debian-12 rocky-9\n{ENDLESS}", f":on debian-12 rocky-9 {ENDLESS}"):
        request = client.execute(code)
        wait_until_running(client, request)
        manager.interrupt_kernel()
        reply = reply_to(client, request)["content"]
        assert (reply["status"], reply["ename"]) == ("error", "Interrupted")
        assert [m["msg_type"] for m in outputs_of(client, request)] == ["error"]
    _, published = run(client, "$safe")
    assert published[0]["content"]["data"]["text/plain"] == "'yes'"


@pytest.mark.parametrize(
    ("cell", "match"),
    [
        ("%%on deb", "debian-12"),
        ("%%on debian-12 roc", "rocky-9"),
        ("%%on debian-12\nnotic", "notice"),
        ("%%o", "on"),
    ],
)
def test_completion(client: BlockingKernelClient, cell: str, match: str) -> None:
    content = reply_to(client, client.complete(cell, len(cell)))["content"]
    assert content["matches"][0] == match
