"""Kernels of the tests keep their history and settings in a directory of their own.

A manager chooses TCP ports and closes them again before its kernel opens them, so another process
may take one in between ("Address already in use"). With several workers that happens, hence
kernels of the tests talk over sockets in the file system where there are such. JupyterLab's, in
tests/browser, and the encrypted kernel keep TCP.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel

from tests.kernel.debugging import Debugging


@pytest.fixture(scope="session", autouse=True)
def own_directories(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    directory = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(directory / "data"))
        patch.setenv("XDG_CONFIG_HOME", str(directory / "config"))
        yield


@pytest.fixture(scope="session", autouse=True)
def no_ports() -> Iterator[None]:
    """Let the managers of this process choose no ports."""
    if os.name != "posix":
        yield
        return
    initialize = KernelManager.__init__
    numbers = count()

    # Names of sockets must be short.
    with TemporaryDirectory(dir="/tmp") as directory, pytest.MonkeyPatch.context() as patch:

        def without_ports(self: KernelManager, *args: Any, **options: Any) -> None:
            if "transport" not in options:
                options |= {"transport": "ipc", "ip": f"{directory}/{next(numbers)}"}
            initialize(self, *args, **options)

        patch.setattr(KernelManager, "__init__", without_ports)
        yield


@pytest.fixture(scope="module")
def started() -> Iterator[tuple[KernelManager, BlockingKernelClient]]:
    manager, client = start_new_kernel(kernel_name="puppet")
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.fixture
def client(started: tuple[KernelManager, BlockingKernelClient]) -> BlockingKernelClient:
    return started[1]


@pytest.fixture
def debugging(started: tuple[KernelManager, BlockingKernelClient]) -> Iterator[Debugging]:
    """A debugger that is attached to the kernel of the module."""
    talk = Debugging(*started)
    talk.attach()
    yield talk
    talk.detach()
