"""The hint that the working directory has what was not found: only where it helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.host.host import Host
from puppet_repl.host.machines import Machine, session_for
from puppet_repl.language.runtime.options import Options
from puppet_repl.session import Session
from tests.conformance.judge import write_files

TAKES = "':environment .' takes it"
FILES = {
    "environment.conf": "modulepath = site-modules:modules\n",
    "hiera.yaml": "version: 5\n",
    "functions/loud.pp": "function loud($x) { upcase($x) }\n",
    "manifests/site.pp": "fail('nothing is run')\n",
    "site-modules/role/manifests/init.pp": "class role { }\n",
    "site-modules/role/types/port.pp": "type Role::Port = Integer\n",
    "modules/apache/manifests/vhost.pp": "define apache::vhost { }\n",
    "modules/clock/lib/puppet/functions/ticks.rb": "",
    "modules/clock/lib/puppet/parser/functions/tocks.rb": "",
    "modules/clock/lib/puppet/type/alarm.rb": "",
}


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    write_files(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    made = Host(facts={})
    made.open_prompt()
    return made


def notes(session: Session, code: str) -> tuple[str, ...]:
    error = session.execute(code).error
    assert error is not None
    return error.notes


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("include role", "module role"),
        ("include ::role::web", "module role"),
        ("class { 'role': }", "module role"),
        ("role { 'x': }", "module role"),
        ("role::shout('x')", "module role"),
        ("1 =~ Role::Port", "module role"),
        ("apache::vhost { 'x': }", "module apache"),
        ("ticks()", "module clock"),
        ("tocks()", "module clock"),
        ("alarm { 'x': }", "module clock"),
        ("loud('x')", "function loud"),
    ],
)
def test_names(host: Host, code: str, what: str) -> None:
    assert notes(host.session, code) == (f"this directory has the {what}: {TAKES}",)


def test_keys_of_data(host: Host, tmp_path: Path) -> None:
    assert notes(host.session, "lookup('a')") == (f"this directory has hiera.yaml: {TAKES}",)
    (tmp_path / "hiera.yaml").unlink()
    assert notes(host.session, "lookup('a')") == ()


def test_data_of_an_environment_that_no_level_has(tmp_path: Path) -> None:
    write_files(tmp_path, {"hieradata/common.yaml": "a: 1", "manifests/site.pp": ""})

    def told(**options: object) -> tuple[str, ...]:
        given = Options(environment=str(tmp_path), **options)  # type: ignore[arg-type]
        return notes(Session(given, facts={}), "lookup('a')")

    hint = "the environment has the directory hieradata, but no hiera.yaml with a level for it"
    assert told() == told(hermetic=True) == (hint,)
    write_files(tmp_path, {"hiera.yaml": ":backends: yaml"})
    hint = "strict=warning ignores the file; hiera_config takes it for the global layer"
    assert told() == (hint,)
    assert told(strict="warning") == ()


@pytest.mark.parametrize(
    "code", ["include rule", "quiet('x')", "bell { 'x': }", "$loud", "1 / 0", "include nginx"]
)
def test_other_names_are_not_in_the_directory(host: Host, code: str) -> None:
    assert not any("this directory" in note for note in notes(host.session, code))


def test_other_nodes_have_the_hint_too(host: Host) -> None:
    made, _ = session_for(Machine("web01", node="web01"), host.session)
    assert TAKES in notes(made, "include role")[0]


def test_only_where_the_command_would_help(host: Host, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    for options in (Options(environment=str(tmp_path / "elsewhere")), Options(hermetic=True)):
        session = Session(options, facts={})
        options.spell("setting")
        assert not any(TAKES in note for note in notes(session, "include role"))
    assert not any(TAKES in note for note in notes(Session(facts={}), "include role"))


def test_a_module_is_no_environment(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path / "site-modules" / "role")
    assert not any(TAKES in note for note in notes(host.session, "include role"))


def test_a_directory_that_is_gone(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert not any(TAKES in note for note in notes(host.session, "include role"))
