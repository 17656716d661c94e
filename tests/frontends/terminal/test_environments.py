"""``:environment`` in a real pseudo-terminal, and environments given on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.judge import write_files
from tests.environment.modules.checkouts import metadata
from tests.frontends.terminal.terminal_screen import TerminalScreen

FILES = {
    "environment.conf": "modulepath = site-modules\n",
    "hiera.yaml": "version: 5\nhierarchy:\n"
    "  - {name: nodes, path: '%{trusted.certname}.yaml'}\n  - {name: common, path: common.yaml}\n",
    "data/common.yaml": "role::port: 8080\n",
    "data/web01.yaml": "role::port: 443\n",
    "manifests/site.pp": "notice('site runs')\nnode default { include role }\n",
    "site-modules/role/manifests/init.pp": 'class role($port) { notice("port ${port}") }\n',
}


@pytest.fixture
def control(tmp_path: Path) -> Path:
    root = tmp_path / "production"
    write_files(root, FILES)
    return root


@pytest.fixture
def screen(
    tmp_path: Path, control: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TerminalScreen]:
    monkeypatch.chdir(control)
    with TerminalScreen(tmp_path) as made:
        made.wait_for("puppet [1]>")
        yield made


def test_the_environment_of_the_directory_is_there_and_runs_for_a_node(
    screen: TerminalScreen, control: Path
) -> None:
    screen.wait_for(", environment production. :help")
    screen.wait_for("F2 settings  ")
    assert screen.rows[screen.row_of("F1 explains")].endswith(" production")
    screen.run("include role")
    assert "Notice: port 8080" in screen.text
    assert "site runs" not in screen.text
    screen.type(":environment\r")
    screen.wait_for("its manifests run for a node (:node NAME)")
    screen.type(":node web01\r")
    screen.wait_for("Notice: site runs")
    screen.wait_for("Notice: port 443")


def test_a_module_of_the_directory_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(
        tmp_path / "puppet-web",
        {
            "metadata.json": metadata("me-web"),
            "manifests/init.pp": "class web { include base }\n",
            "spec/fixtures/modules/base/manifests/init.pp": "class base { notice('based') }\n",
        },
    )
    monkeypatch.chdir(tmp_path / "puppet-web" / "manifests")
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for(", module web. :help")
        screen.run("include web")
        assert "Notice: based" in screen.text
        screen.type(":environment off\r")
        screen.wait_for("no environment; session reset")
        screen.run("include web")
        screen.wait_for("Could not find class ::web")
        assert "module web" not in screen.rows[screen.row_of("F1 explains")]


def test_an_environment_is_taken_shown_and_left(screen: TerminalScreen) -> None:
    screen.type(":environment off\r")
    screen.wait_for("no environment; session reset")
    screen.run("$before = 1")
    assert "site runs" not in screen.text
    screen.type(":environment\r")
    screen.wait_for("this directory has environment.conf, hiera.yaml and manifests")
    screen.type(":environment .\r")
    screen.wait_for("Notice: site runs")
    screen.wait_for("Notice: port 8080")
    screen.wait_for("production: 1 module, hiera.yaml with 2 levels, 1 manifest; session reset")
    screen.type("$before\r")
    screen.wait_for("Unknown variable: 'before'")
    screen.type(":environment\r")
    screen.wait_for("site-modules (1 module)")
    screen.type("\x0c:environment off\r")
    screen.wait_for("no environment; session reset")
    screen.type("include role\r")
    screen.wait_for("Could not find class ::role")
    screen.wait_for("hint: this directory has the module role: ':environment .' takes it")


def test_only_directories_complete(screen: TerminalScreen, control: Path) -> None:
    (control / "manifold.pp").write_text("")
    screen.type(":load man")
    screen.wait_for("manifold.pp")
    screen.type("\x15:environment man")
    screen.wait_gone("manifold.pp")
    screen.wait_for("manifests/")
    assert "manifold.pp" not in screen.text
    screen.type("\t")
    screen.wait_for(":environment manifests/")


def test_what_is_no_environment_is_said_and_the_session_stays(screen: TerminalScreen) -> None:
    screen.run("$before = 1")
    screen.type(":environment nix\r")
    screen.wait_for("Error: nix is not a directory")
    screen.run("$before + 1")
    assert "2  Integer" in screen.text


def test_a_broken_file_is_shown_with_its_line(screen: TerminalScreen, control: Path) -> None:
    (control / "environment.conf").write_text("modulepath = site-modules\nmanifests: x\n")
    screen.type(":environment .\r")
    screen.wait_for("Error: Could not match line manifests: x")
    row = screen.row_of("2 | manifests: x")
    assert "^" in screen.rows[row + 1]


def test_options_of_the_command_line(tmp_path: Path, control: Path) -> None:
    with TerminalScreen(
        tmp_path, "--environment", str(control), "--node", "web01", "--fact", "role=web"
    ) as screen:
        screen.wait_for("Notice: port 443")
        screen.wait_for("puppet [1]>")
        screen.run("[$environment, $trusted['certname'], $facts['role']]")
        assert "['production', 'web01', 'web']" in screen.text


def test_a_broken_environment_does_not_keep_the_prompt_from_opening(
    tmp_path: Path, control: Path
) -> None:
    (control / "manifests" / "site.pp").write_text("\nnix()\n")
    with TerminalScreen(tmp_path, "--environment", str(control)) as screen:
        screen.wait_for("Unknown function: 'nix'.")
        screen.wait_for("puppet [1]>")
        screen.run("1 + 1")
        assert "2  Integer" in screen.text


def test_a_changed_class_is_loaded_again_with_a_line(tmp_path: Path, control: Path) -> None:
    with TerminalScreen(tmp_path, "--environment", str(control)) as screen:
        screen.wait_for("puppet [1]>")
        screen.run("$mine = 5")
        screen.run("include role")
        init = control / "site-modules/role/manifests/init.pp"
        init.write_text('class role($port) {\n  notice("now at ${port}")\n}\n')
        screen.run("include role")
        shown = screen.rows
        told = "module role: manifests/init.pp has changed; already declared: include it again"
        at = next(number for number, row in enumerate(shown) if told in row)
        assert shown[at - 1].endswith("include role")
        assert "Notice: now at 8080" in shown[at + 1 : at + 3]
        screen.run("$mine + 37")
        screen.wait_for("42  Integer")
        assert screen.text.count("has changed") == 1


ENCRYPTED = "ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQIBADAFMAACAQEw]"
KEYS = "{pkcs7_private_key: /nosuch/a, pkcs7_public_key: /nosuch/b}"
SECRET = {
    "hiera.yaml": "version: 5\nhierarchy:\n  - {name: secret, lookup_key: eyaml_lookup_key,"
    f" path: a.eyaml, options: {KEYS}}}\n",
    "data/a.eyaml": f"web::p: {ENCRYPTED}\n",
    "modules/web/manifests/init.pp": "class web($p) { }\n",
    "manifests/site.pp": "notify { 'a': }\nfail('no')\n",
}


def test_a_site_that_fails_at_the_start_and_a_secret_without_its_key(tmp_path: Path) -> None:
    write_files(tmp_path, SECRET)
    with TerminalScreen(tmp_path, "--environment", str(tmp_path), rows=50, columns=80) as screen:
        screen.wait_for("puppet [1]>")
        # It is broken between words.
        assert (
            "the site manifests have declared nothing; :reset runs them again once" in screen.text
        )
        screen.type("$a = 1 include web\r")
        screen.wait_for("  from main at In[1]:1:8")
