"""Queries in PuppetDB's AST language, answered from rows of each entity.

The rows are those of PuppetDB's API: nodes, facts, fact_contents, inventory, resources and others.
A part of the language that is not understood here is an error, never an empty answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from operator import ge, gt, le, lt
from typing import Any, TypeAlias

Row: TypeAlias = dict[str, Any]
Rows: TypeAlias = list[Row]
Query: TypeAlias = Any

_ORDERING: Mapping[str, Callable[[Any, Any], bool]] = {">": gt, "<": lt, ">=": ge, "<=": le}
# Entities in the operators of older subqueries: ["select_facts", ...].
_SELECT = "select_"
_STEP = re.compile(r'"([^"]*)"|([^."\[\]]+)|\[(\d+)\]')


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
        paging: dict[str, Any] = {}
        for clause in clauses:
            if not isinstance(clause, list) or not clause:
                raise QueryError(f"{clause!r} is not a clause")
            if clause[0] in ("limit", "offset") and len(clause) == 2:
                paging[clause[0]] = _number_of_rows(*clause)
            elif clause[0] == "order_by" and len(clause) == 2:
                paging["order_by"] = _order(clause[1], self._rows(entity))
            elif clause[0] == "extract":
                columns, filters = _extracted(clause)
                rows = self._filtered(rows, filters)
            else:
                rows = self._filtered(rows, [clause])
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


def _extracted(clause: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return the columns and the filters of an ``extract``."""
    if len(clause) > 3:
        raise QueryError("an 'extract' with group_by is not understood")
    columns = clause[1] if len(clause) > 1 else []
    if isinstance(columns, str) or (isinstance(columns, list) and columns[:1] == ["function"]):
        columns = [columns]
    if not isinstance(columns, list) or not columns:
        raise QueryError(f"'extract' is followed by columns, not by {columns!r}")
    return columns, clause[2:]


def _projected(rows: Rows, columns: list[Any] | None) -> Rows:
    if columns is None:
        return rows
    counts = [column for column in columns if column == ["function", "count"]]
    if counts and len(columns) == 1:
        return [{"count": len(rows)}]
    for column in columns:
        if not isinstance(column, str):
            raise QueryError(f"the column {column!r} is not understood")
    _check_fields(columns, rows)
    found = [{name: _value(row, name) for name in columns} for row in rows]
    return [
        {name: None if value is _MISSING else value for name, value in row.items()} for row in found
    ]


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
    _check_fields([field], rows)
    if operator == "=":
        return lambda row: _is_or_has(_value(row, field), wanted)
    if operator == "null?" and isinstance(wanted, bool):
        return lambda row: (_value(row, field) in (None, _MISSING)) is wanted
    if operator in _ORDERING and _are_ordered(wanted, wanted):
        compare = _ORDERING[operator]
        return lambda row: (
            _are_ordered(_value(row, field), wanted) and compare(_value(row, field), wanted)
        )
    if operator == "~":
        pattern = _pattern(wanted)
        return lambda row: _has_match(pattern, _value(row, field))
    if operator == "~>" and isinstance(wanted, list):
        patterns = [_pattern(each) for each in wanted]
        return lambda row: _has_path(patterns, _value(row, field))
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


def _entry(value: Any, name: str) -> Any:
    return value.get(name, _MISSING) if isinstance(value, dict) else _MISSING


def _check_fields(fields: Iterable[Query], rows: Rows) -> None:
    """Raise QueryError for a field that no row has, which is probably misspelt."""
    for field in fields:
        if _is_accessor(field):
            continue
        if not isinstance(field, str):
            raise QueryError(f"the field {field!r} is not understood")
        if ".match(" in field:
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
