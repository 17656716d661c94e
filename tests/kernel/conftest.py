"""Kernels of the tests keep their history and settings in a directory of their own."""

from __future__ import annotations

from collections.abc import Iterator

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
