"""Code shows which keys of data have attributes of resources, and where they are in the value."""

from __future__ import annotations

import pytest

from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.data_uses import attributes_in_data
from puppet_repl.tools.editing.resource_data import resource_data


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("create_resources('web::site', $sites)", ["shop::sites web::site 2"]),
        ("create_resources(web::site, $shop::sites, $more)", ["shop::sites web::site 2"]),
        ("create_resources('user', $x, $sites)", ["shop::sites user 1"]),
        ("ensure_resources('user', lookup('users', Hash, 'hash', {}))", ["users user 2"]),
        ("$x = hiera('users', {}) create_resources('user', $x)", ["users user 2"]),
        (
            "create_resources('::user', $sites + lookup('users'))",
            ["shop::sites user 2", "users user 2"],
        ),
        ("create_resources('user', merge({}, pick($sites, {})))", ["shop::sites user 2"]),
        ("$sites.each |$n, $s| { user { $n: * => $s } }", ["shop::sites user 2"]),
        (
            "each($sites) |$n, $s| { if $s { user { $n: uid => 1, * => $s + { gid => 1 } } } }",
            ["shop::sites user 2"],
        ),
        ("user { 'x': * => $sites }", ["shop::sites user 1"]),
        ("user { default: * => $sites; 'x': }", ["shop::sites user 1"]),
        # Nothing says which resources these have.
        ("create_resources($sites, $sites) create_resources('user')", []),
        ("$sites.each |$s| { user { $s: } } class { 'web': * => $sites }", []),
        ("$sites.map |$n, $s| { user { $n: * => $s } }", []),
        ("create_resources('user', $facts, $nowhere)", []),
    ],
)
def test_the_keys_of_a_class(body: str, expected: list[str]) -> None:
    program = parse(Source(f"class shop($sites = {{}}) {{ {body} }}"))
    found = {f"{each.key} {each.type_name} {each.depth}" for each in resource_data(program)}
    assert sorted(found) == sorted(expected)


def test_other_code_has_the_keys_that_it_looks_up() -> None:
    text = "create_resources(user, lookup('x')) define a($b) { create_resources(user, $b) }"
    assert [each.key for each in resource_data(parse(Source(text)))] == ["x"]


DATA = """\
shop::sites:
  one:
    port: 80
    'root': {a: b}
  two: {port: 81}
  three:
other: {port: 82}
"""


@pytest.mark.parametrize(
    ("key", "depth", "expected"),
    [
        ("shop::sites", 2, ["port", "root", "port"]),
        ("other", 1, ["port"]),
        ("other", 2, []),
        ("none", 1, []),
    ],
)
def test_attributes_in_data(key: str, depth: int, expected: list[str]) -> None:
    found = [*attributes_in_data(Source(DATA, "a.yaml"), key, "web::site", depth)]
    assert [each.name for each in found] == [f"web::site::{name}" for name in expected]
    assert [DATA[each.start : each.end] for each in found] == expected
    assert [*attributes_in_data(Source("a: [", "a.yaml"), "a", "b", 1)] == []
