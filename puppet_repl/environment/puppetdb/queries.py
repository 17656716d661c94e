"""Queries in PuppetDB's AST language, answered from rows of each entity.

The rows are those of PuppetDB's API: nodes, facts, fact_contents, inventory, resources and others.
A part of the language that is not understood here is an error, never an empty answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import ge, gt, le, lt
from typing import Any, TypeAlias

Row: TypeAlias = dict[str, Any]
Rows: TypeAlias = list[Row]
Query: TypeAlias = Any

_ORDERING: Mapping[str, Callable[[Any, Any], bool]] = {">": gt, "<": lt, ">=": ge, "<=": le}
# Functions of columns, whose values are never empty here.
_AGGREGATES: Mapping[str, Callable[[list[Any]], Any]] = {
    "avg": lambda values: sum(values) / len(values),
    "max": max,
    "min": min,
    "sum": sum,
}
# Entities in the operators of older subqueries: ["select_facts", ...].
_SELECT = "select_"
_STEP = re.compile(r'"([^"]*)"|([^."\[\]]+)|\[(\d+)\]')
_MATCH = re.compile(r'\bmatch\("((?:[^"\\]|\\.)*)"\)')


class QueryError(ValueError):
    """A query that is not understood, or for which there are no rows; the message says why."""


class _Missing:
    """The value of a field that a row lacks."""


_MISSING = _Missing()


def answer(query: Query, tables: Mapping[str, Rows]) -> Rows:
    """Return the rows that a query ``["from", ENTITY, ...]`` finds. Raises QueryError."""
    if not isinstance(query, list) or len(query) < 2 or query[0] != "from":
        raise QueryError('the query does not begin with "from" and an entity')
    return _Answers(tables).of_entity(query[1], query[2:])


class _Answers:
    def __init__(self, tables: Mapping[str, Rows]) -> None:
        self._tables = tables

    def of_entity(self, entity: object, clauses: Iterable[Query]) -> Rows:
        """Return the rows of an entity, by its filter, its projection and its paging clauses."""
        rows = self._rows(entity)
        columns: list[Any] | None = None
        groups: list[str] | None = None
        paging: dict[str, Any] = {}
        for clause in clauses:
            if not isinstance(clause, list) or not clause:
                raise QueryError(f"{clause!r} is not a clause")
            if clause[0] in ("limit", "offset") and len(clause) == 2:
                paging[clause[0]] = _number_of_rows(*clause)
            elif clause[0] == "order_by" and len(clause) == 2:
                paging["order_by"] = _order(clause[1], self._rows(entity))
            elif clause[0] == "extract":
                columns, filters, groups = _extracted(clause)
                rows = self._filtered(rows, filters)
            else:
                rows = self._filtered(rows, [clause])
        if columns is not None and (groups is not None or not all(map(_is_name, columns))):
            return _paged(_grouped(rows, columns, groups or []), paging)
        return _projected(_paged(rows, paging), columns)

    def _rows(self, entity: object) -> Rows:
        if not isinstance(entity, str):
            raise QueryError(f"{entity!r} is not an entity")
        try:
            return self._tables[entity]
        except KeyError:
            raise QueryError(f"there are no rows of '{entity}'") from None

    def _filtered(self, rows: Rows, filters: Iterable[Query]) -> Rows:
        for each in filters:
            matches = self._matcher(each, rows)
            rows = [row for row in rows if matches(row)]
        return rows

    def _matcher(self, query: Query, rows: Rows) -> Callable[[Row], bool]:
        """Return the test of a filter; ``rows`` are all that it may be used for."""
        if not isinstance(query, list) or not query or not isinstance(query[0], str):
            raise QueryError(f"{query!r} is not a filter")
        operator, *operands = query
        if operator in ("and", "or") and operands:
            parts = [self._matcher(part, rows) for part in operands]
            every = all if operator == "and" else any
            return lambda row: every(part(row) for part in parts)
        if operator == "not" and len(operands) == 1:
            inner = self._matcher(operands[0], rows)
            return lambda row: not inner(row)
        if operator == "subquery" and len(operands) == 2:
            names = {_certname(row) for row in self.of_entity(operands[0], operands[1:])}
            return lambda row: _certname(row) in names
        if len(operands) != 2:
            raise QueryError(f"'{operator}' with {len(operands)} operands is not understood")
        if operator == "in":
            return self._membership(operands[0], operands[1], rows)
        return _comparison(operator, operands[0], operands[1], rows)

    def _membership(self, fields: Query, source: Query, rows: Rows) -> Callable[[Row], bool]:
        names = fields if isinstance(fields, list) and not _is_accessor(fields) else [fields]
        _check_fields(names, rows)
        if not isinstance(source, list) or not source or not names:
            raise QueryError(f"{source!r} is not what a field can be in")
        if source[0] == "array" and len(source) == 2 and len(names) == 1:
            wanted = source[1]
            if not isinstance(wanted, list):
                raise QueryError(f"{wanted!r} is not an array")
            return lambda row: any(_equals(_value(row, names[0]), each) for each in wanted)
        found = self._subquery(source)
        if len(names) == 1 and all(type(each) is str for other in found for each in other):
            known = {each for other in found for each in other}  # hundreds of nodes, usually
            return lambda row: _is_in(_value(row, names[0]), known)
        return lambda row: any(
            all(_equals(_value(row, name), value) for name, value in zip(names, other, strict=True))
            for other in found
            if len(other) == len(names)
        )

    def _subquery(self, source: list[Any]) -> list[list[Any]]:
        """Return the values of the columns that a subquery of ``in`` extracts."""
        if source[0] == "from" and len(source) > 2:
            found = self.of_entity(source[1], source[2:])
        elif source[0] == "extract" and len(source) == 3 and _is_selection(source[2]):
            entity, *filters = source[2]
            clauses = [["extract", source[1], *filters]]
            found = self.of_entity(entity.removeprefix(_SELECT), clauses)
        else:
            raise QueryError(f"{source[0]!r} is not understood as a subquery")
        return [list(row.values()) for row in found]


def _is_in(value: Any, known: set[str]) -> bool:
    return isinstance(value, str) and value in known


def _is_selection(query: Query) -> bool:
    return isinstance(query, list) and bool(query) and str(query[0]).startswith(_SELECT)


def _is_accessor(field: Query) -> bool:
    """Tell whether a field is like ``["parameter", "ensure"]``."""
    is_pair = isinstance(field, list) and len(field) == 2 and isinstance(field[1], str)
    return is_pair and field[0] in ("parameter", "fact", "node")


def _certname(row: Row) -> str | None:
    name = row.get("certname")
    return name if isinstance(name, str) else None


def _number_of_rows(clause: str, count: object) -> int:
    """Return the operand of ``limit`` or ``offset``."""
    if type(count) is not int or count < 0:
        raise QueryError(f"'{clause}' is a whole number from 0, not {count!r}")
    return count


def _order(columns: object, rows: Rows) -> list[tuple[str, str]]:
    """Return the fields and directions of an ``order_by``."""
    if not isinstance(columns, list):
        raise QueryError(f"'order_by' is an array of fields, not {columns!r}")
    order = []
    for column in columns:
        name, direction = column if _is_pair(column) else (column, "asc")
        if not isinstance(name, str) or direction not in ("asc", "desc"):
            raise QueryError(f"{column!r} is not a field to order by, with 'asc' or 'desc'")
        _check_fields([name], rows)
        order.append((name, direction))
    return order


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2


def _extracted(clause: list[Any]) -> tuple[list[Any], list[Any], list[str] | None]:
    """Return the columns, the filters and the columns of the ``group_by`` of an ``extract``."""
    groups = None
    if len(clause) > 2 and isinstance(clause[-1], list) and clause[-1][:1] == ["group_by"]:
        clause, groups = clause[:-1], clause[-1][1:]
        if not groups or not all(map(_is_name, groups)):
            raise QueryError(f"'group_by' is followed by names of columns, not by {groups!r}")
    if len(clause) > 3:
        raise QueryError("an 'extract' has columns, a filter and a 'group_by', and nothing else")
    columns = clause[1] if len(clause) > 1 else []
    if isinstance(columns, str) or (isinstance(columns, list) and columns[:1] == ["function"]):
        columns = [columns]
    if not isinstance(columns, list) or not columns:
        raise QueryError(f"'extract' is followed by columns, not by {columns!r}")
    return columns, clause[2:], groups


def _is_name(column: object) -> bool:
    return isinstance(column, str)


def _projected(rows: Rows, columns: list[Any] | None) -> Rows:
    if columns is None:
        return rows
    _check_fields(columns, rows)
    found = [{name: _value(row, name) for name in columns} for row in rows]
    return [{name: _or_null(value) for name, value in row.items()} for row in found]


def _grouped(rows: Rows, columns: list[Any], groups: list[str]) -> Rows:
    """Return a row of ``columns`` for each combination of values of the columns ``groups``.

    Without groups there is one row, also for no rows. A name in ``columns`` is one of ``groups``.
    """
    _check_fields(groups, rows)
    for column in columns:
        if isinstance(column, str):
            if column not in groups:
                raise QueryError(f"the column '{column}' has to be in 'group by', or in a function")
        else:
            _check_function(column, rows)
    found: dict[str, Rows] = {} if groups else {"": []}
    for row in rows:
        key = json.dumps([_or_null(_value(row, name)) for name in groups]) if groups else ""
        found.setdefault(key, []).append(row)
    return [
        {
            column if isinstance(column, str) else column[1]: (
                _or_null(_value(members[0], column))
                if isinstance(column, str)
                else _aggregate(members, *column[1:])
            )
            for column in columns
        }
        for members in found.values()
    ]


def _check_function(column: object, rows: Rows) -> None:
    """Raise QueryError unless a column is like ``["function", "avg", NAME]``."""
    if not isinstance(column, list) or not 2 <= len(column) <= 3 or column[0] != "function":
        raise QueryError(f"the column {column!r} is not understood")
    if column[1] not in ("count", *_AGGREGATES) or not all(map(_is_name, column)):
        raise QueryError(f"the function '{column[1]}' is not understood")
    if column[1] != "count" and len(column) == 2:
        raise QueryError(f"the function '{column[1]}' needs the name of a column")
    _check_fields(column[2:], rows)


def _aggregate(rows: Rows, function: str, column: str | None = None) -> Any:
    """Return the value of a function for the rows of a group; null does not count."""
    if column is None:
        return len(rows)
    values = [_or_null(_value(row, column)) for row in rows]
    values = [value for value in values if value is not None]
    if function == "count":
        return len(values)
    is_number = all(type(value) in (int, float) for value in values)
    if not is_number and (function in ("avg", "sum") or not all(map(_is_name, values))):
        raise QueryError(f"{function}({column}) needs numbers")
    return _AGGREGATES[function](values) if values else None


def _or_null(value: Any) -> Any:
    return None if value is _MISSING else value


def _paged(rows: Rows, paging: Mapping[str, Any]) -> Rows:
    for name, direction in reversed(paging.get("order_by", [])):
        rows = sorted(rows, key=lambda row: _sort_key(_value(row, name)))
        if direction == "desc":
            rows.reverse()
    start = paging.get("offset", 0)
    end = None if "limit" not in paging else start + paging["limit"]
    return rows[start:end]


def _sort_key(value: Any) -> tuple[bool, str, Any]:
    if value is None or value is _MISSING:
        return True, "", ""
    if isinstance(value, (int, float)):
        return False, "", value
    return False, "text", str(value)


def _comparison(operator: str, field: Query, wanted: Any, rows: Rows) -> Callable[[Row], bool]:
    """Return the test of an operator with a field and a value."""
    if field == ["node", "active"] and operator == "=":
        return lambda row: wanted is True  # the rows are those of active nodes
    test = _test(operator, wanted)
    if isinstance(field, str) and _MATCH.search(field):
        column, *steps = _steps(field)
        _check_fields([column], rows)
        return lambda row: any(map(test, _matching(row.get(str(column)), steps)))
    _check_fields([field], rows)
    return lambda row: test(_value(row, field))


def _test(operator: str, wanted: Any) -> Callable[[Any], bool]:
    """Return the test of a value of a field."""
    if operator == "=":
        return lambda value: _is_or_has(value, wanted)
    if operator == "null?" and isinstance(wanted, bool):
        return lambda value: (value in (None, _MISSING)) is wanted
    if operator in _ORDERING and _are_ordered(wanted, wanted):
        compare = _ORDERING[operator]
        return lambda value: _are_ordered(value, wanted) and compare(value, wanted)
    if operator == "~":
        pattern = _pattern(wanted)
        return lambda value: _has_match(pattern, value)
    if operator == "~>" and isinstance(wanted, list):
        patterns = [_pattern(each) for each in wanted]
        return lambda value: _has_path(patterns, value)
    if operator in ("null?", "~>", *_ORDERING):
        raise QueryError(f"the operator '{operator}' with {wanted!r} is not understood")
    raise QueryError(f"the operator '{operator}' is not understood")


def _pattern(text: object) -> re.Pattern[str]:
    try:
        return compiled(text if isinstance(text, str) else _step(text))
    except _PatternError as error:
        raise QueryError(f"the regular expression {text!r} is not understood: {error}") from None


def _step(index: object) -> str:
    """Return the expression for an index in a path: a number stands for itself."""
    if type(index) is not int:
        raise QueryError(f"{index!r} is not a regular expression")
    return str(index)


def _has_match(pattern: re.Pattern[str], value: Any) -> bool:
    return isinstance(value, str) and pattern.search(value) is not None


def _has_path(patterns: list[re.Pattern[str]], path: Any) -> bool:
    if not isinstance(path, list) or len(path) != len(patterns):
        return False
    return all(
        pattern.fullmatch(str(step)) is not None
        for pattern, step in zip(patterns, path, strict=True)
    )


def _are_ordered(value: Any, wanted: Any) -> bool:
    """Tell whether two values can be compared: two numbers, or two timestamps."""
    if isinstance(value, bool) or isinstance(wanted, bool):
        return False
    numbers = isinstance(value, (int, float)) and isinstance(wanted, (int, float))
    return numbers or (isinstance(value, str) and isinstance(wanted, str))


def _is_or_has(value: Any, wanted: Any) -> bool:
    """Tell whether a value equals another one; of an array one element is enough."""
    if isinstance(value, list) and not isinstance(wanted, list):
        return any(_equals(each, wanted) for each in value)
    return _equals(value, wanted)


def _equals(value: Any, wanted: Any) -> bool:
    """Tell whether two values of JSON are equal: 1 and true are not."""
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    return bool(value == wanted)


def _value(row: Row, field: Query) -> Any:
    """Return the value of a field, of a path with dots, or of ``["parameter", NAME]``."""
    if isinstance(field, list):
        column, name = field
        if column == "parameter":
            return _entry(row.get("parameters"), name)
        if column == "fact":
            return _entry(row.get("facts"), name)
        return row.get("certname" if name == "name" else name, _MISSING)
    if field in row:
        return row[field]
    if field == "tag":  # a field of queries, and 'tags' one of rows
        return row.get("tags", _MISSING)
    value: Any = row
    for quoted, plain, index in _STEP.findall(field):
        if index:
            has_it = isinstance(value, list) and int(index) < len(value)
            value = value[int(index)] if has_it else _MISSING
        else:
            value = _entry(value, quoted or plain)
    return value


def _steps(field: str) -> list[str | int | re.Pattern[str]]:
    """Return the parts of a path: keys, indices of arrays, and patterns of keys."""
    steps: list[str | int | re.Pattern[str]] = []
    at = 0
    while at < len(field):
        found = _MATCH.match(field, at)
        if found is not None:
            steps.append(_pattern(found[1]))
        else:
            found = _STEP.match(field, at)
            if found is not None:
                steps.append(int(found[3]) if found[3] else found[1] or found[2])
        at = at + 1 if found is None else found.end()
    return steps


def _matching(value: Any, steps: list[str | int | re.Pattern[str]]) -> Iterator[Any]:
    """Yield the values at the ends of a path, whose patterns any number of keys may match."""
    if not steps:
        yield value
        return
    step, *others = steps
    if isinstance(step, int):
        if isinstance(value, list) and step < len(value):
            yield from _matching(value[step], others)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key == step if isinstance(step, str) else step.fullmatch(key):
                yield from _matching(each, others)


def _entry(value: Any, name: str) -> Any:
    return value.get(name, _MISSING) if isinstance(value, dict) else _MISSING


def _check_fields(fields: Iterable[Query], rows: Rows) -> None:
    """Raise QueryError for a field that no row has, which is probably misspelt."""
    for field in fields:
        if _is_accessor(field):
            continue
        if not isinstance(field, str):
            raise QueryError(f"the field {field!r} is not understood")
        if _MATCH.search(field):
            raise QueryError(f"match() in the field '{field}' is not understood")
        column = re.split(r"[.\[]", field)[0]
        column = "tags" if column == "tag" else column
        if rows and not any(column in row for row in rows):
            raise QueryError(f"no row has the field '{column}'")


# PuppetDB has the regular expressions of PostgreSQL. The part that Python reads alike is converted.
_PATTERN_TOKEN = re.compile(
    r"""
    (?P<escape>\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\[1-9](?!\d)|\\[dDsSwWAZafnrtv]|\\[^0-9A-Za-z])
    | (?P<set>\[\^?\]?
        (?:\\[dswafnrtv]|\\u[0-9A-Fa-f]{4}|\\[^0-9A-Za-z]|(?!--|&&|~~|\|\|)[^\\\[\]])*\])
    | (?P<group>\((?:\?(?:[:=!]|<[=!]))?(?!\?))
    | (?P<repeat>(?:[*+?]|\{\d+(?:,\d*)?\})\??(?![*+?]|\{\d))
    | (?P<end>\$)
    | (?P<other>[^\\\[(*+?{$]|\{(?![\d,]))
    """,
    re.VERBOSE | re.DOTALL,
)
_IGNORES_CASE = "(?i)"


class _PatternError(ValueError):
    """An expression that is wrong, or that Python does not read as PostgreSQL does."""


def compiled(text: str) -> re.Pattern[str]:
    """Return a regular expression of PostgreSQL as one of Python. Raises _PatternError."""
    flags = re.DOTALL
    at = 0
    if text.startswith(_IGNORES_CASE):
        flags |= re.IGNORECASE
        at = len(_IGNORES_CASE)
    parts = []
    while at < len(text):
        match = _PATTERN_TOKEN.match(text, at)
        if match is None:
            raise _PatternError(f"'{text[at : at + 10]}' in it")
        parts.append(r"\Z" if match.lastgroup == "end" else match[0])
        at = match.end()
    try:
        return re.compile("".join(parts), flags)
    except (re.error, OverflowError, RecursionError) as error:
        raise _PatternError(str(error)) from None
