"""A new name leaves the catalogs as they are: each name of an environment is changed once."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from puppet_repl.tools.renaming import Name
from tests.tools.renaming.compare import Directory, run

FILES = {
    "environment.conf": "",
    "hiera.yaml": """
        version: 5
        hierarchy:
          - {name: a, path: common.yaml}
        """,
    "data/common.yaml": """
        lookup_options:
          shop::sites: {merge: deep}
        classes: ['shop::db', shop::web]
        shop::port: 8080
        shop::sites:
          one: {docroot: /one}
          two:
            docroot: "/two/%{lookup('shop::port')}"
            mode: '0600'
        shop::web::owner: www
        """,
    "manifests/site.pp": "",
    "modules/shop/manifests/init.pp": """
        # @param port the port
        class shop (Shop::Port $port, Hash $sites = {}, String $motd = shop::greet('all')) {
          include lookup('classes')
          create_resources('shop::site', $sites, { 'owner' => 'root' })
          file { '/port': content => "${port} ${motd}", require => Class['shop::db'] }
          Class['Shop::Db'] -> Shop::Site['one']
          Shop::Site <| docroot == '/one' |> { mode => '0640' }
        }
        """,
    "modules/shop/manifests/params.pp": """
        class shop::params ($path = '/etc/shop') {
          $log = "${path}/log"
        }
        """,
    "modules/shop/manifests/db.pp": """
        class shop::db ($directory = $shop::params::path) inherits shop::params {
          file { [$directory, $log]: ensure => directory }
          file { "${path}/x": content => epp('shop/x.epp', { 'port' => $shop::port }) }
        }
        """,
    "modules/shop/manifests/web.pp": """
        class shop::web ($owner, $port = getvar('shop::port')) {
          ['a', 'b'].each |$each| { shop::site { $each: docroot => "/${each}", owner => $owner } }
          $options = { 'docroot' => '/z' }
          shop::site { 'z': * => $options }
          ensure_resource('shop::site', 'y', { 'docroot' => '/y' })
          file { '/mode': mode => Shop::Site['z']['mode'] }
        }
        """,
    "modules/shop/manifests/site.pp": """
        define shop::site ($docroot, $owner = 'nobody', Shop::Mode $mode = '0644') {
          file { "${docroot}/${title}":
            owner => $owner,
            mode  => $mode,
          }
        }
        """,
    "modules/shop/functions/greet.pp": 'function shop::greet($who) { "hello ${who}" }\n',
    "modules/shop/types/port.pp": "type Shop::Port = Integer[1, 65535]\n",
    "modules/shop/types/mode.pp": "type Shop::Mode = Pattern[/0[0-7]{3}/]\n",
    "modules/shop/templates/x.epp": "<%- | $port | -%>\n<%= $port %> <%= $shop::web::owner %>\n",
}


def environment(tmp_path: Path) -> Path:
    directory = tmp_path / "production"
    for path, text in FILES.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(textwrap.dedent(text).lstrip("\n"))
    return directory


def test_catalogs_stay_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcomes = run([environment(tmp_path)], [], 1000, 1)
    reasons = capsys.readouterr().out
    assert "18 {" in reasons  # names
    counted = {each: outcomes[each] for each in ("compared", "broken", "refused", "not compiled")}
    assert counted == {"compared": 18, "broken": 0, "refused": 0, "not compiled": 0}, reasons


def test_a_catalog_that_differs_is_noticed(tmp_path: Path) -> None:
    directory = Directory(environment(tmp_path), [])
    name = Name("class", "shop", 0, 0, "port")
    assert directory.tried(name, "door") == ("compared", "")
    del directory.values.sources.data[:]  # as if the data were not renamed
    outcome, reason = directory.tried(name, "door")
    assert outcome == "broken"
    assert "expects a value for parameter 'door'" in reason
