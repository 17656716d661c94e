"""Attributes in data that code declares resources with: unknown names, values of other types.

Puppet 8.11 refuses each of them when the class is evaluated: "Shop::Site[one]: has no parameter
named 'prot'", and the same text for a type.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl import validate
from tests.conformance.judge import write_files

CONFIG = "version: 5\nhierarchy:\n  - name: c\n    path: c.yaml\n"
SITE = "define shop::site (Integer $port = 1, Optional[Enum['on', 'off']] $tls = undef) { }"
CREATE = "create_resources('shop::site', $sites)"
WRONG = "one: {prot: 80}"
UNKNOWN = (
    "unknown_parameter 2:9 the defined type shop::site has no parameter prot; did you mean port?"
)


def found_in(directory: Path, code: str, data: str, options: str = "") -> list[str]:
    """Return what is wrong with values below the key of a class with some code."""
    text = f"shop::sites:\n  {data}\n{options}"
    files = {
        "environment.conf": "",
        "hiera.yaml": CONFIG,
        "data/c.yaml": text,
        "modules/shop/manifests/init.pp": (
            f"class shop (Hash $sites = {{}}, $manage = true) {{ {code} }}"
        ),
        "modules/shop/manifests/site.pp": SITE,
        "modules/shop/manifests/other.pp": "define shop::other (String $prot) { }",
    }
    write_files(directory, files)
    found = validate(directory / "data", advice=True)
    return [f"{each.code} {each.line}:{each.column} {each.message}" for each in found]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (WRONG, [UNKNOWN]),
        ("one: {prot: ~}", [UNKNOWN]),
        (
            "one: {port: '80'}",
            [
                "parameter_type 2:15 Shop::Site[one]: parameter 'port' expects an Integer value, "
                "got String"
            ],
        ),
        (
            "one: {tls: 1}",
            [
                "parameter_type 2:14 Shop::Site[one]: parameter 'tls' expects an undef value or a "
                "match for Enum['off', 'on'], got Integer"
            ],
        ),
        (
            "a b: {title: x}",
            ["unknown_parameter 2:9 the defined type shop::site has no parameter title"],
        ),
        ("one: {port: 80, tls: 'on', require: x, tag: y, name: n}", []),
        (
            "one: {port: '%{x}', tls: '%{lookup(\"x\")}', '%{y}': 1, '--port': 1}",
            [
                "parameter_type 2:15 Shop::Site[one]: parameter 'port' expects an Integer value, "
                "got String"
            ],
        ),
        ("one: {port: \"%{alias('x')}\"}", []),
        ("one: \"%{alias('x')}\"", []),
        ("one: ~", []),
        ("one: {tls: ~}", []),
    ],
)
def test_attributes_below_titles(data: str, expected: list[str], tmp_path: Path) -> None:
    assert found_in(tmp_path, CREATE, data) == expected


@pytest.mark.parametrize(
    "code",
    [
        "create_resources(shop::site, $shop::sites, { port => 2 })",
        "ensure_resources('::shop::site', $sites)",
        "create_resources('shop::site', $sites + { x => { port => 1 } })",
        "$sites.each |$name, $given| { shop::site { $name: * => $given } }",
        "each($sites) |$name, $given| { notice(1) shop::site { $name: tls => on, * => $given } }",
        "if $manage { create_resources('shop::site', $sites) }",
        "if $sites { create_resources('shop::site', $sites) }",
        "notice($sites) create_resources('shop::site', $sites)",
    ],
)
def test_code_that_declares_them(code: str, tmp_path: Path) -> None:
    assert found_in(tmp_path, code, WRONG) == [UNKNOWN]


@pytest.mark.parametrize(
    "code",
    [
        "if $manage { create_resources('shop::site', $sites) } else { notice($sites) }",
        "create_resources('shop::site', $sites) create_resources('shop::other', $sites)",
        "create_resources($manage, $sites)",
        "create_resources('@shop::site', $sites)",
        "create_resources('shop::nothing', $sites)",
        "create_resources('class', $sites)",
        "create_resources('shop::site', $sites.filter |$n, $g| { $g['port'] })",
        "if $manage { return() } create_resources('shop::site', $sites) notice($sites)",
        "$sites.each |$name, $given| { if $name { shop::site { $name: * => $given } } }",
        "$sites.each |$n, $g| { shop::site { $n: * => $g, port => $g['prot'] } }",
        "$sites.each |$n, $g| { shop::site { $n: * => $g - ['prot'] } }",
        "$sites.each |$n, $g| { @shop::site { $n: * => $g } }",
        "$manage.each |$sites| { create_resources('shop::site', $sites) }",
        "class inner { create_resources('shop::site', $sites) }",
        "notice($sites)",
    ],
)
def test_nothing_is_reported_that_is_not_certain(code: str, tmp_path: Path) -> None:
    assert found_in(tmp_path, code, WRONG) == []


def test_values_that_another_hash_may_replace_have_any_type(tmp_path: Path) -> None:
    data = "one: {port: '80'}"
    joined = "$sites.each |$n, $g| { shop::site { $n: * => $g + { port => 1 } } }"
    assert found_in(tmp_path, joined, data) == []
    assert len(found_in(tmp_path, CREATE, data)) == 1
    options = "lookup_options:\n  shop::sites: {convert_to: Hash}\n"
    assert found_in(tmp_path, CREATE, data, options) == []
    assert found_in(tmp_path, CREATE, WRONG, options) == [UNKNOWN]


def test_attributes_of_one_resource_and_of_types_in_ruby(tmp_path: Path) -> None:
    code = "user { 'u': * => $sites }"
    (found,) = found_in(tmp_path, code, "sheell: x")
    assert found == (
        "unknown_parameter 2:3 the type user has no parameter sheell; did you mean shell?"
    )
    assert found_in(tmp_path, code, "shell: x") == []
    code = "create_resources('host', $sites)"
    type_of_module = tmp_path / "modules/hosts/lib/puppet/type/host.rb"
    type_of_module.parent.mkdir(parents=True)
    type_of_module.write_text("Puppet::Type.newtype(:host) do\n  newparam(:ip)\nend\n")
    assert [each[:21] for each in found_in(tmp_path, code, WRONG)] == ["unknown_parameter 2:9"]
    type_of_module.write_text("Puppet::Type.newtype(:host) do\n  include Mine\nend\n")
    assert found_in(tmp_path, code, WRONG) == []
