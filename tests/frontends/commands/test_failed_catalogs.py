"""The catalog that a failed input, or failed site manifests, had come to."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.frontends.commands import run
from puppet_repl.host.host import Host
from puppet_repl.session import Options
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report

SITE = """\
File { owner => root }
file { '/a': mode => '0644' } -> file { '/b': }
class x { notify { 'in x': } fail('boom') }
include x
"""
NONE = "no failed input or site has declared resources"


@pytest.fixture
def host(tmp_path: Path) -> Host:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text(SITE)
    made = Host(Options(environment=str(tmp_path)))
    made.open_prompt()
    return made


def answer(host: Host, text: str) -> str:
    return plain(render_report(run(host.session, text, host), 200))


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (":resources --failde", "--failde"),
        (":resources File[/a] --faield", "--faield"),
        (":graph --fialed mermaid", "--fialed"),
    ],
)
def test_a_misspelt_option(host: Host, command: str, option: str) -> None:
    assert answer(host, command) == (
        f"Error: there is no option {option}\n  hint: did you mean --failed?"
    )


def test_a_site_that_failed_can_be_looked_at(host: Host, tmp_path: Path) -> None:
    error, advice = host.start()
    assert isinstance(error, PuppetError)
    assert advice == (
        "the site manifests have declared nothing; :reset runs them again once this is fixed; "
        ":resources --failed lists the resources declared before"
    )
    assert answer(host, ":resources") == "no resources yet"
    table = answer(host, ":resources --failed")
    assert [line.split("  ")[0] for line in table.splitlines()[1:]] == [
        "File['/a']",
        "File['/b']",
        "Class['x']",
        "Notify['in x']",
    ]
    shown = answer(host, ":resources --failed /a")
    assert "before => File['/b']" in shown
    assert "owner   resource default line 1" in shown
    assert "before  arrow" in shown
    assert "→ File['/b']" in answer(host, ":graph --failed")
    assert answer(host, ":graph --failed mermaid x").startswith("flowchart")
    assert answer(host, ":resources") == "no resources yet", "nothing is left of it"
    assert not host.session.inputs

    assert answer(host, ":reset").endswith(
        "; :resources --failed lists the resources declared before"
    )
    (tmp_path / "manifests/site.pp").write_text("notify { 'good': }")
    assert answer(host, ":reset") == "session reset"
    assert NONE in answer(host, ":resources --failed")
    assert "Notify['good']" in answer(host, ":resources")


def test_a_site_that_is_not_puppet_code_leaves_none(host: Host, tmp_path: Path) -> None:
    (tmp_path / "manifests/site.pp").write_text("file {")
    _, advice = host.start()
    assert "--failed" not in str(advice)
    assert NONE in answer(host, ":resources --failed")
    assert NONE in answer(host, ":graph --failed")


def test_the_last_failed_input_counts_until_one_succeeds(host: Host) -> None:
    list(host.start())
    session = host.session
    assert session.execute("file { '/c': } fail('x')").error is not None
    assert session.execute("file { '/d'").error is not None, "it declares nothing"
    run(session, ":why fail('y') == 1", host)  # commands leave it alone
    shown = answer(host, ":resources --failed")
    assert "File['/c']" in shown
    assert "File['/a']" not in shown
    assert session.execute("notify { 'n': }").error is None
    assert NONE in answer(host, ":resources --failed")
    assert session.execute("notify { 'm': } Notify['n'] -> Notify['o'] fail('x')").error is not None
    assert "Notify['m']" in answer(host, ":resources --failed")
    assert "Notify['m']" not in answer(host, ":resources")
    session.undo()
    session.redo()
    assert "Notify['n']" in answer(host, ":resources")
    answer(host, ":reset")
    assert "Notify['m']" not in answer(host, ":resources --failed"), "it was of the session before"


def test_only_one_is_kept(host: Host) -> None:
    session = host.session
    session.keep_failed_catalog()
    for number in range(5):
        assert session.execute(f"notify {{ 'n{number}': }} fail('x')").error is not None
        seen = session.look_at_failed(
            lambda: [each.title for each in session.catalog.tables.members]
        )
        assert seen is not None
        assert f"n{number}" in seen
        assert f"n{number - 1}" not in seen
