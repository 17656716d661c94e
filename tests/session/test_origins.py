"""Where the attributes of resources come from: each kind of origin, and several together."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.session import Options, Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report

FILES = {
    "hiera.yaml": """\
version: 5
hierarchy:
  - {name: Per node, path: "nodes/%{trusted.certname}.yaml"}
  - {name: Common, path: common.yaml}
""",
    "data/nodes/web01.yaml": "shop::users: [b]\nshop::port: 8080\n",
    "data/common.yaml": """\
---
site::top: hello
shop::port: 80
shop::users: [a]
lookup_options:
  shop::users: {merge: unique}
  shop::hidden: {convert_to: Sensitive}
shop::hidden: s3cret
shop::local: from lookup
shop::deep: {x: 1}
shop::param: p
""",
    "manifests/site.pp": """\
File { owner => 'root', backup => false }
$top = lookup('site::top')
node default { include shop }
file { '/top': content => $top }
File <| title == '/over' |> { mode => '0600', owner => 'web' }
Notify <| title == 'late' |> { tag +> 'collected' }
shop::thing { 'z': noop => true }
""",
    "modules/shop/manifests/init.pp": """\
class shop (
  Integer $port,
  Array[String] $users,
  Sensitive $hidden,
  String $mode = '0644',
  String $asked = lookup('shop::param'),
  String $params = $shop::params::value,
) inherits shop::params {
  $local = lookup('shop::local')
  $twice = 'a'
  file { '/conf':
    mode    => $mode,
    content => "${port}",
    group   => 'web',
    tag     => $users,
    require => File['/local'],
  }
  file { '/local': content => $local }
  file { '/over': mode => '0644', content => $params }
  file { '/asked': content => $asked, mode => $shop::mode }
  File['/local'] -> File['/conf']
  notify { 'deep': message => lookup('shop::deep', Hash, 'deep') }
  notify { 'direct': message => lookup({'name' => 'shop::local'}) }
  notify { 'late': tag => 'own' }
  notify { 'splat': * => { 'message' => 'm' } }
  shop::thing { 'a': }
  create_resources('file', { '/made' => { 'mode' => '0600' } })
  ['x'].each |$local| { file { "/each": content => $local } }
  class { 'shop::sub': }
}
""",
    "modules/shop/manifests/params.pp": "class shop::params {\n  $value = 'x'\n}\n",
    "modules/shop/manifests/sub.pp": """\
class shop::sub inherits shop {
  require shop::other
  File['/conf'] { group => 'sub', require +> File['/made'] }
}
""",
    "modules/shop/manifests/other.pp": "class shop::other { }\n",
    "modules/shop/manifests/thing.pp": """\
