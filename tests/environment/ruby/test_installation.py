"""``puppet-repl ruby install|status|remove``, and what happens to files that are broken."""

from __future__ import annotations

import base64
import errno
import hashlib
import io
import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from puppet_repl.environment.ruby import engines
from puppet_repl.environment.ruby.sandbox import installation, store
from puppet_repl.frontends.cli.command_line import main
from tests.environment.ruby.engine import needs_sandbox
from tests.environment.ruby.sandbox import Probe, make_module

INSTALLED = store.compiled()
EMPTY_MODULE = b"\0asm\1\0\0\0"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a cache directory that has nothing in it."""
    directory = tmp_path / "cache" / "ruby"
    monkeypatch.setattr(store, "root", lambda: directory)
    yield directory


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a package with an empty module, which counts as the right one."""
    path = tmp_path / "package.tgz"
    with tarfile.open(path, "w:gz") as archive:
        member = tarfile.TarInfo(installation.MEMBER)
        member.size = len(EMPTY_MODULE)
        archive.addfile(member, io.BytesIO(EMPTY_MODULE))
    monkeypatch.setattr(installation, "INTEGRITY", _digest(path.read_bytes()))
    monkeypatch.setattr(installation, "WASM_INTEGRITY", _digest(EMPTY_MODULE))
    return path


def _digest(raw: bytes) -> str:
    return base64.b64encode(hashlib.sha512(raw).digest()).decode()


def _program(directory: Path, name: str, script: str) -> None:
    path = directory / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def run(*arguments: str) -> int:
    return main(["ruby", *arguments])


def test_status_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("status") == 1
    output = capsys.readouterr().out
    assert "sandbox   not installed" in output
    assert "in use    nothing: Ruby is not installed: run puppet-repl ruby install" in output


