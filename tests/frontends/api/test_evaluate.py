"""Values and templates for Python programs, through the engine."""

from __future__ import annotations

import pickle
import shutil
from collections import OrderedDict
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import puppet_repl as puppet


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("1 + 2", 3),
        ("", None),
        ("undef", None),
        ("notice('x')", None),
        ("[1, 'a', true, undef, 2.5]", [1, "a", True, None, 2.5]),
        ("{a => {b => [1]}}", {"a": {"b": [1]}}),
        ("$facts['os']['family']", "Debian"),
        ("$x = 1\n$x + 1", 2),
        ("function f() { 7 }\nf()", 7),
        ("[3, 1, 2].sort", [1, 2, 3]),
        ("str2bool('yes')", True),
        ("Binary('YWJj', '%b')", b"abc"),
    ],
)
def test_values(code: str, wanted: object) -> None:
    made = puppet.evaluate(code, facts="debian-12")
    assert made == wanted
    assert type(made) is type(wanted)


def test_arguments_reach_the_code(tmp_path: Path) -> None:
    functions = tmp_path / "modules" / "one" / "functions"
    functions.mkdir(parents=True)
    (functions / "twice.pp").write_text("function one::twice($x) { $x * 2 }")
    hiera = tmp_path / "hiera.yaml"
    hiera.write_text("version: 5\nhierarchy: [{name: a, path: a.yaml}]\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.yaml").write_text("key: 5\n")
    (tmp_path / "code.pp").write_text("one::twice(lookup('key'))")
    assert puppet.evaluate(tmp_path / "code.pp", modulepath=tmp_path / "modules", hiera=hiera) == 10
    assert puppet.evaluate("$trusted['certname']", node="n.example.com", facts={}) == (
        "n.example.com"
    )


def test_extensions_of_the_certificate() -> None:
    """By name, as ``trusted_facts`` of rspec-puppet are, or as ``$trusted`` has them."""
    web: dict[str, Any] = {"pp_role": "web"}
    for trusted in (web, {"extensions": web}):
        found = puppet.evaluate("$trusted", facts={}, node="a.b", trusted=trusted)
        assert (found["extensions"], found["certname"]) == (web, "a.b")
    text = puppet.evaluate("$trusted['extensions']", facts={}, trusted={"extensions": "all"})
    assert text == {"extensions": "all"}
    for wrong, told in (
        ({"certname": "x", "extensions": web}, "trusted: only 'extensions' can be set, not 'cert"),
        ({"external": {"a": 1}}, "trusted: the extension 'external' is a text, not {'a': 1}"),
        ({"extensions": {"a": {}}}, "trusted: extensions: the extension 'a' is a text, not {}"),
    ):
        with pytest.raises(ValueError, match=told):
            puppet.evaluate("1", facts={}, trusted=wrong)
    for kind in (["pp_role=web"], {1: "a"}, {"extensions": {1: "a"}}):
        given: Any = kind
        with pytest.raises(TypeError, match="are extensions by name, not"):
            puppet.evaluate("1", facts={}, trusted=given)


@pytest.mark.parametrize(
    ("code", "kind", "line", "column"),
    [
        ("1 +", puppet.ParseError, None, None),
        ("\n  ]", puppet.ParseError, 2, 3),
        ("class A {}\nclass B {}", puppet.ParseError, None, None),
        ("\n 1 + a", puppet.EvaluationError, 2, 6),
        ("fail('x')", puppet.EvaluationError, 1, 1),
        ("nosuch()", puppet.EvaluationError, 1, 1),
        ("break()", puppet.EvaluationError, 1, None),
        ("Integer('x')", puppet.EvaluationError, 1, 1),
        ("$a = 1\n$a = 2", puppet.EvaluationError, 2, 4),
        ("include nosuch", puppet.EvaluationError, 1, 1),
        ("'('.match(Regexp['('])", puppet.EvaluationError, 1, 10),
        ("notify { 'a': } -> Notify['b']", puppet.EvaluationError, None, None),
        ("function f($n) { f($n) }\nf(1)", puppet.EvaluationError, 1, 18),
    ],
)
def test_errors_have_a_class_and_a_place(
    code: str, kind: type[puppet.PuppetError], line: int | None, column: int | None
) -> None:
    with pytest.raises(puppet.PuppetError) as caught:
        puppet.evaluate(code, facts={})
    error = caught.value
    assert isinstance(error, kind)
    assert (error.line, error.column, error.file) == (line, column, None)
    # As a session has it, which is compared with Puppet elsewhere.
    same = puppet.Session(facts={}).execute(code, is_last=True).error
    assert same is not None
    assert (type(same), str(same)) == (type(error), str(error))


