"""Downloads over HTTP and HTTPS: limits of time and size, further attempts, proxies, passwords.

Proxies are those that the environment names (``https_proxy``, ``no_proxy``), and certificates those
that the system trusts.
"""

from __future__ import annotations

import socket
import ssl
from base64 import b64encode
from http.client import HTTPException, InvalidURL
from time import monotonic
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit, urlunsplit
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
from puppet_repl.environment.installation.wanted import ModuleError, without_credentials

TYPE_CHECKING = False
if TYPE_CHECKING:
    from http.client import HTTPResponse
    from threading import Event
    from typing import IO, Any, BinaryIO

_PIECE = 1 << 16
# Seconds to wait for the next bytes, for a whole document, and before each further attempt.
_TIMEOUT = 30.0
_LONGEST = 900.0
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
    """Redirections, but none from an encrypted connection to another one.

    A password goes to the server only that it is for.
    """

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> Request | None:
        if req.type == "https" and urlsplit(newurl).scheme != "https":
            shown = without_credentials(newurl)
            raise URLError(f"redirected to an address without encryption: {shown}")
        further = super().redirect_request(req, fp, code, msg, headers, newurl)
        given = req.unredirected_hdrs.get("Authorization")
        if further is not None and given and (further.type, further.host) == (req.type, req.host):
            further.add_unredirected_header("Authorization", given)
        return further


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
                    shown = without_credentials(address)
                    raise ModuleError(f"{shown} cannot be read: {failure}") from None
                self.stop.wait(min(max(pause, failure.pause), _LONGEST_PAUSE))
            else:
                return

    def _attempt(self, address: str, file: BinaryIO, most: int) -> None:
        """Try once; raise _Passing where a further attempt may help, else ModuleError."""
        shown = without_credentials(address)
        try:
            request = _request(address)
            answer = self._opener.open(request, timeout=self._timeout)
        except HTTPError as error:
            error.close()
            if error.code == 404:
                raise NotThere(f"{shown} is not there (404)") from None
            reason = f"{error.code} {error.reason}"
            if error.code == 429 or error.code >= 500:
                raise _Passing(reason, _number(error.headers.get("Retry-After")) or 0) from None
            raise ModuleError(f"{shown} cannot be read: {reason}") from None
        except URLError as error:
            cause = error.reason
            reason = (isinstance(cause, OSError) and cause.strerror) or str(cause)
            text = f"{urlsplit(address).hostname} cannot be reached: {reason}"
            if isinstance(cause, socket.gaierror | ssl.SSLError | ConnectionRefusedError | str):
                raise ModuleError(text) from None
            raise _Passing(reason) from None
        except (InvalidURL, ValueError):  # whose message may have the password
            raise ModuleError(f"{shown} cannot be read: it is not a valid address") from None
        except (HTTPException, OSError) as error:
            raise _passing(error) from None
        with answer:
            length = _number(answer.headers.get("Content-Length"))
            size = self._copy(answer, file, most, shown)
        if length not in (None, size):
            raise _Passing(f"it ends after {size} of {length} bytes")

    def _copy(self, answer: HTTPResponse, file: BinaryIO, most: int, shown: str) -> int:
        """Write an answer to a file; return its size. Raises OSError of the file only."""
        size, until = 0, monotonic() + _LONGEST
        while True:
            try:
                piece = answer.read1(_PIECE)
            except (HTTPException, OSError) as error:
                raise _passing(error) from None
            if not piece:
                return size
            if self.stop.is_set():
                raise Stopped("stopped")
            size += len(piece)
            if size > most:
                raise ModuleError(f"{shown} has more than {most >> 20} MB")
            if monotonic() > until:
                raise ModuleError(f"{shown} takes longer than {_LONGEST / 60:.0f} minutes")
            file.write(piece)


def _request(address: str) -> Request:
    """Return the request for an address; its user and password become a header."""
    parts = urlsplit(address)
    given, mark, host = parts.netloc.rpartition("@")
    request = Request(urlunsplit(parts._replace(netloc=host)))
    request.add_header("User-Agent", f"puppet-repl/{__version__}")
    if mark:
        token = b64encode(unquote(given if ":" in given else f"{given}:").encode())
        request.add_unredirected_header("Authorization", f"Basic {token.decode()}")
    return request


def _passing(error: Exception) -> _Passing:
    """Return the failure for an error of the connection."""
    if isinstance(error, TimeoutError):
        return _Passing("the server does not answer in time")
    return _Passing(str(error) or type(error).__name__)


def _number(text: str | None) -> int | None:
    """Return the number in a header, None for anything else."""
    is_number = text is not None and len(text) < 16 and text.isascii() and text.isdigit()
    return int(text) if text is not None and is_number else None
