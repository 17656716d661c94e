"""``:resources --exported``, and the file of ``--puppetdb``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_repl.catalog.exports_file import ExportsError
from puppet_repl.frontends.commands import run
from puppet_repl.host.host import Host
from puppet_repl.session import Options, Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report


def shown(session: Session, command: str) -> str:
    """Return what a command prints."""
    return plain(render_report(run(session, command)))


def session_with_exports() -> Session:
    """Return a session on node b, after a exported two resources."""
    session = Session(Options(node="a"), facts={})
    assert session.execute("@@notify { 'n': message => 'm' } @@file { '/x': }").error is None
    shown(session, ":node b")
    return session


def test_list_and_clear() -> None:
    session = session_with_exports()
    assert session.execute("@@notify { 'of b': }").error is None
    assert [line.split() for line in shown(session, ":resources --exported").splitlines()] == [
        ["Node", "Resource", "Attributes"],
        ["a", "Notify['n']", "{'message'", "=>", "'m'}"],
        ["a", "File['/x']", "{}"],
        ["b", "Notify['of", "b']", "{}"],
    ]
    assert shown(session, ":resources --exported clear a") == "2 resources dropped"
    assert "'n'" not in shown(session, ":resources --exported")
    assert session.execute("Notify <<| |>>").error is None
    assert "'n'" not in shown(session, ":resources")


@pytest.mark.parametrize("argument", ["clear", "clear b"])
def test_what_is_dropped_stays_away_until_it_changes(argument: str) -> None:
    session = session_with_exports()
    assert session.execute("@@notify { 'of b': }").error is None
    assert shown(session, f":resources --exported {argument}") in (
        "3 resources dropped",
        "1 resource dropped",
    )
    assert "of b" not in shown(session, ":resources --exported")
    assert session.execute("$a = 1").error is None
    shown(session, ":on c.lan -- Notify <<| |>>")
    assert "of b" not in shown(session, ":resources --exported")
    assert session.execute("@@notify { 'more of b': }").error is None
    assert "'more of b'" in shown(session, ":resources --exported")
    assert "'of b'" in shown(session, ":resources --exported")


def test_another_catalog_exports_again() -> None:
    session = Session(Options(node="a"), facts={})
    assert session.execute("@@notify { 'n': }").error is None
    assert shown(session, ":resources --exported clear") == "1 resource dropped"
    shown(session, ":reset")
    assert shown(session, ":resources --exported") == "no node has exported anything"
    assert session.execute("@@notify { 'n': }").error is None
    assert "Notify['n']" in shown(session, ":resources --exported")


def test_wrong_use() -> None:
    session = session_with_exports()
    assert "'nobody' has exported nothing" in shown(session, ":resources --exported clear nobody")
    assert "'x' does not follow --exported" in shown(session, ":resources --exported x")
    assert shown(Session(facts={}), ":resources --exported") == "no node has exported anything"
    off = Session(Options(storeconfigs=False), facts={})
    assert "exported resources are not kept" in shown(off, ":resources --exported")


def test_facts_and_reset_keep_exports() -> None:
    session = session_with_exports()
    shown(session, ":facts rocky-9")
    shown(session, ":reset")
    assert session.execute("Notify <<| |>>").error is None
    assert "Notify['n']" in shown(session, ":resources")


def test_another_machine_collects_what_this_session_exports() -> None:
    session = Session(Options(node="a"), facts={})
    assert session.execute("@@notify { 'n': }").error is None
    shown(session, ":node b")
    out = shown(session, ":on c.lan d.lan -- Notify <<| |>>")
    assert out.count("Notify['n']") == 2, out


def test_a_file_follows_the_session(tmp_path: Path) -> None:
    path = tmp_path / "exports.json"
    session = Host(Options(node="a", puppetdb=path), facts={}).session
    assert session.execute("notify { 'n': }").error is None
    assert not path.exists()
    assert session.execute("@@notify { 'e': }").error is None
    assert [row["title"] for row in json.loads(path.read_text())] == ["e"]
    assert session.execute("@@notify { 'f': }").error is None
    session.undo()
    assert [row["title"] for row in json.loads(path.read_text())] == ["e"]
    other = Host(Options(node="b", puppetdb=path), facts={}).session
    assert other.execute("Notify <<| |>>").error is None
    assert "Notify['e']" in shown(other, ":resources")
    shown(other, ":resources --exported clear")
    assert json.loads(path.read_text()) == []


def test_a_file_that_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "exports.json"
    path.write_text("{}")
    with pytest.raises(ExportsError):
        Host(Options(puppetdb=path), facts={})
    session = Host(Options(puppetdb=tmp_path / "none" / "x.json"), facts={}).session
    outcome = session.execute("@@notify { 'e': }")
    assert outcome.error is None
    assert [level for level, _ in outcome.logs] == ["warning"]
    assert "cannot write" in outcome.logs[0][1]
