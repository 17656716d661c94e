"""Nodes, facts and trusted facts in a real pseudo-terminal: the site runs again for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.frontends.terminal.terminal_screen import TerminalScreen

SITE = """\
node /^web/ { notice("web on ${facts['os']['family']}, role ${trusted['extensions']['pp_role']}") }
node 'db07.lan' { notice("db is ${facts['networking']['hostname']}") }
"""


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TerminalScreen]:
    site = tmp_path / "production" / "manifests" / "site.pp"
    site.parent.mkdir(parents=True)
    site.write_text(SITE)
    (tmp_path / "web02.yaml").write_text("os: {family: Suse}\nnetworking: {fqdn: web02.lan}\n")
    (tmp_path / "list.yaml").write_text("- 1\n")
    monkeypatch.chdir(tmp_path)
    arguments = ("--environment", "production", "--facts", "debian-12", "--node", "web01.lan")
    with TerminalScreen(tmp_path, *arguments) as made:
        made.wait_for("Notice: web on Debian, role")
        made.wait_for("puppet [1]>")
        yield made


def test_what_changes_about_the_node_runs_the_site(screen: TerminalScreen) -> None:
    screen.type(":node db")
    screen.wait_for("db07.lan")
    screen.type("\t")
    screen.wait_for(":node db07.lan")
    screen.type("\r\r")  # the first one closes the menu
    screen.wait_for("node db07.lan; session reset")
    screen.wait_for("Notice: db is db07")
    screen.type(":node web01.lan\r")
    screen.wait_for("node web01.lan; session reset")
    screen.type(":node pp_role=front\r")
    screen.wait_for("Notice: web on Debian, role front")
    screen.type(":facts web02.yaml os.family=Gentoo\r")
    screen.wait_for("the node is still web01.lan, the facts are those of web02.lan")
    screen.wait_for("Notice: web on Gentoo, role front")
    screen.type(":node mail.lan\r")
    screen.wait_for("Could not find node statement with name 'default' or 'mail.lan'")
    screen.wait_for("there are node blocks for /^web/, 'db07.lan'")


def test_a_typed_node_block_tells_whether_it_applies(screen: TerminalScreen) -> None:
    screen.type("node default { notice('no') }\r")
    screen.wait_for("node default does not apply to web01.lan: node /^web/ does")
    screen.type("node 'web01.lan' { notice('mine') }\r")
    screen.wait_for("node 'web01.lan' applies to web01.lan")
    screen.wait_for("Notice: mine")


def test_a_file_without_facts_changes_nothing(screen: TerminalScreen) -> None:
    screen.run("$before = 1")
    screen.type(":facts li")
    screen.wait_for("list.yaml")
    screen.type("\t")
    screen.wait_for(":facts list.yaml")
    screen.type("\r\r")
    screen.wait_for("Error: list.yaml: facts are a mapping from names to values, this is a list")
    screen.run("$before + 1")
    assert "2  Integer" in screen.text


def test_the_startup_file_runs_once_after_each_reset(tmp_path: Path) -> None:
    directory = tmp_path / "config" / "puppet-repl"
    directory.mkdir(parents=True)
    (directory / "startup.pp").write_text("notice('hello') function twice($x) { $x * 2 }")
    told = {
        ":reset": "\nsession reset",
        ":node web01": "\nnode web01; session reset",
        ":facts rocky-9": "\nfacts of rocky-9; session reset",
        ":node pp_role=web": "\npp_role=web; session reset",
        f":environment {tmp_path}": "no manifests; session reset",
    }
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        for count, (command, answer) in enumerate(told.items(), 2):
            screen.type(f"{command}\r")
            screen.wait_for(answer)
            assert screen.text.count("Notice: hello") == count
        screen.run("twice(21)")
        assert "42  Integer" in screen.text
        assert screen.text.count("Notice: hello") == len(told) + 1
