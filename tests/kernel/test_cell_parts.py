"""Cells of several parts: code, commands, and ways of running them above."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.kernel.messages import (
    ENDLESS,
    Message,
    outputs_of,
    reply_to,
    run,
)


def shown(published: list[Message]) -> list[str]:
    """The text of each output in order, streams without colours."""
    texts = []
    for message in published:
        content = message["content"]
        if message["msg_type"] == "stream":
            texts.append(re.sub("\x1b.*?m", "", content["text"]).rstrip("\n"))
        elif message["msg_type"] == "error":
            texts.append(content["evalue"])
        else:
            texts.append(content["data"]["text/plain"])
    return texts


PARTS: list[tuple[str, list[str]]] = [
    ("$cmd = 1\n:type $cmd", ["1", "Integer[1, 1]"]),
    (":type 1\n:type 2", ["Integer[1, 1]", "Integer[2, 2]"]),
    ("notice('a')\n:type 1\nnotice('b')\n5", ["Notice: a", "Integer[1, 1]", "Notice: b", "5"]),
    ("$x = 7\n%type $x\n%type 'a'", ["7", "Integer[7, 7]", "String"]),
    ("$x = 7\n%size('a')", ["0"]),
    ("$t = @(END)\n:vars\n| END\n:type $t", ['":vars\n"', "String"]),
    ("%%quiet\n$x = 5\n:type $x", ["Integer[5, 5]"]),
    ("%%quiet\nfunction f() { 1 }\nnotice('a')\nf()", ["Notice: a"]),
    ("$x = 5;", []),
    ("%%capture $c\nnotice('a')\n40 + 2\n", []),
    ("%%quiet %%capture $c\n40 + 2\n:type 1", []),
    ("%%quiet %%quiet\n:type 1", ["Integer[1, 1]"]),
    ("%%quiet e\n:type 1", ["Integer[1, 1]"]),
]


@pytest.mark.parametrize(("code", "texts"), PARTS, ids=[code for code, _ in PARTS])
def test_parts_run_in_order(client: BlockingKernelClient, code: str, texts: list[str]) -> None:
    reply, published = run(client, code)
    assert reply["status"] == "ok"
    assert [text.replace("\\n", "\n") for text in shown(published)] == texts


FAILING: list[tuple[str, list[str]]] = [
    (
        "$a = 1\n:vars a\n\n1 + 'x'\n:vars",
        ["The value 'x' cannot be converted to Numeric. (file: cell ", ", line: 4, column: 5)"],
    ),
    ("1\n:nix\n2", ["there is no command :nix"]),
    ("1\n%%time\n2", ["%%time belongs at the top of a cell, above its code"]),
    ("%%capture 1\n2", ["%%capture needs the name of a variable: %%capture $result"]),
    ("%%on debian-12\n1\n:vars", ["%%on runs code: :vars is a command, for a cell of its own"]),
]


@pytest.mark.parametrize(("code", "texts"), FAILING, ids=[code for code, _ in FAILING])
def test_a_part_that_fails_is_the_last(
    client: BlockingKernelClient, code: str, texts: list[str]
) -> None:
    reply, published = run(client, code)
    assert reply["status"] == "error"
    assert [text for text in texts if text not in shown(published)[-1]] == []


def test_what_ran_before_a_part_that_fails_is_kept(client: BlockingKernelClient) -> None:
    run(client, "$kept = 41\n:type 1\n$lost = 1 + 'x'")
    _, published = run(client, "[$kept, defined('$lost')]")
    assert shown(published) == ["[41, false]"]


def test_each_part_is_an_input_of_its_own(client: BlockingKernelClient) -> None:
    run(client, "$first = 1\n:type 1\n$second = 2")
    run(client, ":undo")
    _, published = run(client, "[$first, defined('$second')]")
    assert shown(published) == ["[1, false]"]
    _, published = run(client, ":history $first")
    assert "$first = 1" in shown(published)[0]


def test_the_history_has_cells_as_typed(client: BlockingKernelClient) -> None:
    cell = "$several = 1\n:type 1\n$parts = 2"
    number = run(client, cell)[0]["execution_count"]
    _, published = run(client, ":history several")
    listed = shown(published)[0].split()
    at = listed.index("$several") - 1
    assert listed[at : at + 9] == [str(number), *cell.split()]
    assert ":history" not in listed
    reply, _ = run(client, f":edit {number}")
    assert [each["text"] for each in reply["payload"]] == [cell]
    reply, _ = run(client, ":edit")
    assert [each["text"] for each in reply["payload"]] == [cell]


def test_cells_are_run_again_with_their_parts(client: BlockingKernelClient) -> None:
    first = run(client, "$again = 20\n:type $again\nnotice('done')")[0]["execution_count"]
    second = run(client, "$again + 1")[0]["execution_count"]
    _, published = run(client, f":rerun {first}-{second}")
    assert "\n".join(shown(published)).split() == [
        *["$again", "=", "20", ":type", "$again", "notice('done')"],
        *["20", "Integer[20,", "20]", "Notice:", "done", "$again", "+", "1", "21"],
    ]
    number = run(client, "1")[0]["execution_count"]
    reply, _ = run(client, f":rerun {number + 1}")
    assert "runs no others again" in reply["evalue"]
    reply, _ = run(client, f":rerun {number + 1000}")
    assert "there is no input" in reply["evalue"]
    reply, _ = run(client, f"%%capture $c\n:rerun {second}")
    assert reply["status"] == "ok"
    _, published = run(client, "$c['value']")
    assert shown(published) == ["21"]


def test_a_magic_in_a_string_is_text(client: BlockingKernelClient) -> None:
    _, published = run(client, "$s = '\n%%time\n'\n$s.size")
    assert shown(published)[-1] == "8"


def test_time_is_that_of_all_parts(client: BlockingKernelClient) -> None:
    _, published = run(client, "%%time\n$x = 1\n:type $x")
    *texts, spent = shown(published)
    assert texts == ["1", "Integer[1, 1]"]
    assert re.fullmatch(r"[\d.]+ [mu]?s", spent)
    _, published = run(client, "%%time 1 + 1\n")
    assert shown(published)[0] == "2"
    _, published = run(client, "%%quiet\n%%time\n1")
    assert len(shown(published)) == 1


def test_a_captured_cell_is_a_hash(client: BlockingKernelClient) -> None:
    code = "%%capture got\nnotice(\"it's\")\nwarning('b')\n:type 1\n[1, {a => 2}]"
    reply, published = run(client, code)
    assert (reply["status"], published) == ("ok", [])
    _, published = run(client, "$got")
    lines = [line.strip() for line in shown(published)[0].split("\n")]
    assert lines == [
        "{",
        "'value'    => [1, {'a' => 2}],",
        "'messages' => [",
        "{'level' => 'notice', 'message' => 'it\\'s'},",
        "{'level' => 'warning', 'message' => 'b'},",
        "],",
        "'output'   => \"Integer[1, 1]\\n\",",
        "}",
    ]
    _, published = run(client, "$got['value'][1]['a'] + $got['messages'].size")
    assert shown(published) == ["4"]
    run(client, "%%capture $none\nnotify { 'n': message => 'm' }\nundef")
    _, published = run(client, "$none['value']")
    assert shown(published) == []


@pytest.mark.parametrize("name", ["s.pp", "s.ipynb"])
def test_a_saved_session_has_what_was_captured(
    client: BlockingKernelClient, tmp_path: Path, name: str
) -> None:
    run(client, ":reset")
    run(client, "%%capture $before\n:type 1")
    run(client, "$a = $before['output']")
    run(client, "%%capture $got\nnotice(\"it's\")\n[1, {a => 2.5}, /x/, undef, File['/etc/motd']]")
    run(client, "$b = $got['value'][1]['a']")
    run(client, "%%capture $secret\nSensitive('hunter2')")
    _, published = run(client, f":save {tmp_path}/{name}")
    assert shown(published)[0].startswith("wrote 4 inputs and 3 captured values to")
    text = (tmp_path / name).read_text()
    assert "# $got was bound by %%capture" in text
    assert "# $secret was bound by %%capture; no code gives its value" in text
    run(client, ":reset")
    reply, _ = run(client, f":load {tmp_path}/{name}")
    assert reply["status"] == "ok"
    _, published = run(client, "[$a, $b, $got['value'], $got['messages'], defined('$secret')]")
    assert " ".join(shown(published)[0].split()) == (
        "[ \"Integer[1, 1]\\n\", 2.5, [1, {'a' => 2.5}, /x/, undef, File['/etc/motd']], "
        "[{'level' => 'notice', 'message' => 'it\\'s'}], false, ]"
    )
    # What was loaded is all there, so it may be saved again.
    _, published = run(client, f":save {tmp_path}/{name}")
    assert shown(published)[0].startswith("overwrote")


def test_a_captured_cell_has_what_commands_log(
    client: BlockingKernelClient, tmp_path: Path
) -> None:
    (tmp_path / "loaded.pp").write_text("warning('from the file')")
    reply, published = run(client, f"%%capture $load\n:load {tmp_path}/loaded.pp")
    assert (reply["status"], published) == ("ok", [])
    _, published = run(client, "$load['messages']")
    assert "from the file" in shown(published)[0]


def test_a_cell_for_several_nodes_is_captured(client: BlockingKernelClient) -> None:
    code = (
        "$f = $facts['os']['family']\nif $f == 'windows' { fail('not here') }\n"
        "notice('hello')\nfile { '/tmp/x': mode => '0600' }\n$f"
    )
    run(client, ":reset")
    reply, published = run(
        client, f"%%capture $all\n%%on debian-12 windows-2022 no/facts.yaml\n{code}"
    )
    assert (reply["status"], published) == ("ok", [])
    _, published = run(client, "$all['value'].map |$machine, $did| { [$machine, $did['value']] }")
    assert shown(published) == [
        "[['debian-12', 'Debian'], ['windows-2022', undef], ['no/facts.yaml', undef]]"
    ]
    did = "$all['value']['debian-12']"
    _, published = run(client, f"[{did}['resources'], {did}['messages'], {did}['error']]")
    assert shown(published) == [
        "[{'File[\\'/tmp/x\\']' => {'mode' => '0600'}}, "
        "[{'level' => 'notice', 'message' => 'hello'}], undef]"
    ]
    _, published = run(client, "$all['value']['windows-2022']['error']")
    assert "not here" in shown(published)[0]
    _, published = run(client, "$all['value']['no/facts.yaml']['error']")
    assert "No such file or directory" in shown(published)[0]


def test_a_command_for_several_nodes_is_captured(client: BlockingKernelClient) -> None:
    run(client, ":reset")
    run(client, "%%capture $two\n:on debian-12 rocky-9 $facts['os']['name']")
    _, published = run(client, "$two['value'].map |$name, $did| { $did['value'] }")
    assert shown(published) == ["['Debian', 'Rocky']"]


def test_what_is_captured_is_there_on_other_nodes(client: BlockingKernelClient) -> None:
    run(client, ":reset")
    run(client, "%%capture $base\n[20, 1]")
    run(client, "$double = $base['value'].map |$n| { $n * 2 }")
    _, published = run(client, "%%on debian-12 rocky-9\n$double[0] + $base['value'][1]")
    assert shown(published) == ["debian-12  41\nrocky-9    41"]
    run(client, "notify { 'n': }")
    _, published = run(client, ":diff")
    assert "+ Notify['n']" in shown(published)[0]


def test_a_captured_cell_need_not_be_stored(client: BlockingKernelClient) -> None:
    run(client, "'an earlier value'")
    run(client, "%%capture $unstored\n[1, 2]", store_history=False)
    _, published = run(client, "$unstored['value']")
    assert shown(published) == ["[1, 2]"]


def test_a_captured_cell_that_fails_shows_what_it_had(client: BlockingKernelClient) -> None:
    _, published = run(client, "%%capture $failed\nnotice('why')\n:type 1\n1 + 'x'")
    notice, printed, error = shown(published)
    assert (notice, printed) == ("Notice: why", "Integer[1, 1]")
    assert "cannot be converted" in error
    _, published = run(client, "defined('$failed')")
    assert shown(published) == ["false"]


def test_what_a_captured_cell_would_have_shown_is_there_as_it_would_have_been(
    client: BlockingKernelClient,
) -> None:
    for code in ("%%check\n1 == 1\n1 == 2", ":resources\n1 + 'x'", "[{'n' => 1}]\n:nosuch"):
        _, wanted = run(client, code)
        _, published = run(client, f"%%capture $failed\n{code}")
        kinds = [m["msg_type"] for m in published]
        assert kinds == [m["msg_type"] for m in wanted if m["msg_type"] != "execute_result"]
        tables, all_tables = (
            [m["content"]["data"] for m in each if m["msg_type"] == "display_data"]
            for each in (published, wanted)
        )
        assert tables == all_tables


def test_assignments_can_be_hidden(client: BlockingKernelClient) -> None:
    run(client, ":set show_assignments off")
    try:
        found = [
            shown(run(client, code)[1])
            for code in ("$x = 1", "$x = 1\n$x + 1", "notice(1)\n$y = 2", "[$z = 3]")
        ]
    finally:
        run(client, ":set show_assignments on")
    assert found == [[], ["2"], ["Notice: 1"], ["[3]"]]


def test_completion_and_inspection_know_the_part(client: BlockingKernelClient) -> None:
    cases = [
        ("$x = 1\n:", "reso", "resources"),
        (":vars\n", "camelc", "camelcase"),
        ("%%quiet\n%%time\n", "camelc", "camelcase"),
        ("%%", "qui", "quiet"),
    ]
    for before, word, name in cases:
        code = before + word
        # Scattered matches are for texts that nothing begins with.
        content = reply_to(client, client.complete(code, len(code)))["content"]
        assert name in content["matches"], code
        assert all(match.startswith(word) for match in content["matches"]), code
        assert (content["cursor_start"], content["cursor_end"]) == (len(before), len(code))
    content = reply_to(client, client.inspect("$x = 1\n:vars\nnotice('a')", 16))["content"]
    assert "Log a message" in content["data"]["text/plain"]


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("$x = 1\n:vars", "complete"),
        (":vars\n$x = [", "incomplete"),
        ("%%time\n:vars\n1 +", "incomplete"),
        ("%%time\n1 + 1", "complete"),
        (":vars\n1 )", "invalid"),
        ("each?", "complete"),
        ("$x = 5;", "complete"),
    ],
)
def test_is_complete_asks_about_the_last_part(
    client: BlockingKernelClient, code: str, status: str
) -> None:
    assert reply_to(client, client.is_complete(code))["content"]["status"] == status


def test_an_interrupted_part_says_what_is_kept(
    started: tuple[KernelManager, BlockingKernelClient],
) -> None:
    manager, client = started
    request = client.execute(f"$before = 1\n:type 1\n{ENDLESS}")
    while client.get_iopub_msg(timeout=60)["msg_type"] != "display_data":
        pass
    manager.interrupt_kernel()
    outputs_of(client, request)
    reply = reply_to(client, request)["content"]
    assert reply["ename"] == "Interrupted"
    assert "what had ended before is kept" in "\n".join(reply["traceback"])
    _, published = run(client, "$before")
    assert shown(published) == ["1"]
