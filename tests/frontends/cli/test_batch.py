"""The machine interface: one request a line in, one answer a line out, whatever comes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.frontends.cli.batch import answer_lines
from puppet_repl.frontends.cli.batch_options import KEYS, REFUSED
from puppet_repl.host.session_options import add_session_options
from puppet_repl.language.runtime.options import OPTIONS
from tests.conformance.judge import write_files
from tests.environment.ruby.engine import needs_sandbox

MACHINE_INTERFACE = (Path(__file__).parents[3] / "docs/machine-interface.md").read_text()


def ask(*requests: object, **limits: Any) -> list[dict[str, Any]]:
    """The answers to requests; a text or bytes stands for itself, all else is written as JSON."""
    lines = [each if isinstance(each, (str, bytes)) else json.dumps(each) for each in requests]
    answers = list(answer_lines(lines, **limits))
    assert all("\n" not in each for each in answers)
    return [json.loads(each) for each in answers]


def ask_one(**request: Any) -> dict[str, Any]:
    """The answer to one request."""
    return ask(request)[0]


def test_a_value() -> None:
    assert ask_one(id=7, code="[1, 'a']") == {
        "id": 7,
        "value": "[1, 'a']",
        "str": "[1, 'a']",
        "type": "Array[ScalarData, 2, 2]",
    }


def test_the_number_of_a_request_may_be_anything() -> None:
    for number in (None, 0, "a", [1], {"a": None}):
        assert ask_one(id=number, code="1")["id"] == number
    assert ask_one(code="1")["id"] is None


def test_logs_and_errors() -> None:
    found = ask_one(code="notice('n')\nwarning('w')\n$x = $nix")
    assert found == {
        "id": None,
        "logs": [["notice", "n"], ["warning", "w"]],
        "error": {
            "message": "Evaluation Error: Unknown variable: 'nix'.",
            "line": 3,
            "column": 6,
            "code": "UNKNOWN_VARIABLE",
        },
    }


def test_several_errors_are_logged() -> None:
    found = ask_one(code="1 = 2\n2 = 3")
    message = "Illegal attempt to assign to 'a Literal Integer'. Not an assignable reference"
    assert found["error"]["message"] == "Language validation logged 2 errors. Giving up"
    assert found["logs"] == [["err", message], ["err", message], ["err", found["error"]["message"]]]


def test_requests_have_nothing_in_common_without_a_session() -> None:
    first, second = ask({"code": "$x = 1"}, {"code": "$x"})
    assert first["value"] == "1"
    assert second["error"]["message"] == "Evaluation Error: Unknown variable: 'x'."


def test_unknown_variables_may_be_undef() -> None:
    code = {"code": "$x", "strict": "warning"}
    assert ask_one(**code, strict_variables=False)["value"] == "undef"
    assert ask_one(**code)["error"]["message"] == "Evaluation Error: Unknown variable: 'x'."


def test_sessions_are_kept_and_apart() -> None:
    answers = ask(
        {"session": "a", "code": "$x = 1"},
        {"session": "b", "code": "$x = 2"},
        {"session": "a", "code": "$x + 10"},
        {"session": "b", "code": "$x + 10"},
        {"session": "a", "code": "$x = 5 fail('no')"},
        {"session": "a", "code": "$x"},
    )
    assert [each.get("value") for each in answers] == ["1", "2", "11", "12", None, "1"]


DEFERRED = [
    ("@notify { 'v': }", "realize(Notify['v'])"),
    ("@notify { 'v': }", "Notify <| title == 'v' |>"),
    ("define d() { notify { 'v': } }", "d { 'x': }"),
    ("@notify { 'v': }", "function f() { realize(Notify['v']) }", "notice(f())"),
]


@pytest.mark.parametrize("codes", DEFERRED, ids=lambda codes: codes[-1])
@pytest.mark.parametrize("modes", [("eval",), ("eval", "epp")], ids=" ".join)
def test_what_a_request_defers_is_in_its_session(
    codes: tuple[str, ...], modes: tuple[str, ...]
) -> None:
    requests: list[dict[str, Any]] = [{"code": code, "mode": modes[0]} for code in codes]
    if modes[-1] == "epp":
        requests[-1] = {"code": f"<% {codes[-1]} %>", "mode": "epp"}
    requests.append({"code": "notice(1)", "mode": "catalog"})
    answers = ask(*[{"session": "s", **request} for request in requests])
    assert not [each for each in answers if "error" in each]
    assert "v" in shown(answers[-1])


def test_chains_and_references_of_a_session() -> None:
    answers = ask(
        {"session": "s", "code": "notify { ['a', 'b']: } Notify['a'] -> Notify['b']"},
        {"session": "s", "code": "notify { 'c': require => File['/no'] }"},
        {"session": "s", "code": "notice(1)", "mode": "catalog"},
    )
    assert answers[1]["error"]["message"].startswith("Could not find resource 'File[/no]'")
    assert [each.get("parameters") for each in answers[2]["resources"]] == [
        {"before": ["Notify[b]"]},
        None,
    ]


def test_parsing() -> None:
    assert ask_one(mode="parse", code="$a = 1 + 2")["pn"] == '(= (var "a") (+ 1 2))'
    found = ask_one(mode="parse", code="$a = )")["error"]
    assert (found["message"], found["line"], found["column"]) == ("Syntax error at ')'", 1, 6)
    # What only the validator refuses is a tree for parse_only.
    assert "error" in ask_one(mode="parse", code="1 = 2")
    assert ask_one(mode="parse_only", code="1 = 2")["pn"] == "(= 1 2)"


def test_catalogs() -> None:
    found = ask_one(mode="catalog", code="class c { notify { 'n': message => 'm' } } include c")
    assert [(one["type"], one["title"]) for one in found["resources"]] == [
        ("Class", "C"),
        ("Notify", "n"),
    ]
    assert found["resources"][1]["parameters"] == {"message": "m"}
    assert {"source": "Class[C]", "target": "Notify[n]"} in found["edges"]
    assert "error" in ask_one(mode="catalog", code="notify { 'n': require => File['/x'] }")


def write_site(directory: Path, site: str, body: str) -> None:
    """Write an environment with a site and a class."""
    for name, text in {"manifests/site.pp": site, "modules/m/manifests/init.pp": body}.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)


def shown(answer: dict[str, Any]) -> list[str]:
    """The titles of notifications in an answer."""
    return [each["title"] for each in answer["resources"] if each["type"] == "Notify"]


def test_the_site_of_an_environment(tmp_path: Path) -> None:
    site = "node 'a' { include m } node default { notify { 'other': } } notify { 'top': }"
    write_site(tmp_path, site, "class m { notify { $trusted['certname']: } }")
    request = {"mode": "catalog", "environment": str(tmp_path), "node": "a"}
    for code in ({}, {"code": ""}, {"code": None}):
        assert shown(ask_one(**request, **code)) == ["top", "a"]
    assert shown(ask_one(**{**request, "node": "b"})) == ["top", "other"]
    assert shown(ask_one(**{**request, "node": None})) == ["top", "other"]
    assert shown(ask_one(**request, code="include m notify { 'code': }")) == ["a", "code"]
    refused = ask_one(**request, code="node 'x' { }")["error"]["message"]
    assert refused == "Could not find node statement with name 'default' or 'a'"


# What recorded cases carry besides requests, and what responses have.
CARRIED = (
    *("about", "edges", "environment_files", "error", "file", "files", "internal", "logs", "pn"),
    *("resources", "str", "type", "value", "why"),
)


def test_a_request_may_carry_the_answer_that_is_expected() -> None:
    assert ask_one(code="1", **dict.fromkeys(CARRIED, "x"))["value"] == "1"


def test_a_node_without_a_block(tmp_path: Path) -> None:
    write_site(tmp_path, "node 'a' { }", "class m { }")
    request = {"mode": "catalog", "environment": str(tmp_path), "facts": "debian-12"}
    name = "debian12.example.com"
    message = f"Could not find node statement with name 'default' or '{name}'"
    assert ask_one(**request)["error"]["message"] == message
    assert "resources" in ask_one(mode="catalog", code="node 'a' { }", facts="debian-12")


def test_a_site_that_changes_between_requests(tmp_path: Path) -> None:
    request = json.dumps({"mode": "catalog", "environment": str(tmp_path), "node": "a"})

    def lines() -> Iterator[str]:
        write_site(tmp_path, "include m", "class m { notify { 'one': } }")
        yield request
        write_site(tmp_path, "include m", "class m { notify { 'second': } }")
        yield request
        write_site(tmp_path, "include m notify { 'site': }", "class m { notify { 'second': } }")
        yield request
        (tmp_path / "manifests" / "z.pp").write_text("notify { 'new file': }")
        yield request
        (tmp_path / "manifests" / "z.pp").unlink()
        (tmp_path / "modules" / "m" / "manifests" / "init.pp").unlink()
        yield request
        write_site(tmp_path, "include m", "class m { notify { 'again': } }")
        yield request

    answers = [json.loads(line) for line in answer_lines(lines())]
    assert [shown(answer) for answer in (*answers[:4], answers[5])] == [
        ["one"],
        ["second"],
        ["second", "site"],
        ["second", "site", "new file"],
        ["again"],
    ]
    assert "Could not find class ::m" in answers[4]["error"]["message"]


def test_exported_resources_in_one_session() -> None:
    request = {"mode": "catalog", "code": "@@notify { 'n': } Notify <<| |>>"}
    assert shown(ask_one(**request)) == []
    assert shown(ask_one(**request, storeconfigs=True)) == ["n"]


def test_whole_documents() -> None:
    found = ask_one(mode="catalog", code="notify { 'n': }", node="a", document=True)["document"]
    assert found["name"] == "a"
    assert [each["type"] for each in found["resources"]] == ["Stage", "Class", "Class", "Notify"]


def test_templates() -> None:
    code = "<%- | Integer $n, $t = 'x' | -%>\n<%= $t * 1 %><%= $n %>"
    assert ask_one(mode="epp", code="<%= 1 + 1 %>!")["str"] == "2!"
    found = ask_one(mode="epp", code="<%- | Integer $n | -%>\nn=<%= $n %>", params={"n": 5})
    assert found["str"] == "n=5"
    for wrong in ({}, {"n": "five"}, {"n": 5, "m": 1}):
        assert "error" in ask_one(mode="epp", code=code, params=wrong)


def test_facts_node_and_modules(tmp_path: Path) -> None:
    functions = tmp_path / "m" / "functions"
    functions.mkdir(parents=True)
    (functions / "f.pp").write_text("function m::f($x) { $x + 1 }")
    assert ask_one(code="$facts['os']['name']")["value"] == "'Debian'"
    found = ask_one(code="$facts", facts={"a": {"b": [1, True, "c"]}})
    assert found["value"] == "{'a' => {'b' => [1, true, 'c']}}"
    assert ask_one(code="$trusted['certname']", node="a.example")["value"] == "'a.example'"
    assert ask_one(code="m::f(1)", modulepath=[str(tmp_path)])["value"] == "2"
    assert ask_one(code="m::f(1)")["error"]["code"] == "UNKNOWN_FUNCTION"


WRONG = [
    ("nonsense", "not a JSON request: "),
    ("{", "not a JSON request: "),
    ("[" * 100_000, "not a JSON request: "),
    (b"\xff\xfe", "not a JSON request: "),
    ('{"id": NaN, "code": "1"}', "not a JSON request: NaN is not JSON (line: 1, column: 8)"),
    ('{"id": [-Infinity], "code": "1"}', "not a JSON request: -Infinity is not JSON"),
    ('{"id": {"a": [1e999]}, "code": "1"}', "'id' has a number that is too large to be repeated"),
    (
        '{"id": %s, "code": "1"}' % ("9" * 100_001),
        "not a JSON request: a number has more than 100,000 digits",
    ),
    ([], "a request is an object with a string 'code'"),
    ("null", "a request is an object with a string 'code'"),
    ({}, "a request is an object with a string 'code'"),
    ({"code": None}, "a request is an object with a string 'code'"),
    ({"code": ["1"]}, "a request is an object with a string 'code'"),
    ({"code": "1", "mode": "guess"}, "unknown mode 'guess', expected one of eval, parse, "),
    ({"code": "1", "mode": 5}, "'mode' has to be a string"),
    ({"code": "1", "session": ["a"]}, "'session' has to be a string"),
    ({"code": "1", "session": False}, "'session' has to be a string"),
    ({"code": "1", "session": ""}, "'session' is a name, which cannot be empty"),
    ({"code": "1", "trusted": []}, "'trusted' has to be an object"),
    ({"code": "1", "params": []}, "'params' has to be an object"),
    ({"code": "1", "modulepath": {}}, "'modulepath' has to be an array of strings"),
    ({"code": "1", "facts": False}, "'facts' has to be an object, "),
    (
        "\ufeff" + '{"code": "1"}',
        "not a JSON request: a byte order mark is not JSON (line: 1, column: 1)",
    ),
    ({"code": "1", "node": 5}, "'node' has to be a string"),
    ({"code": "1", "storeconfigs": "yes"}, "'storeconfigs' has to be true or false"),
    ({"mode": "catalog", "node": "a"}, "a request is an object with a string 'code'"),
    ({"code": "1", "environment": {"a": 1}}, "'environment' has to be a string"),
    ({"code": "1", "environment": "no/nix"}, "'environment': no/nix is not a directory"),
    (
        {"mode": "catalog", "environment": "nix", "node": "a"},
        "'environment': nix is not a directory, and there is no 'code'",
    ),
    ({"code": "1", "environment": str(Path(__file__).parent / "kernel")}, "'environment': "),
    ({"code": "1", "enviroment": "a"}, "unknown key 'enviroment', did you mean 'environment'?"),
    ({"Code": "1"}, "unknown key 'Code', did you mean 'code'?"),
    ({"code": "1", "ndoe": "a"}, "unknown key 'ndoe', did you mean 'node'?"),
    ({"code": "1", "fact": {}}, "unknown key 'fact': did you mean 'facts'?"),
    ({"code": "1", "setting": "a=1"}, "unknown key 'setting': did you mean 'puppet_settings'?"),
    ({"code": "1", "Settings": {}}, "unknown key 'Settings': did you mean 'puppet_settings'?"),
    ({"code": "1", "max_memory": "64M"}, "unknown key 'max_memory': the limit is that of the "),
    ({"code": "1", "max-memory": 1}, "unknown key 'max-memory': the limit is that of the "),
    ({"code": "1", "maxmemory": 1}, "unknown key 'maxmemory', did you mean 'max_memory'?"),
    ({"code": "1", "allow_generate": True}, "unknown key 'allow_generate': batch runs no "),
    ({"code": "1", "puppetdb": 1}, "'puppetdb' has to be a string"),
    ({"code": "1", "puppetdb": "ftp://p"}, "'puppetdb': an address begins with http:// or "),
    ({"code": "1", "puppetdb": "http://p", "hermetic": True}, "'puppetdb': a hermetic session "),
    ({"code": "1", "hermetik": True}, "unknown key 'hermetik', did you mean 'hermetic'?"),
    ({"code": "1", "redacted": "yes"}, "'redacted' has to be true or false"),
    ({"code": "1", "facts": 5}, "'facts' has to be an object, the name of a set"),
    ({"code": "1", "facts": ["rocky-9", {}]}, "'facts' has to be an object"),
    ({"code": "1", "facts": "nix.json"}, "nix.json: No such file"),
    ({"code": "1", "puppet_settings": ["noop"]}, "'puppet_settings' has to be an object"),
    (
        {"code": "1", "puppet_settings": {"serber": "a.b"}},
        "'puppet_settings': Puppet has no setting 'serber'; did you mean server?",
    ),
    (
        {"code": "1", "puppet_settings": {"noop": "maybe"}},
        "'puppet_settings': Invalid value '\"maybe\"' for boolean parameter: noop",
    ),
    ({"code": "1", "trusted": ["pp_role=web"]}, "'trusted' has to be an object"),
    ({"code": "1", "stubs": "a.pp"}, "'stubs' has to be an array of strings"),
    ({"code": "1", "stubs": ["a.pp"]}, "'stubs': there is no file a.pp"),
    ({"code": "1", "hiera_config": 1}, "'hiera_config' has to be a string"),
    ({"code": "1", "hiera_config": "h.yaml"}, "'hiera_config': there is no file h.yaml"),
    ({"code": "1", "mode": "epp", "params": [1]}, "'params' has to be an object"),
    ({"code": "1", "modulepath": "a:b"}, "'modulepath' has to be an array of strings"),
    ({"code": "1", "modulepath": [1]}, "'modulepath' has to be an array of strings"),
    ({"code": "1", "strict": "on"}, "'strict' has to be one of error, warning, off"),
    ({"code": "1", "stdlib": 9}, "'stdlib' has to be one of 9, 8, off"),
    ({"code": "1", "strict_variables": "no"}, "'strict_variables' has to be true or false"),
    ({"code": "1", "ruby_seconds": 0}, "'ruby_seconds' has to be a whole number from 1 to 86400"),
    ({"code": "1", "ruby_seconds": "60"}, "'ruby_seconds' has to be a whole number"),
    ({"code": "1", "ruby_seconds": True}, "'ruby_seconds' has to be a whole number"),
    (
        {"code": "1", "max_seconds": 0},
        "'max_seconds' has to be a number of seconds above 0, up to 86400",
    ),
    ({"code": "1", "max_seconds": "5"}, "'max_seconds' has to be a number of seconds above 0"),
    ({"code": "1", "max_seconds": True}, "'max_seconds' has to be a number of seconds above 0"),
    ({"code": "1", "max_seconds": 1e9}, "'max_seconds' has to be a number of seconds above 0"),
    ({"code": "1", "unknown_functions": "off"}, "'unknown_functions' has to be one of error, warn"),
    ({"code": "1", "unknown_types": ["warn"]}, "'unknown_types' has to be one of error, warn"),
]


def test_a_request_has_the_options_of_the_command_line(tmp_path: Path) -> None:
    files = {
        "production/hiera.yaml": "version: 5\nhierarchy: [{name: c, path: common.yaml}]\n",
        "production/data/common.yaml": "port: 8080\n",
        "production/functions/here.pp": "function here() { $environment }",
        "stubs.pp": "function stubbed() { 'stub' }",
        "facts.yaml": "role: web\nkernel: Plan9\n",
    }
    write_files(tmp_path, files)
    told = ask_one(
        code="[here(), lookup('port'), stubbed(), $trusted['extensions'], $role, $kernel,"
        " $facts['os']['family'], $trusted['certname']]",
        environment=str(tmp_path / "production"),
        stubs=[str(tmp_path / "stubs.pp")],
        trusted={"pp_role": "web"},
        facts=["rocky-9", str(tmp_path / "facts.yaml")],
        node="db01",
    )
    assert told["value"] == (
        "['production', 8080, 'stub', {'pp_role' => 'web'}, 'web', 'Plan9', 'RedHat', 'db01']"
    )


def test_each_option_of_a_session_is_a_key_or_refused() -> None:
    parser = ArgumentParser()
    add_session_options(parser)
    given = {action.dest for action in parser._actions} - {"help", "no_color"}
    for name in (*OPTIONS, *given):
        assert (name in KEYS) != (name in REFUSED), name


def test_the_page_shows_all_keys_and_names_those_that_are_refused() -> None:
    requests, responses = re.findall(
        r"^## (?:Requests|Responses)\n(.*?)(?=^## )", MACHINE_INTERFACE, re.MULTILINE | re.DOTALL
    )
    # The tables are those of the schemas, which have all keys (test_batch_schemas.py).
    assert "```{batch-schema} request\n" in requests
    assert "```{batch-schema} response\n" in responses
    for key in ("max_memory", "allow_generate", "fact"):
        assert key in REFUSED
        assert f"`{key}`" in requests


@pytest.mark.parametrize(
    "request_", [{"code": "1"}, {"code": "fail(1)"}, {"code": "1", "mode": "parse"}]
)
def test_keys_that_mean_nothing_are_named(request_: dict[str, Any]) -> None:
    plain, marked = ask(request_, {**request_, "about": "x", "colour": 1, "value": "1"})
    assert "ignored" not in plain
    assert marked == {**plain, "ignored": ["about", "colour"]}


SECRETS = """
    type Obj = Object[{attributes => {a => Any}}]
    $s = Sensitive("hun${'ter2'}")
    class c($p) { notify { 'a': message => $p } }
    class { 'c': p => $s }
    notify { 'b': message => [$s, Obj($s), Deferred('unwrap', [$s])] }