define shop::thing ($label = "${title}-x", Integer $n = 5) {
  notify { $label: message => $n }
}
""",
}

SITE, INIT, THING = "manifests/site.pp", "shop/init.pp", "shop/thing.pp"

# Resource and attribute, and what is known of each origin.
ORIGINS = {
    "/conf mode": [f"parameter default {INIT}:5", f"code {INIT}:12"],
    "/conf content": ["data nodes/web01.yaml:2 shop::port Per node", f"code {INIT}:13"],
    "/conf group": ["override shop/sub.pp:3"],
    "/conf tag": [
        "data nodes/web01.yaml:1 shop::users Per node",
        "data common.yaml:4 shop::users Common",
        f"code {INIT}:15",
    ],
    "/conf require": [f"code {INIT}:16", "override shop/sub.pp:3"],
    "/conf owner": [f"resource default {SITE}:1"],
    "/over owner": [f"collector {SITE}:5"],
    "/over mode": [f"collector {SITE}:5"],
    "/over content": ["code shop/params.pp:2", f"parameter default {INIT}:7", f"code {INIT}:19"],
    "/over backup": [f"resource default {SITE}:1"],
    "/local content": [
        "data common.yaml:9 shop::local Common",
        f"code {INIT}:9",
        f"code {INIT}:18",
    ],
    "/local before": ["relationship"],
    "/asked content": [
        "data common.yaml:11 shop::param Common",
        f"parameter default {INIT}:6",
        f"code {INIT}:20",
    ],
    "/asked mode": [f"parameter default {INIT}:5", f"code {INIT}:20"],
    "/top content": ["data common.yaml:2 site::top Common", f"code {SITE}:2", f"code {SITE}:4"],
    "/made mode": [f"function {INIT}:27"],
    # The variable is that of a lambda.
    "/each content": [f"code {INIT}:28"],
    "deep message": ["data common.yaml:10 shop::deep Common", f"code {INIT}:22"],
    "direct message": [f"code {INIT}:23"],
    "late tag": [f"code {INIT}:24", f"collector {SITE}:6"],
    "splat message": [f"code {INIT}:25"],
    "a label": [f"parameter default {THING}:1"],
    "a-x message": [f"parameter default {THING}:1", f"code {THING}:2"],
    "z-x noop": [f"code {SITE}:7", "container Shop::Thing[z]"],
    "Shop hidden": ["data common.yaml:8 shop::hidden Common"],
    "Shop port": ["data nodes/web01.yaml:2 shop::port Per node"],
    "Shop::Sub require": ["function shop/sub.pp"],
}


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site")
    for name, text in FILES.items():
        path = made / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return made


@pytest.fixture(scope="module")
def session(directory: Path) -> Session:
    made = Session(Options(environment=str(directory), node="web01"), facts="debian-12")
    outcome = made.compile_site()
    assert outcome.error is None, str(outcome.error)
    return made


def origins_in(session: Session, directory: Path) -> dict[str, list[str]]:
    """Return the origins of all attributes, with short names of files."""
    found = {}
    for resource, attributes in session.origins(session.catalog.tables.members).items():
        for name, origins in attributes.items():
            texts = []
            for one in origins:
                file = None if one.file is None else str(Path(one.file).relative_to(directory))
                short = (file or "").replace("modules/shop/manifests", "shop")
                line = "" if one.line is None else f":{one.line}"
                place = f"{short.removeprefix('data/')}{line}"
                texts.append(" ".join(filter(None, (one.kind, place, one.name, one.level))))
            found[f"{resource.title} {name}"] = texts
    return found


@pytest.mark.parametrize("attribute", ORIGINS)
def test_origins(attribute: str, session: Session, directory: Path) -> None:
    assert origins_in(session, directory)[attribute] == ORIGINS[attribute]


def test_nothing_changes(session: Session) -> None:
    before, logs = session.catalog.state.version, []
    session.log = lambda *each: logs.append(each)
    assert session.origins(session.catalog.tables.members)
    assert session.catalog.state.version == before
    assert not logs


def test_data_that_have_changed_since(directory: Path) -> None:
    """The catalog has a value of before: no line has it."""
    made = Session(Options(environment=str(directory), node="db01"), facts="debian-12")
    assert made.compile_site().error is None
    shop = made.catalog.resources.find("class", "shop")
    assert shop is not None
    path = directory / "data/common.yaml"
    text = path.read_text()
    assert made.origins([shop])[shop]["port"][0].line == 3
    try:
        path.write_text(text.replace("shop::port: 80", "# more\nshop::port: 8081"))
        assert [each.to_dict() for each in made.origins([shop])[shop]["port"]] == [
            {"kind": "data", "name": "shop::port"}
        ]
        path.write_text(text.replace("shop::port: 80", "# more\nshop::port: 80"))
        assert made.origins([shop])[shop]["port"][0].line == 4
    finally:
        path.write_text(text)


def test_exported_and_typed() -> None:
    made = Session()
    for text in (
        "@@notify { 'n': message => 'm' }",
        "Notify { tag => 'x' }",
        "notify { 'o': message => 'a' }",
        "Notify['o'] { message => 'b' }",
    ):
        assert made.execute(text).error is None
    other = Session(exports=made.keep_exports())
    other.use_node("other")
    assert other.execute("Notify <<| |>>").error is None
    (collected,) = [each for each in other.catalog.tables.members if each.type == "Notify"]
    (origin,) = other.origins([collected])[collected]["message"]
    assert origin.kind == "exported"
    assert origin.name
    answered = plain(render_report(run(made, ":resources Notify[o]"), 80))
    assert "message  override line 1" in answered
    assert "tag      resource default line 1" in answered


def test_resources_shows_origins(session: Session, directory: Path) -> None:
    text = plain(render_report(run(session, ":resources /conf"), 80))
    lines = text.splitlines()
    whole = plain(render_report(run(session, ":resources /conf"), 400))
    assert f"declared at {directory}/modules/shop/manifests/init.pp:11" in whole.splitlines()
    assert "content  Hiera data/nodes/web01.yaml:2 → line 13" in lines
    assert "tag      Hiera data/nodes/web01.yaml:1 + Hiera data/common.yaml:4 → line 15" in lines
    assert "owner    resource default manifests/site.pp:1" in lines
    text = plain(render_report(run(session, ":resources splat"), 80))
    assert "tag" not in text
    assert "owner" not in text, "there are no defaults of its type"
