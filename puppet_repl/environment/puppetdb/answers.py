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
from puppet_repl.environment.puppetdb.queries import QueryError, Row, Rows, answer
from puppet_repl.language.runtime.puppetdb_address import is_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
    queries, tables = _shared_content(path, context)
    for text, recorded in queries.items():
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


def _shared_content(path: str, context: Context) -> tuple[dict[str, Any], Tables]:
    """Return the answers and the rows of the file, which an earlier query may have read."""
    stamp = full_stamp_of(path)
    known = context.shared.puppetdb
    content: tuple[dict[str, Any], Tables]
    if stamp is not None and known is not None and known[0] == (path, stamp):
        content = known[1]
        return content
    content = _content(path)
    if stamp is not None and is_settled(stamp):  # a new one may change without another stamp
        context.shared.puppetdb = (path, stamp), content
    return content


def _content(path: str) -> tuple[dict[str, Any], Tables]:
    try:
        data = read_tables(path)
    except ExportsError as error:
        raise RuntimeFailure(str(error)) from None
    if data is None:
        raise RuntimeFailure(f"{path} does not exist: there are no answers to queries")
    queries = data.pop(QUERIES, {})
    return queries, Tables(data)


class Tables(dict[str, Rows]):
    """Rows by entity. A file with ``inventory`` or ``facts`` has those of three others as well.

    ``facts`` follow from the inventory, ``fact_contents`` from facts, and the names of ``nodes``
    from either. Of nodes only the names are known then: a query of other fields is an error.
    """

    def __missing__(self, entity: str) -> Rows:
        """Return the rows that follow from others, and keep them. Raises KeyError."""
        if entity == "facts":
            rows = list(_facts(self["inventory"]))
        elif entity == "fact_contents":
            rows = [content for fact in self["facts"] for content in _contents(fact)]
        elif entity == "nodes":
            known = self["inventory" if "inventory" in self else "facts"]
            rows = [{"certname": name} for name in dict.fromkeys(_names(known))]
        else:
            raise KeyError(entity)
        self[entity] = rows
        return rows


def _names(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        if isinstance(row.get("certname"), str):
            yield row["certname"]


def _facts(inventory: Rows) -> Iterator[Row]:
    for row in inventory:
        facts = row.get("facts")
        if isinstance(facts, dict):
            shared: Row = {name: row[name] for name in ("certname", "environment") if name in row}
            for name, value in facts.items():
                yield {**shared, "name": name, "value": value}


def _contents(fact: Row) -> Iterator[Row]:
    """Yield a row with its path for each value in a fact, except for hashes and arrays."""
    waiting = [([fact.get("name")], fact.get("value"))]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [([*path, key], each) for key, each in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [([*path, index], each) for index, each in reversed([*enumerate(value)])]
        else:
            yield {**fact, "path": path, "value": value}
