"""Checks of cells while they are typed, over real messages: nothing runs, nothing waits."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.kernel.messages import ENDLESS, Message, outputs_of, reply_to, run, wait_until_running
from tests.kernel.test_notebooks import DIRECTORY


def ask(client: BlockingKernelClient, command: str = "check", **arguments: Any) -> Message:
    message = client.session.msg(
        "debug_request", {"type": "request", "seq": 7, "command": command, "arguments": arguments}
    )
    client.control_channel.send(message)
    while True:
        reply: Message = client.get_control_msg(timeout=20)
        if reply["parent_header"]["msg_id"] == message["header"]["msg_id"]:
            outputs_of(client, message["header"]["msg_id"])
            return dict(reply["content"])


def problems(client: BlockingKernelClient, code: str, *cells: str) -> list[tuple[str, str, str]]:
    """Severity, marked text and message of each problem of a cell."""
    found = ask(client, code=code, cells=list(cells))["body"]["problems"]
    units = code.encode("utf-16-le")
    return [
        (
            each["severity"],
            units[2 * each["start"] : 2 * each["end"]].decode("utf-16-le"),
            each["message"] + (f" [{each['hint']}]" if each["hint"] else ""),
        )
        for each in found
    ]


UNSET = "neither the session nor a cell above sets"
OCTAL = "0644 is an octal number, 420: quote it where digits are meant"
FQDN = "Puppet 8 leaves out the fact fqdn: write $facts['networking']['fqdn']"
MISSING = "neither the session nor a cell above has a function"
DUPLICATE = "The key 'a' is declared more than once"
NOT_OPEN = "[no ( is open here]"
ENDED = "Syntax error at end of input"
UNASSIGNABLE = "Illegal attempt to assign to 'a Literal Integer'. Not an assignable reference"
ILLEGAL_NAME = (
    "Illegal variable name, The given name 'Abc' does not conform to the naming rule "
    "/^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/"
)
IDLE = (
    "This '==' expression has no effect. A value was produced and then forgotten (one or more "
    "preceding expressions may have the wrong form)"
)
CASES: list[tuple[str, list[tuple[str, str, str]]]] = [
    ("$x = [1, 2].map |$y| { $y }\nnotice($x, $facts, $trusted, $os, $1, $_, $_3)", []),
    ("1 +) 2", [("error", ")", f"Syntax error at ')' {NOT_OPEN}")]),
    ("if true {\n  [1\n", [("error", "[", f"{ENDED} [the [ of line 2, column 3 is never closed]")]),
    (
        "$y = 1\n:type 1\nif true {\n",
        [("error", "{", f"{ENDED} [the {{ of line 3, column 9 is never closed]")],
    ),
    ("$x =", [("error", "=", f"{ENDED} [something has to follow the = of line 1, column 4]")]),
    ("$a = {a => 1, a => 2}", [("error", "=> 2", DUPLICATE)]),
    ("1 = 2\n2 = 3", [("error", "1", UNASSIGNABLE), ("error", "2", UNASSIGNABLE)]),
    ("notice('\U0001f600', $nix)", [("unknown", "$nix", f"{UNSET} $nix")]),
    ('"a ${nix[1]} b"', [("unknown", "nix", f"{UNSET} $nix")]),
    ("[1].nix(2)", [("unknown", "nix", f"{MISSING} nix")]),
    ("type P = Object[{attributes => {x => Integer}}]\nP(1).x", []),
    ("upcasee('a')", [("unknown", "upcasee", f"{MISSING} upcasee [did you mean upcase?]")]),
    ("$value = 1\n$valeu", [("unknown", "$valeu", f"{UNSET} $valeu [did you mean $value?]")]),
    ("function f($a) { $a + $b }\nf(1)", [("unknown", "$b", f"{UNSET} $b")]),
    ("class a inherits b { notice($from_b) }", []),
    ("class c { $v = 1 }\nnotice($c::v, $d::v, $::c::w)", [("unknown", "$d::v", f"{UNSET} $d::v")]),
    ("$Abc", [("error", "$Abc", ILLEGAL_NAME)]),
    ("$x = 5;", []),
    ('$a = "\\q"\n$b = 1', [("warning", "\\q", "Unrecognized escape sequence '\\q'")]),
    (
        '$a = 1\n:vars\n$b = @("E")\n  ${ "c }\n  | E\n',
        [("error", '"', "Unclosed quote after '\"' followed by 'c }\\n...'")],
    ),
    ("$mode = 0644", [("warning", "0644", f"{OCTAL} [octal_number]")]),
    ("%%time\n:vars\n$mode = 0644", [("warning", "0644", f"{OCTAL} [octal_number]")]),
    ("%%epp\n<%= 0644 %>", [("warning", "0644", f"{OCTAL} [octal_number]")]),
    ("%%file a.pp\n$mode = 0644", [("warning", "0644", f"{OCTAL} [octal_number]")]),
    ("$mode = 0644 # lint:ignore:octal_number", []),
    ("$mode = 0644\n1 +) 2", [("error", ")", f"Syntax error at ')' {NOT_OPEN}")]),
    ("notice($fqdn)", [("warning", "$fqdn", f"{FQDN} [legacy_facts]")]),
    (":vars (", []),
    ("$y = 1\n:type 1\n1 +) 2", [("error", ")", f"Syntax error at ')' {NOT_OPEN}")]),
    ("%%time\n%%quiet\n1 +) 2", [("error", ")", f"Syntax error at ')' {NOT_OPEN}")]),
    ("%%time 1 +) 2", [("error", ")", f"Syntax error at ')' {NOT_OPEN}")]),
    ("%%capture $c\nnotice($c)", []),
    ("%%on debian-12\n\n1 +) 2", [("error", ")", f"Syntax error at ')' {NOT_OPEN}")]),
    ("%%check\n\n1 +) 2", [("error", ")", f"Syntax error at ')' {NOT_OPEN}")]),
    ("%%check\n1 == 1\n2 > 1;\n[1] =~ Array;", []),
    ("%%check\n$one = 1\n$one == 1\n!$one\ninclude ntp", []),
    ("%%check\n1 == 1\nif true {\n  2 == 2\n  3 == 3\n}\n4 == 4", [("error", "== 2", IDLE)]),
    ("%%check\n1 == 1\n2 +) 1", [("error", ")", f"Syntax error at ')' {NOT_OPEN}")]),
    ("%%check\n1 == 1\n1 = 2\n2 == 2", [("error", "1", UNASSIGNABLE)]),
    ("%%on debian-12\n2 == 2\n3 == 3", [("error", "== 2", IDLE)]),
    ("%%check\n$nix == 1", [("unknown", "$nix", f"{UNSET} $nix")]),
    ("%%epp who => 'x'\n+* <%= $who %> <%= $other %>", [("unknown", "$other", f"{UNSET} $other")]),
    ("%%epp\n<% | $p | %><%= $p +) 1 %>", [("error", ")", f"Syntax error at ')' {NOT_OPEN}")]),
    ("%%facts\n{(", []),
    ("%%file a.pp\n$nix +) 1", [("error", ")", f"Syntax error at ')' {NOT_OPEN}")]),
    ("%%file a.pp\n$nix", []),
    ("%%file a.epp\n<%= 1 +) 1 %>", [("error", ")", f"Syntax error at ')' {NOT_OPEN}")]),
    ("%%file a.yaml\n1 +) 1", []),
    ("%%nix\n1 +) 1", []),
    ("", []),
]


@pytest.mark.parametrize(("code", "wanted"), CASES, ids=[code for code, _ in CASES])
def test_what_is_found(
    client: BlockingKernelClient, code: str, wanted: list[tuple[str, str, str]]
) -> None:
    assert problems(client, code) == wanted


def test_no_condition_of_a_lesson_is_marked(client: BlockingKernelClient) -> None:
    checks = 0
    for path in sorted(DIRECTORY.glob("*.ipynb")):
        cells = [c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
        for at, code in enumerate(cells):
            if code.startswith("%%check"):
                checks += 1
                marked = [
                    each for each in problems(client, code, *cells[:at]) if each[0] == "error"
                ]
                assert marked == [], code
    assert checks > 40


def test_names_of_the_session_and_of_cells_above(client: BlockingKernelClient) -> None:
    code = "notice($from_session, of_session(), $above, of_cell(), $captured, $broken, $nix)"
    run(client, "$from_session = 1\nfunction of_session() { 1 }")
    cells = (
        "[$above, $other] = [1, 2]\nfunction of_cell() { 1 }",
        "%%quiet %%capture captured\n1",
        "$broken = (",
    )
    assert problems(client, code, *cells) == [("unknown", "$nix", f"{UNSET} $nix")]
    marked = [text for _, text, _ in problems(client, code)]
    assert marked == ["$above", "of_cell", "$captured", "$broken", "$nix"]


def test_a_check_is_answered_while_a_cell_runs_and_evaluates_nothing(
    started: tuple[KernelManager, BlockingKernelClient],
) -> None:
    manager, client = started
    request = client.execute(ENDLESS)
    wait_until_running(client, request)
    found = ask(client, code="$by_check = 1 +) 2")["body"]["problems"]
    assert [each["message"] for each in found] == ["Syntax error at ')'"]
    assert ask(client, code="$by_check = 1\nfail('never')")["body"]["problems"] == []
    manager.interrupt_kernel()
    assert reply_to(client, request)["content"]["status"] == "error"
    outputs_of(client, request)
    reply, published = run(client, "defined('$by_check')")
    assert reply["status"] == "ok"
    assert published[0]["content"]["data"]["text/plain"] == "false"


def test_the_setting_turns_warnings_of_mistakes_off(client: BlockingKernelClient) -> None:
    run(client, ":set advice off")
    assert problems(client, "$mode = 0644") == []
    run(client, ":set advice on")
    assert problems(client, "$mode = 0644") != []


def test_variables_of_cells_above_are_no_facts(client: BlockingKernelClient) -> None:
    assert problems(client, "notice($osfamily)", "$osfamily = 'x'") == []


def test_the_setting_turns_checks_off(client: BlockingKernelClient) -> None:
    run(client, ":set check_syntax off")
    assert problems(client, "1 +) 2") == []
    run(client, ":set check_syntax on")
    assert problems(client, "1 +) 2") != []


@pytest.mark.parametrize("arguments", [{}, {"code": 1}, {"code": "1", "cells": "1"}])
def test_a_request_that_is_wrong_is_told(
    client: BlockingKernelClient, arguments: dict[str, Any]
) -> None:
    reply = ask(client, **arguments)
    assert reply["success"] is False
    assert reply["message"] == "check needs 'code', a string; 'cells' may be a list of strings"


def test_long_texts_are_not_checked(client: BlockingKernelClient) -> None:
    assert problems(client, "(" * 40_001) == []
    assert problems(client, "$nix", "$a = 1\n" * 40_000) == []
    assert problems(client, "(" * 30_000)[0][0] == "error"
