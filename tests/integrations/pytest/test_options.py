"""What a session takes, in the marker, in ``on`` and ``compile``; data and functions of tests."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

import puppet_repl as puppet_api
from puppet_repl.environment.hiera.explain_text import explain_text
from puppet_repl.integrations.pytest.fixture import Puppet
from puppet_repl.integrations.pytest.suite import Suite
from tests.integrations.pytest.test_plugin import METADATA, module, run

__all__ = ["module"]
pytest_plugins = ["pytester"]

FILES = {
    "shop/metadata.json": json.dumps({**METADATA, "name": "me-shop"}),
    "shop/manifests/init.pp": """
class shop(Integer $port, Hash $limits = {}, $secret = '') {
  notify { 'a': message => "${port} ${limits} ${shop::secret('x')} ${shop::own(1)}" }
  notify { 'b': message => $secret }
}""",
    "shop/functions/own.pp": "function shop::own($x) { 'in Puppet' }",
    "shop/lib/puppet/functions/shop/secret.rb": "raise 'no Ruby runs here'",
    "shop/lib/puppet/parser/functions/older.rb": "raise 'no Ruby runs here'",
    "shop/hiera.yaml": "version: 5\nhierarchy: [{name: common, path: common.yaml}]\n",
    "shop/data/common.yaml": "shop::port: 1\nshop::limits: {a: 1, b: 1}\n",
    "hiera.yaml": "version: 5\nhierarchy: [{name: common, path: global.yaml}]\n",
    "data/global.yaml": "shop::port: 2\nglobal: yes\nshop::limits: {a: 2, g: 2}\n",
    "production/environment.conf": "modulepath = $basemodulepath\n",
    "production/hiera.yaml": "version: 5\nhierarchy: [{name: common, path: common.yaml}]\n",
    "production/data/common.yaml": "shop::port: 3\nlayer: environment\n",
}
DOUBLES = {"shop::secret": lambda name: f"secret {name}"}


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("places")
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.fixture
def puppet(places: Path) -> Puppet:
    suite = Suite(os.fspath(places / "shop"), facts="debian-12", options={"ruby": "off"})
    return Puppet(suite, {"role": "web"}, {"functions": DOUBLES})


def message(catalog: puppet_api.Catalog) -> str:
    text: str = catalog["Notify[a]"]["message"]
    return text


# Data


def test_data_of_a_test_come_before_all_layers(puppet: Puppet, places: Path) -> None:
    assert message(puppet.compile()).startswith("1 ")
    layered = puppet.on(hiera=places / "hiera.yaml", environment=places / "production")
    assert message(layered.compile()).startswith("2 ")
    assert message(layered.compile(hiera={"shop::port": 80})).startswith("80 {a => 2, g => 2} ")
    assert layered.on(hiera={"x": 1}).evaluate("[lookup('layer'), lookup('x')]") == [
        "environment",
        1,
    ]


def test_later_data_come_first(puppet: Puppet) -> None:
    one = puppet.on(hiera={"shop::port": 80, "k": {"a": 1, "b": 1}})
    two = one.on(hiera={"shop::port": 81, "k": {"a": 2}})
    assert message(one.compile()).startswith("80") and message(two.compile()).startswith("81")
    assert two.evaluate("lookup('k', merge => hash)") == {"a": 2, "b": 1}
    assert message(two.compile(hiera=[{"shop::port": 82}, {"shop::port": 83}])).startswith("83")
    assert message(one.compile()).startswith("80")


def test_data_are_like_those_of_files(puppet: Puppet) -> None:
    data = {
        "shop::limits": {"b": 2, "c": "%{facts.role} %{lookup('dotted.key')}"},
        "dotted": {"key": [1]},
        "lookup_options": {
            "shop::limits": {"merge": "hash"},
            "^shop::sec": {"convert_to": "Sensitive"},
        },
        "shop::secret": "s",
    }
    catalog = puppet.compile(hiera=data)
    assert message(catalog).startswith("1 {a => 1, b => 2, c => web [1]} ")
    assert catalog["Notify[b]"]["message"] == puppet_api.Sensitive("s")
    on = puppet.on(hiera={"a": None, "s": puppet_api.Sensitive("s"), "loop": "%{lookup('loop')}"})
    assert on.evaluate("lookup('a', default_value => 1)") is None
    assert on.evaluate("lookup('s').unwrap") == "s"
    with pytest.raises(puppet.EvaluationError, match=r"Recursive lookup detected in \[loop\]"):
        on.evaluate("lookup('loop')")
    with pytest.raises(puppet.EvaluationError, match="lookup_options must be a hash"):
        puppet.on(hiera={"lookup_options": 1}).evaluate("lookup('a')")


def test_data_of_a_session_are_explained_and_completed() -> None:
    options = puppet_api.Options(data=[{"key": "old"}, {"key": "%{x}"}], strict_variables=False)
    session = puppet_api.Session(options, facts={"x": "new"})
    outcome, explanation = session.explain("key", merge="unique")
    assert outcome.value == ("new", "old")
    assert [(each.layer, each.level) for each in explanation.places()] == [
        ("given", "given 2"),
        ("given", "given 1"),
    ]
    assert 'Hierarchy entry "given 2"' in explain_text(explanation)
    assert session.data_keys.values()["key"] == "%{x}"


@pytest.mark.parametrize(
    ("hiera", "told"),
    [
        ({1: 2}, "hiera: data are values by key"),
        (3, "hiera is a path, not 3"),
        ({"a": {1, 2}}, "Puppet has no value for"),
        ([{"a": 1}, 2], "hiera is a path, not 2"),
    ],
)
def test_what_is_no_data(hiera: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        puppet_api.evaluate("1", facts={}, hiera=hiera)


# Functions


def test_functions_of_python_replace_those_of_modules(puppet: Puppet) -> None:
    assert message(puppet.compile()).endswith("secret x in Puppet")
    both = puppet.on(functions={"::shop::own": lambda number: [number, number + 1]})
    assert message(both.compile()).endswith("secret x [1, 2]")
    assert message(puppet.compile()).endswith("secret x in Puppet")
    older = puppet.on(functions={"older": lambda *given: len(given)})
    assert older.evaluate("[older(1, 2), 1.older, call('older')]") == [2, 1, 0]
    assert older.on(pre="function older() { 'hidden' }").evaluate("older()") == 0
    with pytest.raises(puppet.EvaluationError, match="The function 'older' is in Ruby"):
        puppet.evaluate("older(1)")
    builtin = {"upcase": lambda text: "mine"}
    assert puppet_api.evaluate("[upcase('a'), 'a'.upcase]", facts={}, functions=builtin) == [
        "mine",
        "mine",
    ]
    assert puppet_api.evaluate("upcase('a')", facts={}) == "A"


def test_arguments_and_results_are_those_of_python(puppet: Puppet) -> None:
    seen: list[Any] = []

    def note(*given: Any, block: Any = None) -> Any:
        seen.extend(given)
        return {"found": (None, 1.5, b"x"), "block": None if block is None else block(20)}

    on = puppet.on(functions={"note": note})
    code = "note([1, { 'a' => undef }], Timespan(60), Sensitive('s')) |$x| { [$x + 1] }"
    assert on.evaluate(code) == {"found": [None, 1.5, b"x"], "block": [21]}
    assert seen[0] == [1, {"a": None}] and seen[1].total_seconds() == 60
    assert seen[2] == puppet_api.Sensitive("s")
    assert on.evaluate("note()")["block"] is None


@pytest.mark.parametrize(
    ("error", "told"), [(ValueError("no such key"), "no such key"), (KeyError(), "KeyError")]
)
def test_what_they_raise_is_an_error_of_the_call(
    puppet: Puppet, error: Exception, told: str
) -> None:
    def fails(name: str) -> None:
        raise error

    with pytest.raises(puppet.CompileError) as caught:
        puppet.compile(functions={"shop::secret": fails})
    assert caught.value.message.endswith(told)
    assert caught.value.file.endswith("init.pp") and caught.value.line == 3
    with pytest.raises(puppet.EvaluationError, match="Puppet has no value for"):
        puppet.on(functions={"f": lambda: {1}}).evaluate("f()")
    with pytest.raises(puppet.EvaluationError, match="takes 0 positional arguments but 1"):
        puppet.on(functions={"f": lambda: 1}).evaluate("f(1)")


def test_control_signals_pass_through_them(puppet: Puppet) -> None:
    """Recorded from Puppet 8.11, with a function in Ruby that yields."""
    on = puppet.on(functions={"f": lambda x, block: f"f {block(x)}"})
    outer = "function outer() { $y = f(1) |$x| { return(7) } 8 } outer()"
    assert on.evaluate(outer) == 7
    assert on.evaluate("[1, 2].map |$i| { f($i) |$x| { break() } }") == []
    assert on.evaluate("f(1) |$x| { next(3) }") == "f 3"
    for name in ("return", "break"):
        told = rf"{name}\(\) from context where this is illegal"
        with pytest.raises(puppet.EvaluationError, match=told):
            on.evaluate(f"f(1) |$x| {{ {name}() }}")


def test_a_skip_inside_of_a_function_is_one(puppet: Puppet) -> None:
    def skips() -> None:
        pytest.skip("not here")

    with pytest.raises(pytest.skip.Exception):
        puppet.on(functions={"f": skips}).evaluate("f()")


@pytest.mark.parametrize(
    ("functions", "told"),
    [
        ({"a": 1}, "functions: 'a' is not a callable of Python, but 1"),
        ({1: len}, "functions are callables by the names of functions"),
        ([len], "functions are callables by the names of functions"),
    ],
)
def test_what_is_no_function(functions: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        puppet_api.evaluate("1", facts={}, functions=functions)


@pytest.mark.parametrize("name", ["Hello", "not a name", "", "_f", "a::", "a::B", "a-b", "f\n"])
def test_names_that_no_function_has(name: str) -> None:
    told = re.escape(f"functions: no function can have the name {name!r}")
    with pytest.raises(ValueError, match=told):
        puppet_api.evaluate("1", facts={}, functions={name: len})


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("shop::secert", "shop::secret"),
        ("shop::onw", "shop::own"),
        ("oldr", "older"),
        ("lokup", "lookup"),
        ("other::secret", None),  # of a module that is not here
        ("shop::quite_another", None),
        ("shop::secret", None),
        ("older", None),
        ("lookup", None),
    ],
)
def test_names_of_functions_that_are_misspelt(puppet: Puppet, name: str, near: str | None) -> None:
    """New names define functions, as in a pre_condition; valid code that calls none works."""
    on = puppet.on(functions={name: lambda *_: 1})
    assert on.evaluate("1") == 1
    assert not on.compile("notify { 'x': }").warnings
    with pytest.raises(puppet.CompileError, match="no way") as failed:
        on.compile("fail('no way')")
    told = f"functions: no call of the unknown function '{name}'; did you mean '{near}'?"
    assert failed.value.notes == (() if near is None else (told,))
    assert on.evaluate(f"{name}(1)") == 1
    with pytest.raises(puppet.EvaluationError, match="no way") as failed:
        on.evaluate(f"{name}(1); fail('no way')")
    assert not failed.value.notes


def test_one_hiera_yaml(puppet: Puppet, places: Path) -> None:
    config = places / "hiera.yaml"
    with pytest.raises(ValueError, match=r"hiera: one path of a hiera\.yaml, not 2"):
        puppet_api.evaluate("1", facts={}, hiera=["/x", {"a": 1}, "/y"])
    with pytest.raises(ValueError, match="not 2"):
        puppet.on(hiera=[config, "/y"]).evaluate("1")
    layered = puppet.on(hiera=[places / "shop/hiera.yaml", {"x": 1}]).on(hiera=config)
    assert layered.evaluate("[lookup('global'), lookup('x')]") == [True, 1]


# The marker


def test_all_options_in_the_marker(module: pytest.Pytester) -> None:
    (module.path / "control").mkdir()
    (module.path / "control/environment.conf").write_text("")
    result = run(
        module,
        """
