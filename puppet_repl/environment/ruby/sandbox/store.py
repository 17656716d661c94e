"""Store the compiled Ruby, its libraries and its snapshots in a directory of the user's cache.

The name of the directory contains everything that the compiled code depends on, so that each
version of wasmtime and Ruby has its own files.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from puppet_repl.base.file_replacement import replacing
from puppet_repl.base.user_directories import user_directory

PACKAGE = "@ruby/3.2-wasm-wasi"
VERSION = "2.10.1"
"""The package of npm and its version, which decides on the version of Ruby."""

COMPILED = "ruby.cwasm"
_SNAPSHOT = "snapshot-"
_LIBRARIES = "libraries-"
# Other versions of this project, and other copies of it, have snapshots and libraries of their own.
_MAX_KEPT = 6
# Changes when the configuration does that code is compiled with.
_CONFIGURATION = 1


def wasmtime_version() -> str | None:
    """Return the version of wasmtime, None if it is not installed."""
    return None if find_spec("wasmtime") is None else _wasmtime_version()


@cache
def _wasmtime_version() -> str | None:
    from importlib import metadata  # slow, and not there in a browser

    try:
        return metadata.version("wasmtime")
    except metadata.PackageNotFoundError:
        return None


def root() -> Path:
    """Return the directory of all that is kept for Ruby."""
    return Path(user_directory("cache"), "ruby")


def directory(wasmtime: str) -> Path:
    """Return the directory for the Ruby compiled by a version of wasmtime."""
    machine = f"{sys.platform}-{os.uname().machine if hasattr(os, 'uname') else 'any'}"
    return root() / f"{VERSION}-wasmtime-{wasmtime}-{machine}-{_CONFIGURATION}"


def compiled() -> Path | None:
    """Return the compiled Ruby, None if there is none that can be used."""
    version = wasmtime_version()
    if version is None:
        return None
    path = directory(version) / COMPILED
    return path if path.is_file() else None


def write(path: Path, pieces: Iterable[bytes], *, sync: bool = True) -> None:
    """Write a file at once: nobody ever sees half of it. Raises OSError.

    Only with ``sync`` it waits for the disk.
    """
    # These files are executed: only the user may write them.
    root().mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with replacing(path, mode=0o600, sync=sync) as file:
        for piece in pieces:
            file.write(piece)


def _newest_first(paths: Iterable[Path]) -> list[Path]:
    found = []
    for path in paths:
        with contextlib.suppress(OSError):
            found.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(found, reverse=True)]


# Libraries


def libraries_path(home: Path, digest: str) -> Path:
    """Return the directory of the libraries in an archive, below ``home``."""
    return home / f"{_LIBRARIES}{digest}"


def keep_libraries(target: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write a directory of libraries at once and remove old ones; raises OSError."""
    import tempfile

    home = target.parent
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=_LIBRARIES, dir=home) as made:
        whole = Path(made, "all")
        for name, data in files:
            write(whole / name, [data], sync=False)
        with contextlib.suppress(OSError):  # another process was faster
            whole.rename(target)
    if not target.is_dir():
        raise FileNotFoundError(target)
    for old in _newest_first(home.glob(f"{_LIBRARIES}*"))[_MAX_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


# Snapshots


def snapshot_path(compiled: Path, shim: Path) -> Path:
    """Return where the snapshot is for the files of a shim, as they are now."""
    digest = hashlib.sha256(f"{sys.version_info[:2]}\0{shim}\0".encode())
    for file in sorted(shim.rglob("*.rb")):
        digest.update(f"{file.name}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    stat = compiled.stat()
    digest.update(f"{stat.st_size} {stat.st_mtime_ns}".encode())
    return compiled.parent / f"{_SNAPSHOT}{digest.hexdigest()[:20]}.bin"


def snapshots() -> list[Path]:
    """Return the snapshots that are kept, newest first."""
    return _newest_first(root().glob(f"*/{_SNAPSHOT}*.bin"))


def keep_snapshot(path: Path, data: bytes) -> None:
    """Write a snapshot and remove old ones; raises OSError."""
    write(path, [data])
    for old in snapshots()[_MAX_KEPT:]:
        with contextlib.suppress(OSError):
            old.unlink()


def installed() -> Iterator[tuple[Path, int]]:
    """Yield the directories of all versions, with their sizes in bytes."""
    if root().is_dir():
        for path in sorted(root().iterdir()):
            if path.is_dir():
                yield path, sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def remove() -> bool:
    """Remove everything; tell whether there was anything. Raises OSError."""
    if not root().exists():
        return False
    shutil.rmtree(root())
    return True
