"""The command line as a process whose standard streams are closed, full, or read by nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from tests.conformance.judge import write_files

pytestmark = pytest.mark.untraced


FULL = "puppet-repl: cannot write the output: No space left on device\n"
UNWRITTEN = "puppet-repl: cannot write the output: it is closed\n"
UNREAD = "cannot read standard input: it is closed\n"
LOOKUP = ("lookup", "port", "--environment", "old", "--facts", "debian-12")
COMPILE = ("compile", "--environment", "old", "--facts", "debian-12")
MANY = "Integer[1, 100000].map |$x| { $x }"
# The arguments of commands that print, and the exit status where that fails.
PRINTING = [
    (("-e", "1"), 1),
    (("-e", MANY), 1),
    (("-e", ":help"), 1),
    (("--help",), 1),
    (("lookup", "--help"), 1),
    (("site.pp",), 1),
    (("--plain",), 1),
    (("batch",), 1),
    (LOOKUP, 1),
    (COMPILE, 2),
    (("diff", "old", "new", "--facts", "debian-12"), 2),
    (("doctest", "guide.md"), 2),
    (("reference", "motd"), 2),
    (("reference", "motd", "--check"), 2),
    (("parse", "-e", "1"), 2),
]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("streams")
    write_files(
        directory,
        {
            "site.pp": "1\n",
            "motd/manifests/init.pp": "class motd { }\n",
            "guide.md": "```puppet\n1 + 1  # => 2\n```\n",
            "old/manifests/site.pp": "notify { 'old': }\n",
            "old/hiera.yaml": "{version: 5, hierarchy: [{name: all, path: common.yaml}]}\n",
            "old/data/common.yaml": "port: 80\n",
            "new/manifests/site.pp": "notify { 'new': }\n",
        },
    )
    return directory


def run_into(output: int | IO[bytes], arguments: tuple[str, ...], **options: object) -> str:
    """Return the exit status and standard error of ``puppet-repl ARGUMENTS``, a line each."""
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", *arguments],
        input=b'{"id": 1, "code": "1"}\n' if arguments == ("batch",) else b"1\n",
        stdout=output,
        stderr=subprocess.PIPE,
        timeout=60,
        **options,
    )
    return f"{done.returncode}\n{done.stderr.decode()}"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("arguments", "status", "unbuffered"),
    [(*row, "") for row in PRINTING] + [(*row, "1") for row in PRINTING[:4]],
)
def test_the_output_is_full(
    arguments: tuple[str, ...], status: int, unbuffered: str, directory: Path
) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "wb") as full:
        printed = run_into(full, arguments, cwd=directory, env=environment)
    assert printed == f"{status}\n{FULL}"


@pytest.mark.skipif(os.name == "nt", reason="needs a limit for the size of files")
def test_a_catalog_does_not_fit_into_its_file(tmp_path: Path, directory: Path) -> None:
    (tmp_path / "web01.json").write_text("old")
    arguments = (*COMPILE, "--node", "web01", "--output", str(tmp_path))
    printed = run_into(subprocess.DEVNULL, arguments, cwd=directory, preexec_fn=forbid_writing)
    assert printed == f"2\npuppet-repl: cannot write {tmp_path}/web01.json: File too large\n"
    assert [file.name for file in tmp_path.iterdir()] == ["web01.json"]
    assert (tmp_path / "web01.json").read_text() == "old"


def forbid_writing() -> None:
    """Let each write to a file fail in this process."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_the_error_output_is_full() -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "puppet_repl", "-e", "$nix"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=full, timeout=60)
    assert (done.returncode, done.stdout) == (1, b"")


@pytest.mark.parametrize("arguments", [arguments for arguments, _ in PRINTING])
def test_nobody_reads_the_output(arguments: tuple[str, ...], directory: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        assert run_into(write, arguments, cwd=directory) == "0\n"
    finally:
        os.close(write)


@pytest.mark.skipif(os.name == "nt", reason="closes standard streams in a shell")
@pytest.mark.parametrize(
    ("arguments", "status", "out", "err"),
    [
        ("-e 1 >&-", 1, "", UNWRITTEN),
        ("-e 'notice(1)' >&-", 0, "", "Notice: 1\n"),
        ("-e 'notice(1) 2' 2>&-", 0, "2\n", ""),
        ("-e 'notice(1) 2' <&-", 0, "2\n", "Notice: 1\n"),
        (">&-", 1, "", UNWRITTEN),
        ("--version >&-", 1, "", UNWRITTEN),
        ("batch >&-", 1, "", UNWRITTEN),
        ("parse >&-", 2, "", UNWRITTEN),
        ("compile -e 1 >&- <&-", 2, "", UNWRITTEN),
        ("validate >&-", 0, "", ""),
        ("<&-", 2, "", f"puppet-repl: {UNREAD}"),
        ("batch <&-", 2, "", f"puppet-repl: {UNREAD}"),
        ("validate <&-", 2, "", f"Error: {UNREAD}1 error\n"),
        ("-e 1 >&- 2>&- <&-", 1, "", ""),
    ],
)
def test_standard_streams_are_closed(arguments: str, status: int, out: str, err: str) -> None:
    code = '{"code": "1"}' if "batch" in arguments else "1"
    command = f"printf %s '{code}' | \"$0\" -m puppet_repl {arguments}"
    done = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (status, out, err)


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("-e", "'日本é'"),
        ("-e", "notice('日本é→')"),
        ("-e", "fail('日本é')"),
        ("-e", ":doc split"),
        ("parse", "-e", "'日本'"),
        ("lookup", "--default", "日本", "x"),
        ("doctest", "日本.md"),
        ("validate", "日本.pp"),
    ],
    ids=ascii,
)
def test_an_encoding_without_the_character_gets_an_escape(
    arguments: tuple[str, ...], encoding: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", *arguments],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    written = (done.stdout + done.stderr).decode(encoding)
    # A value is Puppet's text for it.
    escaped = '"\\u{65E5}\\u{672C}' if arguments[1][0] == "'" else "\\u65e5\\u672c"
    assert escaped in written or "日" not in "".join(arguments)
    assert "defect" not in written


def test_a_pipe_has_no_width() -> None:
    title = "/srv/" + "long/" * 40 + "end"
    code = f"notify {{ '{title}': message => '{'words ' * 30}' }}\n:resources\n:graph text"
    command = [sys.executable, "-m", "puppet_repl"]
    for columns in (None, "40"):
        environment = {**os.environ, "COLUMNS": columns} if columns else None
        done = subprocess.run(command, input=code, capture_output=True, text=True, env=environment)
        assert (done.returncode, done.stderr) == (0, "")
        _, heading, row, tree = done.stdout.splitlines()
        assert heading.startswith("Resource") and title in row and tree == f"Notify['{title}']"
        assert "words " * 30 in row and "…" not in row