from pathlib import Path

def double(text):
    return f"double {text}"

OPTIONS = dict(
    trusted={"pp_role": "web"}, hiera={"motd::text": "Data", "b": 1}, environment=Path("control"),
    functions={"motd::shout": double}, strict="warning", strict_variables=False,
    puppet_settings={"ca_server": "ca.lan"}, language="openvox-9", variables={"z": 4},
)
pytestmark = pytest.mark.puppet(**OPTIONS, facts={"site": "here"})
CODE = (
    "notify { [$trusted['extensions']['pp_role'], motd::shout('x'), $settings::ca_server, "
    "\\"${environment} ${none}\\", lookup('b', default_value => 'none')]: }"
)
TITLES = ["web", "double x", "ca.lan", "control ", "1"]

@pytest.mark.puppet(CODE + " include motd", hiera={"b": "1"}, node="a.b")
def test_marker(catalog, puppet):
    assert [each.title for each in catalog.resources("Notify")][:5] == TITLES
    assert catalog["Class[motd]"]["text"] == "Data" and catalog.name == "a.b"
    assert puppet.call("motd::shout", "y") == "double y"
    assert puppet.render("<%= $facts['site'] %> <%= lookup('b') %>") == "here 1"
    assert puppet.declare("motd")["Class[motd]"]["text"] == "Data"