"""


def test_secrets_are_in_catalogs_unless_they_are_to_be_redacted() -> None:
    request = {"mode": "catalog", "document": True, "code": SECRETS}
    for answer, count in zip(ask(request, {**request, "redacted": True}), (5, 0), strict=True):
        for part in (answer["resources"], answer["document"]):
            assert json.dumps(part).count("hunter2") == count
            found = {each["title"]: each for each in answer["resources"]}
            assert found["a"]["sensitive_parameters"] == ["message"]
            assert found["a"]["parameters"]["message"] == (
                "hunter2" if count else "Sensitive [value redacted]"
            )
        assert len(answer["edges"]) == 5


@pytest.mark.parametrize(("request_", "message"), WRONG)
def test_wrong_requests_are_answered(request_: object, message: str) -> None:
    wrong, next_one = ask(request_, {"code": "1"})
    assert wrong["error"]["code"] == "REQUEST"
    assert wrong["error"]["message"].startswith(message)
    assert next_one["value"] == "1"


def test_a_wrong_request_keeps_its_number() -> None:
    assert ask_one(id=3, code="1", mode="guess")["id"] == 3


def test_empty_lines_are_no_requests() -> None:
    assert ask("", "  ", {"code": "1"}, "\n") == [ask_one(code="1")]


ODD = [
    "Integer[1, 5000].reduce([]) |$m, $i| { [$m] }",
    "function f() { f() } f()",
    "Binary('/w==')",
    "type(type(type(1)))",
    "Sensitive('x')",
    "\u0000",
    "'\ud800'",
    "'" + "x" * 100_000 + "'",
    "[" * 1000,
]


@pytest.mark.parametrize("code", ODD)
def test_every_code_is_answered(code: str) -> None:
    found, next_one = ask({"code": code}, {"code": "1"})
    assert ("value" in found) != ("error" in found)
    assert "internal error" not in str(found.get("error"))
    assert next_one["value"] == "1"


def test_secrets_stay_secret() -> None:
    found = ask_one(code="Sensitive('hush')")
    assert "hush" not in json.dumps(found)


def test_as_a_process() -> None:
    requests = [
        b'{"id": 1, "code": "\'\xc3\xbc\'"}',
        b"\xff",
        b'{"id": 2, "code": "\'\\ud800\'"}',
        b"",
        b'{"id": 3, "code": "notice(1) 2"}',
    ]
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", "batch"],
        input=b"\n".join(requests),
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["id"] for each in answers] == [1, None, 2, 3]
    assert answers[0]["str"] == "ü"
    assert answers[2]["str"] == "\ud800"
    assert answers[3]["logs"] == [["notice", "1"]]


def test_a_request_ends_at_its_own_limit_of_time() -> None:
    loop = "Integer[1, 9000000000].each |$x| { $x }"
    requests: list[dict[str, Any]] = []
    for mode, code in (("eval", loop), ("catalog", loop), ("epp", f"<% {loop} %>")):
        requests += [{"code": code, "mode": mode, "max_seconds": 0.2}, {"code": "1 + 1"}]
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", "batch"],
        input="\n".join(map(json.dumps, requests)),
        capture_output=True,
        text=True,
        timeout=60,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    for late, next_one in zip(answers[::2], answers[1::2], strict=True):
        assert late["error"]["code"] == "NO_TIME"
        assert late["error"]["message"] == "Time limit exceeded (see max_seconds)"
        assert next_one["value"] == "2"
    assert len(answers) == len(requests)


def test_answers_come_as_requests_come() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "puppet_repl", "batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps({"id": number, "code": "1", "session": "s"}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
    assert process.returncode == 0


def test_what_is_unknown_is_an_error_or_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "m" / "lib" / "puppet" / "functions" / "m" / "f.rb"
    file.parent.mkdir(parents=True)
    file.write_text("Puppet::Functions.create_function(:'m::f') do\nend\n")
    call = {"code": "m::f()", "modulepath": [str(tmp_path)], "ruby": "off"}
    declare = {"code": "archive { 'a': }", "mode": "catalog"}
    refused, warned, unknown, declared = ask(
        call,
        {**call, "unknown_functions": "warn"},
        declare,
        {**declare, "unknown_types": "warn"},
    )
    assert "which cannot be run here" in refused["error"]["message"]
    assert (warned["value"], warned["logs"][0][0]) == ("undef", "warning")
    assert "Unknown resource type: 'archive'" in unknown["error"]["message"]
    assert [each["title"] for each in declared["resources"] if each["type"] == "Archive"] == ["a"]


MANY = """
import re, sys
from puppet_repl.frontends.cli.batch import main
main([])
with open("/proc/self/status") as status:
    print(re.search(r"VmHWM:\\s+(\\d+) kB", status.read())[1], file=sys.stderr)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no memory is told here")
