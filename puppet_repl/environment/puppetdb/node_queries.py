"""The query language of the public module puppetdbquery: ``Class[Apache] and osfamily=Debian``.

A query is converted into PuppetDB's language of arrays, as version 3 of the module does it.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from puppet_repl.base.yaml_data import YamlError, read_yaml
from puppet_repl.environment.puppetdb.queries import QueryError
from puppet_repl.language.values.ruby import ruby_inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Path: TypeAlias = "list[_Pattern | str | int]"

_TOKEN = re.compile(
    r"""(?P<LPAREN>\() | (?P<RPAREN>\)) | (?P<LBRACK>\[) | (?P<RBRACK>\])
    | (?P<LBRACE>\{) | (?P<RBRACE>\}) | (?P<EQUALS>=) | (?P<NOTEQUALS>!=)
    | (?P<MATCH>~) | (?P<NOTMATCH>!~) | (?P<LESSTHANEQ><=) | (?P<LESSTHAN><)
    | (?P<GREATERTHANEQ>>=) | (?P<GREATERTHAN>>) | (?P<ASTERISK>\*) | (?P<HASH>\#) | (?P<DOT>\.)
    | (?P<NOT>not(?![\w:])) | (?P<AND>and(?![\w:])) | (?P<OR>or(?![\w:]))
    | (?P<BOOLEAN>(?:true|false)(?![\w:])) | (?P<NUMBER>-?\d+)
    | (?P<quoted>"(?:\\.|[^\\"])*" | '(?:\\.|[^\\'])*') | (?P<STRING>[\w:]+)
    | (?P<EXPORTED>@@) | (?P<AT>@)""",
    re.VERBOSE | re.ASCII,
)
_BLANKS = re.compile(r"\s*", re.ASCII)
_END = "$end"
_COMPARISONS = frozenset(
    (
        *("EQUALS", "NOTEQUALS", "MATCH", "NOTMATCH"),
        *("LESSTHAN", "LESSTHANEQ", "GREATERTHAN", "GREATERTHANEQ"),
    )
)
_SPECIAL = re.compile(r"[\[\]{}()|\-*.\\?+^$#\s]")
_BLANK_LETTERS = {" ": " ", "\n": "n", "\t": "t", "\r": "r", "\f": "f", "\v": "v"}

# Dates
_AGO = re.compile(
    r"(\d+|an?) (second|sec|minute|min|hour|day|week)s? (ago|before now|from now)\Z", re.ASCII
)
_SECONDS = {"sec": 1, "second": 1, "min": 60, "minute": 60, "hour": 3600, "day": 86400}
_SECONDS["week"] = 7 * _SECONDS["day"]
_DAYS = {"yesterday": -1, "tomorrow": 1}
_FORMATS = ("%Y-%m-%d", "%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y")


def parse_node_query(text: str, endpoint: str) -> list[Any] | None:
    """Return the array for a query of an endpoint, None for a query without any words.

    With the endpoint ``none``, conditions on resources count for the rows themselves, otherwise for
    the nodes that have such resources. Raises QueryError.
    """
    found = _Parser(text).query()
    return None if found is None else _array(_flattened(found), endpoint)


class _Pattern(str):
    """A part of a path that is a regular expression."""

    __slots__ = ()


class _Date(str):
    """A date in the words of a query."""

    __slots__ = ()


class _Node:
    """A part of a query: ``kind`` is that of a condition, or a word that joins ``parts``."""

    __slots__ = ("kind", "parts", "value")

    def __init__(self, kind: str, value: Any, parts: list[_Node]) -> None:
        self.kind = kind
        self.value = value
        self.parts = parts


class _Parser:
    """Reads one query. Tokens are read one by one: the first error in the text counts."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._kind = ""
        self._value: Any = None
        self._advance()

    def query(self) -> _Node | None:
        """Return the query, None for an empty one."""
        if self._kind == _END:
            return None
        found = self._or()
        self._expect(_END)
        return found

    def _or(self) -> _Node:
        return self._joined("OR", self._and)

    def _and(self) -> _Node:
        return self._joined("AND", self._not)

    def _joined(self, word: str, part: Callable[[], _Node]) -> _Node:
        found = part()
        while self._takes(word):
            found = _Node(word.lower(), None, [found, part()])
        return found

    def _not(self) -> _Node:
        if self._takes("NOT"):
            return _Node("not", None, [self._not()])
        if self._takes("LPAREN"):
            found = self._or()
            self._expect("RPAREN")
            return found
        if self._takes("HASH"):
            return self._subquery()
        if self._takes("EXPORTED"):
            name = self._expect("STRING")
            return self._resource(name, is_exported=True)
        return self._condition()

    def _condition(self) -> _Node:
        """Read what begins with a name: a resource, a comparison, or the name of a node."""
        is_name = self._kind == "STRING"
        first = self._identifier()
        if is_name and self._kind == "LBRACK":
            return self._resource(str(first), is_exported=False)
        path = self._path(first)
        return self._comparison(path) if self._kind in _COMPARISONS else _Node("name", path, [])

    def _path(self, first: _Pattern | str | int) -> Path:
        path = [first]
        while self._takes("DOT"):
            path.append(self._identifier())
        return path

    def _comparison(self, path: Path) -> _Node:
        if self._kind not in _COMPARISONS:
            raise self._unexpected()
        operator = self._value
        self._advance()
        return _Node("comparison", (path, operator, self._literal()), [])

    def _subquery(self) -> _Node:
        entity = self._expect("STRING")
        if self._kind == "LBRACE":
            return _Node("subquery", entity, [self._block()])
        self._expect("DOT")
        return _Node("subquery", entity, [self._comparison(self._path(self._identifier()))])

    def _block(self) -> _Node:
        self._expect("LBRACE")
        found = self._or()
        self._expect("RBRACE")
        return found

    def _resource(self, name: str, *, is_exported: bool) -> _Node:
        self._expect("LBRACK")
        title = self._identifier()
        self._expect("RBRACK")
        parts = [self._block()] if self._kind == "LBRACE" else []
        return _Node("resource", (name, title, is_exported), parts)

    def _identifier(self) -> _Pattern | str | int:
        if self._takes("ASTERISK"):
            return _Pattern(".*")
        if self._takes("MATCH"):
            return _Pattern(self._expect("STRING"))
        if self._kind not in ("STRING", "NUMBER"):
            raise self._unexpected()
        found: str | int = self._value
        self._advance()
        return found

    def _literal(self) -> Any:
        if self._takes("AT"):
            return _Date(self._expect("STRING"))
        kind, value = self._kind, self._value
        if kind not in ("BOOLEAN", "STRING", "NUMBER"):
            raise self._unexpected()
        self._advance()
        if kind == "NUMBER" and self._takes("DOT"):
            fraction = self._expect("NUMBER")  # of 1.-5 Ruby reads 1.0
            return float(value) if fraction < 0 else float(f"{value}.{fraction}")
        return value

    # Tokens

    def _advance(self) -> None:
        blanks = _BLANKS.match(self._text, self._at)
        self._at = self._at if blanks is None else blanks.end()
        if self._at == len(self._text):
            self._kind, self._value = _END, "$"
            return
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            raise self._error(f"can not match: '{self._text[self._at :]}'")
        self._at = match.end()
        self._kind, self._value = str(match.lastgroup), match[0]
        if self._kind == "NUMBER":
            self._value = int(self._value)
        elif self._kind == "BOOLEAN":
            self._value = self._value == "true"
        elif self._kind == "quoted":
            self._kind = "STRING"
            self._value = self._unquoted(match[0])

    def _unquoted(self, text: str) -> Any:
        try:
            return read_yaml(text)
        except YamlError as error:
            raise self._error(f"the string {text} is not valid in YAML: {error}") from None

    def _takes(self, kind: str) -> bool:
        if self._kind != kind:
            return False
        self._advance()
        return True

    def _expect(self, kind: str) -> Any:
        if self._kind != kind:
            raise self._unexpected()
        value = self._value
        if kind != _END:
            self._advance()
        return value

    def _unexpected(self) -> QueryError:
        return self._error(f"parse error on value {ruby_inspect(self._value)} ({self._kind})")

    def _error(self, reason: str) -> QueryError:
        return QueryError(f"the query {self._text} is not understood: {reason}")


