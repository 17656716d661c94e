"""What goes wrong on the way: further attempts, and messages of one line."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator

import pytest

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


def test_after_an_interrupt_nothing_is_tried(server: ForgeServer) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(ModuleError, match="stopped"):
        Forge(server.address, Downloads(stop)).versions("a-b")
    assert not server.requests
