"""Names that modules have and nobody has loaded yet: classes and defined types are told apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.host.host import Host
from puppet_repl.session import Options, Session
from puppet_repl.tools.editing import complete, inspect
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.help import documentation_markdown
from puppet_repl.tools.reports.report import render_report

FILES = {
    "manifests/init.pp": "# The main class.\n# @param n A number\nclass web(Integer $n = 1) { }\n",
    "manifests/server.pp": (
        "# define web::other in a comment\n"
        "# @summary One virtual server\n"
        "define web::server(\n  Integer $port = 80,\n  String $root = '/',\n) { }\n"
    ),
    "manifests/inner/deep.pp": "class web::inner::deep { define_nothing() }\n",
    "manifests/empty.pp": "# nothing yet\n",
    "templates/vhost.epp": "",
    "templates/sub/old.erb": "",
    "files/motd": "",
    "files/etc/it's.conf": "",
    "functions/twice.pp": "# @summary Twice of a number\nfunction web::twice($n) { $n * 2 }\n",
}


@pytest.fixture
def host(tmp_path: Path) -> Host:
    for name, text in FILES.items():
        path = tmp_path / "web" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Host(Options(modulepath=(str(tmp_path),)), facts={})


@pytest.fixture
def session(host: Host) -> Session:
    return host.session


def shown(host: Host, command: str) -> str:
    return plain(render_report(run(host.session, command, host), 80))


def offered(session: Session, text: str) -> dict[str, str]:
    return {item.text: item.kind for item in complete(session, text).items}


def test_include_offers_classes_only(session: Session) -> None:
    assert set(offered(session, "include web")) == {"web", "web::inner::deep"}
    assert set(offered(session, "class { 'web")) == {"web", "web::inner::deep"}


def test_a_defined_type_is_offered_where_a_resource_begins(session: Session) -> None:
    found = offered(session, "web::se")
    assert found["web::server"] == "resource type"
    (item,) = [item for item in complete(session, "web::se").items if item.text == "web::server"]
    assert item.detail == "One virtual server"
    (item,) = [item for item in complete(session, "include web").items if item.text == "web"]
    assert item.detail == "The main class."


def test_the_list_of_classes_has_kinds_and_parameters(host: Host) -> None:
    for _ in range(2):
        rows = [row.split() for row in shown(host, ":names classes web").split("\n")]
        assert ["web", "class", "$n"] in rows or ["web", "class,", "declared", "$n"] in rows
        assert ["web::server", "defined", "type", "$port,", "$root"] in rows
        assert ["web::inner::deep", "class"] in rows
        assert not any(row[:1] == ["web::empty"] for row in rows)
        assert host.session.execute("include web").error is None


def test_the_list_of_functions_has_summaries(host: Host) -> None:
    assert "web::twice  Twice of a number" in shown(host, ":names functions web")


def test_including_a_defined_type_is_told(session: Session) -> None:
    error = session.execute("include web::server").error
    assert error is not None
    assert any("web::server is a defined type" in note for note in error.notes)


def test_a_file_that_has_changed_is_read_again(session: Session, tmp_path: Path) -> None:
    assert "web::empty" not in offered(session, "include web")
    (tmp_path / "web/manifests/empty.pp").write_text("class web::empty { }\n")
    session.execute("1")
    assert "web::empty" in offered(session, "include web")


def test_what_is_forgotten_is_in_no_catalog_and_loads_again(host: Host, tmp_path: Path) -> None:
    session = host.session
    path = tmp_path / "web/manifests/init.pp"
    path.write_text("class web { notify { 'one': } file { '/web': } }\n")
    assert session.execute("include web").error is None
    assert session.execute("notify { 'mine': }").error is None
    assert "Notify['one']" in shown(host, ":resources")
    shown(host, ":forget web")
    listed = shown(host, ":resources")
    assert "Class['web']" not in listed and "Notify['one']" not in listed
    assert "File['/web']" not in listed and "Notify['mine']" in listed
    path.write_text("class web { notify { 'two': } }\n")
    assert session.execute("include web").error is None
    assert "Notify['two']" in shown(host, ":resources")
    assert "Notify['one']" not in shown(host, ":resources")
    session.undo(2)
    assert "Notify['one']" in shown(host, ":resources")


@pytest.mark.parametrize(
    ("text", "all_offered"),
    [
        ("epp('we", {"web/"}),
        ("epp('web/", {"web/vhost.epp"}),
        ("$x = template('web/sub", {"web/sub/old.erb"}),
        ("file('web/mo", {"web/motd"}),
        ("file { '/x': content => epp('web/vh", {"web/vhost.epp"}),
        ("file { '/x': source => 'puppet:///modules/w", {"web/"}),
        ("file { '/x': source => 'puppet:///modules/web/e", {"web/etc/it\\'s.conf"}),
        ("file { '/x': source => 'pup", {"puppet:///modules/"}),
        ("epp('nope/", set()),
    ],
)
def test_files_of_modules_are_offered(session: Session, text: str, all_offered: set[str]) -> None:
    found = complete(session, text)
    assert {item.text for item in found.items} == all_offered


LAYERS = Path(__file__).parents[2] / "environment/reference/modules"


def test_defaults_in_the_data_of_a_module() -> None:
    """They are told, and such parameters are not those that a class needs."""
    host = Host(Options(modulepath=(str(LAYERS),)), facts={})
    told = shown(host, ":doc layers")
    assert "$text           String = 'it\\'s a \"text\"'" in told
    assert "A text.  (from the data of the module)" in told
    assert "$in_code        String = 'code'\n                  The code has" in told
    assert "Default  'it\\'s a \"text\"'  (from the data of the module)" in shown(
        host, ":doc layers::text"
    )
    assert "(from the data" not in shown(host, ":doc layers::thing"), "Puppet looks up none"
    assert "  Words       Array[Word]\n" in shown(host, ":doc layers::local"), "types of its own"
    told = shown(host, ":doc layers::symbol")
    assert told.endswith("Default  'name'  (from the data of the module)")
    found = inspect(host.session, "include layers", 12)
    assert found is not None
    assert "+ `$null` `Optional[String] = undef`: (from the data of the module)\n" in (
        documentation_markdown(found)
    )
    found = inspect(host.session, "class { 'layers': number => 1 }", 19)
    assert found is not None
    assert [(each.label, each.text, each.remark) for each in found.details] == [
        ("Type", "Integer", ""),
        ("Default", "8", "from the data of the module"),
    ]
    text = "class { 'layers':\n  "
    names = [item.label for item in complete(host.session, text).items]
    assert names[:3] == ["second", "other", "untyped"], "the others have values"
