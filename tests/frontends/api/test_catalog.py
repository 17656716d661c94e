"""Catalogs that Python programs ask: compiled by the engine, compared with the command line's."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import puppet_repl as puppet
from puppet_repl.language.values.sensitive import REDACTED

CODE = """
class web($port = 80) {
  package { 'nginx': ensure => installed }
  file { '/etc/nginx.conf':
    ensure  => file,
    mode    => '0644',
    content => Sensitive('secret text'),
    alias   => 'conf',
    require => Package['nginx'],
    notify  => Service['nginx'],
  }
  service { 'nginx': ensure => running, enable => true }
}
class base { notify { 'first': } }
class last { contain inner }
class inner { notify { 'inside': message => "port ${web::port}" } }
define site($root, $options = {}) {
  file { "/srv/${title}": ensure => directory, path => $root }
}
include web, base, last
site { 'a': root => '/srv/one', options => { 1 => [undef, default] } }
Class['base'] -> Class['web'] ~> Class['last']
@user { 'ghost': ensure => present }
@@host { 'me': ip => '10.0.0.1' }
warning('look out')
notice('well')
"""


@pytest.fixture(scope="module")
def cat() -> puppet.Catalog:
    return puppet.compile(CODE, node="Web01.example.com", facts="debian-12")


@pytest.mark.parametrize(
    "key",
    [
        ("File", "/etc/nginx.conf"),
        ("file", "/etc/nginx.conf"),
        ("File", "conf"),
        ("File", "/etc/nginx.conf/"),
        "File[/etc/nginx.conf]",
        "file['/etc/nginx.conf']",
        'File["conf"]',
    ],
)
def test_a_resource_has_several_names(cat: puppet.Catalog, key: Any) -> None:
    assert key in cat
    assert cat[key] is cat.get(key)
    assert cat[key].ref == "File[/etc/nginx.conf]"
    assert cat[cat[key]] is cat[key]


@pytest.mark.parametrize(
    ("key", "title"),
    [
        (("Class", "web"), "Web"),
        ("Class[Web]", "Web"),
        ("Class['::web']", "Web"),
        ("Site[a]", "a"),
        (("::site", "a"), "a"),
        (("Stage", "main"), "main"),
        (("Class", "main"), "main"),
        (("File", "/srv/one"), "/srv/a"),
    ],
)
def test_resources_of_all_kinds_are_found(cat: puppet.Catalog, key: Any, title: str) -> None:
    assert cat[key].title == title


@pytest.mark.parametrize(
    "key", ["File[/nothing]", ("User", "ghost"), ("Host", "me"), "Flie[/etc/nginx.conf]"]
)
def test_what_is_not_there(cat: puppet.Catalog, key: Any) -> None:
    assert key not in cat


@pytest.mark.parametrize("key", ["word", "/etc/nginx.conf", "", 3, None, ("File",), ("File", 3)])
def test_what_is_no_reference_is_refused(cat: puppet.Catalog, key: Any) -> None:
    for ask in (cat.__contains__, cat.__getitem__, cat.get):
        with pytest.raises(TypeError, match=r"a resource is 'Type\[title\]' or"):
            ask(key)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (
            ("File", "/etc/nginx.cnf"),
            "no File[/etc/nginx.cnf]; did you mean File[/etc/nginx.conf]?",
        ),
        ("User[ghost]", "no User[ghost]: it is virtual, and nothing has realized it"),
        ("Host[me]", "no Host[me]: it is exported, and nothing has realized it"),
    ],
)
def test_the_error_says_what_is_there(cat: puppet.Catalog, key: Any, message: str) -> None:
    with pytest.raises(KeyError) as caught:
        cat[key]
    assert str(caught.value) == f"the catalog has {message}"
    assert cat.get(key) is None
    assert cat.get(key, cat["File[conf]"]) is cat["File[conf]"]


@pytest.mark.parametrize("key", ["word", ("File",), ("File", 1), 3])
def test_what_is_no_key_is_refused(cat: puppet.Catalog, key: Any) -> None:
    with pytest.raises(TypeError, match="a resource is"):
        cat[key]


def test_a_resource_is_a_mapping(cat: puppet.Catalog) -> None:
    conf = cat["File", "/etc/nginx.conf"]
    assert conf["mode"] == "0644"
    assert conf.get("owner") is None
    assert "owner" not in conf
    assert list(conf) == ["ensure", "mode", "content", "alias", "require", "notify"]
    assert conf["require"] == "Package[nginx]"
    assert conf["content"].value == "secret text"
    assert cat["Service", "nginx"] == {"ensure": "running", "enable": True}
    assert cat["Site", "a"]["options"] == {1: [None, puppet.evaluate("default")]}
    assert (conf.type, conf.title, conf.line, conf.file) == ("File", "/etc/nginx.conf", 4, None)
    assert {"file", "web", "class"} <= set(conf.tags)
    assert cat["File[/srv/a]"].name == "/srv/one"
    assert conf.name == "/etc/nginx.conf"
    assert not conf.virtual
    assert not conf.exported
    assert cat["Class[web]"].is_class
    with pytest.raises(KeyError, match="sets no 'owner'"):
        conf["owner"]


def test_secrets_are_not_shown(cat: puppet.Catalog) -> None:
    shown = repr(cat) + repr(list(cat)) + str(cat["File[conf]"].items()) + repr(cat.diff(cat))
    assert "secret text" not in shown + cat.to_json(redacted=True)
    assert "secret text" not in repr(cat["File[conf]"].to_dict(redacted=True))
    assert "secret text" in cat.to_json()


def test_iteration(cat: puppet.Catalog) -> None:
    refs = [each.ref for each in cat]
    assert len(cat) == len(refs) == len(set(refs))
    assert [each.ref for each in cat.resources()] == refs
    assert [each.ref for each in cat.resources("file")] == ["File[/etc/nginx.conf]", "File[/srv/a]"]
    assert [each.title for each in cat.resources("Class")] == ["Web", "Base", "Last", "Inner"]
    assert not {"Stage[main]", "Class[main]", "Class[Settings]", "User[ghost]"} & set(refs)
    assert cat.classes == ["web", "base", "last", "inner"]
    assert [each.ref for each in cat.virtual] == ["User[ghost]"]
    assert [each.ref for each in cat.exported] == ["Host[me]"]


@pytest.mark.parametrize(
    ("first", "second", "is_before"),
    [
        ("Package[nginx]", "File[/etc/nginx.conf]", True),
        ("Package[nginx]", "Service[nginx]", True),
        ("Service[nginx]", "Package[nginx]", False),
        ("Notify[first]", "Package[nginx]", True),
        ("Class[base]", "File[conf]", True),
        ("Notify[first]", "Class[web]", True),
        ("Notify[first]", "Notify[inside]", True),
        ("File[/etc/nginx.conf]", "Notify[inside]", True),
        ("Site[a]", "Notify[inside]", False),
        ("Notify[inside]", "Site[a]", False),
        ("Class[web]", "File[conf]", False),
        ("File[conf]", "Class[web]", False),
        ("File[conf]", "File[conf]", False),
        ("Class[last]", "Notify[inside]", False),
    ],
)
def test_before(cat: puppet.Catalog, first: str, second: str, is_before: bool) -> None:
    assert cat.before(first, second) is is_before
    assert cat.before(cat[first], cat[second]) is is_before


ORDERED = """
class one { file { '/tmp/x': ensure => file } -> exec { '/bin/true': } }
class two { notify { 'n': } }
include one, two
Class['one'] ~> Class['two']
file { '/tmp': ensure => directory }
package { 'x': }
"""


def test_dependencies_and_dependents() -> None:
    cat = puppet.compile(ORDERED, facts="debian-12")
    assert [each.ref for each in cat.dependencies("Notify[n]")] == [
        "Class[One]",
        "File[/tmp/x]",
        "Exec[/bin/true]",
        "File[/tmp]",
    ]
    assert cat.dependencies("Package[x]") == cat.dependents("Package[x]") == []
    for first in cat:
        for second in cat:
            is_before = cat.before(first, second)
            assert (first in cat.dependencies(second)) is is_before
            assert (second in cat.dependents(first)) is is_before
    for method in (cat.dependencies, cat.dependents):
        with pytest.raises(KeyError, match=r"the catalog has no User\[root\]"):
            method("User[root]")


def test_the_graph_for_graphviz() -> None:
    text = puppet.compile(ORDERED, facts="debian-12").to_dot()
    assert text.startswith("digraph catalog {\n") and text.endswith("}\n")
    for line in (
        '"Package[x]";',
        '"Class[One]" -> "Class[Two]" [style=dashed];',
        '"File[/tmp/x]" -> "Exec[/bin/true]";',
        '"File[/tmp]" -> "File[/tmp/x]" [style=dotted, label="implied by File"];',
        '"Class[Two]" -> "Notify[n]" [arrowhead=none];',
    ):
        assert f"  {line}\n" in text


def test_before_wants_resources_of_the_catalog(cat: puppet.Catalog) -> None:
    with pytest.raises(KeyError, match="no File"):
        cat.before("File[/nothing]", "Class[web]")


@pytest.mark.parametrize(
    ("statement", "edge"),
    [
        ("before => Notify['b']", ("Notify[a]", "Notify[b]", "before")),
        ("notify => Notify['b']", ("Notify[a]", "Notify[b]", "notify")),
        ("require => Notify['b']", ("Notify[b]", "Notify[a]", "before")),
        ("subscribe => Notify['b']", ("Notify[b]", "Notify[a]", "notify")),
        ("require => [Notify['b']]", ("Notify[b]", "Notify[a]", "before")),
    ],
)
def test_edges(statement: str, edge: tuple[str, str, str]) -> None:
    made = puppet.compile(f"notify {{ 'a': {statement} }} notify {{ 'b': }}", facts={})
    assert [each for each in made.edges if each.kind != "contains"] == [edge]
    assert ("Class[main]", "Notify[a]", "contains") in made.edges
    assert made.before(edge[0], edge[1])
    assert not made.before(edge[1], edge[0])


def test_edges_that_types_imply() -> None:
    made = puppet.compile("file { ['/a', '/a/b']: } mount { '/a': }", facts={})
    assert [each[:2] for each in made.edges if each.kind == "implied"] == [
        ("File[/a]", "File[/a/b]"),
        ("Mount[/a]", "File[/a/b]"),
    ]


def test_what_was_said_about_the_node(cat: puppet.Catalog) -> None:
    assert cat.name == "web01.example.com"
    assert cat.environment == "production"
    assert cat.facts["os"]["name"] == "Debian"
    assert cat.facts["networking"]["fqdn"] == "web01.example.com"
    assert cat.warnings == ["look out"]
    assert [each.level for each in cat.logs] == ["warning", "notice"]
    assert cat.logs[1].message == "well"
    assert repr(cat) == "<Catalog of web01.example.com: 11 resources>"


def test_difference(cat: puppet.Catalog, tmp_path: Path) -> None:
    assert not cat.diff(cat)
    other = puppet.compile(
        CODE.replace("'0644'", "'0600'").replace("secret text", "another text")
        + "notify { 'more': require => Class['last'] }",
        node="web01.example.com",
        facts="debian-12",
    )
    found = cat.diff(other)
    assert found
    assert found.added == ["Notify[more]"]
    assert found.removed == []
    assert found.changed == {"File[/etc/nginx.conf]": ["content", "mode"]}
    assert ("Class[Last]", "Notify[more]", "before") in found.edges_added
    assert found.edges_removed == []
    assert "-   mode => '0644'\n+   mode => '0600'" in "\n".join(
        line.strip(" ") for line in str(found).split("\n")
    )
    told = "resources: 1 added, 1 changed; relationships: 1 added"
    assert repr(found) == f"<CatalogDifference: {told}>"
    assert "another text" not in str(found) + json.dumps(found.to_dict())
    assert bool(other.diff(cat))
    file = tmp_path / "catalog.json"
    file.write_text(other.to_json(), encoding="utf-8")
    assert cat.diff(file).to_dict() == found.to_dict()
    assert not other.diff(str(file))
    with pytest.raises(ValueError, match="no file with a catalog"):
        cat.diff(tmp_path / "none.json")


def test_differences_that_count(cat: puppet.Catalog) -> None:
    old = puppet.compile("file { '/a': mode => '0644', owner => 'root' } user { u: groups => [1] }")
    new = puppet.compile("file { '/a': mode => '0600' } user { u: groups => '1' }")
    assert old.diff(new).changed == {"File[/a]": ["mode", "owner"], "User[u]": ["groups"]}
    assert old.diff(new, ignore=["User", "-*"]).changed == {"File[/a]": ["mode"]}
    assert old.diff(new, only=["File[*][owner]"]).changed == {"File[/a]": ["owner"]}
    assert not old.diff(new, ignore=["File"], same=["single", "text"])
    with pytest.raises(ValueError, match=r"'File.a' is not a pattern: a bracket is not closed"):
        old.diff(new, ignore=["File[a"])
    with pytest.raises(TypeError, match="only is a list of texts, not a text"):
        old.diff(new, only="File")


def test_the_document_is_that_of_the_command_line(tmp_path: Path) -> None:
    manifest = tmp_path / "site.pp"
    manifest.write_text(CODE, encoding="utf-8")
    command = [sys.executable, "-m", "puppet_repl", "compile", str(manifest)]
    options = ["--facts", "debian-12", "--node", "web01.example.com"]
    printed = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    made = puppet.compile(manifest, node="web01.example.com", facts="debian-12")
    theirs, ours = json.loads(printed.stdout), json.loads(made.to_json())
    for document in (theirs, ours):
        document.pop("version"), document.pop("catalog_uuid")
    assert ours == theirs
    assert made["File[conf]"].file == str(manifest)


def test_redacted_documents_are_those_of_the_engine() -> None:
    from puppet_repl.catalog.json import document, redacted_document

    session = puppet.Session(facts={})
    code = CODE + "notify { 'deep': message => ['a', { b => Sensitive('secret text') }] }"
    session.finish_catalog(session.compile_site(code)).unwrap()
    ours = redacted_document(document(session.catalog, redacted=False))
    theirs = document(session.catalog, redacted=True)
    for each in (ours, theirs):
        each.pop("version"), each.pop("catalog_uuid")
    assert ours == theirs


def test_a_copy_of_the_document(cat: puppet.Catalog) -> None:
    first = cat.to_dict()
    first["resources"].clear()
    assert len(cat.to_dict()["resources"]) == 14


def test_a_catalog_outlives_its_session(cat: puppet.Catalog) -> None:
    copied = pickle.loads(pickle.dumps(cat))
    assert [each.ref for each in copied] == [each.ref for each in cat]
    assert copied["File[conf]"] == cat["File[conf]"]
    assert not cat.diff(copied)


@pytest.mark.parametrize(
    ("code", "kind", "place", "message"),
    [
        ("class a {", puppet.ParseError, None, "Syntax error at end of input"),
        ("\n$x = ]", puppet.ParseError, 2, "Syntax error at ']'"),
        ("class a {\n$b = 1\n$b = 2 }\ninclude a", puppet.CompileError, 3, "Cannot reassign"),
        ("\nfail('no')", puppet.CompileError, 2, "no"),
        ("include nothing", puppet.CompileError, 1, "Could not find class ::nothing"),
        (
            "notify { 'a': require => File['/x'] }",
            puppet.CompileError,
            1,
            "Could not find resource",
        ),
        ("notify { 'a': } notify { 'a': }", puppet.CompileError, 1, "Duplicate declaration"),
        ("Notify['a'] -> Notify['b']", puppet.CompileError, None, "Could not find resource"),
        ("file { '/a': nope => 1 }", puppet.CompileError, 1, "no parameter named 'nope'"),
    ],
)
def test_what_has_no_catalog(
    code: str, kind: type[puppet.PuppetError], place: int | None, message: str
) -> None:
    with pytest.raises(puppet.PuppetError) as caught:
        puppet.compile(code, facts={})
    assert type(caught.value) is kind or isinstance(caught.value, kind)
    assert message in caught.value.message
    assert caught.value.line == place


def test_exports_of_other_nodes() -> None:
    mine = puppet.compile("@@host { 'a': ip => '10.0.0.1' }", node="a.example.com", facts={})
    code = "Host <<| |>>"
    assert "Host[a]" not in puppet.compile(code, node="b.example.com", facts={})
    other = puppet.compile(code, node="b.example.com", facts={}, exports=[mine])
    assert other["Host", "a"]["ip"] == "10.0.0.1"


def test_manifests_of_an_environment(tmp_path: Path) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text(
        "node 'a.example.com' { include one }\nnode default { notify { 'other': } }\n"
    )
    manifests = tmp_path / "modules" / "one" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text(
        "class one($x = lookup('x')) { file { '/x': source => 'puppet:///modules/one/x' } }"
    )
    (tmp_path / "hiera.yaml").write_text("version: 5\nhierarchy:\n  - {name: a, path: a.yaml}\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.yaml").write_text("x: 5\n")
    files = tmp_path / "modules" / "one" / "files"
    files.mkdir()
    (files / "x").write_text("before\n")
    first = puppet.compile(environment=tmp_path, node="a.example.com", facts={})
    assert first["Class", "one"]["x"] == 5
    assert first.environment == tmp_path.name or first.environment == "production"
    assert puppet.compile(environment=tmp_path, node="b", facts={}).classes == []
    assert "Notify[other]" in puppet.compile(environment=str(tmp_path), node="b", facts={})
    (files / "x").write_text("after\n")
    second = puppet.compile(environment=tmp_path, node="a.example.com", facts={})
    assert list(first.diff(second).changed) == ["File[/x]"]
    # Code takes the place of the manifests, be there any or not.
    assert len(puppet.compile("", environment=tmp_path, node="a.example.com", facts={})) == 0
    assert puppet.compile("include one", environment=tmp_path, facts={}).classes == ["one"]


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({}, ValueError, "needs code, or an environment"),
        ({"environment": "/nowhere"}, ValueError, "environment: /nowhere is not a directory"),
        ({"environment": ""}, ValueError, "environment:  is not a directory"),
        ({"code": "", "hiera": ""}, ValueError, "hiera: there is no file "),
        ({"code": "", "node": "a/b"}, ValueError, "node: 'a/b' is not a valid node name"),
        ({"code": "", "hiera": "/nowhere.yaml"}, ValueError, "hiera: there is no file"),
        ({"code": "", "facts": "debian-99"}, puppet.FactsError, "debian-99"),
        ({"code": "", "strict": "bogus"}, ValueError, "strict is one of error, warning, off"),
        ({"code": "", "nonsense": 1}, TypeError, "nonsense"),
        ({"code": 5}, TypeError, "code is a string, or the path of a file, not 5"),
        ({"code": b"1"}, TypeError, "code is a string"),
        ({"code": "", "facts": 5}, TypeError, "facts are the name of a set, a file or a mapping"),
        ({"code": "", "facts": ["debian-12", 5]}, TypeError, "facts are the name of a set"),
        ({"code": "", "facts": {"a": {1, 2}}}, TypeError, "Puppet has no value for"),
        ({"code": Path("/nowhere.pp")}, FileNotFoundError, "/nowhere.pp"),
    ],
)
def test_arguments_are_checked(arguments: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        puppet.compile(**arguments)


def test_layers_of_facts(tmp_path: Path) -> None:
    file = tmp_path / "facts.yaml"
    file.write_text("role: db\nsite: x\n")
    made = puppet.compile("", facts=["debian-12", file, {"role": "web"}], node="n.example.com")
    assert (made.facts["role"], made.facts["site"]) == ("web", "x")
    assert made.facts["os"]["name"] == "Debian"
    assert made.name == "n.example.com"
    assert puppet.compile("", facts={"clientcert": "c.example.com"}).name == "c.example.com"


def test_logs_come_at_once() -> None:
    seen: list[tuple[str, str]] = []
    with pytest.raises(puppet.CompileError):
        puppet.compile("warning('w') fail('x')", facts={}, log=lambda *each: seen.append(each))
    assert seen == [("warning", "w")]


def test_time_is_limited() -> None:
    with pytest.raises(puppet.CompileError) as caught:
        puppet.compile("Integer[1, 100000000].each |$x| { $x }", facts={}, max_seconds=0.2)
    assert caught.value.code == "NO_TIME"


def test_directories_are_listed_once(tmp_path: Path) -> None:
    (tmp_path / "m" / "manifests").mkdir(parents=True)
    (tmp_path / "m" / "manifests" / "init.pp").write_text("class m { notify { 'm': } }")
    shared = puppet.Shared()
    for _ in range(2):
        assert "Notify[m]" in puppet.compile(
            "include m", facts={}, modulepath=tmp_path, shared=shared
        )
    assert str(tmp_path) in shared.listings


def test_names_of_attributes_are_in_lower_case_and_found_in_any_case() -> None:
    catalog = puppet.compile("define d($aB, $pW) { } d { 'x': aB => 1, pW => Sensitive('q') }")
    resource = catalog["D", "x"]
    assert list(resource) == ["ab", "pw"]
    assert resource["aB"] == 1 and "aB" in resource and 1 not in resource
    catalog.assert_contains("D", "x", aB=1)
    assert resource.to_dict(redacted=True)["parameters"]["pw"] == REDACTED
    text = str(puppet.compile("").diff(catalog))
    assert "pw" in text and "'q'" not in text


def test_the_naming_attribute_is_expected_as_rspec_puppet_has_it() -> None:
    """A catalog leaves out what the title says; rspec-puppet 5 finds it in ``to_hash``."""
    catalog = puppet.compile("service { 'ntp': name => 'ntp' } file { 'a': path => '/b' }")
    assert "name" not in catalog["Service", "ntp"]
    catalog.assert_contains("Service", "ntp", name="ntp")
    catalog.assert_contains("File", "a", path="/b")
    with pytest.raises(AssertionError, match="name: expected 'ntpd', but it is 'ntp'"):
        catalog.assert_contains("Service", "ntp", name="ntpd")
    with pytest.raises(AssertionError, match="name: expected 'a', but it is not set"):
        catalog.assert_contains("File", "a", name="a")


def test_origins() -> None:
    code = """
      File { owner => 'root' }
      class a(Integer $port = 80) { file { '/a': content => "${port}", tag => 'x' } }
      include a
      File <| |> { tag +> 'y' }
    """
    with_them = puppet.compile(code, origins=True)
    found = pickle.loads(pickle.dumps(with_them))["File[/a]"].origins
    kinds = {name: [(each.kind, each.line) for each in origins] for name, origins in found.items()}
    assert kinds == {
        "content": [("parameter default", 3), ("code", 3)],
        "tag": [("code", 3), ("collector", 5)],
        "owner": [("resource default", 2)],
    }
    assert found["owner"][0].to_dict() == {"kind": "resource default", "line": 2}
    without = puppet.compile(code)
    assert without["File[/a]"] == with_them["File[/a]"]
    with pytest.raises(ValueError, match="origins=True"):
        _ = without["File[/a]"].origins
    assert "origins" not in without.to_json() + with_them.to_json()
    (of_node,) = puppet.compile_nodes(["web01"], code, origins=True, jobs=1)
    assert of_node.unwrap()["File[/a]"].origins == found


def test_files_that_a_module_does_not_have(tmp_path: Path) -> None:
    files = tmp_path / "shop/files/conf.d"
    files.mkdir(parents=True)
    (files / "motd").write_text("Hello")
    code = """
      File { backup => false }
      define twin($sources) { file { $title: source => $sources } }
      file { '/good': source => 'puppet:///modules/shop/conf.d/motd' }
      file { '/tree': recurse => true, source => 'puppet:///modules/shop/conf.d/' }
      file { '/bad': source => 'puppet:///modules/shop/conf.d/mtod' }
      twin { '/second': sources => ['puppet:///modules/shop/no', 'puppet:///modules/shop/conf.d'] }
      twin { '/none': sources => ['puppet:///modules/shop/a', 'puppet:///modules/shop/b/c'] }
      file { '/elsewhere': source => 'puppet:///modules/unknown/x' }
      file { '/mount': source => 'puppet:///private/x' }
      file { '/gone': ensure => absent, source => 'puppet:///modules/shop/gone' }
      @file { '/virtual': source => 'puppet:///modules/shop/virtual' }
    """
    found = puppet.compile(code, modulepath=tmp_path)
    assert found.missing_sources == [
        "File[/bad]: the module shop has no file files/conf.d/mtod; did you mean motd? (line: 6)",
        "File[/none]: the module shop has no file files/a, the module shop has no file files/b/c "
        "(line: 3)",
    ]
    assert found.warnings == found.missing_sources
