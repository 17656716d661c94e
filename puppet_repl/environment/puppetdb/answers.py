"""Answers to queries: from the JSON file that stands for PuppetDB, or from a server.

The file is an object. ``queries`` has the answers to whole queries, by their text; each other key
is an entity of PuppetDB with its rows, as ``puppet query`` prints them. A file may also be an array
of exported resources alone.
"""

from __future__ import annotations

import json
from typing import Any

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.json_data import JsonDataError, read_json
from puppet_repl.base.stamp import full_stamp_of, is_settled
from puppet_repl.catalog.exports_file import QUERIES, ExportsError, read_tables
from puppet_repl.environment.puppetdb.pql import parse_pql
from puppet_repl.environment.puppetdb.queries import QueryError, answer
from puppet_repl.language.runtime.puppetdb_address import is_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context


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
        if context.options.hermetic:
            raise RuntimeFailure("a hermetic session asks no PuppetDB at an address")
        # Most sessions ask no server, and what asks takes longer to import than a file to read.
        from puppet_repl.environment.puppetdb.server import ask

        return ask(source, query, context.options.puppet_settings)
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