def test_thousands_of_requests_in_one_process() -> None:
    classes = "class a { file { '/a': ensure => file } } include a"
    requests = [{"id": n, "code": f"{n} + 1"} for n in range(1900)]
    requests += [{"id": n, "code": classes, "mode": "catalog"} for n in range(1900, 2000)]
    requests[500]["session"] = requests[1999]["session"] = "kept"
    requests[500]["code"] = "$x = 6"
    requests[1999]["code"] = 'notify { "${$x * 7}": }'
    lines = "".join(json.dumps(each) + "\n" for each in requests)
    done = subprocess.run(
        [sys.executable, "-c", MANY], input=lines, capture_output=True, text=True, timeout=120
    )
    answers = [json.loads(each) for each in done.stdout.splitlines()]
    assert [each["id"] for each in answers] == list(range(2000))
    assert [each for each in answers if "error" in each] == []
    assert answers[1899]["value"] == "1900"
    assert answers[1900]["resources"] == answers[1998]["resources"]
    assert answers[1999]["resources"][-1]["title"] == "42"
    assert int(done.stderr) < 100_000


@needs_sandbox
def test_ruby_of_a_request_ends_with_it() -> None:
    requests = [{"id": n, "code": "inline_template('<%= 1 + 1 %>')"} for n in range(30)]
    lines = "".join(json.dumps(each) + "\n" for each in requests)
    done = subprocess.run(
        [sys.executable, "-c", MANY], input=lines, capture_output=True, text=True, timeout=120
    )
    assert [json.loads(each)["value"] for each in done.stdout.splitlines()] == ["'2'"] * 30
    assert int(done.stderr) < 300_000


