"""Resources as Puppet code, which declares the same resources again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from puppet_repl.catalog.puppet_code import code_of, reference, referred_to
from puppet_repl.catalog.resource import Resource
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.inspection.names import document
from tests.catalog.conftest import Catalogs


def declared(catalogs: Catalogs) -> list[Resource]:
    members = catalogs.session.catalog.tables.members
    return [resource for resource in members if resource.type not in ("Class", "Stage")]


def shown(catalogs: Catalogs) -> dict[str, dict[str, Any]]:
    return {name: data for name, data in catalogs.shown().items() if not name.startswith("Class")}


@pytest.mark.parametrize(
    "code",
    [
        "notify { 'a': }",
        "file { '/x': ensure => file, content => \"it's\\n\", mode => '0644' }",
        "notify { 'a': message => [1, 2.5, true, {'k' => ['v']}] }",
        "notify { 'a': } notify { 'b': require => Notify['a'], tag => ['x', 'y'] }",
        "notify { ['a', 'b', 'c']: } Notify['a'] -> [Notify['b'], Notify['c']]",
        "notify { 'a': message => default } notify { 'b': message => /a\\/b/ }",
        "notify { 'quote\\'s $x': }",
    ],
)
def test_code_declares_the_same_again(make: Callable[..., Catalogs], code: str) -> None:
    first, second = make(), make()
    first.run(code)
    second.run("\n".join(code_of(resource) for resource in declared(first)))
    assert shown(second) == shown(first)


@pytest.mark.parametrize(("sign", "is_exported"), [("@", False), ("@@", True)])
def test_virtual_resources_stay_virtual(
    make: Callable[..., Catalogs], sign: str, is_exported: bool
) -> None:
    first, second = make(), make()
    first.run(f"{sign}notify {{ 'a': }}")
    (resource,) = declared(first)
    second.run(code_of(resource))
    (again,) = declared(second)
    assert (again.virtual, again.exported) == (True, is_exported)


@pytest.mark.parametrize(
    ("value", "references"),
    [
        ("Notify['a']", ["Notify['a']"]),
        ("[Notify['b'], Notify['none'], Notify['a']]", ["Notify['b']", "Notify['a']"]),
        ("[Notify['a'], 1]", []),
        ("Notify", []),
        ("'Notify[a]'", []),
    ],
)
def test_referred_to(catalogs: Catalogs, value: str, references: list[str]) -> None:
    catalogs.run("class c { notify { ['a', 'b']: } } include c")
    outcome = catalogs.run(value)
    members = catalogs.session.catalog.tables.members
    assert [reference(resource) for resource in referred_to(outcome.value, members)] == references


def test_classes_are_written_as_programs_name_them(make: Callable[..., Catalogs]) -> None:
    catalogs = make()
    catalogs.run(
        "class a::b { } include a::b\n"
        "notify { 'n': require => Class['a::b'], before => [Class['A::B'], File['/X']] }\n"
        "file { '/X': }"
    )
    notify = next(one for one in declared(catalogs) if one.title == "n")
    assert "require => Class['a::b']," in code_of(notify)
    assert "before  => [Class['a::b'], File['/X']]," in code_of(notify)
    documentation = document(SessionSymbols(catalogs.session), "Notify['n']")
    assert documentation is not None
    assert [(each.label, each.text) for each in documentation.details] == [
        ("require", "Class['a::b']"),
        ("before", "[Class['a::b'], File['/X']]"),
    ]


@pytest.mark.parametrize(
    "value",
    [
        "1.0e16",
        "-1.5e300",
        "[1.0e16, {'a 1e+5' => 2.0e20}, \"it's 1e+5\\n\"]",
        "Float[1.0e16, 1.0e17]",
        "Pattern[/'1e+5/, /1e+5\\/2e+2/]",
    ],
)
def test_large_floats_are_numbers_of_the_language(catalogs: Catalogs, value: str) -> None:
    # Puppet's %p writes 1.0e+16, which is a syntax error in Puppet as here.
    outcome = catalogs.run(f"$v = {value} notify {{ 'n': message => $v }} $v")
    code = code_of(declared(catalogs)[0])
    assert f"message => {value}," in code
    assert catalogs.session.describe(outcome.value)["value"] == value
