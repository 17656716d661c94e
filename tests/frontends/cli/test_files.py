"""Messages of the command line about files that cannot be used: each is named once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.cli.test_cli import run

LINKS = "Too many levels of symbolic links"
MESSAGES = [
    (("loop.yaml",), 2, f"puppet-repl: cannot read loop.yaml: {LINKS}"),
    (("directory",), 2, "puppet-repl: cannot read directory: Is a directory"),
    (("--facts", "loop.yaml", "-e", "1"), 2, f"puppet-repl: loop.yaml: {LINKS}\n"),
    (("--puppetdb", "loop.yaml", "-e", "1"), 2, f"--puppetdb: cannot read loop.yaml: {LINKS}\n"),
    (("compile", "-e", "1", "--output", "loop.yaml/x"), 2, f"--output: loop.yaml/x: {LINKS}\n"),
    (("diff", "loop.yaml", "directory"), 2, f"puppet-repl: loop.yaml: {LINKS}\n"),
    (("reference", "loop.yaml"), 2, f"puppet-repl reference: loop.yaml: {LINKS}\n"),
    (("reference", "bytes"), 2, "puppet-repl reference: bytes: Not a directory\n"),
    (("doctest", "loop.yaml"), 2, f"puppet-repl doctest: loop.yaml: {LINKS}\n"),
    (("--facts", "directory", "-e", "1"), 2, "puppet-repl: directory: Is a directory\n"),
    (("validate", "directory"), 0, "Warning: no files to check in directory\n"),
    (("doctest", "bytes"), 2, "puppet-repl doctest: bytes: not UTF-8 (byte 2)\n"),
    (("validate", "loop.yaml"), 2, f"Error: cannot read loop.yaml: {LINKS}\n"),
    (("ruby", "install", "--from", "loop.yaml"), 1, f"cannot read loop.yaml: {LINKS}\n"),
    (("-e", ":diff loop.yaml"), 1, f"Error: loop.yaml: {LINKS}\n"),
    (("-e", ":load bytes"), 1, "Error: cannot read bytes: not UTF-8 (byte 2)\n"),
    (("-e", ":load directory"), 1, "Error: cannot read directory: Is a directory\n"),
    (("-e", ":lookup key loop.yaml"), 1, f"Error: loop.yaml: {LINKS}\n"),
    (("-e", ":on loop.yaml 1"), 1, f"loop.yaml  Error: {LINKS}\n"),
    (("-e", ":set strict off --save"), 1, "/puppet-repl/config.toml: Is a directory\n"),
    (
        ("--allow-generate", "-e", "generate('/dev/null/x')"),
        1,
        "Failed to execute generator /dev/null/x: Not a directory (line: 1",
    ),
]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("files")
    (directory / "loop.yaml").symlink_to("loop.yaml")
    (directory / "bytes").write_bytes(b"ab\xff")
    (directory / "directory").mkdir()
    (directory / "settings" / "puppet-repl" / "config.toml").mkdir(parents=True)
    return directory


@pytest.mark.parametrize(("arguments", "status", "message"), MESSAGES)
def test_a_file_is_named_once(
    arguments: tuple[str, ...], status: int, message: str, directory: Path
) -> None:
    environment = {"XDG_CONFIG_HOME": str(directory / "settings")}
    found, out, err = run(*arguments, directory=directory, environment=environment)
    assert (found, out if status == 2 else "") == (status, ""), err
    assert message in out + err
    assert "Errno" not in out + err
    assert "codec" not in out + err
    assert (out + err).count("loop.yaml") <= 1
