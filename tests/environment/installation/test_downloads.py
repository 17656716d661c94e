"""What goes wrong on the way: further attempts, and messages of one line."""

from __future__ import annotations

import errno
import io
import os
import ssl
import threading
from base64 import b64encode
from collections.abc import Iterator
from http.client import HTTPResponse

import pytest

from puppet_repl.environment.installation import downloads as module
from puppet_repl.environment.installation.downloads import Downloads
from puppet_repl.environment.installation.forge import Forge
from puppet_repl.environment.installation.wanted import ModuleError
from tests.environment.installation.server import ForgeServer, running

PATH = "/v3/modules/a-b"


@pytest.fixture
def server() -> Iterator[ForgeServer]:
    with running(ForgeServer()) as server:
        server.release("a-b", "1.0.0")
        yield server


def downloads(timeout: float = 5.0) -> Downloads:
    return Downloads(threading.Event(), timeout=timeout, pauses=(0.01, 0.01))


def test_what_passes_is_tried_again(server: ForgeServer) -> None:
    server.failures[PATH] = [503, 429]
    assert Forge(server.address, downloads()).versions("a-b") == ["1.0.0"]
    assert server.requests[PATH] == 3


@pytest.mark.parametrize("codes", [[500] * 3, [429] * 3, [403], [401]])
def test_what_does_not_pass_is_an_error(codes: list[int], server: ForgeServer) -> None:
    server.failures[PATH] = list(codes)
    with pytest.raises(ModuleError, match=f"{PATH} cannot be read: {codes[0]} "):
        Forge(server.address, downloads()).versions("a-b")
    assert server.requests[PATH] == len(codes)


def test_a_server_that_stops(server: ForgeServer) -> None:
    server.cut.add(PATH)
    with pytest.raises(ModuleError, match="it ends after"):
        Forge(server.address, downloads()).versions("a-b")
    assert server.requests[PATH] == 3


def test_a_server_that_says_nothing(server: ForgeServer) -> None:
    server.silent.add(PATH)
    with pytest.raises(ModuleError, match="does not answer in time"):
        Forge(server.address, downloads(timeout=0.05)).versions("a-b")


def test_no_server() -> None:
    with running(ForgeServer()) as server:
        address = server.address
    with pytest.raises(ModuleError, match=r"127\.0\.0\.1 cannot be reached: Connection refused"):
        Forge(address, downloads()).versions("a-b")


def test_no_network() -> None:
    with pytest.raises(ModuleError, match=r"forge\.invalid cannot be reached: "):
        Forge("https://forge.invalid", downloads()).versions("a-b")


def test_no_such_module_or_release(server: ForgeServer) -> None:
    forge = Forge(server.address, downloads())
    with pytest.raises(ModuleError, match="has no module a-c"):
        forge.release("a-c", "latest")
    with pytest.raises(ModuleError, match=r"has no release a-b-2\.0\.0"):
        forge.release("a-b", "2.0.0")


def test_a_document_may_be_too_large(server: ForgeServer) -> None:
    with pytest.raises(ModuleError, match="has more than 0 MB"):
        downloads().fetch(f"{server.address}{PATH}", io.BytesIO(), 10)


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x"])
def test_only_http_is_spoken(address: str) -> None:
    with pytest.raises(ModuleError):
        downloads().fetch(address, io.BytesIO(), 1 << 20)


def test_a_server_that_is_no_forge(server: ForgeServer) -> None:
    server.archives["/v3/modules/a-b"] = b"<html>"
    with pytest.raises(ModuleError, match="is not the API of a Forge"):
        Forge(server.address, downloads()).release("a-b", "")


def test_a_release_without_a_checksum(server: ForgeServer) -> None:
    del server.releases["a-b"]["1.0.0"]["file_sha256"]
    with pytest.raises(ModuleError, match=r"a-b 1\.0\.0 has no checksum"):
        Forge(server.address, downloads()).release("a-b", "1.0.0")


