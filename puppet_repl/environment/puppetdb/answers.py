"""Answers to queries: from the JSON file that stands for PuppetDB, or from its server.

The file is an object. ``queries`` has the answers to whole queries, by their text; each other key
is an entity of PuppetDB with its rows, as ``puppet query`` prints them. A file may also be an array
of exported resources alone.
"""

from __future__ import annotations

import json
from typing import Any

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.json_data import JsonDataError, read_json
from puppet_repl.base.limited_threads import end_wait, time_left
from puppet_repl.base.stamp import full_stamp_of, is_settled
from puppet_repl.base.wording import why_unusable
from puppet_repl.catalog.exports_file import QUERIES, ExportsError, is_address, read_tables
from puppet_repl.environment.puppetdb.pql import parse_pql
from puppet_repl.environment.puppetdb.queries import QueryError, answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from collections.abc import Mapping

    from puppet_repl.language.runtime.context import Context

_PATH = "/pdb/query/v4"
_SECONDS = 60  # how long one answer of a server may take
_LONGEST = 300  # how much of an error of a server is shown
OF_TLS = ("hostcert", "hostprivkey", "localcacert")
"""Settings of Puppet by which a server and its client know each other, if a user names them."""


def answer_query(context: Context, query: Any) -> Any:
    """Return what PuppetDB answers to a query, a string of PQL or an array, as JSON data.

    Raises RuntimeFailure if there is no PuppetDB, or no answer.
    """
    source = context.options.puppetdb
    if source is None:
        option = context.options.spelt("puppetdb")
        raise RuntimeFailure(
            f"this session has no PuppetDB; name a file or an address with {option}"
        )
    if is_address(source):
        return _from_server(context, source, query)
    return _from_file(source, query, context)


def _from_file(path: str, query: Any, context: Context) -> Any:
    data = _shared_content(path, context)
    tables = {name: rows for name, rows in data.items() if name != QUERIES}
    for text, recorded in data.get(QUERIES, {}).items():
        if _normal(text) == _normal(query):
            return recorded
    try:
        array = parse_pql(query) if isinstance(query, str) else query
        return answer(array, tables)
    except QueryError as error:
        text = query if isinstance(query, str) else json.dumps(query)
        raise RuntimeFailure(
            f"{path} has no answer to the query {text}: {error}; add the answer to 'queries'"
        ) from None


def _normal(query: Any) -> Any:
    """Return a query in a form in which equal ones are the same: blanks do not count."""
    if not isinstance(query, str):
        return query
    if query.lstrip().startswith("["):
        try:
            return read_json(query)
        except JsonDataError:
            pass
    return " ".join(query.split())


def _shared_content(path: str, context: Context) -> dict[str, Any]:
    """Return the content of the file, which an earlier query may have read."""
    stamp = full_stamp_of(path)
    known = context.shared.puppetdb
    if stamp is not None and known is not None and known[0] == (path, stamp):
        return known[1]
    content = _content(path)
    if stamp is not None and is_settled(stamp):  # a new one may change without another stamp
        context.shared.puppetdb = (path, stamp), content
    return content


def _content(path: str) -> dict[str, Any]:
    try:
        tables = read_tables(path)
    except ExportsError as error:
        raise RuntimeFailure(str(error)) from None
    if tables is None:
        raise RuntimeFailure(f"{path} does not exist: there are no answers to queries")
    return tables


def _from_server(context: Context, address: str, query: Any) -> Any:
    """Return the answer of a server, which is asked as Puppet asks it. Raises RuntimeFailure.

    Puppet's settings hostcert, hostprivkey and localcacert, where the options have them, are the
    certificate of the client, its key, and the certificates that the server's is checked with.
    """
    # Most sessions ask no server, and these modules take longer to import than a file to read.
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.parse import urlsplit
    from urllib.request import Request, urlopen

    parts = urlsplit(address)
    name = parts.netloc.rpartition("@")[2]
    if context.options.hermetic:
        raise RuntimeFailure("a hermetic session asks no PuppetDB at an address")
    limit = time_left()
    request = Request(
        f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix(_PATH)}{_PATH}",
        data=json.dumps({"query": query}).encode(),
        headers={"Accept": "application/json", "Content-Type": "application/json; charset=UTF-8"},
        method="POST",
    )
    try:
        tls = _tls(context.options.puppet_settings) if parts.scheme == "https" else None
        seconds = _SECONDS if limit is None else max(0.01, min(limit, _SECONDS))
        with urlopen(request, timeout=seconds, context=tls) as response:
            return read_json(response.read().decode())
    except HTTPError as error:
        said = error.read(_LONGEST).decode("utf-8", "replace").strip()
        shown = query if isinstance(query, str) else json.dumps(query)
        raise RuntimeFailure(
            f"PuppetDB at {name} refuses the query {shown}: [{error.code} {error.reason}] {said}"
        ) from None
    except (OSError, HTTPException, ValueError, JsonDataError) as error:
        end_wait()
        reason = getattr(error, "reason", error)
        said = why_unusable(reason) if isinstance(reason, OSError) else str(reason)
        raise RuntimeFailure(f"cannot ask PuppetDB at {name}: {said}") from None


def _tls(settings: Mapping[str, object]) -> ssl.SSLContext:
    """Return how to talk to the server. Raises OSError for a file that cannot be used."""
    import ssl

    given = {name: str(settings[name]) for name in OF_TLS if name in settings}
    made = ssl.create_default_context(cafile=given.get("localcacert"))
    if "hostcert" in given:
        made.load_cert_chain(given["hostcert"], given.get("hostprivkey"))
    return made
