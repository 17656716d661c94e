"""What names are completed to, and what is shown of them, in a module: ¦ is the cursor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.language_server.client import Direct

FILES = {
    "environment.conf": "modulepath = modules\n",
    "hiera.yaml": (
        "version: 5\nhierarchy:\n"
        "  - { name: node, path: nodes/a.example.com.yaml }\n"
        "  - { name: common, path: common.yaml }\n"
    ),
    "data/common.yaml": "shop::user: nobody\n",
    "modules/shop/manifests/init.pp": """\
# @param user who owns the files
class shop (String[1] $user = 'nobody', Shop::Level $level = 'low') {
  $conf = '/etc/shop.conf'
  file { $conf: owner => $user }
  file { '/etc/shop.d': ensure => directory }
}
""",
    "modules/shop/manifests/web.pp": (
        "class shop::web (Integer $port = 80) {\n  $root = '/srv'\n}\n"
    ),
    "modules/shop/manifests/vhost.pp": "define shop::vhost (Integer $port) {\n}\n",
    "modules/shop/functions/names.pp": "function shop::names(Hash $sites) {\n  $sites.keys\n}\n",
    "modules/shop/types/level.pp": "type Shop::Level = Enum['low', 'high']\n",
    "modules/shop/templates/old.erb": "<%= @conf %>\n",
    "modules/shop/templates/shop.conf.epp": (
        "<%- | String $user,\n      Array[String] $names = [],\n| -%>\nuser = <%= $user %>\n"
        "<% $names.each |$n| { %><%= $n %><% } %>\n"
    ),
    "modules/shop/lib/puppet/functions/shop/twice.rb": (
        "# Return a number twice.\nPuppet::Functions.create_function(:'shop::twice') do\n"
        "  dispatch :twice do\n    param 'Integer', :x\n  end\n"
        "  def twice(x)\n    x * 2\n  end\nend\n"
    ),
    "modules/shop/lib/puppet/type/webtype.rb": (
        "Puppet::Type.newtype(:webtype) do\n  newparam(:name, :namevar => true)\nend\n"
    ),
}
MANIFEST = "modules/shop/manifests/t1.pp"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def client(root: Path) -> Direct:
    client = Direct()
    client.start(root)
    while client.server.has_work:  # the index
        client.messages += client.server.work()
    return client


def ask(client: Direct, method: str, text: str, path: Path) -> Any:
    """Return the answer about the cursor of a text, which is opened as a file."""
    before, _, after = text.partition("¦")
    language = "yaml" if path.suffix == ".yaml" else "puppet"
    document = client.open(path.as_uri(), before + after, language)
    line = before.count("\n")
    return client.at(method, document, line, len(before) - before.rfind("\n") - 1)


def inserted(client: Direct, text: str, path: Path) -> list[str]:
    """Return the texts that the completions at the cursor of a text insert."""
    items = ask(client, "completion", text, path)["items"]
    return [each["textEdit"]["newText"] for each in items]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("File <| ow¦ |>", ["owner == ${0}"]),
        ("File <| own¦ == 'me' |>", ["owner"]),
        ("file { '/x': own¦ }", ["owner => ${0},"]),
        ("@@shop::v¦", ["shop::vhost { '${1:title}':\n  port => ${2:Integer},\n}"]),
        ("$a = epp('shop/¦')", ["shop/shop.conf.epp"]),
        ("$a = template('shop/¦')", ["shop/old.erb"]),
        ("$a = find_template('shop/¦')", ["shop/old.erb", "shop/shop.conf.epp"]),
    ],
)
def test_completion(client: Direct, root: Path, text: str, expected: list[str]) -> None:
    assert inserted(client, text, root / MANIFEST)[: len(expected)] == expected
    if "template" in text:
        assert len(inserted(client, text, root / MANIFEST)) == len(expected)


def hover(client: Direct, text: str, path: Path) -> str:
    """Return the Markdown for the cursor of a text."""
    found: str = ask(client, "hover", text, path)["contents"]["value"]
    return found


TEMPLATE = "modules/shop/templates/t1.epp"
IN_TEMPLATE = "<%- | String $us¦er, Integer $b = 2 | -%>\nuser = <%= $user %>\n"
READ_IN_TEMPLATE = "<%- | String $user, Integer $b = 2 | -%>\nuser = <%= $us¦er %>\n"
READ_IN_LAMBDA = "<%- | String $user | -%>\n<% [1].each |$n| { %><%= $us¦er %><% } %>\n"


@pytest.mark.parametrize("text", [IN_TEMPLATE, READ_IN_TEMPLATE, READ_IN_LAMBDA])
def test_hover_of_a_parameter_of_a_template(client: Direct, root: Path, text: str) -> None:
    shown = hover(client, text, root / TEMPLATE)
    assert "A parameter of the template." in shown
    assert "lambda" not in shown
    assert shown.startswith("`$user` *parameter*\n")


def test_hover_of_a_parameter_of_a_lambda(client: Direct, root: Path) -> None:
    text = "<%- | String $user | -%>\n<% [1].each |$n| { %><%= $¦n %><% } %>\n"
    assert "of the lambda that each() calls" in hover(client, text, root / TEMPLATE)


def test_hover_shortens_long_types(client: Direct, root: Path) -> None:
    shown = hover(client, "$a = $fac¦ts\n", root / MANIFEST)
    kind = next(line for line in shown.splitlines() if line.startswith("+ Type:"))
    assert kind.startswith("+ Type: `Hash[Enum['")
    assert " more], Data, " in kind and len(kind) < 150


def test_hover_of_a_key_has_the_value_apart_from_its_origin(client: Direct, root: Path) -> None:
    shown = hover(client, "shop::us¦er: nobody\n", root / "data/common.yaml")
    assert "`'nobody'` (environment, level common)" in shown


def test_hover_of_a_function_in_ruby_says_where_it_is(client: Direct, root: Path) -> None:
    shown = hover(client, "$a = shop::twi¦ce(1)\n", root / MANIFEST)
    path = root / "modules/shop/lib/puppet/functions/shop/twice.rb"
    assert f"+ Defined at: `{path}:2`" in shown
    assert "Defined at" not in hover(client, "$a = upc¦ase('a')\n", root / MANIFEST)
