"""The Forge: its API of version 3, of which modules and releases are read."""

from __future__ import annotations

import hashlib
from io import BytesIO
from typing import NamedTuple
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

from puppet_repl.base.json_data import JsonDataError, read_json
from puppet_repl.environment.installation.downloads import NotThere
from puppet_repl.environment.installation.wanted import ModuleError, without_credentials
from puppet_repl.environment.modules.puppetfile_rules import LATEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from puppet_repl.environment.installation.downloads import Downloads

_MAX_ANSWER = 32 << 20
MAX_ARCHIVE = 256 << 20
_PIECE = 1 << 20


class Release(NamedTuple):
    """A release: the address of its archive, and its checksum with the name of the algorithm."""

    version: str
    address: str
    checksum: str


class Forge:
    """One Forge, by the address of its API; ``address`` is shown, without user and password."""

    def __init__(self, address: str, downloads: Downloads) -> None:
        self.address = without_credentials(address)
        self._address = address
        self._downloads = downloads

    def release(self, title: str, version: str) -> Release:
        """Return a release of ``author-module``; without a version the newest one."""
        if version in ("", LATEST):
            data = self.module(title).get("current_release")
            if not isinstance(data, dict):
                raise ModuleError(f"{title} has no release at {self.address}")
        else:
            name = f"{title}-{version}"
            try:
                data = self._ask("releases", name)
            except NotThere:
                raise ModuleError(f"{self.address} has no release {name}") from None
        found, place = data.get("version"), data.get("file_uri")
        if not isinstance(found, str) or not isinstance(place, str):
            raise ModuleError(f"{self.address} does not say where {title} {version} is")
        if version not in ("", LATEST, found):
            raise ModuleError(f"{self.address} gives {title} {found} instead of {version}")
        try:
            address = self._with_credentials(urljoin(f"{self._address}/", place))
            is_http = urlsplit(address).scheme in ("http", "https")
        except ValueError:
            address, is_http = place, False
        if not is_http:
            shown = without_credentials(address)
            raise ModuleError(f"{self.address} gives an address that is not HTTP: {shown}")
        return Release(found, address, _checksum_in(data, f"{self.address}: {title} {found}"))

    def _with_credentials(self, address: str) -> str:
        """Return an address of this server with the user and password for it.

        Raises ValueError for an address that cannot be read.
        """
        own, parts = urlsplit(self._address), urlsplit(address)
        _, mark, host = own.netloc.rpartition("@")
        if mark and (parts.scheme, parts.netloc.lower()) == (own.scheme, host.lower()):
            return urlunsplit(parts._replace(netloc=own.netloc))
        return address

    def module(self, title: str) -> dict[str, Any]:
        """Return what the Forge knows of ``author-module``."""
        try:
            return self._ask("modules", title)
        except NotThere:
            raise ModuleError(f"{self.address} has no module {title}") from None

    def versions(self, title: str) -> list[str]:
        """Return the versions of all releases."""
        releases = self.module(title).get("releases")
        rows = releases if isinstance(releases, list) else []
        found = [row.get("version") for row in rows if isinstance(row, dict)]
        return [version for version in found if isinstance(version, str)]

    def _ask(self, kind: str, name: str) -> dict[str, Any]:
        answer = BytesIO()
        path = f"/v3/{kind}/{quote(name, safe='')}"
        self._downloads.fetch(f"{self._address}{path}", answer, _MAX_ANSWER)
        try:
            data = read_json(answer.getvalue().decode())
        except (UnicodeDecodeError, JsonDataError):
            data = None
        if not isinstance(data, dict):
            shown = f"{self.address}{path}"
            raise ModuleError(f"{shown} is not the API of a Forge: it answers no JSON object")
        return data


def _checksum_in(data: dict[str, Any], what: str) -> str:
    for algorithm in ("sha256", "md5"):
        value = data.get(f"file_{algorithm}")
        if isinstance(value, str) and value:
            return f"{algorithm}:{value.lower()}"
    raise ModuleError(f"{what} has no checksum")


def check(file: BinaryIO, checksum: str, what: str) -> None:
    """Raise ModuleError for a file that has another checksum; read it from its start again."""
    algorithm, _, expected = checksum.partition(":")
    found = checksum_of(file, algorithm)
    if found != checksum:
        _, _, digest = found.partition(":")
        raise ModuleError(f"{what} has the {algorithm} {digest}, expected was {expected}")


def checksum_of(file: BinaryIO, algorithm: str = "sha256") -> str:
    """Return the checksum of a file, with the name of the algorithm; go back to its start."""
    made = hashlib.new(algorithm, usedforsecurity=False)
    file.seek(0)
    while piece := file.read(_PIECE):
        made.update(piece)
    file.seek(0)
    return f"{algorithm}:{made.hexdigest()}"
