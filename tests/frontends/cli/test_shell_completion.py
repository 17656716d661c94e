"""Completion for the shells: the scripts are valid, and complete what the parsers know."""

from __future__ import annotations

import argparse
import shutil
import subprocess
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
    code = script("bash") + (
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