def test_status_without_wasmtime(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(store, "wasmtime_version", lambda: None)
    assert run("status") == 1
    assert "pip install 'puppet-repl[ruby]'" in capsys.readouterr().out
    assert run("install") == 1
    assert "wasmtime is missing: pip install 'puppet-repl[ruby]'" in capsys.readouterr().err


def test_status_after_another_wasmtime(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store.write(store.directory("0.1") / store.COMPILED, [b"old"])
    monkeypatch.setattr(store, "wasmtime_version", lambda: "99.0")
    assert run("status") == 1
    assert "Ruby is not compiled for wasmtime 99.0: run puppet-repl ruby install again" in (
        capsys.readouterr().out
    )
    assert run("remove") == 0
    assert not cache.exists()
    assert run("remove") == 0
    assert capsys.readouterr().out.endswith(f"nothing to remove in {cache}\n")


BAD_FILES = (
    (None, "cannot read {}: No such file or directory"),
    (b"what is this", "{} is not the package of @ruby/3.2-wasm-wasi 2.10.1"),
    (EMPTY_MODULE, "{} is not the file ruby+stdlib.wasm of @ruby/3.2-wasm-wasi 2.10.1"),
)


@pytest.mark.parametrize(("data", "message"), BAD_FILES)
def test_bad_files(
    data: bytes | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("wasmtime")
    path = tmp_path / "some.file"
    if data is not None:
        path.write_bytes(data)
    assert run("install", "--from", str(path)) == 1
    assert message.format(path) in capsys.readouterr().err
    assert not list(store.installed())


def test_a_broken_package(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("wasmtime")
    package.write_bytes(package.read_bytes()[:60])
    monkeypatch.setattr(installation, "INTEGRITY", _digest(package.read_bytes()))
    assert run("install", "--from", str(package)) == 1
    assert f"cannot unpack {package}" in capsys.readouterr().err


def test_what_does_not_start_is_not_installed(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("wasmtime")
    assert run("install", "--from", str(package)) == 1
    error = capsys.readouterr().err
    assert "Compiling Ruby, which is done once ...\n" in error
    assert "puppet-repl: Ruby does not start: " in error
    assert store.compiled() is None


def test_npm_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("wasmtime")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run("install") == 1
    error = capsys.readouterr().err
    assert "npm is missing" in error
    assert "'npm pack @ruby/3.2-wasm-wasi@2.10.1' and name the file: --from FILE" in error


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_npm_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("wasmtime")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    _program(tmp_path, "npm", "echo 'npm error network is unreachable' >&2; exit 7")
    assert run("install") == 1
    assert (
        "npm could not download @ruby/3.2-wasm-wasi:\nnpm error network is unreachable"
        in capsys.readouterr().err
    )
    _program(tmp_path, "npm", "echo changed > ruby.tgz")
    assert run("install") == 1
    assert "its SHA-512 differs from the known one" in capsys.readouterr().err


def test_no_room(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("wasmtime")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(9, 8, 1 << 20))
    assert run("install", "--from", str(package)) == 1
    assert "there is no room in" in capsys.readouterr().err

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/somewhere")

    monkeypatch.undo()
    monkeypatch.setattr(store, "write", full)
    monkeypatch.setattr(installation, "INTEGRITY", _digest(package.read_bytes()))
    assert run("install", "--from", str(package)) == 1
    assert capsys.readouterr().err.endswith("/somewhere: No space left on device\n")


@needs_sandbox
class TestBrokenFiles:
    """With a Ruby that is installed."""

    @pytest.fixture
    def compiled(self, cache: Path) -> Path:
        version = store.wasmtime_version()
        assert version is not None
        assert INSTALLED is not None
        path = store.directory(version) / store.COMPILED
        path.parent.mkdir(parents=True)
        path.symlink_to(INSTALLED)
        return path

    @pytest.mark.slow
    def test_the_snapshot_is_made_anew(self, compiled: Path, tmp_path: Path) -> None:
        probe = Probe(make_module(tmp_path / "modules"))
        assert probe.value("1") == 1
        (snapshot,) = store.snapshots()
        whole = snapshot.read_bytes()
        for broken in (
            b"",
            whole[:10],
            whole[: len(whole) // 2],
            b"x" * 100,
            whole[:60] + whole[70:],
        ):
            snapshot.write_bytes(broken)
            assert Probe(tmp_path / "modules").value("2") == 2
            assert snapshot.stat().st_size > 1 << 20

    def test_a_cache_that_cannot_be_written(
        self, compiled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object, **options: object) -> None:
            raise OSError(errno.EROFS, "Read-only file system")

        monkeypatch.setattr(store, "write", refuse)
        assert Probe(make_module(tmp_path / "modules")).value("1") == 1
        assert not store.snapshots()

    def test_old_snapshots_are_removed(self, compiled: Path) -> None:
        for number in range(10):
            store.keep_snapshot(compiled.parent / f"snapshot-{number}.bin", b"")
        assert len(store.snapshots()) == 6

    def test_old_libraries_are_removed(self, compiled: Path) -> None:
        home = compiled.parent
        for number in range(10):
            target = store.libraries_path(home, str(number))
            store.keep_libraries(target, [("a/LICENSE", b"x"), ("a/lib/b.rb", b"12")])
            os.utime(target, (number, number))
        assert sorted(path.name for path in home.glob("*s-*")) == [
            f"libraries-{number}" for number in range(4, 10)
        ]
        ((_, size),) = store.installed()
        assert size == compiled.stat().st_size + 6 * 3
        assert (target / "a/lib/b.rb").stat().st_mode & 0o777 == 0o600

    def test_the_compiled_module(self, compiled: Path, tmp_path: Path) -> None:
        compiled.unlink()
        compiled.write_bytes(b"garbage")
        message = Probe(make_module(tmp_path / "modules")).error("1")
        assert "Ruby has failed" in message

    def test_status(self, compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert engines.missing() is None
        assert run("status") == 0
        assert "in use    sandbox\n" in capsys.readouterr().out
