"""A file is replaced as a whole, or it stays as it was."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from puppet_repl.base.file_replacement import replace_file, replacing

posix = pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(directory: Path) -> list[str]:
    return sorted(entry.name for entry in directory.iterdir())


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.pp"
    replace_file(path, "one\n")
    assert path.read_bytes() == b"one\n"
    replace_file(str(path), "zw\N{LATIN SMALL LETTER O WITH DIAERESIS}lf\n")
    assert path.read_text("utf-8") == "zw\N{LATIN SMALL LETTER O WITH DIAERESIS}lf\n"
    assert names(tmp_path) == ["a.pp"]


def test_a_lone_surrogate_does_not_keep_a_text_from_being_written(tmp_path: Path) -> None:
    replace_file(tmp_path / "a", '{"a": "\ud800"}')
    assert (tmp_path / "a").read_bytes() == rb'{"a": "\ud800"}'


@posix
@pytest.mark.parametrize(
    ("before", "mode", "after"),
    [
        (None, None, 0o640),
        (None, 0o600, 0o600),
        (0o600, None, 0o600),
        (0o644, 0o600, 0o644),
        (0o755, None, 0o755),
        (0o4755, None, 0o755),
    ],
)
def test_permissions(tmp_path: Path, before: int | None, mode: int | None, after: int) -> None:
    path = tmp_path / "a"
    if before is not None:
        path.write_text("old")
        path.chmod(before)
    umask = os.umask(0o027)
    try:
        replace_file(path, "new", mode=mode)
    finally:
        os.umask(umask)
    assert mode_of(path) == after
    assert path.read_text() == "new"


@posix
def test_nobody_else_may_read_a_file_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o600)
    with replacing(path) as file:
        file.write(b"secret")
        assert [mode_of(entry) for entry in tmp_path.iterdir()] == [0o600, 0o600]


@posix
def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    for name in ("there/old", "there/new"):
        link = tmp_path / name.replace("there/", "link-to-")
        link.symlink_to(name)
        if name.endswith("old"):
            (tmp_path / name).write_text("old")
        replace_file(link, "text")
        assert link.is_symlink()
        assert (tmp_path / name).read_text() == "text"


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_alone(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    with pytest.raises(type(error)), replacing(path) as file:
        file.write(b"half of the n")
        raise error
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a"]


@posix
def test_a_full_disk_leaves_the_old_file_alone(tmp_path: Path) -> None:
    """A limit on the size of files fails as a full disk does: in the middle of writing."""
    path = tmp_path / "a"
    path.write_text("old")
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100));"
        "from puppet_repl.base.file_replacement import replace_file;"
        "replace_file(sys.argv[1], 'x' * 5000)"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    assert "OSError" in done.stderr
    assert "File too large" in done.stderr
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a"]


@posix
def test_what_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "directory").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, why in {
        "directory": "Is a directory",
        "pipe": "not a regular file",
        "none/a": "No such file or directory",
    }.items():
        with pytest.raises(OSError, match=why):
            replace_file(tmp_path / name, "new")
    assert names(tmp_path) == ["directory", "pipe"]


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anything")
def test_a_read_only_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        replace_file(path, "new")
    assert path.read_text() == "old"


def test_a_long_name(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 250)
    replace_file(path, "new")
    assert path.read_text() == "new"


def test_what_killed_processes_left_is_removed_later(tmp_path: Path) -> None:
    old = time.time() - 4000
    left = {
        ".a.0123456789ab.new": old,  # of a killed process
        ".a.0123456789ac.new": time.time(),  # perhaps of one that is writing
        ".b.0123456789ab.new": old,  # for another file
        ".a.swp.new": old,
        ".a.beforepatch1.new": old,  # as long as a random name, and a file of the user
        ".a.0123456789AB.new": old,
    }
    for name, when in left.items():
        (tmp_path / name).write_text("half")
        os.utime(tmp_path / name, (when, when))
    replace_file(tmp_path / "a", "new")
    assert names(tmp_path) == sorted([*left.keys() - {".a.0123456789ab.new"}, "a"])
