"""Completion for the shells: the scripts are valid, and complete what the parsers know."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from puppet_repl.frontends.cli import main
from puppet_repl.frontends.cli.arguments import SUBCOMMANDS, make_parser
from puppet_repl.frontends.cli.shell_completion import SHELLS, script, whole_parser


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from action.option_strings


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_hold_everything_and_are_valid(shell: str) -> None:
    text = script(shell)
    for name in (*SUBCOMMANDS, "uninstall", "rocky-9"):
        assert name in text
    parsers = [make_parser()]
    parsers += [
        import_module(module).make_parser(name) for name, (module, _) in SUBCOMMANDS.items()
    ]
    for parser in parsers:
        for option in options(parser):
            assert (option.lstrip("-") if shell == "fish" else option) in text
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=text, text=True, check=True)


def test_the_described_parser_has_the_options_of_the_real_one() -> None:
    assert list(options(whole_parser())) == list(options(make_parser()))


def complete(*words: str, directory: Path | None = None) -> list[str]:
    """Return what bash offers for the last of some words."""
    quoted = " ".join(f"'{word}'" for word in words)
    line = " ".join(words).replace(" :: ", "::")
    code = script("bash") + (
        f"puppet-repl() {{ '{sys.executable}' -m puppet_repl \"$@\"; }}; "
        f"COMP_LINE='{line}'; COMP_POINT={len(line)}; "
        f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _puppet_repl 2>/dev/null; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", code], capture_output=True, text=True, check=True, cwd=directory
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("puppet-repl", "--stri"), "--strict"),
        (("puppet-repl", "--strict", "w"), "warning"),
        (("puppet-repl", "--facts", "rock"), "rocky-9"),
        (("puppet-repl", "vali"), "validate"),
        (("puppet-repl", "validate", "--ta"), "--tasks"),
        (("puppet-repl", "parse", "--format", "j"), "json"),
        (("puppet-repl", "completion", "z"), "zsh"),
        (("puppet-repl", "kernel", "un"), "uninstall"),
        (("puppet-repl", "--facts", "debian-12", "vali"), "validate"),
        (("puppet-repl", "--facts", "debian-12", "compile", "--ori"), "--origins"),
        (("puppet-repl", "diff", "deb"), "debian-12"),
        (("puppet-repl", "diff", "debian-12", "roc"), "rocky-9"),
        (("puppet-repl", "kernel", "install", "--sys"), "--sys-prefix"),
    ],
)
def test_bash(words: tuple[str, ...], expected: str) -> None:
    assert complete(*words) == [expected]


def test_bash_offers_files(tmp_path: Path) -> None:
    for name in ("site.pp", "side.txt"):
        (tmp_path / name).touch()
    (tmp_path / "sites").mkdir()
    assert complete("puppet-repl", "si", directory=tmp_path) == ["site.pp", "sites"]
    assert complete("puppet-repl", "--modulepath", "si", directory=tmp_path) == ["sites"]
    assert complete("puppet-repl", "--stubs", "side", directory=tmp_path) == ["side.txt"]
    assert complete("puppet-repl", "validate", "side", directory=tmp_path) == ["side.txt"]


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["completion", "csh"])
    assert "invalid choice: 'csh'" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="0"):
        main(["completion", "--help"])
    assert "source <(puppet-repl completion bash)" in capsys.readouterr().out


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    assert f"usage: puppet-repl {name}" in capsys.readouterr().out


def test_bash_offers_profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "top/below").mkdir(parents=True)
    (tmp_path / "top/.git").touch()
    (tmp_path / "top/.puppet-repl.toml").write_text(
        "[profiles.web01]\n[profiles.web01.trusted]\n[profiles.db]\n"
    )
    own = tmp_path / "config/puppet-repl/config.toml"
    own.parent.mkdir(parents=True)
    own.write_text("[profiles.work]\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    below = tmp_path / "top/below"
    # Bash divides words at @.
    assert complete("puppet-repl", "@", directory=below) == ["db", "web01", "work"]
    assert complete("puppet-repl", "@", "we", directory=below) == ["web01"]
    assert complete("puppet-repl", "compile", "@", "w", directory=below) == ["web01", "work"]
    assert complete("puppet-repl", "--profile", "d", directory=below) == ["db"]
    (tmp_path / "top/below/.git").touch()
    assert complete("puppet-repl", "@", directory=below) == ["work"]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A directory with an environment, ``site``, that names nodes and keys."""
    (tmp_path / "site/manifests").mkdir(parents=True)
    (tmp_path / "site/data/nodes").mkdir(parents=True)
    (tmp_path / "site/environment.conf").write_text("")
    (tmp_path / "site/manifests/site.pp").write_text(
        "node 'web01.lan', 'db01' { fail('not to be evaluated') }\nnode default { }\n"
    )
    (tmp_path / "site/hiera.yaml").write_text(
        "version: 5\nhierarchy:\n- name: nodes\n  path: 'nodes/%{trusted.certname}.yaml'\n"
        "- name: common\n  path: common.yaml\n"
    )
    (tmp_path / "site/data/nodes/mail.lan.yaml").write_text("port: 25\n")
    (tmp_path / "site/data/common.yaml").write_text(
        "web::port: 80\nweb::name: a\nusers: []\n"
        "\"$(touch evaluated)\": 1\n'`touch evaluated`': 1\n"
    )
    return tmp_path


