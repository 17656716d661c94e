"""Asking a PuppetDB at an address, as Puppet asks it: over HTTP or HTTPS, with certificates.

Redirects are not followed: the query and the certificate are for the named server only.
"""

from __future__ import annotations

import json
import ssl
from http.client import HTTPException, InvalidURL
from time import monotonic
from typing import Any
from urllib.parse import urljoin, urlsplit
from urllib.request import (
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
)

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.file_reading import MAX_BYTES
from puppet_repl.base.json_data import JsonDataError, read_json
from puppet_repl.base.limited_threads import end_wait, time_left
from puppet_repl.base.wording import why_unusable
from puppet_repl.language.runtime.puppetdb_address import OF_TLS, address_problem, server_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from http.client import HTTPResponse

_PATH = "/pdb/query/v4"
_SECONDS = 60  # how long one answer may take
_PIECE = 1 << 16
_LONGEST = 300  # how much of an error of a server is shown


def ask(address: str, query: Any, settings: Mapping[str, object]) -> Any:
    """Return the answer of a server as JSON data. Raises RuntimeFailure.

    Puppet's settings hostcert, hostprivkey and localcacert, where ``settings`` has them, are the
    certificate of the client, its key, and the certificates that the server's is checked with.
    """
    problem = address_problem(address)
    if problem is not None:
        raise RuntimeFailure(f"cannot ask PuppetDB: {problem}")
    limit = time_left()
    seconds = _SECONDS if limit is None else max(0.01, min(limit, _SECONDS))
    until = monotonic() + seconds
    try:
        request = _request(address, query)
        with _opener(request.type, settings).open(request, timeout=seconds) as response:
            _check_status(response, address, query, until)
            return read_json(b"".join(_pieces(response, until)).decode())
    except (OSError, HTTPException, ValueError, JsonDataError) as error:
        end_wait()
        raise RuntimeFailure(
            f"cannot ask PuppetDB at {server_name(address)}: {_reason(error)}"
        ) from None


def _request(address: str, query: Any) -> Request:
    parts = urlsplit(address)
    path = parts.path.rstrip("/").removesuffix(_PATH)
    return Request(
        f"{parts.scheme}://{parts.netloc}{path}{_PATH}",
        data=json.dumps({"query": query}).encode(),
        headers={"Accept": "application/json", "Content-Type": "application/json; charset=UTF-8"},
        method="POST",
    )


def _opener(scheme: str, settings: Mapping[str, object]) -> OpenerDirector:
    """Return what opens addresses of a scheme. Raises OSError for a file of the settings."""
    opener = OpenerDirector()  # without the handlers of redirects and of errors
    https = [HTTPSHandler(context=_tls(settings))] if scheme == "https" else []
    for handler in (ProxyHandler(), HTTPHandler(), *https, UnknownHandler()):
        opener.add_handler(handler)
    return opener


def _tls(settings: Mapping[str, object]) -> ssl.SSLContext:
    given = {name: str(settings[name]) for name in OF_TLS if name in settings}
    tls = ssl.create_default_context(cafile=given.get("localcacert"))
    if "hostcert" in given:
        tls.load_cert_chain(given["hostcert"], given.get("hostprivkey"))
    return tls


def _check_status(response: HTTPResponse, address: str, query: Any, until: float) -> None:
    """Raise RuntimeFailure for an answer that is a redirect or an error."""
    name, status = server_name(address), response.status
    location = response.headers.get("Location")
    if 300 <= status < 400 and location:
        other = server_name(urljoin(address, location))
        raise RuntimeFailure(f"PuppetDB at {name} answers with a redirect to {other}")
    if not 200 <= status < 300:
        content = b""
        for piece in _pieces(response, until):
            content += piece
            if len(content) >= _LONGEST:
                break
        said = content[:_LONGEST].decode("utf-8", "replace").strip()
        shown = query if isinstance(query, str) else json.dumps(query)
        raise RuntimeFailure(
            f"PuppetDB at {name} refuses the query {shown}: [{status} {response.reason}] {said}"
        )


def _pieces(response: HTTPResponse, until: float) -> Iterator[bytes]:
    """Yield the content of an answer. Raises OSError if it is too large, too late or incomplete."""
    length = response.length  # None for an answer without Content-Length
    size = 0
    while True:
        if max(size, length or 0) > MAX_BYTES:
            raise OSError(f"its answer has more than {MAX_BYTES >> 20} MB")
        piece = response.read1(_PIECE)
        if not piece:
            break
        if monotonic() > until:  # each operation has a limit of its own
            raise TimeoutError("timed out")
        size += len(piece)
        yield piece
    if length is not None and size < length:
        raise OSError(f"its answer ends after {size} of {length} bytes")


def _reason(error: Exception) -> str:
    """Return why there is no answer, without an address of a proxy, which may have a password."""
    reason = getattr(error, "reason", error)  # that of an URLError
    if isinstance(reason, OSError):
        return why_unusable(reason)
    if isinstance(error, UnicodeDecodeError):
        return f"its answer is {why_unusable(error)}"
    if isinstance(error, JsonDataError):
        return f"its answer is not JSON: {error}"
    if isinstance(error, InvalidURL) or not isinstance(error, (OSError, HTTPException)):
        return "its address, or that of a proxy, is not valid"
    return str(reason) or type(error).__name__
