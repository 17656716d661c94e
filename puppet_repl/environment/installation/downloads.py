"""Downloads over HTTP and HTTPS: limits of time and size, further attempts, proxies.

Proxies are those that the environment names (``https_proxy``, ``no_proxy``), and certificates those
that the system trusts.
"""

from __future__ import annotations

import socket
import ssl
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
)

from puppet_repl.base.version import __version__
from puppet_repl.environment.installation.wanted import ModuleError, without_password

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import Event
    from typing import IO, Any, BinaryIO

_PIECE = 1 << 16
# Seconds to wait for an answer, and before each further attempt.
_TIMEOUT = 30.0
_PAUSES = (0.5, 1.0, 2.0)
_LONGEST_PAUSE = 30.0


class NotThere(ModuleError):
    """The server has no such document."""


class Stopped(ModuleError):
    """The user has stopped the installation."""


class _Passing(Exception):
    """A failure that the next attempt may not meet."""

    def __init__(self, reason: str, pause: float = 0.0) -> None:
        super().__init__(reason)
        self.pause = pause


class _Redirects(HTTPRedirectHandler):
    """Redirections, but none from an encrypted connection to another one."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> Request | None:
        if req.type == "https" and urlsplit(newurl).scheme != "https":
            raise URLError(f"redirected to an address without encryption: {newurl}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class Downloads:
    """What gets documents; ``stop`` is set when the user gives up."""

    def __init__(
        self, stop: Event, timeout: float = _TIMEOUT, pauses: tuple[float, ...] = _PAUSES
    ) -> None:
        self.stop = stop
        self._timeout = timeout
        self._pauses = pauses
        self._opener = OpenerDirector()  # it opens neither files nor FTP
        for handler in (
            *(ProxyHandler(), HTTPHandler(), HTTPSHandler(), UnknownHandler()),
            *(HTTPDefaultErrorHandler(), _Redirects(), HTTPErrorProcessor()),
        ):
            self._opener.add_handler(handler)

    def fetch(self, address: str, file: BinaryIO, most: int) -> None:
        """Write a document of at most so many bytes to a file; raise ModuleError."""
        for pause in (*self._pauses, None):
            if self.stop.is_set():
                raise Stopped("stopped")
            file.seek(0)
            file.truncate()
            try:
                self._attempt(address, file, most)
            except _Passing as failure:
                if pause is None:
                    shown = without_password(address)
                    raise ModuleError(f"{shown} cannot be read: {failure}") from None
                self.stop.wait(min(max(pause, failure.pause), _LONGEST_PAUSE))
            else:
                return

    def _attempt(self, address: str, file: BinaryIO, most: int) -> None:
        """Try once; raise _Passing where a further attempt may help, else ModuleError."""
        host, shown = urlsplit(address).hostname, without_password(address)
        request = Request(address, headers={"User-Agent": f"puppet-repl/{__version__}"})
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                length = answer.headers.get("Content-Length", "")
                size = self._copy(answer, file, most, shown)
        except HTTPError as error:
            error.close()
            if error.code == 404:
                raise NotThere(f"{shown} is not there (404)") from None
            reason = f"{error.code} {error.reason}"
            if error.code == 429 or error.code >= 500:
                wait = error.headers.get("Retry-After", "")
                raise _Passing(reason, float(wait) if wait.isdigit() else 0.0) from None
            raise ModuleError(f"{shown} cannot be read: {reason}") from None
        except URLError as error:
            cause = error.reason
            reason = (isinstance(cause, OSError) and cause.strerror) or str(cause)
            text = f"{host} cannot be reached: {reason}"
            if isinstance(cause, socket.gaierror | ssl.SSLError | ConnectionRefusedError | str):
                raise ModuleError(text) from None
            raise _Passing(reason) from None
        except TimeoutError:
            raise _Passing("the server does not answer in time") from None
        except (HTTPException, ConnectionError) as error:
            raise _Passing(str(error) or type(error).__name__) from None
        except ValueError as error:  # of an address
            raise ModuleError(f"{shown} cannot be read: {error}") from None
        if length.isdigit() and int(length) != size:
            raise _Passing(f"it ends after {size} of {length} bytes")

    def _copy(self, answer: IO[bytes], file: BinaryIO, most: int, shown: str) -> int:
        size = 0
        while piece := answer.read(_PIECE):
            if self.stop.is_set():
                raise Stopped("stopped")
            size += len(piece)
            if size > most:
                raise ModuleError(f"{shown} has more than {most >> 20} MB")
            file.write(piece)
        return size
