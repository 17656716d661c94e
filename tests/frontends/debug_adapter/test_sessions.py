"""Whole sessions with the program: its requests, its events, and their order."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.judge import write_files
from tests.frontends.debug_adapter.client import COMMAND, Client, Message

MANIFEST = """\
class web(Integer $port = 80) {
  $doubled = web::twice($port)
  file { '/etc/web.conf':
    content => "port ${doubled}",
  }
  ['a', 'b', 'c'].each |$index, $line| {
    notice("line ${line}")
  }
}
"""
FUNCTION = """\
function web::twice(Integer $n) {
  $r = $n * 2
  $r
}
"""
FILES = {
    "main.pp": "$many = Array(Integer[1, 250])\ninclude web\n$x = {'k' => 'v'}\nwarning('w')\n$x\n",
    "wrong.pp": "notice('before')\n$a = 1 + 'x'\nnotice($a)\n",
    "syntax.pp": "notice(\n",
    "endless.pp": "Integer[1, 2000000000].each |$i| {\n  $j = $i\n}\n",
    "stop.pp": "$a = 1\ndebug::break()\nnotice($a)\n",
    "looks.pp": "function looks($x) {\n  debug::break()\n  $x\n}\n$a = 1\n# c\n\nnotice($a)\n",
    "columns.pp": "[1].each |$i| { $b = [3].map |$x| { $x + $i } }\n",
    "calls.pp": "notice(epp('web/sub/lines.epp', {'of' => ['a']}))\n",
    "modules/web/templates/sub/lines.epp": "<% $of.each |$x| { -%>\nx <%= $x %>\n<% } -%>\n",
    "typed.epp": "<%- | String $who | -%>\nHello\n<% $upper = upcase($who) -%>\n<%= $upper %>!\n",
    "modules/web/manifests/init.pp": MANIFEST,
    "modules/web/functions/twice.pp": FUNCTION,
    "env/environment.conf": "modulepath = modules\n",
    "env/manifests/site.pp": "node 'a.example.com' {\n  notice($facts['role'])\n}\n"
    "node default {\n  notice('default')\n}\n",
    "env/modules/app/manifests/init.pp": "class app(String $name_ = 'n') {\n  notice($name_)\n}\n",
}


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("programs")
    write_files(path, FILES)
    return path


@pytest.fixture
def client(directory: Path) -> Iterator[Client]:
    with Client(directory=directory) as client:
        yield client


def launched(client: Client, name: str = "main.pp", **arguments: Any) -> Message:
    """Launch a program of the directory, whose modules count."""
    return client.start({"program": name, "modulePath": "modules", **arguments})


def test_a_session(client: Client, directory: Path) -> None:
    can = launched(client)
    assert can["supportsFunctionBreakpoints"] and "supportsSetVariable" not in can
    web = directory / "modules/web/manifests/init.pp"
    # The head of a class, and the middle of a resource.
    placed = client.break_at(web, 1, 4, {"line": 7, "condition": "$line == 'b'"})
    assert [(each["verified"], each["line"]) for each in placed] == [
        (True, 2),
        (True, 3),
        (True, 7),
    ]
    client.run()
    frames = client.stop()
    assert [(each["name"], each["line"]) for each in frames] == [("class web", 2), ("main", 2)]
    assert [each["source"]["path"] for each in frames] == [str(web), str(directory / "main.pp")]
    assert can["supportsDelayedStackTraceLoading"]
    for asked, names in (
        ({"startFrame": 0, "levels": 1}, ["class web"]),
        ({"startFrame": 1, "levels": 20}, ["main"]),
        ({"startFrame": 2, "levels": 20}, []),
        ({"levels": 0}, ["class web", "main"]),
    ):
        stack = client.ask("stackTrace", threadId=1, **asked)
        assert [each["name"] for each in stack["stackFrames"]] == names
        assert stack["totalFrames"] == 2
    [outermost] = client.ask("stackTrace", threadId=1, startFrame=1)["stackFrames"]
    assert outermost["id"] == frames[1]["id"]
    client.ask("stepIn", threadId=1)
    assert client.place("step") == ("function web::twice", 2)
    client.ask("next", threadId=1)
    assert client.place("step") == ("function web::twice", 3)
    client.ask("stepOut", threadId=1)
    assert client.place() == ("class web", 3)
    client.ask("continue", threadId=1)
    frames = client.stop()
    assert frames[0]["name"] == "lambda"
    assert [each["path"] for each in client.ask("loadedSources")["sources"]] == [
        str(directory / "main.pp"),
        str(directory / "modules/web/functions/twice.pp"),
        str(web),
    ]
    assert client.break_at(web) == []
    client.ask("continue", threadId=1)
    assert client.end() == (
        0,
        "Notice: line a\nNotice: line b\nNotice: line c\n{'k' => 'v'}\n",
        "Warning: w\n",
    )
    warned = [each["body"] for each in client.events if each["event"] == "output"]
    at = {each["output"]: (each.get("source", {}).get("path"), each.get("line")) for each in warned}
    assert at["Notice: line a\n"] == (str(web), 7)
    assert at["Warning: w\n"] == (str(directory / "main.pp"), 4)
    assert client.leave() == (0, "")


def test_variables_and_resources(client: Client, directory: Path) -> None:
    launched(client)
    client.break_at(
        directory / "modules/web/manifests/init.pp", {"line": 7, "hitCondition": ">= 2"}
    )
    client.run()
    frames = client.stop()
    scopes = client.scopes(frames[0])
    assert list(scopes) == ["Local: lambda", "class web", "Top scope", "Facts", "Resources"]
    local = client.rows(scopes["Local: lambda"])
    assert {name: row["value"] for name, row in local.items()} == {"index": "1", "line": "'b'"}
    of_class = client.rows(scopes["class web"])
    assert of_class["doubled"]["value"] == "160"
    many = client.rows(scopes["Top scope"])["many"]
    assert many["indexedVariables"] == 250
    part = {"filter": "indexed", "start": 100, "count": 2}
    rows = client.rows(many["variablesReference"], **part)
    assert {name: row["evaluateName"] for name, row in rows.items()} == {
        "100": "$many[100]",
        "101": "$many[101]",
    }
    assert "'os'" in client.rows(scopes["Facts"])
    declared = client.rows(scopes["Resources"])
    assert list(declared) == ["Class['web']", "File['/etc/web.conf']"]
    attributes = client.rows(declared["File['/etc/web.conf']"]["variablesReference"])
    assert attributes["content"]["value"] == "'port 160'"
    main = client.scopes(frames[-1])
    assert list(main) == ["Top scope", "Facts", "Resources"]
    assert "many" in client.rows(main["Top scope"])
    assert client.leave() == (0, "")


def test_expressions(client: Client, directory: Path) -> None:
    launched(client)
    client.break_at(directory / "modules/web/manifests/init.pp", 7)
    client.run()
    lambda_, of_class, _ = client.stop()
    assert client.evaluate(lambda_, "$line", context="watch") == "'a'"
    assert client.evaluate(of_class, "web::twice($port) + 1") == "161"
    assert client.evaluate(lambda_, "doubled", context="hover") == "160"
    assert client.evaluate(lambda_, "notice('n'); [$index]", context="repl") == "Notice: n\n[0]"
    assert "unknown variable" in client.evaluate(lambda_, "$none", context="repl").lower()
    shown = {"frameId": lambda_["id"], "context": "hover"}
    assert (
        client.refusal("evaluate", expression="notice", **shown) == "there is no variable $notice"
    )
    assert "Syntax error" in client.refusal("evaluate", expression="1 +", frameId=lambda_["id"])
    given = {"frameId": lambda_["id"], "text": "'\U0001f600' + $dou", "column": 12}
    (target, *_) = client.ask("completions", **given)["targets"]
    assert target == {"label": "$doubled", "start": 8, "length": 4, "type": "variable"}
    assert "cannot be changed" in client.refusal("setVariable", name="line", value="1")
    assert client.refusal("gotoTargets", line=1) == "there is no gotoTargets"
    assert client.leave() == (0, "")


def test_an_expression_is_cancelled(client: Client, directory: Path) -> None:
    launched(client)
    client.break_at(directory / "main.pp", 5)
    client.run()
    frame = client.stop()[0]
    text = "Integer[1, 2000000000].each |$i| { $j = $i }"
    number = client.send("evaluate", {"expression": text, "frameId": frame["id"]})
    client.ask("cancel", requestId=number)
    assert client.response(number)["message"] == "cancelled"
    assert client.evaluate(frame, "1 + 1") == "2"
    client.ask("continue", threadId=1)
    assert client.end()[0] == 0


def test_log_points_and_function_breakpoints(client: Client, directory: Path) -> None:
    launched(client)
    client.break_at(
        directory / "modules/web/manifests/init.pp", {"line": 7, "logMessage": "{$index}: {$line}"}
    )
    asked = [{"name": "web::twice", "condition": "$n == 80"}, {"name": "none"}, {"name": "A b"}]
    placed = client.ask("setFunctionBreakpoints", breakpoints=asked)["breakpoints"]
    assert [each["verified"] for each in placed] == [True, False, False]
    assert placed[0]["line"] == 1 and placed[0]["source"]["name"] == "twice.pp"
    assert "known yet" in placed[1]["message"] and "is not the name" in placed[2]["message"]
    client.run()
    assert client.place("function breakpoint") == ("function web::twice", 2)
    client.ask("continue", threadId=1)
    status, printed, _ = client.end()
    assert status == 0
    assert "Notice: line a\n1: b\nNotice: line b\n" in printed


def test_breakpoints_that_cannot_be_set(client: Client, directory: Path) -> None:
    launched(client)
    main = directory / "main.pp"
    placed = client.break_at(
        main, {"line": 1, "condition": "1 +"}, {"line": 2, "hitCondition": "often"}
    )
    assert [each["verified"] for each in placed] == [False, False]
    assert "Syntax error" in placed[0]["message"] and "not a count" in placed[1]["message"]
    for path, why in (
        (directory / "none.pp", "cannot read"),
        (directory / "a.txt", "not the path"),
    ):
        (refused,) = client.break_at(path, 1)
        assert not refused["verified"] and refused["message"].startswith(why)
    (wrong,) = client.break_at(directory / "syntax.pp", 1)
    assert "Syntax error" in wrong["message"]
    where = {"source": {"path": str(main)}, "line": 2, "endLine": 4}
    found = client.ask("breakpointLocations", **where)["breakpoints"]
    assert [each["line"] for each in found] == [2, 3, 4]


def test_errors_are_stopped_at(client: Client, directory: Path) -> None:
    launched(client, "wrong.pp")
    told = client.ask("setExceptionBreakpoints", filters=["uncaught"])
    assert told["breakpoints"] == [{"verified": True}]
    client.run()
    assert client.place("exception") == ("main", 2)
    info = client.ask("exceptionInfo", threadId=1)
    assert info["breakMode"] == "unhandled"
    assert "cannot be converted to Numeric" in info["description"]
    client.ask("continue", threadId=1)
    status, printed, errors = client.end()
    assert (status, printed) == (1, "Notice: before\n")
    assert "cannot be converted to Numeric" in errors
    place = next(each["body"] for each in client.events if each["body"].get("category") == "stderr")
    assert (place["line"], place["source"]["path"]) == (2, str(directory / "wrong.pp"))


@pytest.mark.parametrize("filters", [["raised"], ["uncaught"]])
@pytest.mark.parametrize(
    ("body", "subject", "column"),
    [
        ("deep($n + 1)", "a Function Call", 3),
        ("[1].each |$x| { deep($n + 1) }", "a Method call", 6),
        ("[2, 1].sort |$a, $b| { deep($n + 1) }", "a Method call", 9),
        ("inline_epp('<%= deep(1) %>')", "a Function Call", 3),
    ],
)
def test_calls_that_are_too_deep_are_stopped_at(
    tmp_path: Path, filters: list[str], body: str, subject: str, column: int
) -> None:
    path = tmp_path / "deep.pp"
    path.write_text(f"function deep(Integer $n) {{\n  {body}\n}}\nnotice(deep(1))\n")
    with Client(directory=tmp_path) as client:
        client.start({"program": "deep.pp"})
        client.ask("setExceptionBreakpoints", filters=filters)
        client.run()
        frames = client.stop("exception")
        assert {each["name"] for each in frames} >= {"function deep"}
        told = f"Error while evaluating {subject}, stack level too deep"
        info = client.ask("exceptionInfo", threadId=1)
        assert told in info["description"]
        assert f"line: 2, column: {column}" in info["description"]
        inner = next(each for each in frames if each["name"] == "function deep")
        assert int(client.evaluate(inner, "$n")) >= 1
        text = "[1, 2].map |$x| { inline_epp('<%= 1 + 2 %>') }"
        assert client.evaluate(inner, text, context="repl") == "['3', '3']"
        # The expression calls too deep itself, and the program stays where it is.
        assert "stack level too deep" in client.evaluate(inner, "deep(1)", context="repl")
        client.ask("continue", threadId=1)
        status, _, errors = client.end()
        assert status == 1
        assert f"{told} (file: {path}, line: 2, column: {column})" in errors


def test_deep_calls_that_end_are_not_stopped_at(tmp_path: Path) -> None:
    path = tmp_path / "deep.pp"
    code = "function deep($n) {\n  if $n > 0 { deep($n - 1) }\n}\n"
    # Levels for which there is just enough room without a debugger.
    path.write_text(f"{code}deep(9850)\nnotice('end')\n$x = 1 + 'x'\n")
    with Client(directory=tmp_path) as client:
        client.start({"program": "deep.pp"})
        client.ask("setExceptionBreakpoints", filters=["raised"])
        client.run()
        assert client.place("exception") == ("main", 6)
        client.ask("continue", threadId=1)
        status, printed, _ = client.end()
        assert (status, printed) == (1, "Notice: end\n")


def test_entry_pause_and_terminate(client: Client) -> None:
    launched(client, "endless.pp", stopOnEntry=True)
    client.run()
    assert client.place("entry") == ("main", 1)
    client.ask("continue", threadId=1)
    client.ask("pause", threadId=1)
    assert client.place("pause")[0] in ("lambda", "main")
    client.ask("continue", threadId=1)
    client.ask("terminate")
    assert client.end()[0] == 130
    assert client.leave() == (0, "")


def test_breakpoints_while_the_program_runs(client: Client, directory: Path) -> None:
    launched(client, "endless.pp")
    client.run()
    client.break_at(directory / "endless.pp", 2)
    assert client.place() == ("lambda", 2)
    client.ask("next", threadId=1)
    assert client.place() == ("lambda", 2)
    assert client.break_at(directory / "endless.pp") == []
    client.ask("continue", threadId=1)
    client.ask("pause", threadId=1)
    assert client.place("pause")[0] in ("lambda", "main")
    assert client.leave() == (0, "")


def test_terminate_while_stopped(client: Client, directory: Path) -> None:
    launched(client, "stop.pp")
    client.run()
    assert client.place() == ("main", 2)
    client.ask("terminate")
    assert client.end() == (130, "", "")


def test_breaks_do_not_stop_expressions(client: Client, directory: Path) -> None:
    launched(client, "looks.pp")
    client.break_at(directory / "looks.pp", {"line": 5, "condition": "looks(3) == 3"})
    client.run()
    frame = client.stop()[0]
    for context in ("watch", "hover", "repl", "clipboard"):
        assert client.evaluate(frame, "looks(3)", context=context) == "3"
    client.ask("next", threadId=1)
    assert client.place("step") == ("main", 8)
    client.ask("continue", threadId=1)
    assert client.end()[0] == 0
    assert all(each["event"] != "stopped" for each in client.events)


def test_breakpoints_that_land_on_one_line(client: Client, directory: Path) -> None:
    launched(client, "looks.pp")
    path = directory / "looks.pp"
    logs = {"line": 7, "logMessage": "a is {$a}"}
    placed = client.break_at(path, 6, {"line": 8, "condition": "false"}, logs)
    assert [each["line"] for each in placed] == [8, 8, 8]
    client.run()
    assert client.event("stopped")["hitBreakpointIds"] == [placed[0]["id"]]
    client.ask("continue", threadId=1)
    assert client.end()[1] == "a is 1\nNotice: 1\n"


def test_a_function_breakpoint_and_one_for_its_line(client: Client, directory: Path) -> None:
    launched(client)
    at_line = client.break_at(directory / "modules/web/functions/twice.pp", 2)
    asked = {"breakpoints": [{"name": "web::twice"}]}
    entry = client.ask("setFunctionBreakpoints", **asked)["breakpoints"]
    client.run()
    told = client.event("stopped")
    assert told["hitBreakpointIds"] == [each["id"] for each in (*entry, *at_line)]


@pytest.mark.slow
def test_a_condition_that_takes_too_long(client: Client, directory: Path) -> None:
    launched(client, "looks.pp")
    condition = "Integer[0, 100000000000].each |$i| { $i } == 1"
    client.break_at(directory / "looks.pp", {"line": 8, "condition": condition})
    client.run()
    told = client.event("stopped")
    assert told["text"].endswith("failed: the expression was stopped after 10 seconds")
    client.ask("continue", threadId=1)
    assert client.end()[0] == 0


def test_restart(client: Client, directory: Path) -> None:
    launched(client)
    client.break_at(directory / "main.pp", 2)
    client.run()
    frame = client.stop()[0]
    client.ask("restart")
    again = client.stop()[0]
    assert again["line"] == 2
    assert client.refusal("scopes", frameId=9999).endswith("stopped there")
    client.ask("restart", arguments={"program": "wrong.pp"})
    assert client.end()[0] == 1
    assert frame["name"] == "main"
    assert client.refusal("restart") == "no program runs that could begin again"


def test_without_debugging(client: Client, directory: Path) -> None:
    launched(client, "stop.pp", noDebug=True, stopOnEntry=True)
    client.break_at(directory / "stop.pp", 1)
    client.run()
    assert client.end()[:2] == (0, "Notice: 1\n")


def test_a_template(client: Client, directory: Path) -> None:
    client.start({"program": "typed.epp", "parameters": {"who": "you"}})
    (placed,) = client.break_at(directory / "typed.epp", 4)
    assert placed["line"] == 4
    client.run()
    frame = client.stop()[0]
    assert frame["name"] == "template typed.epp"
    scopes = client.scopes(frame)
    local = client.rows(scopes["Local: template typed.epp"])
    assert {name: row["value"] for name, row in local.items()} == {
        "upper": "'YOU'",
        "who": "'you'",
    }
    assert not {"upper", "who"} & set(client.rows(scopes["Top scope"]))
    assert client.evaluate(frame, "$upper") == "'YOU'"
    client.ask("continue", threadId=1)
    assert client.end()[:2] == (0, "Hello\nYOU!\n\n")


def test_a_template_of_a_module(client: Client, directory: Path) -> None:
    launched(client, "calls.pp")
    client.break_at(directory / "modules/web/templates/sub/lines.epp", 2)
    client.run()
    frames = client.stop()
    names = [each["name"] for each in frames]
    assert names == ["lambda", "template web/sub/lines.epp", "main"]
    scopes = client.scopes(frames[0])
    assert list(scopes)[:3] == ["Local: lambda", "template web/sub/lines.epp", "Top scope"]
    assert "of" in client.rows(scopes["template web/sub/lines.epp"])


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("modules/web/manifests/init.pp", 'only defines class web: launch with "class": "web"'),
        ("modules/web/functions/twice.pp", "only defines function web::twice: nothing has run"),
        ("looks.pp", ""),
        ("env/manifests/site.pp", ""),
    ],
)
def test_a_file_that_only_defines(client: Client, name: str, hint: str) -> None:
    launched(client, name)
    client.run()
    assert client.end()[0] == 0
    told = client.printed("console")
    assert told == (f"{name.rpartition('/')[2]} {hint}\n" if hint else "")


def test_the_clipboard_gets_whole_values(client: Client, directory: Path) -> None:
    assert launched(client)["supportsClipboardContext"]
    client.break_at(directory / "main.pp", 5)
    client.run()
    frame = client.stop()[0]
    text = "[Integer[1, 3000].map |$i| { 'x' }.join, Sensitive('secret')]"
    assert len(client.evaluate(frame, text, context="watch")) <= 1000
    copied = client.evaluate(frame, text, context="clipboard")
    assert copied == f"['{'x' * 3000}', {client.evaluate(frame, 'Sensitive(1)')}]"


def test_columns_are_those_of_statements(client: Client) -> None:
    launched(client, "columns.pp", stopOnEntry=True)
    client.run()
    assert [each["column"] for each in client.stop("entry")] == [1]
    client.ask("stepIn", threadId=1)
    assert [each["column"] for each in client.stop("step")] == [17, 1]
    client.ask("stepIn", threadId=1)
    assert [each["column"] for each in client.stop("step")] == [37, 17, 1]
    assert client.leave() == (0, "")


def test_a_class_and_what_it_declares(client: Client) -> None:
    client.start(
        {
            "class": "web",
            "modulePath": ["modules"],
            "parameters": {"port": 8},
            "show": ["catalog", "resources"],
            "factSet": "rocky-9",
            "stopOnEntry": True,
        }
    )
    client.run()
    frames = client.stop("entry")
    source = frames[0]["source"]
    assert source["name"] == "launch" and source["sourceReference"] > 0
    text = client.ask("source", source=source, sourceReference=source["sourceReference"])
    assert text["content"] == "class { 'web': * => {'port' => 8} }"
    assert client.evaluate(frames[0], "$facts['os']['name']") == "'Rocky'"
    client.ask("continue", threadId=1)
    status, printed, _ = client.end()
    catalog, _, table = printed.partition("\n}\n")
    declared = json.loads(catalog[catalog.index("\n{") :] + "\n}")["resources"]
    assert {"port 16"} == {
        each["parameters"]["content"] for each in declared if each["type"] == "File"
    }
    assert status == 0 and "File['/etc/web.conf']" in table


def test_a_node_of_an_environment(client: Client, directory: Path) -> None:
    client.start(
        {"environment": "env", "node": "a.example.com", "facts": {"role": "db"}, "cwd": "."}
    )
    client.break_at(directory / "env/manifests/site.pp", 2, 5)
    client.run()
    assert client.place() == ("node 'a.example.com'", 2)
    client.ask("continue", threadId=1)
    assert client.end()[:2] == (0, "Notice: db\n")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "a 'program', a 'class' or an 'environment' is needed"),
        ({"program": 1}, "'program' has to be a string"),
        ({"program": "none.pp"}, "'program': cannot read"),
        ({"program": "a.txt"}, "'program': a.txt is neither a manifest, .pp, nor a template"),
        ({"program": "main.pp", "class": "a"}, "give either a 'program' or a 'class'"),
        ({"class": "no name"}, "'class': 'no name' is not the name of a class"),
        ({"program": "main.pp", "modulepath": "x"}, "did you mean 'modulePath'?"),
        ({"program": "main.pp", "show": "all"}, "'show' has 'catalog' and 'resources'"),
        ({"program": "main.pp", "stopOnEntry": "yes"}, "'stopOnEntry' has to be true or false"),
        ({"program": "main.pp", "facts": "none.yaml"}, "none.yaml"),
        (
            {"program": "main.pp", "facts": [1]},
            "'facts' has to be an object, a string or a list of strings",
        ),
        ({"program": "main.pp", "modulePath": ["modules", "no"]}, "'modulePath': no is not a"),
        ({"program": "main.pp", "node": "a/b"}, "'node': 'a/b' is not a valid node name"),
        ({"program": "main.pp", "cwd": "nowhere"}, "'cwd': cannot use nowhere"),
        ({"program": "main.pp", "parameters": {"a": 1}}, "'parameters' are for a 'class'"),
        ({"environment": "nowhere"}, "'environment': nowhere is not a directory"),
        ({"program": "main.pp", "args": ["--nonsense"]}, "unrecognized arguments: --nonsense"),
    ],
)
def test_a_launch_that_cannot_be(client: Client, arguments: Message, problem: str) -> None:
    client.ask("initialize", adapterID="puppet-repl")
    assert problem in client.refusal("launch", arguments)
    # The client may try again.
    client.ask("launch", program="main.pp", modulePath="modules")
    assert client.leave() == (0, "")


def test_a_program_that_is_wrong(client: Client) -> None:
    client.start({"program": "syntax.pp"})
    client.run()
    status, printed, errors = client.end()
    assert (status, printed) == (1, "") and "Syntax error" in errors
    assert client.leave() == (0, "")


def test_requests_that_come_too_early_or_are_wrong(client: Client) -> None:
    client.write(b"no JSON")
    client.write(b"[]")
    client.write(b'{"type": "response", "seq": 1}')
    assert "comes after launch" in client.refusal("threads")
    assert "comes after launch" in client.refusal("configurationDone")
    launched(client)
    assert client.refusal("launch", program="main.pp") == "there is a program already"
    assert client.refusal("nonsense") == "there is no nonsense"
    for command, arguments, problem in (
        ("setBreakpoints", {"breakpoints": [1]}, "has to be a list of objects"),
        ("setFunctionBreakpoints", {"breakpoints": 1}, "'breakpoints' has to be a list"),
        ("source", {"sourceReference": 7}, "there is no source 7"),
        ("stackTrace", [1], "'arguments' has to be an object"),
        ("evaluate", {"expression": "1 + 1"}, "while a program is stopped"),
        ("pause", {}, "no program runs"),
    ):
        assert problem in client.refusal(command, arguments)
    status, errors = client.leave()
    assert (status, errors) == (0, "puppet-repl debug-adapter: a message is not JSON\n")


def test_lines_from_0_and_addresses(client: Client, directory: Path) -> None:
    how = {"linesStartAt1": False, "columnsStartAt1": False, "pathFormat": "uri"}
    client.start({"program": "main.pp", "modulePath": "modules"}, **how)
    uri = (directory / "main.pp").as_uri()
    asked = {"source": {"path": uri}, "breakpoints": [{"line": 1}]}
    (placed,) = client.ask("setBreakpoints", **asked)["breakpoints"]
    assert (placed["line"], placed["source"]["path"]) == (1, uri)
    client.run()
    frame = client.stop()[0]
    assert (frame["line"], frame["column"], frame["source"]["path"]) == (1, 0, uri)
    where = {"frameId": frame["id"], "text": "$man", "column": 4}
    (target, *_) = client.ask("completions", **where)["targets"]
    assert (target["label"], target["start"]) == ("$many", 0)
    assert client.leave() == (0, "")


def test_breakpoints_through_links(client: Client, directory: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(directory)
    launched(client)
    client.break_at(link / "main.pp", 2)
    client.run()
    assert client.stop()[0]["source"]["path"] == str(link / "main.pp")


def test_a_hermetic_session_reads_only_its_directories(client: Client, tmp_path: Path) -> None:
    launched(client, args=["--hermetic"])
    other = tmp_path / "other.pp"
    other.write_text("$a = 1\n")
    (placed,) = client.break_at(other, 1)
    assert placed["message"] == f"a hermetic session does not read {other}"


def test_the_end_of_the_input(directory: Path) -> None:
    done = subprocess.run(COMMAND, input=b"", capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    done = subprocess.run(COMMAND, input=b"X: 1\r\n\r\n", capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == b"puppet-repl debug-adapter: a message has no Content-Length\n"


def test_code_that_does_not_end_with_its_client(client: Client) -> None:
    launched(client, "endless.pp")
    client.run()
    client.ask("threads")
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.process.wait(60) == 0


def test_what_initialize_imports() -> None:
    """The first request is answered before the interpreter is imported."""
    code = "import sys; from puppet_repl.frontends.debug_adapter import command\n"
    code += "print(*sorted(sys.modules))"
    done = subprocess.run(
        [COMMAND[0], "-c", code], capture_output=True, timeout=60, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "puppet_repl.frontends.debug_adapter.adapter" in loaded
    late = {"puppet_repl.session", "ipykernel", "asyncio", "puppet_repl.language.compiler"}
    assert sorted(late & loaded) == []
