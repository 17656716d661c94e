"""Values that tests pass to classes, defined types, functions and data types."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

import puppet_repl as puppet_api
from puppet_repl.integrations.pytest.fixture import Puppet
from puppet_repl.integrations.pytest.suite import Suite
from tests.integrations.pytest.values import RECORDED, VALUES, WEB

CATALOGS = {
    case["id"]: case["resources"]
    for case in map(json.loads, RECORDED.read_text(encoding="utf-8").splitlines())
}
PRE = f"{WEB} define line($value) {{ notify {{ 'a': message => $value }} }}"


@pytest.fixture(scope="module")
def puppet(tmp_path_factory: pytest.TempPathFactory) -> Puppet:
    return Puppet(Suite(str(tmp_path_factory.mktemp("none")), facts="debian-12"), {}, pre=PRE)


def said(resource: dict[str, Any]) -> dict[str, Any]:
    return {
        "parameters": resource.get("parameters", {}),
        "sensitive": resource.get("sensitive_parameters", []),
    }


@pytest.mark.parametrize("name", VALUES)
def test_a_catalog_is_that_of_the_literal(puppet: Puppet, name: str) -> None:
    literal, value = VALUES[name]
    recorded = {f"{each['type']}[{each['title']}]": said(each) for each in CATALOGS[name]}
    catalog = puppet.declare("web", value=value)
    for ref in ("Class[Web]", "Notify[a]"):
        assert said(catalog[ref].to_dict()) == recorded[ref]
    assert (
        said(puppet.declare("line", "x", value=value)["Notify[a]"].to_dict())
        == (recorded["Notify[a]"])
    )
    assert str(puppet.call("type", value)) == str(puppet.evaluate(f"type({literal})"))
    assert puppet.accepts(str(puppet.evaluate(f"type({literal})")), value)


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan], ids=str)
def test_numbers_without_a_literal(puppet: Puppet, value: float) -> None:
    assert puppet.accepts("Float", value) and puppet.accepts("Array[Float]", [value])
    assert str(puppet.call("String", value)) == str(puppet.evaluate("String($x)", {"x": value}))
    assert repr(puppet.call("unique", [value])) == repr([value])
    with pytest.raises(puppet.CompileError, match=r"(-?Infinity|NaN) not allowed in JSON"):
        puppet.declare("web", value=value)


@pytest.mark.parametrize(
    ("value", "kind", "told"),
    [
        (10**20, OverflowError, "64 bits, which is too few for 100000000000000000000"),
        ([{"a": -(2**63) - 1}], OverflowError, "too few for -9223372036854775809"),
        ({1}, TypeError, r"Puppet has no value for \{1\}, a set"),
        (re.compile(rb"a"), TypeError, "Puppet has no value for re.compile"),
        (re.compile(r"(a)(?(1)b|c)"), TypeError, r"Ruby has no '\(\?\('"),
    ],
)
def test_what_is_no_value_is_refused_before_anything_runs(
    puppet: Puppet, value: object, kind: type[Exception], told: str
) -> None:
    never = puppet.on(pre=f"{PRE} fail('it ran')")
    for use in (
        lambda: never.declare("web", value=value),
        lambda: never.declare("line", "x", value=[value]),
        lambda: never.call("type", value),
        lambda: never.accepts("Any", value),
    ):
        with pytest.raises(kind, match=told):
            use()


def test_names_of_the_test_are_its_own(puppet: Puppet) -> None:
    own = puppet.on(pre="$x = 'mine' function f($given) { \"${given} ${x}\" }")
    assert own.call("f", "a") == "a mine"
    assert own.accepts("String", "a")
    assert own.on(pre="").call("sprintf", "%s-%d", "a", 3) == "a-3"


def test_no_variable_has_what_a_test_passes(puppet: Puppet) -> None:
    seen: list[Any] = []
    spy = puppet.on(functions={"spy": seen.append}, strict="off", strict_variables=False)
    spy.on(pre=f"{PRE} spy([$_given_0, $given, $value])").declare("web", value="secret")
    assert spy.on(pre="").call("with", "secret", block="|$x| { spy($_given_0) $x }") == "secret"
    assert seen == [[None, None, None], None]


def test_variables_of_the_node_reach_every_method(puppet: Puppet) -> None:
    pre = 'define m($v) { notify { "${v} ${::z}": } }'
    on = puppet.on(variables={"z": 4}, pre=pre)
    assert on.evaluate("$z") == 4 and on.evaluate("[$z, $y]", {"y": 5}) == [4, 5]
    assert on.evaluate("$z", {"z": 5}) == 5 and on.on(variables={"y": 1}).evaluate("$z + $y") == 5
    assert on.render("<%= $z %> <%= $p %>", p="x") == "4 x"
    assert "Notify[a 4]" in on.declare("m", "t", v="a")
    assert "Notify[4 6]" in on.compile('notify { "${z} ${y}": }', variables={"y": 6})
    assert on.call("with", 1, block="|$x| { $x + $z }") == 5
    assert on.accepts("Integer[$z]", 4) and not on.accepts("Integer[$z]", 3)
    other = puppet.compile("@@notify { 'far': }", node="far")
    exported = puppet.on(exports=[other])
    assert exported.evaluate("1") == 1 and exported.render("x") == "x"
    assert "Notify[far]" in exported.compile("Notify <<| |>>")


@pytest.mark.parametrize("kind", ["list", "dict"])
def test_a_value_that_contains_itself(puppet: Puppet, kind: str) -> None:
    inner: list[Any] = []
    inner.append(inner)
    value = inner if kind == "list" else {"a": [1, inner]}
    told = f"Puppet has no value for a {kind} that contains itself"
    with pytest.raises(ValueError, match=told):
        puppet.evaluate("1", {"x": value})
    with pytest.raises(ValueError, match=told):
        puppet.declare("web", value=value)
    twice = [1]
    assert puppet.evaluate("$x", {"x": [twice, twice]}) == [[1], [1]]


def test_errors_point_at_the_parameter(puppet: Puppet) -> None:
    with pytest.raises(puppet.CompileError, match="has no parameter named 'valve'") as caught:
        puppet.declare("web", value=1, valve=2)
    assert any("valve =>" in note for note in caught.value.__notes__)


def test_catalogs_of_different_values_are_different(puppet: Puppet) -> None:
    values: list[Any] = [{1: "a"}, {"1": "a"}, 1, 1.0, True, "1", [1], Path("1"), None]
    found = [puppet.declare("web", value=value)["Class[Web]"].to_dict() for value in values]
    assert [each.get("parameters") for each in found] == [
        {"value": {"__ptype": "Hash", "__pvalue": [1, "a"]}},
        {"value": {"1": "a"}},
        {"value": 1},
        {"value": 1.0},
        {"value": True},
        {"value": "1"},
        {"value": [1]},
        {"value": "1"},
        None,
    ]
    again = puppet.declare("web", value={"1": "a"})
    assert again is puppet.declare("web", value={"1": "a"})


@pytest.mark.parametrize(
    ("pattern", "source"),
    [
        ("^a$", r"\Aa\Z"),
        (r"(?m)^a$", "^a$"),
        (r"(?i)a\Z", r"(?i:a\z)"),
        (r"(?s)a.b", "(?m:a.b)"),
        (r"(?x) a # x", "(?x: a # x\n)"),
        (r"(?P<x>a)(?P=x)", r"(?<x>a)\k<x>"),
        (r"[a[&b^$]", r"[a\[\&b^$]"),
        (r"[^]a\]]", r"[^\]a\]]"),
        (r"\xe9[\xe9]", r"\u00e9[\u00e9]"),
        (r"(?:a|(?i:b))(?=c)(?<!d)\$\^", r"(?:a|(?i:b))(?=c)(?<!d)\$\^"),
    ],
)
def test_patterns(pattern: str, source: str) -> None:
    made = puppet_api.from_python(re.compile(pattern))
    assert made.pattern == source
    for text in ("a", "A", "b\na", "a\n", "é", "aa", "a.b", "a\nb", "[", "&", "]", "^", "bc", "$^"):
        assert made.matches(text) == bool(re.search(pattern, text)), text


@pytest.mark.parametrize(
    "pattern",
    [r"(?P<a>x)(y)", r"(?s:a)", r"a{1,2}+", r"\N{DIGIT ONE}", r"[\U0001F600]", r"(?a:\w)"],
)
def test_patterns_that_ruby_has_no_words_for(pattern: str) -> None:
    with pytest.raises(TypeError, match=r"Puppet has no value for re\.compile"):
        puppet_api.from_python(re.compile(pattern))


@pytest.mark.parametrize("name", ["", "A", "a-b", "a::b", 1])
def test_names_that_are_no_variables(name: Any) -> None:
    with pytest.raises(ValueError, match="no variable can have the name"):
        puppet_api.evaluate("1", facts={}, variables={name: 1})


def test_reserved_variables() -> None:
    with pytest.raises(puppet_api.PuppetError, match="reserved variable name"):
        puppet_api.compile("notice(1)", facts={}, variables={"facts": 1})
    found = puppet_api.compile("notify { $x: }", facts={}, variables={"x": "a"})
    assert "Notify[a]" in found


SECRET = {"a": ["Secret"]}


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (puppet_api.Sensitive(SECRET), ""),
        (puppet_api.Sensitive(lambda found: found["a"] == ["Secret"]), ""),
        (lambda found: found.value["a"] == ["Secret"], ""),
        (puppet_api.Sensitive({"a": ["secret"]}), "the Sensitive has another value"),
        (puppet_api.Sensitive(lambda found: False), "the Sensitive has another value"),
        (puppet_api.Sensitive(re.compile("Secret")), "the Sensitive has another value"),
        (SECRET, r"it is Sensitive, so expect puppet_repl\.Sensitive\(\.\.\.\) around the value"),
        (re.compile("."), "it is Sensitive, so expect"),
        ("Sensitive [value redacted]", "it is Sensitive, so expect"),
        (
            lambda found: found == "a",
            "expected what <lambda> accepts, which is given the Sensitive",
        ),
        (None, r"expected not to be set, but it is Sensitive \[value redacted\]"),
    ],
)
def test_secrets_that_are_expected(puppet: Puppet, wanted: Any, told: str) -> None:
    """As in rspec-puppet 5.0: no plain value equals a Sensitive, ``sensitive(...)`` does."""
    catalog = puppet.declare("web", value=puppet_api.Sensitive(SECRET))
    for check in (catalog.assert_contains, catalog.assert_contains_only):
        if not told:
            check("Notify", "a", message=wanted)
            continue
        with pytest.raises(AssertionError, match=f"\n  message: {told}") as caught:
            check("Notify", "a", message=wanted)
        assert "Secret'" not in str(caught.value)


def test_a_secret_that_is_a_text(puppet: Puppet) -> None:
    catalog = puppet.declare("web", value=puppet_api.Sensitive("two\nlines"))
    pattern = puppet_api.Sensitive(re.compile("^lines", re.M))
    assert catalog.assert_contains("Notify", "a", message=pattern).title == "a"
    for wanted in (re.compile("lines"), "two\nlines"):
        with pytest.raises(AssertionError, match="message: it is Sensitive") as caught:
            catalog.assert_contains("Notify", "a", message=wanted)
        assert "lines" not in str(caught.value)


def test_a_secret_that_is_none(puppet: Puppet) -> None:
    told = r"message: expected Sensitive \[value redacted\], but it is 'x'"
    with pytest.raises(AssertionError, match=told):
        puppet.declare("web", value="x").assert_contains(
            "Notify", "a", message=puppet_api.Sensitive("x")
        )
