"""Hints that say which public module a missing name belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.environment.modules import public_modules
from puppet_repl.session import Options, Session


def notes(session: Session, code: str) -> tuple[str, ...]:
    """The hints of an input that must fail."""
    error = session.execute(code).error
    assert error is not None
    return error.notes


@pytest.mark.parametrize(
    ("code", "name", "module"),
    [
        ("mysql_user { 'a': }", "mysql_user", "puppetlabs-mysql"),
        ("Mysql_user <| |>", "mysql_user", "puppetlabs-mysql"),
        ("notice(Mysql_user['a'])", "Mysql_user", "puppetlabs-mysql"),
        ("nova_config { 'a': }", "nova_config", "openstack-nova"),
        ("include ::nginx", "nginx", "puppet-nginx"),
        ("class { 'nginx': }", "nginx", "puppet-nginx"),
        ("apache::vhost { 'a': }", "apache::vhost", "puppetlabs-apache"),
        ("apache::bool2httpd(1)", "apache::bool2httpd", "puppetlabs-apache"),
        ("mysql_password('a')", "mysql_password", "puppetlabs-mysql"),
        ("pick(1)", "pick", "puppetlabs-stdlib"),
        ("1 =~ Stdlib::Port", "Stdlib::Port", "puppetlabs-stdlib"),
    ],
)
def test_missing_modules(code: str, name: str, module: str) -> None:
    hint = (
        f"{name} belongs to the module {module}, which is not on the module path; "
        "--modulepath DIR names where modules are"
    )
    session = Session(Options(stdlib="off"))
    assert notes(session, code) == (hint,)
    session.options.spell("setting")
    assert notes(session, code) == (hint.replace("--modulepath", ":modulepath"),)


@pytest.mark.parametrize("code", ["include nginx::nope", "nginx::nope { 'a': }"])
def test_a_module_that_is_there(tmp_path: Path, code: str) -> None:
    (tmp_path / "nginx" / "manifests").mkdir(parents=True)
    assert notes(Session(Options(modulepath=(str(tmp_path),), stdlib="off")), code) == ()


def test_other_names() -> None:
    session = Session(Options(stdlib="off"))
    assert notes(session, "nope { 'a': }") == ()
    assert notes(session, "filee { 'a': }") == ("did you mean file?",)
    (note,) = notes(session, "include nope::sub")
    assert note == (
        "nope::sub would be of a module nope, which is not on the module path; "
        "--modulepath DIR names where modules are"
    )


def test_every_module_has_an_owner() -> None:
    for table in (public_modules._TYPES, public_modules._FUNCTIONS):
        for module, names in table.items():
            assert names.split(), module
            assert public_modules.forge_name(module), module
