"""``puppet-repl ruby install|status|remove``, and what happens to files that are broken."""

from __future__ import annotations

import base64
import errno
import hashlib
import io
import os
import shutil
import tarfile
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

import pytest

from puppet_repl.base.optional_packages import how_to_install
from puppet_repl.base.private_store import PrivateStore
from puppet_repl.environment.ruby import engines
from puppet_repl.environment.ruby.sandbox import installation, store
from puppet_repl.frontends.cli.command_line import main
from puppet_repl.session import Options, Session
from tests.environment.ruby.engine import needs_sandbox
from tests.environment.ruby.sandbox import Probe, make_module

NAME = store.compiled()
INSTALLED = None if NAME is None else Path(store.files().path(NAME))
posix = pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
EMPTY_MODULE = b"\0asm\1\0\0\0"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a cache directory that has nothing in it."""
    directory = tmp_path / "cache" / "ruby"
    monkeypatch.setattr(store, "root", lambda: os.fspath(directory))
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
    assert f"wasmtime is missing: {how_to_install('ruby')}, then" in capsys.readouterr().out
    assert run("install") == 1
    assert f"wasmtime is missing: {how_to_install('ruby')}\n" in capsys.readouterr().err


def test_status_after_another_wasmtime(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store.keep_compiled("0.1", b"old")
    monkeypatch.setattr(store, "wasmtime_version", lambda: "99.0")
    assert run("status") == 1
    assert "Ruby is not compiled for wasmtime 99.0: run puppet-repl ruby install again" in (
        capsys.readouterr().out
    )
    assert run("remove") == 0
    assert not cache.exists()
    assert run("remove") == 0
    assert capsys.readouterr().out.endswith(f"nothing to remove in {cache}\n")


@pytest.mark.skipif(os.utime not in os.supports_fd, reason="no use of a file is noted here")
@pytest.mark.parametrize("starts", [True, False])
def test_machine_code_that_nothing_uses_is_removed(
    starts: bool, package: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The code of another version is, once this one has been installed."""

    def prepare(name: str) -> None:
        if not starts:
            raise installation.InstallationError("Ruby does not start")

    monkeypatch.setattr(store, "wasmtime_version", lambda: "99.0")
    monkeypatch.setattr(installation, "_compile", lambda *_: b"new")
    monkeypatch.setattr(installation, "_prepare", prepare)
    names = {version: store.keep_compiled(version, b"old") for version in ("1.0", "2.0", "99.0")}
    for path in cache.rglob("*"):
        os.utime(path, (0, 0))
    os.close(store.files().open(names["2.0"]))
    assert run("install", "--from", str(package)) == (0 if starts else 1)
    kept = {path.name for path in cache.iterdir()}
    assert kept == {store.home(name) for name in names if name != "1.0" or not starts}


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
    assert not list(store.files().files())


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
    monkeypatch.setattr(PrivateStore, "save", full)
    monkeypatch.setattr(installation, "INTEGRITY", _digest(package.read_bytes()))
    assert run("install", "--from", str(package)) == 1
    assert capsys.readouterr().err.endswith("/somewhere: No space left on device\n")


def _replaced_by_a_link(path: Path) -> None:
    path.rename(path.with_suffix(".other"))
    path.symlink_to(path.with_suffix(".other"))


def _replaced(path: Path, make: Callable[[Path], object]) -> None:
    path.unlink()
    make(path)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty: is damaged": lambda path: os.truncate(path, 0),
    "cut: is damaged": lambda path: os.truncate(path, 40_000_000),
    "the last byte: is damaged": lambda path: os.truncate(path, path.stat().st_size - 1),
    "garbage: is damaged": lambda path: path.write_bytes(os.urandom(10_000)),
    "link: it is not a file": _replaced_by_a_link,
    "directory: it is not a file": lambda path: _replaced(path, Path.mkdir),
    "pipe: it is not a file": lambda path: _replaced(path, os.mkfifo),
    "file mode: it belongs to another user, or others may write": lambda path: path.chmod(0o622),
    "mode: others may use it: its mode is 0755": lambda path: path.parent.parent.chmod(0o755),
    "mode: others may use it: its mode is 0710": lambda path: path.parent.parent.chmod(0o710),
}


class Silent:
    """A channel that nobody uses."""

    def read(self, size: int) -> bytes:
        return b""

    def write(self, data: bytes) -> None:
        pass


