"""Formatting cells over real messages: code and templates change, all else in a cell stays."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.kernel.messages import ENDLESS, outputs_of, reply_to, wait_until_running
from tests.kernel.test_checks import ask
from tests.kernel.test_notebooks import DIRECTORY

# Cells with their cursor, which is the sign |.
CASES = [
    ("notice( 'a'| )", "notice('a'|)"),
    ("$x=1;|", "$x = 1;|"),
    ("$x=1 # why\n;|", "$x = 1 # why\n;|"),
    ("$x = 1|\n\n\n", "$x = 1|\n"),
    ("# only a|", "# only a|"),
    ("|", "|"),
    ("'\U0001f600'+|$x", "'\U0001f600' + |$x"),
    ("%%time notice( 1| )", "%%time notice(1|)"),
    ("%%time\n%%capture  $c\n\n$x=|1\n", "%%time\n%%capture  $c\n\n$x = |1\n"),
    ("%%epp x   => 1\n<%=$x|%>  .\n", "%%epp x   => 1\n<%= $x| %>  .\n"),
    ("%%check\n1==1|\n2>1;", "%%check\n1 == 1|\n2 > 1;"),
    ("%%on  debian-12\nfile{'/a':|}", "%%on  debian-12\nfile { '/a': |}"),
    ("%%file a.pp\n$x=1|\n", "%%file a.pp\n$x = 1|\n"),
    ("%%file a.yaml\na:   1\n\n\n|", "%%file a.yaml\na:   1\n\n\n|"),
    ("%%facts\na:   |1", "%%facts\na:   |1"),
    ("%%nix\n$x=1|", "%%nix\n$x=1|"),
    (":type  1+1|", ":type  1+1|"),
    (
        ":facts  rocky-9\n\n$x=1\n$yy='a'\n\n\n:vars\n# why\nnotice($x|)",
        ":facts  rocky-9\n\n$x  = 1\n$yy = 'a'\n\n:vars\n# why\nnotice($x|)",
    ),
]
ERRORS = [
    ("1 +) 2", ("Syntax error at ')'", "no ( is open here", 1, 4)),
    (
        "$y = 1\n:type 1\nif true {\n",
        (
            "Syntax error at end of input",
            "the { of line 3, column 9 is never closed",
            3,
            9,
        ),
    ),
    ("$x=1\n:vars\n  1 +) 2", ("Syntax error at ')'", "no ( is open here", 3, 6)),
    ("%%epp\n<%= 1 +) 1 %>", ("Syntax error at ')'", "no ( is open here", 2, 8)),
    ('$a = @("E")\n ${ 1 + ) }\n | E', ("Syntax error at ')'", "no ( is open here", 2, 9)),
]


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize(("cell", "wanted"), CASES, ids=[cell for cell, _ in CASES])
def test_a_cell_is_formatted(client: BlockingKernelClient, cell: str, wanted: str) -> None:
    code, cursor = cell.replace("|", "", 1), units(cell.partition("|")[0])
    reply = ask(client, "format", code=code, cursor=cursor)
    formatted = {"code": wanted.replace("|", "", 1), "cursor": units(wanted.partition("|")[0])}
    assert reply["success"] and reply["body"] == formatted
    again = ask(client, "format", **formatted)["body"]
    assert again == formatted


@pytest.mark.parametrize(("cell", "problem"), ERRORS, ids=[cell for cell, _ in ERRORS])
def test_an_error_is_told_with_its_place(
    client: BlockingKernelClient, cell: str, problem: tuple[str, str, int, int]
) -> None:
    found = ask(client, "format", code=cell)["body"]["problem"]
    assert (found["message"], found["hint"], found["line"], found["column"]) == problem


@pytest.mark.parametrize(
    "arguments", [{}, {"code": 1}, {"code": "1", "cursor": "1"}, {"code": "1", "cursor": -1}]
)
def test_a_request_that_is_wrong_is_told(
    client: BlockingKernelClient, arguments: dict[str, Any]
) -> None:
    reply = ask(client, "format", **arguments)
    assert reply["success"] is False
    assert reply["message"] == "format needs 'code', a string; 'cursor' may be a position in it"


def test_it_is_answered_while_a_cell_runs(
    started: tuple[KernelManager, BlockingKernelClient],
) -> None:
    manager, client = started
    request = client.execute(ENDLESS)
    wait_until_running(client, request)
    assert ask(client, "format", code="$x=1")["body"]["code"] == "$x = 1"
    manager.interrupt_kernel()
    assert reply_to(client, request)["content"]["status"] == "error"
    outputs_of(client, request)


def test_cells_of_lessons_can_be_formatted(client: BlockingKernelClient) -> None:
    """Those that are meant to fail may be refused; no other loses a command or a magic."""
    for path in sorted(DIRECTORY.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type != "code":
                continue
            body = ask(client, "format", code=cell.source)["body"]
            if "problem" in body:
                assert "raises-exception" in cell.metadata.get("tags", ()), cell.source
                continue
            kept = [line for line in cell.source.split("\n") if line.startswith((":", "%%"))]
            assert [line for line in body["code"].split("\n") if line.startswith((":", "%%"))] == (
                kept
            )