def test_an_environment_may_be_a_mere_name() -> None:
    assert ask_one(code="$environment", environment="oracle")["value"] == "'oracle'"


@pytest.mark.parametrize("keys", [{}, {"redacted": True}, {"document": True}])
def test_a_catalog_with_a_number_that_json_has_no_word_for(keys: dict[str, bool]) -> None:
    code = "notice('n')\nnotify { 'a': message => $facts['x'] }"
    request = json.dumps({"mode": "catalog", "code": code, "facts": {"x": "@"}, **keys})
    found, after = ask(request.replace('"@"', "1e999"), {"code": "1"})
    assert found == {
        "id": None,
        "logs": [["notice", "n"]],
        "error": {
            "message": "Could not render to rich_data_json: 920: Infinity not allowed in JSON",
            "line": 2,
            "column": None,
            "code": "RUNTIME_ERROR",
        },
    }
    assert after["value"] == "1"


@pytest.mark.parametrize("hermetic", [False, True])
def test_the_facts_of_a_request_without_any(hermetic: bool) -> None:
    found = ask_one(code="[$facts['networking']['fqdn'], $facts['distro']]", hermetic=hermetic)
    assert found["value"] == "['node.example.com', undef]"


def test_a_puppetdb_is_read_and_not_written(tmp_path: Path) -> None:
    path = tmp_path / "puppetdb.json"
    exported = {"certname": "db", "type": "Notify", "title": "of db", "exported": True}
    text = json.dumps({"nodes": [{"certname": "db"}], "resources": [exported]})
    path.write_text(text)
    common = {"puppetdb": str(path), "storeconfigs": True}
    catalog = {**common, "mode": "catalog", "session": "s"}
    answers = ask(
        {**common, "code": "puppetdb_query('nodes { }')"},
        {**common, "mode": "catalog", "code": "Notify <<| |>>"},
        {**catalog, "node": "a.lan", "code": "@@notify { 'of a': }"},
        {**catalog, "node": "b.lan", "code": "Notify <<| |>>"},
        {"session": "s", "code": "puppetdb_query('nodes { }')"},
        {"code": "puppetdb_query('nodes { }')"},
    )
    assert answers[0]["value"] == answers[4]["value"] == "[{'certname' => 'db'}]"
    collected = [[each["title"] for each in answers[n]["resources"]] for n in (1, 2, 3)]
    assert collected == [["of db"], [], ["of db", "of a"]]
    assert "name a file or an address with puppetdb" in answers[5]["error"]["message"]
    assert path.read_text() == text
    path.write_text("[1")
    (answer,) = ask({"code": "1", "puppetdb": str(path)})
    assert answer["error"]["code"] == "REQUEST"
    assert answer["error"]["message"].startswith(f"{path}: not JSON: ")
