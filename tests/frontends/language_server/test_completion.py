"""What is offered in a control repository, in code and in data: ¦ is the cursor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.language_server.client import Direct

FILES = {
    "environment.conf": "modulepath = modules\n",
    "hiera.yaml": (
        "version: 5\nhierarchy:\n"
        "  - {name: nodes, path: 'nodes/%{trusted.certname}.yaml'}\n"
        "  - {name: common, path: common.yaml}\n"
    ),
    "data/common.yaml": "shop::port: 8080\nsite_names: [a]\n",
    "data/nodes/db1.example.com.yaml": "shop::port: 99\n",
    "data/nodes/web1.example.com.yaml": "site_names: [b]\n",
    "modules/shop/manifests/init.pp": """\
class shop (
  Integer $workers = 80,
  Enum['on', 'off'] $mode = 'on',
  Shop::Level $level = 'low',
  Boolean $tls = true,
  Array[Variant[Shop::Level, Enum['it\\'s: b', 'a: b']]] $levels = [],
) {
  $where = 1
  file { '/etc/shop': ensure => directory }
}
""",
    "modules/shop/manifests/vhost.pp": (
        "define shop::vhost (Integer $port, String $docroot = '/srv', "
        "Optional[Enum['a b', \"it's\"]] $mode = undef) { }\n"
    ),
    "modules/shop/manifests/used.pp": "class shop::used { shop::vhost { 'one': port => 1 } }\n",
    "modules/shop/types/level.pp": "type Shop::Level = Enum['low', 'high', 'yes', '1']\n",
    "modules/shop/functions/levels.pp": "function shop::levels($options, $context) { {} }\n",
    "modules/shop/templates/x.epp": "<%- | Integer $port, String $host = 'a' | -%>\n",
    "modules/shop/lib/puppet/provider/package/stones.rb": "",
    "modules/shop/lib/puppet/provider/shop_user/stones.rb": "",
    "modules/shop/lib/puppet/type/shop_user.rb": (
        "Puppet::Type.newtype(:shop_user) do\n  newparam(:name, namevar: true)\nend\n"
    ),
    "manifests/site.pp": "node default { }\n",
}
SITE = "manifests/site.pp"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def at_cursor(root: Path, name: str, marked: str, method: str = "completion") -> Any:
    """Return the answer about the cursor of a text, which is opened as a file and not saved."""
    client = Direct()
    client.start(root)
    while client.server.has_work:  # the index
        client.server.work()
    before, _, after = marked.partition("¦")
    language = "puppet" if name.endswith("pp") else "yaml"
    document = client.open((root / name).as_uri(), before + after, language)
    line, character = before.count("\n"), len(before) - before.rfind("\n") - 1
    return client.at(method, document, line, character)


def offered(root: Path, name: str, marked: str) -> list[str]:
    """Return the labels of what is offered, best first."""
    return [each["label"] for each in at_cursor(root, name, marked)["items"]]


SHINE = "class shine (Integer $wattage) { $warm = 1 }\n"


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("notice($shop::w¦)", ["$shop::where", "$shop::workers"]),
        ('notice("a ${shop::w¦}")', ["shop::where", "shop::workers"]),
        ('notice("$shop::w¦ x")', ["$shop::where", "$shop::workers"]),
        ("notice($::shop::w¦)", ["$::shop::where", "$::shop::workers"]),
        (SHINE + "notice($shine::w¦)", ["$shine::warm", "$shine::wattage"]),
        (SHINE + "include sh¦", ["shop", "shine", "shop::used"]),
        (SHINE + "class b inherits sh¦ { }", ["shop", "shine", "shop::used"]),
        (SHINE + "require('sh¦')", ["shop", "shine", "shop::used"]),
        (SHINE + "contain(sh¦)", ["shop", "shine", "shop::used"]),
        (SHINE + "include(['shop', 'shi¦'])", ["shine"]),
        (SHINE + "include ['shi¦']", ["shine"]),
        (SHINE + "class { ['shi¦'] : }", ["shine"]),
        (SHINE + "class { ['shop', shi¦] : }", ["shine"]),
        (SHINE + "$a = Class['sh¦']", ["shop", "shine", "shop::used"]),
        (SHINE + "$a = Class['shop', 'shi¦']", ["shine"]),
        ("file { ['/z', '/a']: }\n$x = File['¦']", ["/z", "/a", "/etc/shop"]),
        ("$x = Shop::Vhost['¦']", ["one"]),
        ("$x = Shop::Vhost[¦]", ["one"]),
        ("$x = File['/a', '/e¦']", ["/etc/shop"]),
        ('$x = File["/e¦"]', ["/etc/shop"]),
        ("$x = epp('shop/x.epp', { '¦' => 1 })", ["port", "host"]),
        ("$x = epp('shop/x.epp', { 'port' => [1, 2], ¦ })", ["host"]),
        ("$x = epp('shop/x.epp', { port => 1, h¦ })", ["host"]),
        ("$x = epp('shop/none.epp', { '¦' => 1 })", []),
        ("$x = epp('../x.epp', { '¦' => 1 })", []),
        ("create_resources('shop::¦', {})", ["shop::vhost"]),
        ("create_resources(shop::¦, {})", ["shop::vhost"]),
        ("ensure_resource('shop::¦')", ["shop::vhost"]),
        ("ensure_resources('shop_¦', {})", ["shop_user"]),
        ("create_resources('shop::vhost', {}, { 'do¦' => 1 })", ["docroot"]),
        ("create_resources('shop::vhost', { 'a' => { port => 1, do¦ } })", ["docroot"]),
        ("ensure_resource('shop::vhost', 'a', { 'p¦' => 1 })", ["port"]),
        ("if defined('shop::¦') { }", ["shop::used", "shop::vhost"]),
        ("$x = lookup('¦')", ["shop::port", "site_names"]),
        ("$x = lookup(['shop::port', 'si¦'])", ["site_names"]),
        ("include('shop::¦')", ["shop::used"]),
        ("shop_user { 'a': provider => ¦ }", ["stones"]),
        ("shop_user { 'a': provider => '¦' }", ["stones"]),
        ("package { 'a': provider => ap¦ }", ["appdmg", "apple", "apt"]),
        ("package { 'a': provider => sto¦ }", ["stones"]),
        ("user { 'a': provider => 'user_¦' }", ["user_role_add"]),
        ("node '¦' { }", ["db1.example.com", "web1.example.com"]),
        ("node ¦ { }", ["db1.example.com", "web1.example.com"]),
        ("node 'db1.example.com' { }\nnode 'd1', '¦' { }", ["web1.example.com"]),
        ("class { 'shop': mode => '¦' }", ["on", "off"]),
        ("class { '::shop': mode => of¦ }", ["off"]),
        ("class { 'shop': level => ¦ }", ["low", "high", "yes", "1"]),
        ("class { 'shop': tls => ¦ }", ["true", "false"]),
        ("class { 'shop': tls => '¦' }", []),
        ("shop::vhost { 'a': mode => '¦' }", ["a b", "it's"]),
        ("file { '/z': }\nexec { 'a': require => Fi¦ }", ["File['/z']"]),
    ],
)
def test_in_code(root: Path, marked: str, expected: list[str]) -> None:
    found = offered(root, SITE, marked)
    assert found[: len(expected)] == expected
    assert expected or not found


@pytest.mark.parametrize(
    ("marked", "missing"),
    [
        ("create_resources('a', 'shop::¦')", "shop::vhost"),
        ("notice({ '¦' => 1 })", "port"),
        ("$x = epp('shop/x.epp', { 'a' => { '¦' => 1 } })", "port"),
        ("$x = epp('shop/x.epp', { 'port' => '¦' })", "host"),
        ("$x = lookup('a', String, '¦')", "site_names"),
        ("ensure_resource('file', 'shop::¦')", "shop::vhost"),
    ],
)
def test_elsewhere_they_are_not_offered(root: Path, marked: str, missing: str) -> None:
    assert missing not in offered(root, SITE, marked)


@pytest.mark.parametrize(
    ("marked", "inserted"),
    [
        ("$x = epp('shop/x.epp', { ¦ })", "'port' => ${0},"),
        ("$x = epp('shop/x.epp', { '¦' => 1 })", "port"),
        ("$x = epp('shop/x.epp', { ¦ => 1 })", "'port'"),
        ("$x = epp('shop/x.epp', { '¦' })", "port"),
        ("create_resources('shop::v¦')", "shop::vhost"),
        ("class { 'shop': mode => ¦ }", "'on'"),
        ("class { 'shop': mode => \"¦\" }", "on"),
        ("shop::vhost { 'a': mode => 'it¦' }", "it\\'s"),
        ("if $shop::level == '¦' { }", "low"),
        ("class c(Shop::Level $x) {\n  if $x == ¦\n}", "'low'"),
        ("class c(Shop::Level $x) {\n  case $x {\n    'low': { }\n    '¦'\n  }\n}", "high"),
        pytest.param(
            "class c(Boolean $x) {" + "\n  notice(1)" * 900 + "\n  $y = $x ? { ¦ }\n}",
            "true",
            id="far below the parameters",
        ),
    ],
)
def test_what_is_inserted(root: Path, marked: str, inserted: str) -> None:
    assert at_cursor(root, SITE, marked)["items"][0]["textEdit"]["newText"] == inserted


@pytest.mark.parametrize("marked", ["shop::vh¦", "class { 'sh¦", "notice($shop::mo¦", "inc¦"])
def test_no_text_to_filter_by_repeats_the_label(root: Path, marked: str) -> None:
    items = at_cursor(root, SITE, marked)["items"]
    assert items
    assert all(each.get("filterText") != each["label"] for each in items)
    starts = {each["textEdit"]["range"]["start"]["character"] for each in items}
    assert len(starts) == 1


def test_parameters_of_a_template_come_with_types_and_defaults(root: Path) -> None:
    items = at_cursor(root, SITE, "$x = epp('shop/x.epp', { '¦' => 1 })")["items"]
    assert [each["detail"] for each in items] == ["Integer", "String = 'a'"]


def test_a_template_that_is_open_counts_as_it_is_written(root: Path) -> None:
    client = Direct()
    client.start(root)
    path = "modules/shop/templates/x.epp"
    client.open((root / path).as_uri(), "<%- | Integer $newest | -%>\n", "epuppet")
    text = "$x = epp('shop/x.epp', { '' => 1 })"
    document = client.open((root / SITE).as_uri(), text)
    found = client.at("completion", document, 0, text.index("''") + 1)
    assert [each["label"] for each in found["items"]] == ["newest"]


@pytest.mark.parametrize(
    ("marked", "parts"),
    [
        ("$x = epp('shop/x.epp', { 'po¦rt' => 1 })", ("port", "shop/x.epp", "Integer", "Required")),
        ("$x = epp('shop/x.epp', { ho¦st => 1 })", ("host", "shop/x.epp", "String", "'a'")),
        ("create_resources('shop::vh¦ost', {})", ("shop::vhost", "defined type")),
        ("create_resources('shop::vhost', {}, { 'doc¦root' => 1 })", ("docroot", "'/srv'")),
        ("create_resources('shop::vhost', {}, { 'doc¦root'", ("docroot", "'/srv'")),
        ("ensure_resource('fi¦le', '/a'", ("file", "resource type")),
    ],
)
def test_documentation(root: Path, marked: str, parts: tuple[str, ...]) -> None:
    shown = at_cursor(root, SITE, marked, "hover")["contents"]["value"]
    for part in parts:
        assert part in shown


OPTIONS = "lookup_options:\n  shop::workers:\n"
LEVEL = "version: 5\nhierarchy:\n  - name: a\n"
OF_MERGE = ["strategy", "knockout_prefix", "sort_merged_arrays", "merge_hash_arrays"]
STRATEGIES = ["first", "unique", "hash", "deep"]
DATA = "data/common.yaml"


@pytest.mark.parametrize(
    ("name", "marked", "expected"),
    [
        (DATA, OPTIONS + "    merge: ¦\n", STRATEGIES),
        (DATA, OPTIONS + "    merge: 'd¦'\n", ["deep"]),
        (DATA, OPTIONS + "    merge:\n      strategy: ¦\n", STRATEGIES),
        (DATA, OPTIONS + "    ¦\n    merge: deep\n", ["convert_to"]),
        (DATA, OPTIONS + "    merge:\n      strategy: deep\n      ¦\n", OF_MERGE[1:]),
        (DATA, OPTIONS + "    merge:\n      sort_merged_arrays: ¦", ["true", "false"]),
        (DATA, OPTIONS + "    merge: deep\n    convert_to: Sensi¦", ["Sensitive"]),
        (DATA, "lookup_options:\n  a: {¦}\n", ["merge", "convert_to"]),
        (DATA, "lookup_options:\n  a: {merge: ¦}\n", STRATEGIES),
        (DATA, "lookup_options:\n  a: {merge: {¦}}\n", OF_MERGE),
        (DATA, "lookup_options:\n  '^a{2}': {merge: {strategy: deep, ¦}}", OF_MERGE[1:]),
        (DATA, "lookup_options:\n  a: {merge: {strategy: deep}, ¦}\n", ["convert_to"]),
        (DATA, "lookup_options:\n  shop::wo¦\n", ["shop::workers"]),
        ("hiera.yaml", "¦\nhierarchy: []\n", ["version", "defaults", "plan_hierarchy"]),
        ("hiera.yaml", "version: ¦\n", ["5"]),
        ("hiera.yaml", "version: 5\ndefaults:\n  data¦\n", ["datadir", "data_hash", "data_dig"]),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - ¦\n", ["name", "datadir", "options"]),
        ("hiera.yaml", "version: 5\nhierarchy:\n- na¦\n", ["name"]),
        ("hiera.yaml", f"{LEVEL}    ¦\n    datadir: x\n  - path: x\n", ["options", "data_hash"]),
        ("hiera.yaml", f"{LEVEL}    pa¦\n  - path: x\n", ["path", "paths", "mapped_paths"]),
        ("hiera.yaml", f"{LEVEL}    data_hash: ¦\n", ["yaml_data", "json_data", "hocon_data"]),
        ("hiera.yaml", f"{LEVEL}    data_hash: shop::¦\n", ["shop::levels"]),
        ("hiera.yaml", f"{LEVEL}    lookup_key: ¦\n", ["eyaml_lookup_key", "shop::levels"]),
        ("hiera.yaml", f"{LEVEL}    options:\n      pkcs7_pr¦\n", ["pkcs7_private_key"]),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: a, gl¦}\n", ["glob", "globs"]),
        ("hiera.yaml", f"{LEVEL}    path: 'a/%{{facts.os.fam¦}}.yaml'\n", ["family"]),
        ("hiera.yaml", f"{LEVEL}    paths: ['%{{trusted.certn¦}}.yaml']\n", ["certname"]),
        ("hiera.yaml", f"{LEVEL}    paths:\n      - a¦\n", []),
        ("hiera.yaml", "x:\n  ¦\n", []),
    ],
)
def test_in_data(root: Path, name: str, marked: str, expected: list[str]) -> None:
    found = offered(root, name, marked)
    assert found[: len(expected)] == expected
    assert expected or not found


@pytest.mark.parametrize(
    ("given", "rest"),
    [
        ("    path: a.yaml\n", ["data_dig", "data_hash", "datadir", "lookup_key", "options"]),
        (
            "    data_dig: a\n    globs: [a]\n",
            ["datadir", "options"],
        ),
        (
            "    lookup_key: a\n",
            [
                *("datadir", "glob", "globs", "mapped_paths", "options"),
                *("path", "paths", "uri", "uris"),
            ],
        ),
    ],
)
def test_keys_that_a_level_excludes_are_left_out(root: Path, given: str, rest: list[str]) -> None:
    assert sorted(offered(root, "hiera.yaml", f"{LEVEL}{given}    ¦\n")) == rest


@pytest.mark.parametrize(
    ("name", "marked", "expected"),
    [
        (DATA, "shop::mode: ¦\n", ["'on'", "'off'"]),
        (DATA, "shop::mode: '¦'\n", ["on", "off"]),
        (DATA, "shop::level: ¦\n", ["'1'", "low", "high", "'yes'"]),
        (DATA, "shop::tls: ¦\n", ["true", "false"]),
        (DATA, "shop::levels:\n  - ¦\n", ["'1'", "low", "high", "'a: b'", "'yes'", "'it''s: b'"]),
        (DATA, "shop::levels: ¦\n", []),
        (DATA, "shop::workers: ¦\n", []),
        ("data/more.json", '{\n  "shop::mode": ¦\n}', ['"on"', '"off"']),
        ("data/more.json", '{\n  "shop::mode": "o¦"\n}', ["on", "off"]),
        ("data/more.json", '{\n  "shop::tls": ¦\n}', ["true", "false"]),
    ],
)
def test_values_in_data(root: Path, name: str, marked: str, expected: list[str]) -> None:
    items = at_cursor(root, name, marked)["items"]
    assert {each["textEdit"]["newText"] for each in items} == {*expected}


@pytest.mark.parametrize(
    ("name", "marked", "part"),
    [
        ("hiera.yaml", "ver¦sion: 5\n", "version of the format"),
        ("hiera.yaml", f"{LEVEL}    mapped_pa¦ths: []\n", "A variable with a list"),
        ("hiera.yaml", "hierarchy:\n  - {name: a, ur¦i: b}\n", "An address"),
        (DATA, OPTIONS + "    ¦merge: deep\n", "put together"),
        (DATA, OPTIONS + "    merge: de¦ep\n", "One hash"),
        (DATA, OPTIONS + "    merge:\n      strategy: unique¦\n", "without duplicates"),
        (DATA, "shop::port: 1\nmer¦ge: 2\n", "No data file"),
    ],
)
def test_documentation_of_settings(root: Path, name: str, marked: str, part: str) -> None:
    assert part in at_cursor(root, name, marked, "hover")["contents"]["value"]


@pytest.mark.parametrize("text", ["hierarchy:\n  - na¦m: x\n", "# merge¦\n"])
def test_other_words_of_hiera_yaml_have_none(root: Path, text: str) -> None:
    assert at_cursor(root, "hiera.yaml", text, "hover") is None


@pytest.mark.parametrize("name", [DATA, "hiera.yaml", "data/more.json"])
@pytest.mark.parametrize("part", ["b", "b:", "' "])
def test_a_long_line_takes_no_quadratic_time(root: Path, name: str, part: str) -> None:
    """With a time that grows by the square this would take minutes."""
    assert at_cursor(root, name, f"{part * 100_000}¦\n")["items"] == []
