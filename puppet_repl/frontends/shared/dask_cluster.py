"""A Dask cluster for a fleet: the connection to its scheduler, and the check of versions."""

from __future__ import annotations

import logging
import socket
import sys

from puppet_repl.base.optional_packages import how_to_install
from puppet_repl.base.version import __version__
from puppet_repl.frontends.shared.fleet import FleetError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Executor
    from typing import Any

_PACKAGE = "puppet_repl"
# Those to which the configuration of the package gives levels of their own.
_LOGGERS = ("distributed", "distributed.client", "tornado", "tornado.application")
# Seconds within which a scheduler answers and has a worker.
_PATIENCE = 10
# Tasks that a cluster is given at a time: for each thread of its workers, and at the least.
_AHEAD = 2
_WINDOW = 64


class Cluster:
    """The cluster of the scheduler at an address, ``tcp://HOST:PORT``; close() leaves it.

    It has to have workers, all with this version of the package and with a Python of the same minor
    version. Raises FleetError.
    """

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            missing = f"the package distributed is not installed: {how_to_install('dask')}"
            raise FleetError(missing) from None
        # A failure is reported in a line; the loggers of the package would add pages.
        for name in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._address = address
        try:
            _check_address(address)
            self._client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise FleetError(f"no Dask scheduler at {address}: {reason}") from None
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE)
            self._check_versions()
        except TimeoutError:
            self.close()
            raise FleetError(f"the scheduler at {address} has no workers") from None
        except BaseException:
            self.close()
            raise
        self.threads: int = sum(self._client.nthreads().values())
        self.window = max(_AHEAD * self.threads, _WINDOW)

    def _check_versions(self) -> None:
        found = self._client.get_versions(packages=[_PACKAGE])
        for address, versions in sorted(found["workers"].items()):
            problem = _problem(versions or {})
            if problem is not None:
                raise FleetError(f"the worker {address} {problem}")

    def executor(self) -> Executor:
        """Return a new executor of the cluster. Raises FleetError if the connection is lost."""
        if self._client.status != "running":
            raise FleetError(f"the connection to the scheduler at {self._address} is lost")
        made: Executor = self._client.get_executor(pure=False)
        return made

    def check(self) -> None:
        """Raise FleetError where the scheduler is gone, or has had no worker for some seconds."""
        self.executor()
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            reason = f"the scheduler at {self._address} has no workers left"
            raise FleetError(reason) from None

    def close(self) -> None:
        """Leave the cluster; its work for this process ends."""
        self._client.close(timeout=1)


def _check_address(address: str) -> None:
    """Raise ValueError for an invalid address, OSError if no scheduler listens there.

    A client would try for long if nobody listens, and wait for ever for a reply of a web server,
    such as the dashboard of a scheduler.
    """
    import asyncio

    from distributed import Security
    from distributed.comm import connect
    from distributed.comm.addressing import get_address_host_port

    async def shake_hands() -> None:
        settings = Security().get_connection_args("client")
        (await connect(address, timeout=_PATIENCE, **settings)).abort()

    socket.create_connection(get_address_host_port(address), timeout=_PATIENCE).close()
    try:
        asyncio.run(asyncio.wait_for(shake_hands(), _PATIENCE))
    except TimeoutError:
        raise TimeoutError("what listens there is none") from None


def _problem(versions: dict[str, Any]) -> str | None:
    """Return the problem with the versions of a worker, or None."""
    has = versions.get("packages", {}).get(_PACKAGE)
    if has is None:
        return f"lacks puppet-repl, of which it needs {__version__}"
    if has != __version__:
        return f"has puppet-repl {has}, this is {__version__}"
    python = ".".join(versions.get("host", {}).get("python", "").split(".")[:2])
    ours = ".".join(map(str, sys.version_info[:2]))
    return None if python == ours else f"has Python {python}, this is Python {ours}"