def test_bash_offers_names_of_the_environment(site: Path) -> None:
    inside = site / "site"
    assert complete("puppet-repl", "--node", "", directory=inside) == [
        "db01",
        "mail.lan",
        "web01.lan",
    ]
    named = ("puppet-repl", "compile", "--environment", "site")
    assert complete(*named, "--node", "w", directory=site) == ["web01.lan"]
    assert complete("puppet-repl", "diff", "mail", directory=inside) == ["mail.lan"]
    assert complete("puppet-repl", "lookup", "web", directory=inside) == ["web::name", "web::port"]
    # Bash divides words at colons, and replaces the last part only.
    assert complete("puppet-repl", "lookup", "web", "::", "p", directory=inside) == ["port"]
    assert complete("puppet-repl", "lookup", "", directory=inside) == [
        "users",
        "web::name",
        "web::port",
    ]
    assert not (inside / "evaluated").exists()


def test_names_of_an_environment(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environment = ["--environment", str(site / "site")]
    assert main(["completion", "nodes", *environment]) == 0
    assert capsys.readouterr().out.split() == ["db01", "mail.lan", "web01.lan"]
    assert main([*environment, "completion", "keys"]) == 0
    assert capsys.readouterr().out.split() == ["users", "web::name", "web::port"]
    assert main(["completion", "keys", "--environment", "missing"]) == 2
    assert "missing is not a directory" in capsys.readouterr().err


def test_fish_does_not_repeat_the_help_of_an_option_at_its_values() -> None:
    offered = re.findall(r' -xka "([^"]*)"', script("fish"))
    assert len(offered) > 50
    for each in offered:
        assert re.fullmatch(r"(\(.* \| _puppet_repl_bare\))? ?([\w.-]+\\t ?)*", each), each


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("puppet-repl --strict ", ["error", "warning", "off"]),
        ("puppet-repl --node ", ["db01", "mail.lan", "web01.lan"]),
        ("puppet-repl lookup web::p", ["web::port"]),
        ("puppet-repl diff debian", ["debian-12"]),
        ("puppet-repl --facts rocky-9 completi", ["completion\tprint completion for a shell"]),
    ],
)
@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish(line: str, expected: list[str], site: Path) -> None:
    (site / "complete.fish").write_text(
        script("fish") + f"function puppet-repl; '{sys.executable}' -m puppet_repl $argv; end\n"
    )
    code = f"source {site / 'complete.fish'}; complete -C '{line}'"
    done = subprocess.run(
        ["fish", "-c", code], capture_output=True, text=True, check=True, cwd=site / "site"
    )
    assert done.stdout.splitlines() == expected