@pytest.mark.puppet("notify { \\"${z} ${y}\\": }", variables={"y": 5})
def test_variables(catalog, puppet):
    assert "Notify[4 5]" in catalog and puppet.evaluate("$z + $y") == 9

@pytest.mark.puppet("notify { \\"${trusted['extensions']}\\": }", trusted={})
def test_the_nearest_marker_counts(catalog):
    assert "Notify[{}]" in catalog

def test_others(puppet):
    other = puppet.on({"role": "db"}, node="c.d", pre="$x = 1", trusted={"pp_role": "db"})
    role = "${trusted['extensions']['pp_role']}"
    found = other.compile(f"notify {{ \\"${{facts['role']}} ${{x}} {role}\\": }}")
    assert "Notify[db 1 db]" in found and found.name == "c.d"
    found = puppet.compile("notify { \\"${facts['role']} ${y}\\": }", node="e.f", pre="$y = 2",
        facts={"role": "mail"})
    assert "Notify[mail 2]" in found and found.name == "e.f"
    with pytest.raises(TypeError, match="hira"):
        puppet.compile(hira={})

@pytest.mark.puppet(hira={})
def test_misspelt(puppet): pass
""",
    )
    result.assert_outcomes(passed=4, errors=1)
    result.stdout.fnmatch_lines("*the marker puppet takes no argument 'hira'; did you mean hiera?*")