def _flattened(node: _Node) -> _Node:
    """Merge a join with the joins by the same word in it, in the module's order.

    Its loop deletes from the array that it goes through, and so misses the part after each merged
    one. It also merges ``not not X``, which then is ``not X``.
    """
    if node.kind in ("and", "or", "not"):
        index = 0
        while index < len(node.parts):
            part = node.parts[index]
            if part.kind == node.kind:
                node.parts += part.parts
                node.parts.remove(part)
            index += 1
    for part in node.parts:
        _flattened(part)
    return node


def _array(node: _Node, mode: str) -> list[Any]:
    """Return the array for a part of a query. ``mode`` says of which rows it is a condition."""
    if node.kind == "name":
        steps = ".".join([_expression(step) for step in node.value])
        return ["~", "certname", _escaped(steps)]  # twice, as the module does it
    if node.kind == "comparison":
        path, operator, literal = node.value
        return _comparison(path, operator, literal, mode)
    if node.kind == "subquery":
        return _of_nodes(mode, f"{node.value}s", _array(node.parts[0], "subquery"))
    parts = [_array(part, "resources" if node.kind == "resource" else mode) for part in node.parts]
    if node.kind != "resource":
        return [node.kind, *parts]
    type_name, title, is_exported = node.value
    is_pattern = isinstance(title, _Pattern)
    if not is_pattern and type_name.capitalize() == "Class":
        title = _capitalized(str(title))
    conditions = [
        ["=", "type", _capitalized(type_name)],
        ["~", "title", str(title)] if is_pattern else ["=", "title", title],
        ["=", "exported", is_exported],
    ]
    return _of_nodes(mode, "resources", ["and", *conditions, *parts])


