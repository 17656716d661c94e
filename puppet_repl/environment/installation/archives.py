"""Unpack the archive of a module, so that nothing is written outside of its directory.

An archive with an absolute name or ``..`` in it is refused as a whole. Links that lead out of the
module, devices and the like are left out.
"""

from __future__ import annotations

import os
import tarfile
import zlib
from lzma import LZMAError

from puppet_repl.environment.installation.wanted import ModuleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

MAX_BYTES = 1 << 30
MAX_FILES = 100_000
_BROKEN = (tarfile.TarError, EOFError, LZMAError, zlib.error, ValueError)


def unpack(file: BinaryIO, directory: str, *, strips: bool) -> list[str]:
    """Unpack an archive into a directory; return the names that were left out.

    With ``strips`` the first part of each name goes. Raises ModuleError and OSError.
    """
    if not hasattr(tarfile, "data_filter"):
        raise ModuleError("this Python unpacks without care; 3.11.4 is the first that is safe")
    unpacking = _Unpacking(directory, strips=strips)
    try:
        with tarfile.open(fileobj=file, mode="r|*") as archive:
            for member in archive:
                unpacking.take(archive, member)
    except _BROKEN as error:
        raise ModuleError(f"the archive is broken: {error}") from None
    except OSError as error:
        if error.errno is None:  # of gzip
            raise ModuleError(f"the archive is broken: {error}") from None
        raise
    unpacking.remove_links_out()
    return unpacking.left_out


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
            raise ModuleError(
                f"the archive has more than {MAX_FILES:,} files or {MAX_BYTES >> 30} GB"
            )
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
        if not (member.isreg() or member.isdir() or member.issym()):
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
