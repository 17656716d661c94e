"""Unpack the archive of a module, so that nothing is written outside of its directory.

An archive with an absolute name or ``..`` in it is refused as a whole. Links that lead out of the
module, devices and the like, and a repository of git (``.git``) are left out.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zlib

from puppet_repl.environment.installation.wanted import ModuleError, is_of_git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

MAX_BYTES = 1 << 30
MAX_FILES = 100_000
# Names, and what else there is between the contents of two files.
_MAX_HEADER = 1 << 20
_BROKEN = (tarfile.TarError, EOFError, lzma.LZMAError, zlib.error, ValueError)


def unpack(file: BinaryIO, directory: str, *, strips: bool) -> list[str]:
    """Unpack an archive into a directory; return the names that were left out.

    With ``strips`` the first part of each name goes. Raises ModuleError and OSError.
    """
    if not hasattr(tarfile, "data_filter"):
        raise ModuleError("this Python unpacks without care; 3.11.4 is the first that is safe")
    unpacking = _Unpacking(directory, strips=strips)
    try:
        counted = _Counted(_unpacked(file))
        with tarfile.open(fileobj=counted, mode="r|") as archive:
            for member in archive:
                if member.issparse():
                    raise ModuleError(f"the archive has a file with holes: {member.name}")
                has_data = member.isreg() or member.type not in tarfile.SUPPORTED_TYPES
                counted.allow(member.size if has_data else 0)
                unpacking.take(archive, member)
    except _BROKEN as error:
        raise ModuleError(f"the archive is broken: {error}") from None
    except OSError as error:
        if error.errno is None:  # of gzip
            raise ModuleError(f"the archive is broken: {error}") from None
        raise
    unpacking.remove_links_out()
    return unpacking.left_out


def _too_much() -> ModuleError:
    return ModuleError(f"the archive has more than {MAX_FILES:,} files or {MAX_BYTES >> 30} GB")


def _unpacked(file: BinaryIO) -> io.BufferedIOBase | BinaryIO:
    """Return the file that unpacks a compressed one."""
    start = file.tell()
    first = file.read(6)
    file.seek(start)
    if first.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=file)
    if first.startswith(b"BZh"):
        return bz2.BZ2File(file)
    return lzma.LZMAFile(file) if first == b"\xfd7zXZ\0" else file


class _Counted(io.RawIOBase):
    """The bytes of an archive, of which a small download can make very many.

    The sizes of members do not count headers, which are read into memory.
    """

    def __init__(self, file: io.BufferedIOBase | BinaryIO) -> None:
        self._file = file
        self._count = 0
        self._most = _MAX_HEADER

    def allow(self, size: int) -> None:
        """Allow so many bytes of a member, and the next header."""
        self._most = self._count + size + _MAX_HEADER

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self._count += len(piece)
        if self._count > MAX_BYTES:
            raise _too_much()
        if self._count > self._most:
            raise ModuleError(f"the archive has a header of more than {_MAX_HEADER >> 20} MB")
        return piece


class _Unpacking:
    """One archive on its way into a directory."""

    def __init__(self, directory: str, *, strips: bool) -> None:
        self.directory = directory
        self.left_out: list[str] = []
        self._first = 1 if strips else 0
        self._links: set[str] = set()
        self._count = 0
        self._size = 0

    def take(self, archive: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        """Unpack one member; raise ModuleError for what an honest archive does not have."""
        parts = [part for part in member.name.split("/") if part not in ("", ".")]
        if member.name.startswith("/") or ".." in parts:
            raise ModuleError(f"the archive has a name that leads out of it: {member.name}")
        self._count += 1
        self._size += member.size
        if self._count > MAX_FILES or self._size > MAX_BYTES:
            raise _too_much()
        parts = parts[self._first :]
        if not parts:
            return
        # Some file systems do not distinguish capital letters.
        for count in range(1, len(parts) + 1):
            if "/".join(parts[:count]).casefold() in self._links:
                raise ModuleError(
                    f"the archive has a name that leads through a link: {member.name}"
                )
        name = "/".join(parts)
        is_known = member.isreg() or member.isdir() or member.issym()
        if not is_known or any(map(is_of_git, parts)):
            self.left_out.append(name)
            return
        try:
            archive.extract(member.replace(name=name, deep=False), self.directory, filter="data")
        except (tarfile.AbsoluteLinkError, tarfile.LinkOutsideDestinationError):
            self.left_out.append(name)
            return
        if member.issym():
            self._links.add(name.casefold())

    def remove_links_out(self) -> None:
        """Remove links that lead out once all of them are there, which each alone does not."""
        base = os.path.realpath(self.directory)
        paths = {
            os.path.join(where, name)
            for where, directories, names in os.walk(self.directory)
            for name in (*directories, *names)
            if os.path.islink(os.path.join(where, name))
        }
        while bad := [path for path in paths if not _is_below(os.path.realpath(path), base)]:
            for path in sorted(bad):
                os.unlink(path)
                self.left_out.append(os.path.relpath(path, self.directory))
            paths.difference_update(bad)


def _is_below(path: str, base: str) -> bool:
    return path == base or path.startswith(os.path.join(base, ""))
