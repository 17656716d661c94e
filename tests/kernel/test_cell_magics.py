"""Cells that begin with %% or a colon: what they do, and how they are completed and explained."""

from __future__ import annotations

from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from puppet_kernel.cell_magics import runner_of
from puppet_repl.host.cell_magics import CELL_MAGICS, CellMagic
from tests.kernel.messages import Message, outputs_of, printed, reply_to, run


def test_a_cell_can_be_a_template(client: BlockingKernelClient) -> None:
    template = "<%- | String $host, Integer $port | -%>\nlisten <%= $host %>:<%= $port %>\n"
    for parameters in ("host: web01, port: 80", "{'host' => 'web01', 'port' => 40 + 40}"):
        _, published = run(client, f"%%epp {parameters}\n{template}")
        assert printed(published) == "listen web01:80\n"
    reply, _ = run(client, f"%%epp host: web01\n{template}")
    assert "expects a value for parameter 'port'" in reply["evalue"]
    _, published = run(client, "%%epp day: 2024-05-06\n<%- | String $day | -%>\n<%= $day %>\n")
    assert printed(published) == "2024-05-06\n"


def test_a_cell_can_be_a_file(client: BlockingKernelClient, tmp_path: Any) -> None:
    path = tmp_path / "m" / "manifests" / "init.pp"
    run(client, f"%%file {path}\nclass m {{ }}\n")
    assert path.read_text() == "class m { }\n"
    reply, _ = run(client, "%%file\nx")
    assert reply["evalue"] == "%%file needs the name of a file"


@pytest.mark.parametrize("command", [":help", ":doc"])
def test_commands_explain_cell_magics(client: BlockingKernelClient, command: str) -> None:
    _, published = run(client, f"{command} %%on")
    (text,) = [m["content"]["text"] for m in published if m["msg_type"] == "stream"]
    assert text.startswith("%%on MACHINE...\n\nRun the cell for several nodes")
    reply, _ = run(client, f"{command} %%nix")
    assert reply["status"] == "error"


def test_every_form_has_help_and_unknown_ones_an_error(client: BlockingKernelClient) -> None:
    for name in ("check", "epp", "facts", "file", "time", "quiet", "capture"):
        _, published = run(client, f"%%{name} ?")
        assert printed(published).startswith(f"%%{name}")
        assert max(map(len, printed(published).split("\n"))) <= 80
    reply, _ = run(client, "%%nothing\n1")
    assert reply["evalue"].startswith("there is no cell magic %%nothing")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("timeit", ":time --repeat CODE runs code many times; %%time prints"),
        ("bash", "Puppet code runs no commands of a shell"),
        ("sh", "Puppet code runs no commands of a shell"),
        ("script", "Puppet code runs no commands of a shell"),
        ("html", "write text, HTML and formulas in a Markdown cell"),
        ("HTML", "write text, HTML and formulas in a Markdown cell"),
        ("javascript", "write text, HTML and formulas in a Markdown cell"),
        ("latex", "write text, HTML and formulas in a Markdown cell"),
        ("markdown", "write text, HTML and formulas in a Markdown cell"),
        ("svg", "write text, HTML and formulas in a Markdown cell"),
        ("writefile", "%%file NAME writes a cell to a file"),
        ("prun", ":time --repeat CODE measures how long code takes"),
        ("debug", ":break NAME stops code"),
        ("python3", "cells hold Puppet code"),
        ("ruby", "cells hold Puppet code"),
        ("type", ":type is a command, and needs a line of its own"),
        ("fact", "did you mean %%facts?"),
        ("chekc", "did you mean %%check?"),
        ("onn", "did you mean %%on?"),
        ("On", "did you mean %%on?"),
        ("captur", "did you mean %%capture?"),
    ],
)
def test_an_unknown_magic_says_what_there_is(
    client: BlockingKernelClient, name: str, told: str
) -> None:
    reply, _ = run(client, f"%%{name} x\n1")
    assert reply["evalue"].startswith(f"there is no cell magic %%{name}; {told}")


def test_a_magic_like_no_other_lists_all(client: BlockingKernelClient) -> None:
    reply, _ = run(client, "%%nothing x\n1")
    listed = reply["evalue"].removeprefix("there is no cell magic %%nothing; there are ")
    assert sorted(listed.split(", ")) == sorted(f"%%{name}" for name in CELL_MAGICS)


@pytest.mark.parametrize("magic", CELL_MAGICS.values(), ids=lambda magic: magic.name)
def test_what_runs_a_magic_is_there_but_for_ways_of_running_a_cell(magic: CellMagic) -> None:
    assert (magic.body in ("cell", "captured")) == (not magic.run)
    if magic.run:
        assert runner_of(magic).__annotations__ == {"cell": "Cell", "return": "CellMagicResult"}


