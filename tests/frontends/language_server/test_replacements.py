"""What a warning offers instead of a name can be written with one action, and then it is gone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puppet_repl.tools.validation.rules import REPOSITORY_RULES, RepositoryRule
from tests.frontends.language_server.client import Direct
from tests.frontends.language_server.test_features import applied

FILES = {
    "metadata.json": '{"name": "me-shop", "version": "1.0.0", "dependencies": []}',
    "manifests/init.pp": "class shop(Integer $port = 80, String $owner = 'root', "
    "Optional[Shop::Mode] $mode = undef) { $web_root = '/' }\n",
    "manifests/host.pp": "define shop::host(String $address, Shop::Mode $mode = 'off') { }\n",
    "manifests/hosts.pp": "class shop::hosts(Hash $all) { create_resources('shop::host', $all) }\n",
    "functions/total.pp": "function shop::total(Integer $x) { $x }\n",
    "templates/shop.conf.epp": "",
    "templates/etc/motd.erb": "",
    "files/certificate.pem": "",
    "types/mode.pp": "type Shop::Mode = Enum['fast', 'off']\n",
    "types/port.pp": "type Shop::Port = Integer\n",
    "hiera.yaml": "version: 5\nhierarchy:\n  - name: all\n    path: common.yaml\n",
    "data/common.yaml": "shop::port: 81\n",
}
CODE = "manifests/other.pp"
DATA = "data/common.yaml"
LEVEL = "version: 5\nhierarchy:\n  - name: all\n"


def actions(client: Direct, path: Path, text: str) -> list[dict[str, Any]]:
    """Return the actions of a whole document."""
    language = "puppet" if path.suffix == ".pp" else "yaml"
    document = client.open(path.as_uri(), text, language)
    problems = client.diagnostics(path.as_uri())
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    given = {**document, "range": span, "context": {"diagnostics": problems}}
    found: list[dict[str, Any]] = client.ask("textDocument/codeAction", given)
    return found


@pytest.fixture
def module(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.mark.parametrize(
    ("file", "statement", "title", "after"),
    [
        (CODE, "include ::shpo", None, ""),
        (CODE, "file { '/a': ensur => file }", "'ensur' with 'ensure'", "ensure => file"),
        (CODE, "file { '/a': ensure => 'presnt' }", "'presnt' with 'present'", "'present' }"),
        (CODE, "File['/a'] { grup => 'root' }", "'grup' with 'group'", "{ group => "),
        (CODE, "class { 'shop': mode => 'fats' }", "'fats' with 'fast'", "mode => 'fast'"),
        (CODE, "class { 'shop': prot => 1 }", "'prot' with 'port'", "port => 1"),
        (CODE, "shop::hots { 'a': address => 'b' }", "'shop::hots' with 'shop::host'", "host { "),
        (CODE, "Shop::Hots <| |>", "'Shop::Hots' with 'Shop::Host'", "Shop::Host <|"),
        (CODE, "notice(1 =~ Shop::Prot)", "'Shop::Prot' with 'Shop::Port'", "Shop::Port)"),
        (CODE, "notice(::shop::totla(1))", "'shop::totla' with 'shop::total'", "::shop::total(1)"),
        (CODE, "notice(upacse('a'))", "'upacse' with 'upcase'", "upcase('a')"),
        (CODE, "notice($odl)", "'odl' with 'old'", "notice($old)"),
        (CODE, 'notice("${odl} x")', "'odl' with 'old'", '"${old} x"'),
        (CODE, "Shop::Hots['a'] -> Class['shop']", "'Shop::Hots' with 'Shop::Host'", "Host['a']"),
        (CODE, "create_resources('shop::hots', {})", "'shop::hots' with 'shop::host'", "host', {"),
        (
            CODE,
            "notice(epp('shop/shop.conf.ep'))",
            "'shop.conf.ep' with 'shop.conf.epp'",
            "f.epp')",
        ),
        (
            CODE,
            "notice(epp('shop/shop.cnf'))",
            "'shop.cnf' with 'shop.conf.epp'",
            "p/shop.conf.epp",
        ),
        (CODE, "notice('shop/motd.erb'.template)", "'motd.erb' with 'etc/motd.erb'", "p/etc/motd"),
        (CODE, "notice(file('shop/certifcate.pem'))", "'certifcate.pem' with ", "certificate.pem"),
        (
            CODE,
            "file { '/a': source => \"puppet:///modules/${module_name}/cert.pem\" }",
            None,
            "",
        ),
        (
            CODE,
            "file { '/a': source => \"puppet:///modules/${module_name}/certificate.pm\" }",
            "'certificate.pm' with 'certificate.pem'",
            "/certificate.pem",
        ),
        (DATA, "shop::prot: 81", "'shop::prot' with 'shop::port'", "shop::port: 81"),
        (DATA, "classes: ['shop::hsot']", None, ""),
        (
            DATA,
            "shop::hosts::all:\n  a: {adress: x}",
            "'adress' with 'address'",
            "{address: x}",
        ),
        (
            DATA,
            "shop::hosts::all:\n  a: {address: x, mode: fats}",
            "'fats' with 'fast'",
            "mode: fast}",
        ),
        (DATA, "shop::mode: fats", "'fats' with 'fast'", "mode: fast"),
        (DATA, "lookup_options:\n  a: {merg: deep}", "'merg' with 'merge'", "{merge: deep"),
        (DATA, "lookup_options:\n  a: {merge: dep}", "'dep' with 'deep'", "merge: deep"),
        (DATA, "a: '%{lokup(\"x\")}'", "'lokup' with 'lookup'", '%{lookup("x")}'),
        (DATA, "a: '%{trusted.certnam}'", "'trusted.certnam' with", "{trusted.certname}"),
        (
            DATA,
            "a: '%{facts.os.famly}'",
            "'facts.os.famly' with 'facts.os.family'",
            "%{facts.os.family}",
        ),
        ("hiera.yaml", f"{LEVEL}    pth: x", "'pth' with 'path'", "    path: x"),
        ("hiera.yaml", f"{LEVEL}    path: '%{{facts.os.famly}}'", "'facts.os.famly' ", "family}"),
        (CODE, "notice($facts['os']['famly'])", "'famly' with 'family'", "['os']['family']"),
        (CODE, "notice(fact('os.famly'))", "'os.famly' with 'os.family'", "fact('os.family')"),
        (CODE, "notice($shop::web_rot)", "'shop::web_rot' with 'shop::web_root'", "web_root)"),
    ],
)
def test_a_name_is_replaced(
    module: Path, file: str, statement: str, title: str | None, after: str
) -> None:
    text = f"{statement}\n"
    if file == CODE:
        text = f"class shop::other(Any $old) {{\n  notice($old)\n  {statement}\n}}\n"
    client = Direct()
    client.start(module)
    found = [
        each
        for each in actions(client, module / file, text)
        if each["title"].startswith("Replace ")
    ]
    if title is None:
        assert not found
        return
    (action,) = found
    assert action["title"].startswith(f"Replace {title}")
    assert action["isPreferred"]
    (problem,) = action["diagnostics"]
    (edits,) = action["edit"]["changes"].values()
    changed = applied(text, edits)
    assert after in changed
    left = actions(client, module / file, changed)
    assert not any(problem["code"] == one["code"] for each in left for one in each["diagnostics"])


@pytest.mark.parametrize(
    ("parameter", "title", "after"),
    [
        ("Integer $x = '80'", "'80' with 80", "Integer $x = 80"),
        ("Float $x = '1.5'", "'1.5' with 1.5", "Float $x = 1.5"),
        ("Boolean $x = 'true'", "'true' with true", "Boolean $x = true"),
        ("String $x = 80", "80 with '80'", "String $x = '80'"),
        ("String $x = undef", "'String' with 'Optional[String]'", "Optional[String] $x = undef"),
        ("Array[String] $x = undef", "'Array[String]' with ", "Optional[Array[String]] $x"),
        ("Integer $x = 'many'", None, ""),
        ("Array $x = 'a'", None, ""),
        ("Enum['a'] $x = true", None, ""),
        ("Shop::Mode $x = 'fats'", "'fats' with 'fast'", "$x = 'fast'"),
        ("Optional[Enum[on, never]] $x = nevr", "'nevr' with 'never'", "$x = never"),
        ("Shop::Mode $x = 'many'", None, ""),
    ],
)
def test_a_default_gets_its_type(
    module: Path, parameter: str, title: str | None, after: str
) -> None:
    client = Direct()
    client.start(module)
    text = f"class shop::other({parameter}) {{\n  notice($x)\n}}\n"
    path = module / CODE
    found = [each for each in actions(client, path, text) if each["title"].startswith("Replace ")]
    if title is None:
        assert not found
        return
    (action,) = found
    assert action["title"].startswith(f"Replace {title}")
    codes = {each["code"] for each in action["diagnostics"]}
    assert len(codes) == 1
    assert codes <= {"default_of_other_type", "parameter_type"}
    (edits,) = action["edit"]["changes"].values()
    changed = applied(text, edits)
    assert after in changed
    left = actions(client, path, changed)
    assert not codes & {one["code"] for each in left for one in each["diagnostics"]}


def test_of_several_values_none_is_preferred(module: Path) -> None:
    client = Direct()
    client.start(module)
    text = "class shop::other {\n  service { 'a': ensure => 'on' }\n}\n"
    found = [
        each
        for each in actions(client, module / CODE, text)
        if each["title"].startswith("Replace ")
    ]
    titles = [each["title"] for each in found]
    assert "Replace 'on' with 'running'" in titles
    assert "Replace 'on' with 'stopped'" in titles
    assert not any(each.get("isPreferred") for each in found)


def test_all_fixes_leave_names_alone(module: Path) -> None:
    client = Direct()
    client.start(module)
    text = "class shop::other {\n  file { '/a': ensur => file, mode => 644 }\n}\n"
    document = client.open((module / CODE).as_uri(), text)
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    context = {"diagnostics": [], "only": ["source.fixAll"]}
    given = {**document, "range": span, "context": context}
    (action,) = client.ask("textDocument/codeAction", given)
    (edits,) = action["edit"]["changes"].values()
    assert applied(text, edits) == text.replace("644", "'0644'")


@pytest.mark.parametrize(
    "rule",
    [rule for rule in REPOSITORY_RULES if rule.path.endswith(".pp")],
    ids=lambda rule: rule.name,
)
def test_rules_about_other_files_are_silenced(rule: RepositoryRule, tmp_path: Path) -> None:
    for name, text in {**rule.files, rule.path: rule.example}.items():
        path = tmp_path / "modules" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    client = Direct()
    client.start(tmp_path)
    file = tmp_path / "modules" / rule.path
    title = f"Silence {rule.name} with a comment"
    found = [each for each in actions(client, file, rule.example) if each["title"] == title]
    (edits,) = found[0]["edit"]["changes"].values()
    changed = applied(rule.example, edits)
    assert changed.endswith(f" # lint:ignore:{rule.name}")
    left = actions(client, file, changed)
    assert not any(rule.name == one["code"] for each in left for one in each["diagnostics"])