@pytest.mark.parametrize("code", ["1 +", "class A {}\nclass B {}", "1 + a", "fail('x')"])
def test_errors_can_be_pickled(code: str) -> None:
    with pytest.raises(puppet.PuppetError) as caught:
        puppet.evaluate(code, facts={})
    error = caught.value
    copied = pickle.loads(pickle.dumps(error))
    assert type(copied) is type(error)
    for name in ("message", "code", "file", "line", "column", "notes"):
        assert getattr(copied, name) == getattr(error, name)
    assert str(copied) == str(error)
    assert repr(copied.stack) == repr(error.stack)


def test_the_stack_of_an_error(tmp_path: Path) -> None:
    manifest = tmp_path / "f.pp"
    manifest.write_text("function f($x) {\n  fail('no')\n}\n[1].each |$x| { f($x) }\n")
    with pytest.raises(puppet.EvaluationError) as caught:
        puppet.evaluate(manifest, facts={})
    error = caught.value
    assert str(error) == (
        "Evaluation Error: Error while evaluating a Function Call, no "
        f"(file: {manifest}, line: 2, column: 3)"
    )
    assert [(each.name, each.line) for each in error.stack] == [
        ("function f", 2),
        ("lambda", 4),
        ("main", 4),
    ]
    assert repr(error.stack[0]) == f"<Frame function f at {manifest}:2:3>"


def test_hints() -> None:
    with pytest.raises(puppet.EvaluationError) as caught:
        puppet.evaluate("upcas('x')", facts={})
    assert any("upcase" in note for note in caught.value.notes)


def test_values_of_outcomes() -> None:
    session = puppet.Session(facts={})
    assert session.execute("{a => [1]}").unwrap() == {"a": [1]}
    assert session.execute("{a => [1]}").to_python() == {"a": [1]}
    assert session.execute("").unwrap() is None
    with pytest.raises(puppet.EvaluationError, match="no"):
        session.execute("fail('no')").unwrap()
    with pytest.raises(puppet.ParseError):
        session.execute("1 +").to_python()


SHOWN = [
    ("execute", "[1, 2]", "<Outcome value=(1, 2)>"),
    ("execute", "warning('x')", "<Outcome value=None logs=1>"),
    ("execute", "", "<Outcome value=NOTHING>"),
    ("execute", "Sensitive('x')", "<Outcome value=Sensitive [value redacted]>"),
    ("execute", "]", "<Outcome error=\"Syntax error at ']' (line: 1, column: 1)\">"),
    ("check", "1", "Complete()"),
    ("check", "[1,", "Incomplete(indent='  ', reason=\"'[' is not closed\")"),
    ("check", "]", "<Invalid Syntax error at ']' (line: 1, column: 1)>"),
]


@pytest.mark.parametrize(("method", "code", "shown"), SHOWN)
def test_results_are_shown(method: str, code: str, shown: str) -> None:
    assert repr(getattr(puppet.Session(facts={}), method)(code)) == shown