def with_user(address: str) -> str:
    return address.replace("//", "//me:s%40cret@")


def test_a_password_is_a_header_and_is_not_shown(server: ForgeServer) -> None:
    """It goes to its own server only."""
    forge = Forge(with_user(server.address), downloads())
    found = forge.release("a-b", "1.0.0")
    downloads().fetch(found.address, io.BytesIO(), 1 << 20)
    header = f"Basic {b64encode(b'me:s@cret').decode()}"
    assert set(server.authorizations.values()) == {header}
    assert len(server.authorizations) == 2
    with pytest.raises(ModuleError, match="has no module a-c") as error:
        forge.release("a-c", "latest")
    assert str(error.value) == f"{server.address} has no module a-c"
    server.archives["/v3/modules/a-d"] = b"<html>"
    with pytest.raises(ModuleError, match="is not the API of a Forge") as error:
        forge.release("a-d", "latest")
    assert "cret" not in str(error.value)


def test_a_whole_address_of_an_archive(server: ForgeServer) -> None:
    """The user and the password of the Forge are for this server only."""
    row = server.releases["a-b"]["1.0.0"]
    forge = Forge(with_user(server.address), downloads())
    for place, expected in (
        (server.address, with_user(server.address)),
        ("http://other.example", "http://other.example"),
        (server.address.replace("//", "//own@"), server.address.replace("//", "//own@")),
    ):
        row["file_uri"] = f"{place}/x.tar.gz"
        assert forge.release("a-b", "1.0.0").address == f"{expected}/x.tar.gz"


def test_a_password_after_a_redirection(server: ForgeServer) -> None:
    with running(ForgeServer()) as other:
        other.archives["/x"] = server.archives["/x"] = b"x"
        for target in (other, server):
            server.redirects["/from"] = f"{target.address}/x"
            downloads().fetch(with_user(f"{server.address}/from"), io.BytesIO(), 10)
        assert other.authorizations == {"/x": None}
        assert server.authorizations["/x"] == server.authorizations["/from"] is not None


@pytest.mark.parametrize(
    "address", ["http://me:secret@h:port/", "http://me:secret@[h/", "http://me:se/cret@h/x"]
)
def test_an_address_that_is_none(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    patient = Downloads(threading.Event(), pauses=(60.0,))
    with pytest.raises(ModuleError, match="it is not a valid address") as error:
        patient.fetch(address, io.BytesIO(), 10)
    assert "cret" not in str(error.value)


@pytest.mark.parametrize(
    "failure", [ssl.SSLError("bad record mac"), OSError(errno.EHOSTUNREACH, "No route to host")]
)
def test_the_connection_breaks(
    failure: OSError, server: ForgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise failure

    monkeypatch.setattr(HTTPResponse, "read1", fail)
    with pytest.raises(ModuleError, match=r"cannot be read: .*(bad record|No route)"):
        downloads().fetch(f"{server.address}{PATH}", io.BytesIO(), 1 << 20)
    assert server.requests[PATH] == 3


def test_the_disk_is_full(server: ForgeServer) -> None:
    class Full(io.BytesIO):
        def write(self, data: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OSError, match="No space left"):
        downloads().fetch(f"{server.address}{PATH}", Full(), 1 << 20)
    assert server.requests[PATH] == 1


def test_a_document_may_take_too_long(server: ForgeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LONGEST", -60.0)
    with pytest.raises(ModuleError, match="takes longer than -1 minutes"):
        downloads().fetch(f"{server.address}{PATH}", io.BytesIO(), 1 << 20)
    assert server.requests[PATH] == 1


@pytest.mark.parametrize("text", [None, "", "\u00b2", "\u0663", "-1", "1.5", "9" * 5000])
def test_headers_that_are_no_numbers(text: str | None) -> None:
    assert module._number(text) is None


def test_after_an_interrupt_nothing_is_tried(server: ForgeServer) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(ModuleError, match="stopped"):
        Forge(server.address, Downloads(stop)).versions("a-b")
    assert not server.requests
