"""Archives are unpacked inside of their directory, whatever is in them."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import tracemalloc
from pathlib import Path

import pytest

from puppet_repl.environment.installation import archives
from puppet_repl.environment.installation.archives import unpack
from puppet_repl.environment.installation.wanted import ModuleError
from tests.environment.installation.server import archive_of, link


def member(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, target
    return made


def tree(directory: Path) -> dict[str, str]:
    """Return the contents of files, and the targets of links, by path."""
    return {
        os.path.relpath(path, directory): f"-> {os.readlink(path)}"
        if path.is_symlink()
        else path.read_text()
        for path in sorted(directory.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def test_the_files_are_those_of_the_archive(tmp_path: Path) -> None:
    files = {"a/b.pp": "class a {}", "ä.txt": "ö\n", "a/empty": ""}
    raw = archive_of(files, "x-y-1.0.0", link("x-y-1.0.0/a/l", "../ä.txt"))
    assert unpack(io.BytesIO(raw), str(tmp_path), strips=True) == []
    assert tree(tmp_path) == {**files, "a/l": "-> ../ä.txt"}


def test_permissions_give_others_nothing(tmp_path: Path) -> None:
    script = tarfile.TarInfo("s")
    script.mode = 0o6777
    unpack(io.BytesIO(archive_of({}, "", script)), str(tmp_path), strips=False)
    assert (tmp_path / "s").stat().st_mode & 0o7777 == 0o755


@pytest.mark.parametrize(
    "name", ["/etc/x", "../x", "m/../../x", "m/a/../../../x", "//x"], ids=lambda name: name
)
@pytest.mark.parametrize("strips", [False, True])
def test_a_name_that_leads_out_is_refused(name: str, strips: bool, tmp_path: Path) -> None:
    inner = tmp_path / "deep" / "inner"
    inner.mkdir(parents=True)
    with pytest.raises(ModuleError, match="a name that leads out of it"):
        unpack(io.BytesIO(archive_of({name: "x"})), str(inner), strips=strips)
    assert list(tmp_path.rglob("x")) == []


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    for name in ("d/x", "D/x", "d"):
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w:gz") as archive:
            archive.addfile(link("d", "e"))
            archive.addfile(member(name, tarfile.REGTYPE))
        raw.seek(0)
        with pytest.raises(ModuleError, match="leads through a link"):
            unpack(raw, str(tmp_path), strips=False)
        (tmp_path / "d").unlink()


def test_links_out_and_devices_are_left_out(tmp_path: Path) -> None:
    bad = [
        link("absolute", "/etc/passwd"),
        link("above", "../x"),
        link("a/above", "../../x"),
        member("hard", tarfile.LNKTYPE, "/etc/passwd"),
        member("pipe", tarfile.FIFOTYPE),
        member("device", tarfile.CHRTYPE),
    ]
    raw = archive_of({"a/f": ""}, "", *bad, link("a/good", "../a/f"))
    left_out = unpack(io.BytesIO(raw), str(tmp_path), strips=False)
    assert sorted(left_out) == sorted(each.name for each in bad)
    assert tree(tmp_path) == {"a/f": "", "a/good": "-> ../a/f"}


def test_a_repository_of_git_is_left_out(tmp_path: Path) -> None:
    """Its configuration names programs that git runs."""
    names = [".git/config", "a/.GIT/config", "a/git~1/x", "b/.git", ".git./x", ".g\u200cit/x"]
    raw = archive_of({**dict.fromkeys(names, "x"), "git/x": "", ".gitignore": "", "a.git": ""})
    assert unpack(io.BytesIO(raw), str(tmp_path), strips=False) == names
    assert tree(tmp_path) == {"git/x": "", ".gitignore": "", "a.git": ""}
    linked = archive_of({"d/config": "x"}, "", link(".git", "d"))
    assert unpack(io.BytesIO(linked), str(tmp_path / "linked"), strips=False) == [".git"]


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_forms_of_compression(mode: str, tmp_path: Path) -> None:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode=mode) as archive:
        archive.addfile(member("a/f", tarfile.REGTYPE))
    raw.seek(0)
    assert unpack(raw, str(tmp_path), strips=False) == []
    assert tree(tmp_path) == {"a/f": ""}


@pytest.mark.parametrize(
    "kind", [tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE]
)
def test_a_header_has_an_end(kind: bytes, tmp_path: Path) -> None:
    """A few kilobytes become very long names, which tarfile reads into memory."""
    long = member("x", kind)
    long.size = 64 << 20
    raw = gzip.compress(long.tobuf(tarfile.GNU_FORMAT) + bytes(long.size))
    tracemalloc.start()
    try:
        with pytest.raises(ModuleError, match="a header of more than 1 MB"):
            unpack(io.BytesIO(raw), str(tmp_path), strips=False)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 16 << 20


@pytest.mark.parametrize("count", [1, 3])
def test_contents_do_not_count_as_headers(count: int, tmp_path: Path) -> None:
    """Nor do those of members that are left out; what these declare allows no long header."""
    files = {f"{n}/.git/x": "x" * (2 << 20) for n in range(count)}
    unpack(io.BytesIO(archive_of({**files, "f": "x" * (3 << 20)})), str(tmp_path), strips=False)
    assert (tmp_path / "f").stat().st_size == 3 << 20
    long, claim = member("x", tarfile.GNUTYPE_LONGNAME), member("d", tarfile.DIRTYPE)
    long.size, claim.size = 4 << 20, 8 << 20
    raw = b"".join(each.tobuf(tarfile.GNU_FORMAT) for each in (claim, long)) + bytes(long.size)
    with pytest.raises(ModuleError, match="a header of more than 1 MB"):
        unpack(io.BytesIO(raw), str(tmp_path), strips=False)


def test_a_file_with_holes_is_refused(tmp_path: Path) -> None:
    """Its size is not that of what is in the archive."""
    raw = member("x", tarfile.GNUTYPE_SPARSE).tobuf(tarfile.GNU_FORMAT) + bytes(1024)
    with pytest.raises(ModuleError, match="a file with holes: x"):
        unpack(io.BytesIO(raw), str(tmp_path), strips=False)


def test_links_that_lead_out_only_together(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    raw = archive_of({"f": ""}, "", link("out", "later/.."), link("later", "."))
    assert unpack(io.BytesIO(raw), str(inner), strips=False) == ["out"]
    assert tree(inner) == {"f": "", "later": "-> ."}


@pytest.mark.parametrize(
    "raw",
    [b"", b"no archive", b"\x1f\x8b" + b"x" * 99, archive_of({"f": "x" * 999})[:70]],
    ids=["empty", "text", "rubbish", "cut"],
)
def test_a_broken_archive(raw: bytes, tmp_path: Path) -> None:
    with pytest.raises(ModuleError, match="the archive is broken"):
        unpack(io.BytesIO(raw), str(tmp_path), strips=False)


def test_an_archive_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = archive_of({"f": "x" * 100, "g": "x"})
    monkeypatch.setattr(archives, "MAX_FILES", 1)
    with pytest.raises(ModuleError, match="more than 1 files"):
        unpack(io.BytesIO(raw), str(tmp_path), strips=False)
    monkeypatch.setattr(archives, "MAX_FILES", 9)
    monkeypatch.setattr(archives, "MAX_BYTES", 99)
    with pytest.raises(ModuleError, match="more than"):
        unpack(io.BytesIO(raw), str(tmp_path), strips=False)