def test_more_results_are_shown() -> None:
    session = puppet.Session(facts={})
    assert repr(session.inspect("upcase('x')", 2)) == "<Documentation upcase function (strings)>"
    assert repr(session.complete("upca", 4)) == "<Completions 0:4 [<function upcase>]>"
    assert len(repr(session.complete("", 0))) < 230
    assert len(repr(session.execute("Integer[1, 1000].map |$x| { $x }"))) < 230


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    files = {
        "motd.epp": "<%- | Integer $port, $name = 'x' | -%>\nport <%= $port %> <%= $name %>\n",
        "broken.epp": "port\n<%= $port %\n",
        "invalid.epp": "x\n<% class X {} %>\n<% class Y {} %>\n",
        "fails.epp": "a\n<% fail('no') %>\n",
        "m.erb": "port <%= @port %> <%= @list.map { |x| x * 2 }.inspect %>\n",
        "fails.erb": "a\n<%= raise 'no' %>\n",
        "plain.erb": "no code\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    inside = tmp_path / "modules" / "one" / "templates"
    inside.mkdir(parents=True)
    (inside / "conf.epp").write_text("in <%= $module %>")
    return tmp_path


@pytest.mark.parametrize(
    ("template", "params", "text"),
    [
        ("Hello <%= $who %>!", {"who": "you"}, "Hello you!"),
        ("no tags at all", None, "no tags at all"),
        ("<%= $facts['os']['name'] %>", {}, "Debian"),
        ("<%= Sensitive('x') %>y", {}, "xy"),
        ("<% $list.each |$x| { %><%= $x %>;<% } %>", {"list": [1, "b"]}, "1;b;"),
        ("<%= $a['b'][0]['c'] %>", {"a": {"b": [{"c": None}]}}, ""),
        ("<%= $b %>", {"b": b"abc"}, "YWJj"),
    ],
)
def test_texts_are_rendered(template: str, params: Any, text: str) -> None:
    assert puppet.render(template, params, facts="debian-12") == text


def test_files_are_rendered(templates: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = templates / "motd.epp"
    assert puppet.render(path, {"port": 80}, facts={}) == "port 80 x\n"
    assert puppet.render(str(path), {"port": 80, "name": "y"}, facts={}) == "port 80 y\n"
    monkeypatch.chdir(templates)
    assert puppet.render("motd.epp", {"port": 80}, facts={}) == "port 80 x\n"
    assert puppet.render("plain.erb", facts={}) == "no code\n"
    found = puppet.render("one/conf.epp", {"module": "m"}, facts={}, modulepath="modules")
    assert found == "in m"
    with pytest.raises(
        FileNotFoundError, match=r"neither a file nor a template of a module: .*none\.epp"
    ):
        puppet.render("none.epp", facts={})


@pytest.mark.parametrize(
    ("name", "params", "kind", "line", "message"),
    [
        ("motd.epp", {}, puppet.EvaluationError, None, "expects a value for parameter 'port'"),
        (
            "motd.epp",
            {"port": "x"},
            puppet.EvaluationError,
            None,
            "'port' expects an Integer value",
        ),
        (
            "motd.epp",
            {"port": 1, "q": 1},
            puppet.EvaluationError,
            None,
            "has no parameter named 'q'",
        ),
        ("broken.epp", {}, puppet.ParseError, 3, "Unbalanced epp tag"),
        ("invalid.epp", {}, puppet.ParseError, None, "Language validation logged"),
        ("fails.epp", {}, puppet.EvaluationError, 2, "no"),
    ],
)
def test_errors_name_the_template(
    name: str,
    params: dict[str, object],
    kind: type[puppet.PuppetError],
    line: int | None,
    message: str,
    templates: Path,
) -> None:
    with pytest.raises(kind) as caught:
        puppet.render(templates / name, params, facts={})
    assert message in caught.value.message
    assert caught.value.file == str(templates / name)
    assert caught.value.line == line
    assert str(templates / name) in str(caught.value)


@pytest.mark.skipif(shutil.which("ruby") is None, reason="there is no Ruby")
def test_erb(templates: Path) -> None:
    params = {"port": 80, "list": [1, 2]}
    assert puppet.render(templates / "m.erb", params, facts={}, ruby="system") == "port 80 [2, 4]\n"
    with pytest.raises(puppet.EvaluationError, match=r"fails\.erb"):
        puppet.render(templates / "fails.erb", facts={}, ruby="system")


def test_erb_needs_ruby(templates: Path) -> None:
    with pytest.raises(puppet.EvaluationError, match=r"m\.erb"):
        puppet.render(templates / "m.erb", facts={}, ruby="off")


@pytest.mark.parametrize(
    ("template", "params", "message"),
    [
        (None, None, "a template is a string"),
        ("<%= $a %>", {"a": {1, 2}}, "Puppet has no value for"),
        ("<%= $a %>", {1: 2}, "the name of a parameter is a string, not 1"),
    ],
)
def test_arguments_of_templates_are_checked(template: Any, params: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        puppet.render(template, params, facts={})


@pytest.mark.parametrize("kind", [dict, OrderedDict, MappingProxyType])
def test_facts_and_parameters_are_any_mapping(kind: Any) -> None:
    data = kind({"a": kind({"b": (1, [kind({"c": 2.5})])})})
    assert puppet.evaluate("$facts['a']['b']", facts=data) == [1, [{"c": 2.5}]]
    assert puppet.render("<%= $a['b'][0] %>", data, facts={}) == "1"


def test_time_is_limited() -> None:
    for work in (
        lambda: puppet.evaluate("Integer[1, 100000000].each |$x| { }", facts={}, max_seconds=0.2),
        lambda: puppet.render(
            "<% Integer[1, 100000000].each |$x| { } %>", facts={}, max_seconds=0.2
        ),
    ):
        with pytest.raises(puppet.EvaluationError) as caught:
            work()
        assert caught.value.code == "NO_TIME"
