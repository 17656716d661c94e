"""Completion for the shells: the scripts are valid, and complete what there is."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from puppet_repl.cli import main
from puppet_repl.cli.command_line import SUBCOMMANDS
from puppet_repl.cli.shell_completion import OPTIONS, SHELLS, script


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_hold_everything_and_are_valid(shell: str, tmp_path: object) -> None:
    text = script(shell)
    for name in (*SUBCOMMANDS, "rocky-9"):
        assert name in text
    for option in OPTIONS:
        assert (option.lstrip("-") if shell == "fish" else option) in text
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=text, text=True, check=True)


def test_options_are_those_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    for option in OPTIONS:
        assert option in shown


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("puppet-repl", "--stri"), "--strict"),
        (("puppet-repl", "--strict", "w"), "warning"),
        (("puppet-repl", "--facts", "rock"), "rocky-9"),
        (("puppet-repl", "vali"), "validate"),
        (("puppet-repl", "completion", "z"), "zsh"),
    ],
)
def test_bash(words: tuple[str, ...], expected: str) -> None:
    quoted = " ".join(f"'{word}'" for word in words)
    code = script("bash") + (
        f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _puppet_repl; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    assert expected in done.stdout.split()


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "puppet-repl completion bash|zsh|fish" in capsys.readouterr().err
    assert main(["completion", "--help"]) == 0