def _comparison(path: Path, operator: str, literal: Any, mode: str) -> list[Any]:
    value = timestamp(literal) if isinstance(literal, _Date) else literal
    plain = [str(step) if isinstance(step, _Pattern) else step for step in path]
    if mode == "subquery":
        return _compared(operator, plain[0] if len(plain) == 1 else plain, value)
    if mode == "resources":
        field = "tag" if plain[0] == "tag" else ["parameter", plain[0]]
        return _compared(operator, field, value)
    where = ["=", "path", plain]
    if any(isinstance(step, _Pattern) for step in path):
        where = ["~>", "path", [_expression(step) for step in path]]
    return _of_nodes(mode, "fact_contents", ["and", where, _compared(operator, "value", value)])


def _compared(operator: str, field: Any, value: Any) -> list[Any]:
    if operator[0] == "!":
        return ["not", [operator[1], field, value]]
    return [operator, field, value]


def _of_nodes(mode: str, entity: str, query: list[Any]) -> list[Any]:
    """Return a condition on the nodes that have such rows of an entity."""
    if mode == "none":
        return query
    return ["in", "certname", ["extract", "certname", [f"select_{entity}", query]]]


def _expression(step: _Pattern | str | int) -> str:
    """Return the regular expression for a part of a path."""
    if isinstance(step, int):
        raise QueryError(f"the number {step} cannot be a part of a name or of a pattern")
    return str(step) if isinstance(step, _Pattern) else _escaped(step)


def _escaped(text: str) -> str:
    """Return a regular expression for a text, as Ruby's Regexp.escape writes it."""
    return _SPECIAL.sub(lambda sign: "\\" + _BLANK_LETTERS.get(sign[0], sign[0]), text)


def _capitalized(name: str) -> str:
    """Return the name of a class or type with capital letters, others small."""
    parts = name.split("::")
    while parts and not parts[-1]:  # as Ruby's split
        parts.pop()
    return "::".join([part.capitalize() for part in parts])


# Dates: ``2 hours ago``, ``yesterday``, ``Sep 9, 2014``


def timestamp(text: str) -> str:
    """Return the time that a text means, as PuppetDB writes it. Raises QueryError.

    These are the usual ones of those that the library chronic reads for the module puppetdbquery.
    """
    try:
        return f"{_time(text).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    except (ValueError, OverflowError):
        raise QueryError(
            f"the date {text!r} is not understood; dates are like '2 hours ago', 'now',"
            " 'yesterday', '2024-09-09', 'Sep 9, 2024' and '2024-09-09T12:30:00Z'"
        ) from None


def _time(text: str) -> datetime:
    now = datetime.now().astimezone()
    words = " ".join(text.lower().split())
    if words == "now":
        return now
    if words in _DAYS:
        day = now + timedelta(days=_DAYS[words])
        return datetime(day.year, day.month, day.day).astimezone()
    ago = _AGO.match(words)
    if ago is not None:
        count = int(ago[1]) if ago[1].isdigit() else 1
        distance = timedelta(seconds=count * _SECONDS[ago[2]])
        return now + distance if ago[3] == "from now" else now - distance
    for form in _FORMATS:
        try:
            return datetime.strptime(words, form).astimezone()
        except ValueError:
            continue
    if "t" not in words:
        raise ValueError
    return datetime.fromisoformat(words.upper()).astimezone()
