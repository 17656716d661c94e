"""The functions of the public module puppetdbquery, answered from the session's PuppetDB.

They are in Ruby, which opens a connection of its own. Here they are built in for the files of the
module; their arguments and results are those of its version 3.
"""

from __future__ import annotations

import os
import re
from typing import Any

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.file_reading import read_text
from puppet_repl.environment.puppetdb.node_queries import parse_node_query
from puppet_repl.environment.puppetdb.queries import QueryError
from puppet_repl.language.functions.registry import Function, LegacyFunction
from puppet_repl.language.values.hash import from_data
from puppet_repl.language.values.python import to_python
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.ruby import ruby_inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_CONNECTS = re.compile(r"""require\s*\(?['"]puppetdb/connection['"]""")
_LEGACY = f"{os.sep}parser{os.sep}functions{os.sep}"
_PATTERN = re.compile(r"^/(.+)/$", re.MULTILINE)
_THEME = "modules"
_QUERY = "Variant[String, Array] $query"


def function_of_module(name: str, path: str) -> Function | None:
    """Return the function that is built in for a file in Ruby, None for a file of another module.

    ``name`` is one of query_facts, query_nodes and query_resources.
    """
    try:
        if _CONNECTS.search(read_text(path, errors="replace")) is None:
            return None
    except OSError:  # whoever runs the file says so
        return None
    return _legacy_function(name) if _LEGACY in path else _function(name)


def _function(name: str) -> Function | None:
    """Return a 4.x function."""
    made = Function(name, theme=_THEME, doc="")
    if name == "query_facts":
        made.dispatch(f"{_QUERY}, Array[String, 1] $facts")(_query_facts)
    elif name == "query_nodes":
        made.dispatch(_QUERY)(_query_nodes)
        made.dispatch(f"{_QUERY}, String $fact")(_query_nodes)
    else:
        return None
    return made


def _legacy_function(name: str) -> LegacyFunction:
    """Return a 3.x function."""
    made = LegacyFunction(name, theme=_THEME, doc="")
    if name == "query_facts":
        made.dispatch("Any $query, Any $facts")(
            lambda values, *, context: _query_facts(*values[:2], context=context)
        )
    elif name == "query_nodes":
        made.dispatch("Any $query, Any *$fact")(
            lambda values, *, context: _query_nodes(*values[:2], context=context)
        )
    else:
        made.dispatch("Any $nodes, Any $resources, Any *$by_node")(
            lambda values, *, context: _query_resources(*values[:3], context=context)
        )
    return made


def _query_nodes(query: Value, fact: Value = None, *, context: Context) -> Value:
    """Return the names of the nodes that a query finds, or the values of one of their facts."""
    if fact is None:
        return from_data([row["certname"] for row in _rows(context, "nodes", query, "certname")])
    name, *keys = _steps(_string("query_nodes", "fact", fact))
    wanted = _facts_query(_string("query_nodes", "query", query), [name])
    values = [row["value"] for row in _rows(context, "facts", wanted, "value")]
    return from_data([_dug(value, keys) for value in values] if keys else values)


def _query_facts(query: Value, facts: Value, *, context: Context) -> Value:
    """Return facts of the nodes that a query finds: hashes by name of the node."""
    names = to_python(facts)
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise RuntimeFailure("query_facts(): the second argument is an array of names of facts")
    paths = [_steps(each) if "." in each else [each] for each in names]
    wanted = query
    if isinstance(query, str):
        wanted = _facts_query(query, [path[0] for path in paths])
    found: dict[str, dict[str, Any]] = {}
    for row in _rows(context, "facts", wanted, "certname", "name", "value"):
        name, value = _named(row["name"], row["value"], paths)
        found.setdefault(row["certname"], {})[name] = value
    return from_data(found)


def _query_resources(
    nodes: Value, resources: Value, by_node: Value = None, *, context: Context
) -> Value:
    """Return the resources that a query finds on the nodes of another: an array, or by node."""
    of_nodes = _parsed(nodes, "facts") if isinstance(nodes, str) else to_python(nodes)
    wanted = _parsed(resources, "none") if isinstance(resources, str) else to_python(resources)
    if not wanted:
        raise RuntimeFailure(
            "PuppetDB resources query error: at least one argument must be non empty; arguments"
            f" were: nodequery: {ruby_inspect(from_data(of_nodes))}"
            f" and requery: {ruby_inspect(from_data(wanted))}"
        )
    rows = _rows(context, "resources", ["and", wanted, of_nodes] if of_nodes else wanted)
    if by_node is None or by_node is False:
        return from_data(rows)
    found: dict[str, list[Any]] = {}
    for row in rows:
        found.setdefault(row["certname"], []).append(row)
    return from_data(found)


def _rows(context: Context, entity: str, query: Value | list[Any], *columns: str) -> list[Any]:
    """Return the rows of an entity that a query finds: a string, an array, or None for all."""
    if isinstance(query, str):
        array = _parsed(query, entity)
    else:
        array = query if isinstance(query, list) else to_python(query)
    filters = [] if array is None else [array]
    clauses = [["extract", list(columns), *filters]] if columns else filters
    rows: list[Any] = context.query_puppetdb(context, ["from", entity, *clauses])
    return rows


def _parsed(query: str, endpoint: str) -> list[Any] | None:
    try:
        return parse_node_query(query, endpoint)
    except QueryError as error:
        raise RuntimeFailure(str(error)) from None


def _facts_query(query: str, names: list[str]) -> list[Any]:
    """Return the query of facts with these names, of the nodes that a query finds."""
    of_nodes = _parsed(query, "facts")
    named: list[Any] = ["or"]
    for name in names:
        pattern = _PATTERN.search(name)
        named.append(["=", "name", name] if pattern is None else ["~", "name", pattern[1]])
    return named if of_nodes is None else ["and", of_nodes, named]


def _named(name: str, value: Any, paths: list[list[str]]) -> tuple[str, Any]:
    """Return the name and the value of a fact in the result, by the paths that are asked for."""
    plain = [path[0] for path in paths if len(path) == 1]
    patterns = [_PATTERN.search(each) for each in plain]
    if name in plain or any(
        Regexp(pattern[1]).search(name) is not None for pattern in patterns if pattern is not None
    ):
        return name, value
    # Of two paths in one fact the module makes one path.
    keys = [key for path in paths if len(path) > 1 and path[0] == name for key in path]
    if not keys:
        raise RuntimeFailure(f"query_facts(): the query finds the fact '{name}', not asked for")
    return "_".join(keys), _dug(value, keys[1:])


def _dug(value: Any, keys: list[str]) -> Any:
    """Return the value at the end of a path in a fact, None for a missing key."""
    for number, key in enumerate(keys, 1):
        if value is None:
            value = {}
        if isinstance(value, str) and number == len(keys):  # as Ruby reads 'text'['key']
            return key if key in value else None
        if not isinstance(value, dict):
            path = ".".join(keys)
            raise RuntimeFailure(f"a fact has a value before the end of the path '{path}'")
        value = value.get(key)
    return value


def _steps(fact: str) -> list[str]:
    """Return the parts of a path with dots."""
    steps = fact.split(".")
    while len(steps) > 1 and not steps[-1]:
        steps.pop()
    return steps


def _string(function: str, name: str, value: Value) -> str:
    if not isinstance(value, str):
        raise RuntimeFailure(f"{function}(): with the name of a fact, '{name}' has to be a String")
    return value
