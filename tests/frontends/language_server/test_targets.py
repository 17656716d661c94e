"""Names lead to their definitions in all files, and definitions to all their uses."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.uses import uses_in
from tests.frontends.language_server.client import Direct, Message

FILES = {
    "environment.conf": "",
    "manifests/site.pp": """\
$site_wide = 1
node default {
  class { 'shop': port => 1 }
  shop::page { 'start': title_shown => 'x', ensure => file }
  notice($::site_wide)
}
""",
    "modules/shop/manifests/init.pp": """\
class shop (Integer $port = 80, $host = 'h') inherits shop::params {
  include 'shop::inner'
  contain shop::inner
  Class['shop::inner'] -> Shop::Page['start']
  file { '/etc/shop.conf':
    content => epp('shop/conf.epp', { 'size' => $port, 'user' => $base_user }),
    require => Package['shop', 'tools'],
    notify  => [Service['shopd'], Shop_user['root']],
  }
  file { '/etc/shop.ini': content => template('shop/ini.erb') }
  file { '/etc/shop.a': source => 'puppet:///modules/shop/a' }
  file { '/etc/shop.old': content => template('shop/none.erb') }
  if defined('shop::inner') and defined('shop::page') { }
  shop::log('a', shop::upper('b'), shop_older('c'))
}
""",
    "modules/shop/manifests/params.pp": """\
class shop::params {
  $base_user = 'root'
}
""",
    "modules/shop/manifests/inner.pp": """\
class shop::inner inherits shop {
  notice($shop::port, $shop::base_user, $host, $base_user, $site_wide)
  package { ['shop', 'tools']: provider => 'stones' }
  service { 'shopd': subscribe => File['/etc/shop.conf'] }
  shop_user { 'root': ensure => present, shell => '/bin/sh', provider => 'stones' }
  shop_role { 'r': grade => 1 }
  create_resources('shop::page', { 'b' => { 'title_shown' => 1 } })
  ensure_resource('shop::page', ['c', 'd'], { 'title_shown' => 1 })
  Shop::Page <| title == 'b' |> { title_shown => 2 }
  Shop::Page['c'] { title_shown +> 2 }
}
""",
    "modules/shop/manifests/page.pp": """\
define shop::page (Shop::Size $title_shown = 1, Enum['file'] $ensure = file) {
  $local = $title_shown
  notice($local, $title, $name)
}
class shop::nested::deep::unexpected { }
""",
    "modules/shop/manifests/more.pp": """\
class shop::more {
  include shop::nested::deep::unexpected
}
""",
    "modules/shop/types/size.pp": "type Shop::Size = Integer\n",
    "modules/shop/functions/log.pp": """\
function shop::log(*$words) {
  $words.each |$w| { notice($w) }
}
""",
    "modules/shop/lib/puppet/functions/shop/upper.rb": """\
# A function.
Puppet::Functions.create_function(:'shop::upper') do
end
""",
    "modules/shop/lib/puppet/parser/functions/shop_older.rb": """\
module Puppet::Parser::Functions
  newfunction(:shop_older, type: :rvalue) do |args|
  end
end
""",
    "modules/shop/lib/puppet/type/shop_user.rb": """\
# newparam(:shell) is below
Puppet::Type.newtype(:shop_user) do
  ensurable
  newparam(:name, namevar: true) do
  end
  newproperty(
    :shell
  ) do
  end
end
""".replace("# newparam(:shell) is below\n", ""),
    "modules/shop/lib/puppet/type/shop_role.rb": """\
Puppet::ResourceApi.register_type(
  name: 'shop_role',
  docs: <<-EOS,
    shop_role { 'a':
      grade => 1,
    }
  EOS
  attributes: {
    name: { type: 'String', behaviour: :namevar },
    grade: {
      type: 'Integer',
    },
  },
)
""",
    "modules/shop/lib/puppet/provider/shop_user/stones.rb": """\
Puppet::Type.type(:shop_user).provide(:stones) do
end
""",
    "modules/shop/lib/puppet/provider/package/stones.rb": """\
