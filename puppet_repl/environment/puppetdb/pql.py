"""The Puppet query language (PQL): ``nodes[certname] { certname ~ "^web" }``.

A query is converted into PuppetDB's language of arrays, which ``queries`` answers.
"""

from __future__ import annotations

import json
import re
from typing import Any

from puppet_repl.environment.puppetdb.queries import QueryError

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<text>"(?:[^"\\]|\\.)*"|'[^']*')
    | (?P<number>-?\d+(?:\.\d+(?:[eE][-+]?\d+)?)?)
    | (?P<name>[A-Za-z_][\w:-]*
        (?:\.(?:match\("(?:[^"\\]|\\.)*"\)|[\w:-]+|"[^"]*")|\[\d+\])*)
    | (?P<sign>>=|<=|~>|[=~<>!(){}\[\],])
    )""",
    re.VERBOSE,
)
_COMPARISONS = ("=", "~", "~>", "<", ">", "<=", ">=")
_PAGING = ("limit", "offset", "order", "group")
_WORDS = {"true": True, "false": False}


def parse_pql(text: str) -> list[Any]:
    """Return a query as an array ``["from", ENTITY, ...]``. Raises QueryError."""
    parser = _Parser(text)
    found = parser.query()
    parser.end()
    return found


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens: list[tuple[str, str]] = []
        at = 0
        stripped = text.rstrip()
        while at < len(stripped):
            match = _TOKEN.match(stripped, at)
            if match is None:
                raise QueryError(f"not PQL: unexpected '{stripped[at:].split()[0]}'")
            kind = str(match.lastgroup)
            self._tokens.append((kind, match[kind]))
            at = match.end()
        self._at = 0

    def end(self) -> None:
        """Raise QueryError unless the text ends here."""
        if self._at < len(self._tokens):
            raise self._unexpected()

    def query(self) -> list[Any]:
        """Read an entity with its projection, filter and paging."""
        entity = self._name()
        columns = self._projection() if self._takes("[") else None
        self._expect("{")
        clauses: list[Any] = []
        if not self._is("}") and self._word() not in _PAGING:
            clauses.append(self._or())
        if columns:
            clauses = [["extract", columns, *clauses]]
        while not self._takes("}"):
            clause = self._modifier()
            if clause[0] != "group_by":
                clauses.append(clause)
            elif columns:
                clauses[0].append(clause)
            else:
                raise QueryError("'group by' needs columns in front of the braces")
        return ["from", entity, *clauses]

    def _projection(self) -> list[Any]:
        columns: list[Any] = []
        while not self._takes("]"):
            name = self._name()
            if self._takes("("):
                function = ["function", name]
                if not self._is(")"):
                    function.append(self._name())
                self._expect(")")
                columns.append(function)
            else:
                columns.append(name)
            if not self._is("]"):
                self._expect(",")
        return columns

    def _modifier(self) -> list[Any]:
        word = self._name()
        if word in ("limit", "offset"):
            return [word, self._literal()]
        if word == "group" and self._name() == "by":
            names = [self._name()]
            while self._takes(","):
                names.append(self._name())
            return ["group_by", *names]
        if word == "order" and self._name() == "by":
            columns: list[Any] = []
            while True:
                name = self._name()
                direction = self._name() if self._word() in ("asc", "desc") else "asc"
                columns.append([name, direction])
                if not self._takes(","):
                    return ["order_by", columns]
        raise QueryError(f"'{word}' is not understood in PQL")

    def _or(self) -> list[Any]:
        return self._joined("or", self._and)

    def _and(self) -> list[Any]:
        return self._joined("and", self._not)

    def _joined(self, word: str, part: Any) -> list[Any]:
        parts = [part()]
        while self._word() == word:
            self._at += 1
            parts.append(part())
        return parts[0] if len(parts) == 1 else [word, *parts]

    def _not(self) -> list[Any]:
        return ["not", self._not()] if self._takes("!") else self._condition()

    def _condition(self) -> list[Any]:
        if self._takes("("):
            found = self._or()
            self._expect(")")
            return found
        if self._takes("["):
            fields: Any = self._projection()
        else:
            before = self._at
            fields = self._name()
            if self._is("{") or self._is("["):  # the rows of another entity, of the same node
                self._at = before
                _, entity, *clauses = self.query()
                if len(clauses) != 1:
                    raise QueryError(f"the subquery of {entity} needs a filter, and nothing else")
                return ["subquery", entity, clauses[0]]
        return self._comparison(fields)

    def _comparison(self, fields: Any) -> list[Any]:
        kind, text = self._next()
        if text in _COMPARISONS and kind == "sign" and isinstance(fields, str):
            return [text, fields, self._literal()]
        if text == "in":
            if self._is("["):
                return ["in", fields, ["array", self._literal()]]
            return ["in", fields, self.query()]
        if text == "is" and isinstance(fields, str):
            word = self._name()
            is_null = word != "not"
            if (word if is_null else self._name()) == "null":
                return ["null?", fields, is_null]
        self._at -= 1
        raise self._unexpected()

    def _literal(self) -> Any:
        kind, text = self._next()
        if kind == "number":
            return json.loads(text)
        if kind == "text":
            try:
                return text[1:-1] if text[0] == "'" else json.loads(text)
            except ValueError:
                raise QueryError(f"not PQL: the string {text} is not valid") from None
        if text in _WORDS:
            return _WORDS[text]
        if text == "[":
            items = []
            while not self._takes("]"):
                items.append(self._literal())
                if not self._is("]"):
                    self._expect(",")
            return items
        self._at -= 1
        raise self._unexpected()

    # Tokens

    def _next(self) -> tuple[str, str]:
        if self._at == len(self._tokens):
            raise QueryError("not PQL: the query is not complete")
        self._at += 1
        return self._tokens[self._at - 1]

    def _name(self) -> str:
        kind, text = self._next()
        if kind != "name":
            self._at -= 1
            raise self._unexpected()
        return text

    def _word(self) -> str:
        """Return the next token if it is a word, else ''."""
        if self._at == len(self._tokens) or self._tokens[self._at][0] != "name":
            return ""
        return self._tokens[self._at][1]

    def _is(self, sign: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at] == ("sign", sign)

    def _takes(self, sign: str) -> bool:
        if not self._is(sign):
            return False
        self._at += 1
        return True

    def _expect(self, sign: str) -> None:
        if not self._takes(sign):
            raise self._unexpected()

    def _unexpected(self) -> QueryError:
        if self._at >= len(self._tokens):
            return QueryError("not PQL: the query is not complete")
        return QueryError(f"not PQL: unexpected '{self._tokens[self._at][1]}'")
