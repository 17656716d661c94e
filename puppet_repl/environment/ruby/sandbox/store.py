"""Store the compiled Ruby, its libraries and its snapshots in a directory of the user's cache.

The compiled Ruby is machine code: its file is checked each time before it is loaded. The name of
its directory contains everything that it depends on, so that each version of wasmtime and Ruby has
its own; the name of the file is its digest.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sys
import time
import zlib
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec

from puppet_repl.base.file_replacement import replacing
from puppet_repl.base.private_store import USE_NOTED, PrivateStore
from puppet_repl.base.user_directories import user_directory
from puppet_repl.base.wording import failure_with_file

# Importing hashlib loads the libraries of OpenSSL.
try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = "@ruby/3.2-wasm-wasi"
VERSION = "2.10.1"
"""The package of npm and its version, which decides on the version of Ruby."""

REMEDY = ": run puppet-repl ruby install again"
"""The end of a message about a file."""

_ENDING = ".cwasm"
_SNAPSHOTS = "snapshots"
_LIBRARIES = "libraries"
# Other versions of this project, and other copies of it, have snapshots and libraries of their own.
_SNAPSHOTS_BYTES = 72 << 20  # some six
_MAX_LIBRARIES = 6
# Machine code of another version is removed after so many seconds without a use.
_UNUSED = 7 * 86_400
# Changes when the configuration does that code is compiled with, or the form of snapshots.
_CONFIGURATION = 2


def wasmtime_version() -> str | None:
    """Return the version of wasmtime, None if it is not installed."""
    if find_spec("wasmtime") is None:
        return None
    for _ in range(2):
        try:
            return _wasmtime_version()
        except ModuleNotFoundError:
            from importlib import metadata

            # Python keeps an empty list of a directory that could not be read for a moment,
            # because of a limit or of too many open files.
            metadata.MetadataPathFinder().invalidate_caches()
    return None


@cache
def _wasmtime_version() -> str:
    """Return the version of wasmtime; raise PackageNotFoundError, which is not kept."""
    spec = find_spec("wasmtime")
    packages = os.path.dirname(os.path.dirname(getattr(spec, "origin", None) or ""))
    names = []
    with contextlib.suppress(OSError):
        names = os.listdir(packages or ".")
    versions = [
        name[9:-10]
        for name in names
        if name.startswith("wasmtime-") and name.endswith(".dist-info")
    ]
    if len(versions) == 1:
        return versions[0]  # reading the metadata itself imports as much as a catalog needs
    from importlib import metadata

    return metadata.version("wasmtime")


def root() -> str:
    """Return the directory of all that is kept for Ruby."""
    return os.path.join(user_directory("cache"), "ruby")


def files() -> PrivateStore:
    """Return the files that are kept for Ruby."""
    return PrivateStore(root(), _SNAPSHOTS_BYTES, digest=_checksum)


def _checksum(name: str, data: bytes | memoryview) -> bytes:
    """Return a checksum, which is made at each start of Ruby: a snapshot has 11 MB."""
    return b"%020d" % zlib.crc32(data, zlib.crc32(name.encode()))


# The compiled Ruby


def home(wasmtime: str) -> str:
    """Return the name of the directory for the Ruby compiled by a version of wasmtime."""
    machine = f"{sys.platform}-{os.uname().machine if hasattr(os, 'uname') else 'any'}"
    return f"{VERSION}-wasmtime-{wasmtime}-{machine}-{_CONFIGURATION}"


def compiled() -> str | None:
    """Return the name of the file of the compiled Ruby, None if there is none."""
    version = wasmtime_version()
    if version is None:
        return None
    names = _compiled_files(home(version))
    return names[-1] if names else None


def _compiled_files(directory: str) -> list[str]:
    with contextlib.suppress(OSError):
        names = os.listdir(os.path.join(root(), directory))
        found = [name for name in names if name.endswith(_ENDING)]
        return [f"{directory}/{name}" for name in sorted(found)]
    return []


def keep_compiled(wasmtime: str, data: bytes) -> str:
    """Keep the compiled Ruby in place of another one; return its name. Raises OSError."""
    import hashlib

    name = f"{home(wasmtime)}/{hashlib.sha256(data).hexdigest()}{_ENDING}"
    if os.path.isdir(files().path(name)):
        remove_compiled(name)
    files().save(name, [data])
    for old in _compiled_files(home(wasmtime)):
        if old != name:
            remove_compiled(old)
    return name


def remove_compiled(name: str) -> None:
    """Remove a compiled Ruby, or a directory of its name, if that can be done."""
    path = files().path(name)
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    with contextlib.suppress(OSError):
        os.unlink(path)


def remove_unused(wasmtime: str) -> None:
    """Remove the Ruby compiled for other versions that nothing has used for days."""
    if os.utime not in os.supports_fd:
        return  # the store does not note a use on this system
    from pathlib import Path

    for directory in Path(root()).glob("*-wasmtime-*"):
        with contextlib.suppress(OSError):
            used = max([path.stat().st_mtime for path in (directory, *directory.iterdir())])
            if directory.name != home(wasmtime) and time.time() - used > _UNUSED:
                shutil.rmtree(directory, ignore_errors=True)


def is_damaged(name: str) -> bool:
    """Tell whether a compiled Ruby is another than the installed one. Raises OSError."""
    import hashlib

    with open(files().open(name), "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    return os.path.basename(name) != f"{found}{_ENDING}"


def problem() -> str | None:
    """Return the reason why Ruby cannot be used although files of it are there, or None."""
    store = files()
    reason = store.problem()
    if reason is not None:
        return f"{store.directory}: {reason}"
    name = compiled()
    try:
        if name is not None:
            os.close(store.open(name))
    except OSError as error:
        return f"{failure_with_file(error)}{REMEDY}"
    return None


# Libraries


def libraries(digest: str) -> str:
    """Return the directory for the libraries of an archive."""
    home = os.path.join(root(), _LIBRARIES, digest)
    with contextlib.suppress(OSError):
        if time.time() - os.stat(home).st_mtime > USE_NOTED:
            os.utime(home)
    return home


def keep_libraries(directory: str, contents: Iterable[tuple[str, bytes]]) -> None:
    """Write a directory of libraries at once and remove unused ones; raises OSError."""
    import tempfile
    from pathlib import Path

    home = Path(directory)
    room = files().make_room(_LIBRARIES)
    with tempfile.TemporaryDirectory(dir=room, ignore_cleanup_errors=True) as made:
        whole = Path(made, "all")
        for name, data in contents:
            (whole / name).parent.mkdir(parents=True, exist_ok=True)
            with replacing(whole / name, mode=0o600, sync=False) as file:
                file.write(data)
        with contextlib.suppress(OSError):  # there is none
            home.rename(Path(made, "damaged"))
        with contextlib.suppress(OSError):  # another process was faster
            whole.rename(home)
    if not home.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(home))
    for old in _newest_first(home.parent.iterdir())[_MAX_LIBRARIES:]:
        shutil.rmtree(old, ignore_errors=True)


def _newest_first(paths: Iterable[Path]) -> list[Path]:
    found = []
    for path in paths:
        with contextlib.suppress(OSError):
            found.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(found, reverse=True)]


# Snapshots


def snapshot_name(compiled: str, shim: Path) -> str:
    """Return the name of the snapshot for the files of a shim, as they are now."""
    digest = blake2b(f"{sys.version_info[:2]}\0{shim}\0{compiled}\0".encode())
    for file in sorted(shim.rglob("*.rb")):
        digest.update(f"{file.name}\0".encode())
        digest.update(blake2b(file.read_bytes()).digest())
    return f"{_SNAPSHOTS}/{digest.hexdigest()[:20]}"
