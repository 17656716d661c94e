"""The Ruby libraries that come with Puppet's Ruby, and that WebAssembly's Ruby lacks.

They are gems in pure Ruby, in an archive that ``make libraries`` writes. It is unpacked once,
beside the compiled Ruby; NOTICE names the licenses.
"""

from __future__ import annotations

import os
from functools import cache

from puppet_repl.environment.ruby.sandbox import store

# Importing hashlib loads the libraries of OpenSSL.
try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ARCHIVE = os.path.join(os.path.dirname(__file__), "libraries.tar.gz")


def directory() -> str:
    """Return where the libraries are unpacked, which is done if they are not; raise OSError."""
    home = store.libraries(_digest())
    if not os.path.isdir(home):
        store.keep_libraries(home, _files())
    return home


def real_directory() -> str | None:
    """Return the real path of the directory, None if the libraries cannot be unpacked."""
    try:
        return os.path.realpath(directory())
    except OSError:
        return None


def repair() -> bool:
    """Unpack the libraries again and return True if one is missing or damaged; raise OSError."""
    if _are_whole():
        return False
    store.keep_libraries(store.libraries(_digest()), _files())
    return True


def _are_whole() -> bool:
    from pathlib import Path

    home = Path(store.libraries(_digest()))
    try:
        return all((home / name).read_bytes() == data for name, data in _files())
    except OSError:
        return False


def names() -> list[str]:
    """Return the names of the libraries with their versions."""
    import tarfile

    with tarfile.open(ARCHIVE) as archive:
        return sorted({member.partition("/")[0] for member in archive.getnames()})


def find(directory: str, name: str) -> str | None:
    """Return the directory of the library that has a file, None if no library has it."""
    for library in sorted(os.listdir(directory)):
        home = os.path.join(directory, library)
        path = os.path.normpath(os.path.join(home, name))
        if path.startswith(f"{home}{os.sep}") and os.path.isfile(path):
            return home
    return None


@cache
def _digest() -> str:
    with open(ARCHIVE, "rb") as file:
        return blake2b(file.read(), digest_size=10).hexdigest()


def _files() -> Iterator[tuple[str, bytes]]:
    import tarfile  # rarely needed, and slow to load

    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            data = archive.extractfile(member)
            assert data is not None  # all of them are files
            yield member.name, data.read()
