"""``:lookup`` in a real pseudo-terminal: the table, machines, completion of keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.judge import write_files
from tests.frontends.terminal.terminal_screen import TerminalScreen

FILES = {
    "hiera.yaml": "version: 5\nhierarchy:\n"
    "  - {name: Machine, path: '%{trusted.certname}.yaml'}\n"
    "  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n"
    "  - {name: Common, path: common.yaml}\n",
    "data/common.yaml": "lookup_options:\n  web::key: {convert_to: Sensitive}\n"
    "web::port: 8080\nweb::key: not for the screen\n",
    "data/web01.yaml": f"web::port: 443\nweb::long: {'word ' * 12}one\n",
    "data/web02.yaml": f"web::long: {'word ' * 12}two\n",
}


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[TerminalScreen]:
    root = tmp_path / "production"
    write_files(root, FILES)
    with TerminalScreen(
        tmp_path, "--environment", str(root), "--facts", "debian-12", "--node", "web02"
    ) as made:
        made.wait_for("puppet [1]>")
        yield made


def test_a_key_is_explained_on_this_node_and_on_others(screen: TerminalScreen) -> None:
    screen.type(":lookup web::port\r")
    screen.wait_for("web::port (merge first)")
    screen.wait_for("not there")
    screen.wait_for("empty: %{facts.role}")
    screen.wait_for("data/common.yaml:3  8080")
    screen.wait_for("nothing for %{facts.role} in the path roles/%{facts.role}.yaml")
    screen.type(":lookup web::port -- web01 web02\r")
    screen.wait_for("web01    443    data/web01.yaml:1")
    screen.wait_for("web02    8080   data/common.yaml:3")


def test_secrets_never_reach_the_screen(screen: TerminalScreen) -> None:
    screen.type(":lookup web::key\r")
    screen.wait_for("Sensitive [value redacted]")
    screen.type(":lookup web::k\t")
    screen.wait_for("redacted")
    assert "not for the screen" not in screen.text


@pytest.mark.parametrize("entry", [":lookup web::p", "lookup('web::p"])
def test_keys_complete_and_the_menu_has_their_values(screen: TerminalScreen, entry: str) -> None:
    screen.type(entry)
    screen.wait_until(
        lambda: any("web::port" in row and "8080" in row for row in screen.rows), "the value"
    )
    screen.type("\t")
    screen.wait_for(f"{entry}ort")


def test_long_values_are_wrapped(screen: TerminalScreen) -> None:
    screen.type(":lookup web::long -- web01 web02\r")
    screen.wait_for("two'")
    assert "one'" in screen.text and "…" not in screen.text
    screen.type(":environment\r")
    screen.wait_for("manifests")
    screen.type(f":on {'a' * 60}01.lan {'a' * 60}02.lan 1\r")
    screen.wait_for("a01.lan")
    screen.wait_for("a02.lan")