Puppet::Type.type(:package).provide :stones, parent: :gem do
end
""",
    "modules/shop/files/a": "data",
    "modules/shop/templates/conf.epp": "<%- | $size, $user | -%>\n<%= $size %> <%= $user %>\n",
    "modules/shop/templates/ini.erb": """\
<%= @port %> <%= scope['shop::base_user'] %> <%= @base_user %>
""",
    "hiera.yaml": "version: 5\nhierarchy: [{name: a, path: common.yaml}]\n",
    "data/common.yaml": "shop::port: 8080\n",
}


ERB = "modules/shop/templates/ini.erb"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, text in FILES.items():
        path = tmp_path / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "code"


@pytest.fixture
def client(root: Path) -> Direct:
    client = Direct()
    client.start(root)
    return client


def place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset), offset - (text.rfind("\n", 0, offset) + 1)


def listed(found: Any) -> list[Message]:
    return [] if found is None else found if isinstance(found, list) else [found]


def ask(client: Direct, root: Path, name: str, offset: int, method: str) -> list[Message]:
    """Return the places that an answer has; files are open only while somebody asks."""
    text = FILES[name]
    language = "puppet" if name.endswith("pp") else "other"
    document = client.open((root / name).as_uri(), text, language)
    context = {"includeDeclaration": True}
    found = listed(client.at(method, document, *place(text, offset), context=context))
    client.tell("textDocument/didClose", document)
    return found


def shown(root: Path, found: list[Message]) -> list[str]:
    """Return places as ``file:line:text``."""
    result = []
    for each in found:
        name = Path(each["uri"].removeprefix("file://")).relative_to(root).as_posix()
        start, end = each["range"]["start"], each["range"]["end"]
        line = FILES[name].splitlines()[start["line"]]
        result.append(f"{name}:{start['line'] + 1}:{line[start['character'] : end['character']]}")
    return result


M = "modules/shop/"
INIT, INNER, PAGE = (f"{M}manifests/{name}.pp" for name in ("init", "inner", "page"))
TYPE = f"{M}lib/puppet/type/shop_user.rb"
PORT = f"{INIT}:1:port"


@pytest.mark.parametrize(
    ("name", "word", "expected"),
    [
        # Ruby
        (INIT, "upper('b')", [f"{M}lib/puppet/functions/shop/upper.rb:2:shop::upper"]),
        (INIT, "older('c')", [f"{M}lib/puppet/parser/functions/shop_older.rb:2:shop_older"]),
        (INNER, "shop_user { 'root'", [f"{TYPE}:1:shop_user"]),
        (INIT, "Shop_user['root']", [f"{TYPE}:1:shop_user"]),
        (INNER, "shell =>", [f"{TYPE}:6:shell"]),
        (INNER, "ensure => present", [f"{TYPE}:2:ensurable"]),
        (INNER, "shop_role {", [f"{M}lib/puppet/type/shop_role.rb:2:shop_role"]),
        (INNER, "grade =>", [f"{M}lib/puppet/type/shop_role.rb:10:grade"]),
        (INNER, "stones' }\n  service", [f"{M}lib/puppet/provider/package/stones.rb:1:stones"]),
        (INNER, "stones' }\n  shop", [f"{M}lib/puppet/provider/shop_user/stones.rb:1:stones"]),
        (INNER, "service {", []),
        (INNER, "package {", []),
        (INIT, "include", []),
        (INIT, "Integer", []),
        # Strings
        (INIT, "shop::inner'\n", [f"{INNER}:1:shop::inner"]),
        (INIT, "shop::inner\n", [f"{INNER}:1:shop::inner"]),
        (INIT, "shop::inner'] ->", [f"{INNER}:1:shop::inner"]),
        (INIT, "shop::inner') and", [f"{INNER}:1:shop::inner"]),
        (INIT, "shop::page')", [f"{PAGE}:1:shop::page"]),
        ("manifests/site.pp", "shop': port", [f"{INIT}:1:shop"]),
        (INNER, "shop::page', {", [f"{PAGE}:1:shop::page"]),
        (INNER, "shop::page', [", [f"{PAGE}:1:shop::page"]),
        (INIT, "conf.epp", [f"{M}templates/conf.epp:1:"]),
        (INIT, "ini.erb", [f"{M}templates/ini.erb:1:"]),
        (INIT, "modules/shop/a", [f"{M}files/a:1:"]),
        (INIT, "none.erb", []),
        # Resources
        (INIT, "start'", ["manifests/site.pp:4:start"]),
        (INIT, "tools'", [f"{INNER}:3:tools"]),
        (INIT, "shopd'", [f"{INNER}:4:shopd"]),
        (INIT, "root'", [f"{INNER}:5:root"]),
        (INNER, "/etc/shop.conf", [f"{INIT}:5:/etc/shop.conf"]),
        (INNER, "b' |>", [f"{INNER}:7:b"]),
        (INNER, "c'] {", [f"{INNER}:8:c"]),
        # Parameters and variables
        ("manifests/site.pp", "port =>", [PORT]),
        ("manifests/site.pp", "title_shown =>", [f"{PAGE}:1:title_shown"]),
        ("manifests/site.pp", "ensure =>", [f"{PAGE}:1:ensure"]),
        (INNER, "title_shown' => 1 } })", [f"{PAGE}:1:title_shown"]),
        (INNER, "title_shown' => 1 })", [f"{PAGE}:1:title_shown"]),
        (INNER, "title_shown => 2", [f"{PAGE}:1:title_shown"]),
        (INNER, "title_shown +>", [f"{PAGE}:1:title_shown"]),
        (INNER, "shop::port", [PORT]),
        (INNER, "shop::base_user", [f"{M}manifests/params.pp:2:base_user"]),
        (INNER, "host, $base", [f"{INIT}:1:host"]),
        (INNER, "site_wide)", ["manifests/site.pp:1:site_wide"]),
        (INNER, "base_user, $site", [f"{M}manifests/params.pp:2:base_user"]),
        (INIT, "size'", [f"{M}templates/conf.epp:1:size"]),
        (f"{M}templates/conf.epp", "user %>", [f"{M}templates/conf.epp:1:user"]),
        (f"{M}templates/ini.erb", "port", [PORT]),
        (f"{M}templates/ini.erb", "shop::base_user", [f"{M}manifests/params.pp:2:base_user"]),
        (f"{M}templates/ini.erb", "base_user %>\n", [f"{M}manifests/params.pp:2:base_user"]),
        ("manifests/site.pp", "::site_wide", ["manifests/site.pp:1:site_wide"]),
        (PAGE, "title, $name", []),
        ("data/common.yaml", "port", [PORT]),
        # A class that is not in the file of its name
        (f"{M}manifests/more.pp", "shop::nested", [f"{PAGE}:5:shop::nested::deep::unexpected"]),
    ],
)
def test_definitions(client: Direct, root: Path, name: str, word: str, expected: list[str]) -> None:
    offset = FILES[name].index(word) + 1
    assert shown(root, ask(client, root, name, offset, "definition")) == expected


@pytest.mark.parametrize(
    ("name", "word", "expected"),
    [
        (
            INIT,
            "port =",
            [
                *("data/common.yaml:1:shop::port", "manifests/site.pp:3:port"),
                *(PORT, f"{INIT}:6:port", f"{INNER}:2:shop::port", f"{ERB}:1:port"),
            ],
        ),
        (
            ERB,
            "port",
            [
                *("manifests/site.pp:3:port", PORT, f"{INIT}:6:port"),
                *(f"{INNER}:2:shop::port", f"{ERB}:1:port"),
            ],
        ),
        (INNER, "shopd", [f"{INIT}:8:shopd", f"{INNER}:4:shopd"]),
        (
            f"{M}templates/conf.epp",
            "size",
            [f"{INIT}:6:size", f"{M}templates/conf.epp:1:size", f"{M}templates/conf.epp:2:size"],
        ),
        (
            f"{M}manifests/params.pp",
            "base_user",
            [
                *(f"{INIT}:6:base_user", f"{INNER}:2:base_user", f"{INNER}:2:shop::base_user"),
                *(f"{M}manifests/params.pp:2:base_user", f"{ERB}:1:base_user"),
                f"{ERB}:1:shop::base_user",
            ],
        ),
        *[
            (
                ERB,
                word,
                [
                    *(f"{INIT}:6:base_user", f"{INNER}:2:base_user"),
                    *(f"{INNER}:2:shop::base_user", f"{M}manifests/params.pp:2:base_user"),
                    *(f"{ERB}:1:base_user", f"{ERB}:1:shop::base_user"),
                ],
            )
            for word in ("base_user'", "base_user %>\n")
        ],
        (PAGE, "title, $name", [f"{PAGE}:3:title"]),
        (
            PAGE,
            "title_shown =",
            [
                *("manifests/site.pp:4:title_shown", f"{INNER}:10:title_shown"),
                *(f"{INNER}:{line}:title_shown" for line in (7, 8, 9)),
                *(f"{PAGE}:{line}:title_shown" for line in (1, 2)),
            ],
        ),
    ],
)
def test_uses(client: Direct, root: Path, name: str, word: str, expected: list[str]) -> None:
    offset = FILES[name].index(word) + 1
    assert sorted(shown(root, ask(client, root, name, offset, "references"))) == expected


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith("pp")])
def test_each_use_has_the_definition_that_it_was_found_from(
    client: Direct, root: Path, name: str
) -> None:
    source = Source(FILES[name], str(root / name))
    uses = uses_in(parse(source, epp=name.endswith(".epp")))
    assert uses
    for use in uses:
        defined = ask(client, root, name, use.start, "definition")
        found = ask(client, root, name, use.start, "references")
        assert found
        for each in found:
            path = each["uri"].removeprefix(f"{root.as_uri()}/")
            text = FILES[path]
            lines = text.splitlines(keepends=True)
            start = each["range"]["start"]
            offset = sum(map(len, lines[: start["line"]])) + start["character"]
            assert ask(client, root, path, offset, "definition") == defined, (use, each)


@pytest.mark.parametrize(
    ("word", "title"),
    [
        ("shop::page', {", "shop::page"),
        ("shop::page', [", "shop::page"),
        ("title_shown' => 1 } })", "title_shown"),
        ("create_resources", "create_resources"),
    ],
)
def test_documentation_of_names_in_strings(
    client: Direct, root: Path, word: str, title: str
) -> None:
    document = client.open((root / INNER).as_uri(), FILES[INNER])
    line, character = place(FILES[INNER], FILES[INNER].index(word) + 1)
    found = client.at("hover", document, line, character)
    assert title in found["contents"]["value"].splitlines()[0]
    assert found["range"]["start"] == {"line": line, "character": character - 1}
    length = found["range"]["end"]["character"] - character + 1
    assert length == len(title)


def test_definitions_in_the_open_texts_count(client: Direct, root: Path) -> None:
    client.open((root / PAGE).as_uri(), "\n\ndefine shop::page ($new) { }\n")
    text = "shop::page { 'z': new => 1 }\nService['unknown'] -> Service['shopd']\n"
    document = client.open((root / "manifests/b.pp").as_uri(), text)
    found = client.at("definition", document, 0, 2)
    assert found["range"]["start"] == {"line": 2, "character": 7}
    assert client.at("definition", document, 0, 19)["range"]["start"]["line"] == 2
    assert client.at("definition", document, 1, 11) is None
    other = client.open((root / INNER).as_uri(), "\n\nservice { 'shopd': }\n")
    assert client.at("definition", document, 1, 34)["range"]["start"]["line"] == 2
    client.tell("textDocument/didClose", other)


def test_names_lead_to_no_file_elsewhere(client: Direct, root: Path) -> None:
    outside = root.parent / "secret.rb"
    outside.write_text("provide(:secret)")
    os.symlink(outside, root / M / "lib/puppet/provider/package/linked.rb")
    text = "package { 'a': provider => '../../../../../../../secret' }\n"
    document = client.open((root / "manifests/b.pp").as_uri(), text)
    assert client.at("definition", document, 0, 50) is None
    text = "package { 'a': provider => 'linked', source => 'puppet:///modules/../secret.rb' }\n"
    document = client.open((root / "manifests/c.pp").as_uri(), text)
    assert client.at("definition", document, 0, 30) is None
    assert client.at("definition", document, 0, 70) is None