@needs_sandbox
class TestBrokenFiles:
    """With a Ruby that is installed."""

    @pytest.fixture
    def compiled(self, cache: Path) -> Path:
        """A copy of the installed machine code, in a store of its own."""
        assert NAME is not None
        assert INSTALLED is not None
        store.files().make_room(os.path.dirname(NAME))
        return Path(shutil.copy2(INSTALLED, store.files().path(NAME)))

    @pytest.mark.slow
    def test_the_snapshot_is_made_anew(self, compiled: Path, cache: Path, tmp_path: Path) -> None:
        probe = Probe(make_module(tmp_path / "modules"))
        assert probe.value("1") == 1
        (snapshot,) = snapshots(cache)
        whole = snapshot.read_bytes()
        for broken in (
            b"",
            whole[:10],
            whole[: len(whole) // 2],
            b"x" * 100,
            whole[:60] + whole[70:],
            whole[:5_000_000] + bytes([whole[5_000_000] ^ 1]) + whole[5_000_001:],
        ):
            snapshot.write_bytes(broken)
            assert Probe(tmp_path / "modules").value("2") == 2
            assert snapshot.stat().st_size > 1 << 20

    def test_a_cache_that_cannot_be_written(
        self, compiled: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object, **options: object) -> None:
            raise OSError(errno.EROFS, "Read-only file system")

        monkeypatch.setattr(PrivateStore, "save", refuse)
        assert Probe(make_module(tmp_path / "modules")).value("1") == 1
        assert not snapshots(cache)

    def test_old_snapshots_are_removed(self, cache: Path) -> None:
        for number in range(10):
            store.files().write(f"snapshots/{number:04x}", bytes(11 << 20))
            os.utime(cache / f"snapshots/{number:04x}", (number, number))
        assert [path.name for path in snapshots(cache)] == ["0006", "0007", "0008", "0009"]

    @pytest.mark.parametrize("damage", DAMAGES)
    def test_machine_code_that_cannot_be_trusted(
        self, damage: str, compiled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """It is never loaded, an error names what helps, and that helps."""
        DAMAGES[damage](compiled)
        _, _, reason = damage.partition(": ")
        template = "inline_template('<%= 6 * 7 %>')"
        error = Session(Options(ruby="sandbox"), facts={}).execute(template).error
        assert error is not None
        where = str(compiled.parent.parent if reason.startswith("others may use") else compiled)
        assert f"{where}{'' if 'damaged' in reason else ':'} {reason}" in error.message
        assert run("status") == 1
        output = capsys.readouterr().out
        assert f"in use    nothing: {where}{'' if 'damaged' in reason else ':'} {reason}" in output
        if where == str(compiled):
            assert "puppet-repl ruby install" in error.message
            if compiled.is_dir():
                compiled.rmdir()
            assert INSTALLED is not None
            store.keep_compiled(store.wasmtime_version() or "", INSTALLED.read_bytes())
            assert run("status") == 0
            assert not compiled.is_symlink()

    def test_changed_machine_code(self, compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Only the status reads all of it."""
        with compiled.open("r+b") as file:
            file.seek(-1_000_000, os.SEEK_END)
            file.write(b"\xcc")
        assert engines.missing() is None
        assert run("status") == 1
        assert f"in use    nothing: {compiled} is damaged" in capsys.readouterr().out

    @pytest.mark.parametrize("has_names", [True, False])
    def test_what_was_checked_is_loaded(
        self, has_names: bool, compiled: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Another file under the same name is not, even if it gets there after the check."""
        opened = PrivateStore.open

        def replace(files: PrivateStore, name: str) -> int:
            descriptor = opened(files, name)
            if name == NAME:
                compiled.unlink()
                compiled.write_bytes(b"garbage")
            return descriptor

        if not has_names:  # a system whose descriptors have none
            exists = os.path.exists
            monkeypatch.setattr(
                os.path, "exists", lambda path: "/dev/fd/" not in str(path) and exists(path)
            )
        from puppet_repl.environment.ruby.sandbox.startup import Maker

        maker = Maker(NAME or "")
        monkeypatch.setattr(PrivateStore, "open", replace)
        ruby = maker._new(Silent(), lambda data: None, lambda seconds: None)
        assert compiled.read_bytes() == b"garbage"
        ruby.close()

    def test_status(self, compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert engines.missing() is None
        assert run("status") == 0
        assert "in use    sandbox\n" in capsys.readouterr().out

    def test_status_repairs_libraries(
        self, compiled: Path, cache: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        shown = []
        for _ in range(2):
            assert run("status") == 0
            shown.append("libraries unpacked again" in capsys.readouterr().out)
        assert shown == [True, False]
        shutil.rmtree(cache / "libraries")
        (cache / "libraries").touch()
        assert run("status") == 1
        output = capsys.readouterr().out
        assert f"libraries cannot be unpacked: {cache / 'libraries'}: File exists\n" in output
        assert "in use    sandbox\n" in output

    @posix
    def test_a_store_of_somebody_else(
        self, compiled: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        problem = f"{compiled.parent.parent}: it belongs to another user, or others may write to it"
        assert engines.missing() == problem
        for action in ("status", "install", "remove"):
            assert run(action) == 1
            captured = capsys.readouterr()
            assert problem in captured.out + captured.err
        assert compiled.exists()


def snapshots(cache: Path) -> list[Path]:
    return sorted(cache.glob("snapshots/*"))


def test_the_version_is_asked_again_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's list of packages is empty where a directory could not be read for a moment."""
    asked = metadata.version
    failures = [metadata.PackageNotFoundError("wasmtime")]

    def version(name: str) -> str:
        if failures:
            raise failures.pop()
        return asked("pytest")

    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.setattr(store, "find_spec", lambda name: name)
    store._wasmtime_version.cache_clear()
    try:
        assert store.wasmtime_version() == asked("pytest")
        store._wasmtime_version.cache_clear()
        failures += [metadata.PackageNotFoundError("wasmtime") for _ in range(2)]
        assert store.wasmtime_version() is None
        assert store.wasmtime_version() == asked("pytest")
    finally:
        store._wasmtime_version.cache_clear()


def test_directories_in_place_of_the_compiled_ruby_are_replaced() -> None:
    name = store.keep_compiled("1", b"code")
    path = Path(store.root(), name)
    path.unlink()
    for directory in (path, path.with_name(f"0{path.name}")):
        (directory / "full").mkdir(parents=True)
    assert store.keep_compiled("1", b"code") == name
    assert path.read_bytes() != b""
    assert [each.name for each in path.parent.iterdir()] == [path.name]