def test_a_cell_checks_conditions(client: BlockingKernelClient) -> None:
    run(client, "$port = 80")
    reply, published = run(client, "%%check\n$port == 80\n$port =~ String")
    assert (reply["ename"], reply["evalue"]) == (
        "CommandError",
        "Error: 1 of 2 conditions does not hold",
    )
    (table,) = [m["content"]["data"] for m in published if m["msg_type"] == "display_data"]
    lines = table["text/plain"].split("\n")
    assert lines[2].split(None, 1)[1] == ("$port =~ String  expects a String value, got Integer")
    assert "<table>" in table["text/html"]
    reply, published = run(client, "%%check\n$port == 80")
    assert reply["status"] == "ok"
    assert printed(published) == "the condition holds\n"
    reply, _ = run(client, "%%check\ntrue\nfail('here')")
    assert "(file: cell" in reply["evalue"] and "line: 3" in reply["evalue"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("%%check", "%%check needs code below its line"),
        ("%%check $a == 1", "write the conditions of %%check below its line"),
        ("%%check\n$a = 1", "nothing to check: write conditions"),
        ("%%check\n1 == 1\n%%time", "%%time belongs at the top of a cell, above its code"),
        ("$a = 1\n%%chekc\n1", "there is no cell magic %%chekc; did you mean %%check?"),
        ("$a = 1\n%%captur $x\n1", "there is no cell magic %%captur; did you mean %%capture?"),
        ("%%time\n%%onn debian-12\n1", "there is no cell magic %%onn; did you mean %%on?"),
        ("%%on debian-12\n1\n%%chekc", "there is no cell magic %%chekc; did you mean %%check?"),
        ("%%check\n:vars", "%%check runs code: :vars is a command"),
        ("%%facts\nrocky-9", "the facts are not a mapping of names to values"),
        ("%%facts\n{a: [1}", "the facts are neither YAML nor JSON: "),
        ("%%epp a: [1\ntext", "the parameters are neither YAML nor JSON: "),
    ],
)
def test_data_that_a_cell_magic_cannot_use(
    client: BlockingKernelClient, code: str, message: str
) -> None:
    reply, _ = run(client, code)
    assert reply["evalue"].startswith(message)


def answer(client: BlockingKernelClient, request: str) -> Message:
    outputs_of(client, request)
    content: Message = reply_to(client, request)["content"]
    return content


@pytest.mark.parametrize(
    ("code", "matches"),
    [
        ("%%ep", ["epp"]),
        ("%%facts rock", ["rocky-9"]),
        ("%%time\ncamelc", ["camelcase"]),
        ("%%check\ncamelc", ["camelcase"]),
        ("%%epp\ntext <%= camelc", ["camelcase"]),
        ("%%epp\n<%= 1 %> camelc", []),
        ("%fact", ["facts"]),
        (":facts use rock", ["rocky-9"]),
    ],
)
def test_forms_and_commands_are_completed(
    client: BlockingKernelClient, code: str, matches: list[str]
) -> None:
    content = answer(client, client.complete(code, len(code)))
    assert content["matches"] == matches
    if matches:
        typed = code[content["cursor_start"] : content["cursor_end"]]
        assert matches[0].startswith(typed)


def test_forms_are_explained(client: BlockingKernelClient) -> None:
    content = answer(client, client.inspect("%%epp\nx", 4))
    assert "Render the cell" in content["data"]["text/markdown"]
    content = answer(client, client.inspect("%%time\nnotice(1)", 9))
    assert "notice" in content["data"]["text/plain"]
    _, published = run(client, ":help")
    assert "%%facts [SET|FILE]..." in published[-1]["content"]["data"]["text/plain"]


@pytest.mark.parametrize("code", ["$watched", "watched"])
def test_a_variable_is_explained_with_and_without_its_sign(
    client: BlockingKernelClient, code: str
) -> None:
    run(client, "$watched = 42")
    content = answer(client, client.inspect(code, 0))
    assert content["found"]
    assert "42" in content["data"]["text/plain"]


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("%%facts rocky-9", "complete"),
        ("%%epp", "incomplete"),
        ("%%epp\ntext", "incomplete"),
        ("%%epp\ntext\n", "complete"),
        (":help", "complete"),
        ("", "complete"),
    ],
)
def test_completeness_of_forms(client: BlockingKernelClient, code: str, status: str) -> None:
    assert answer(client, client.is_complete(code))["status"] == status


def test_facts_can_be_those_of_another_machine() -> None:
    manager, client = start_new_kernel(kernel_name="puppet")
    try:
        _, published = run(client, "%%facts\nrole: web")
        assert printed(published) == "1 fact; the session was reset\n"
        run(client, "%%facts rocky-9\nrole: web")
        _, published = run(client, "[$facts['os']['family'], $facts['role']]")
        assert published[0]["content"]["data"]["text/plain"] == "['RedHat', 'web']"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
