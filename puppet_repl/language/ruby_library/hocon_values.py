"""The nodes of HOCON, and their values once substitutions are replaced."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from puppet_repl.language.ruby_library.hocon_tokens import HoconError, HoconTypeError, number_of
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.quote import double_quote
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from puppet_repl.language.values.protocols import Value

    Node: TypeAlias = "Scalar | HoconList | HoconObject | Concatenation | Substitution"

_WORDS = {"true": True, "false": False, "null": None}


@dataclass(slots=True, eq=False)
class Scalar:
    """A value without parts; ``text`` is its form inside of a longer text."""

    value: Value
    text: str
    line: int
    _: KW_ONLY
    is_quoted: bool = False
    is_blank: bool = False

    @staticmethod
    def of_text(text: str, line: int) -> Scalar:
        """Return the value of a text without quotes."""
        if text in _WORDS:
            return Scalar(_WORDS[text], text, line)
        number = number_of(text) if text[0] in "-0123456789" else None
        return Scalar(text if number is None else number, text, line)

    @property
    def shown(self) -> str:
        """The value as messages show it."""
        if type(self.value) is int:
            return f"ConfigInt({self.value})"
        if type(self.value) is str:
            return f"{'Quoted' if self.is_quoted else 'Unquoted'}({double_quote(self.value)})"
        return f"Config{type(self.value).__name__.capitalize()}({self.text})"


class HoconList:
    """A list of nodes."""

    __slots__ = ("items", "line")

    def __init__(self, items: list[Node], line: int) -> None:
        self.items = items
        self.line = line


class HoconObject:
    """An object: for each name its definitions, the newest last."""

    __slots__ = ("fields", "line")

    def __init__(self, line: int) -> None:
        self.fields: dict[str, list[Node]] = {}
        self.line = line

    def define(self, path: tuple[str, ...], value: Node) -> None:
        """Define the field at a path, after what defined it before."""
        name, rest = path[0], path[1:]
        if rest:
            inner = HoconObject(self.line)
            inner.define(rest, value)
            value = inner
        known = self.fields.get(name)
        if known is None:
            self.fields[name] = [value]
        elif isinstance(value, HoconObject) and isinstance(known[-1], HoconObject):
            known[-1] = value.over(known[-1])
        elif isinstance(value, Scalar | HoconList) and not _refers(value):
            self.fields[name] = [value]
        else:
            known.append(value)

    def over(self, older: HoconObject) -> HoconObject:
        """Return the object with the fields of an older one after its own."""
        made = HoconObject(self.line)
        for name, definitions in self.fields.items():
            made.fields[name] = list(definitions)
        for name, definitions in older.fields.items():
            mine = made.fields.get(name)
            if mine is None:
                made.fields[name] = list(definitions)
            elif isinstance(mine[0], HoconObject) and isinstance(definitions[-1], HoconObject):
                made.fields[name] = [
                    *definitions[:-1],
                    mine[0].over(definitions[-1]),
                    *mine[1:],
                ]
            elif not isinstance(mine[0], Scalar) and not (
                isinstance(mine[0], HoconList) and not _refers(mine[0])
            ):
                made.fields[name] = [*definitions, *mine]
        return made


class Concatenation:
    """Parts of one value, with the blanks between them."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Node]) -> None:
        self.parts = parts


class Substitution:
    """The value at a path; a missing optional value is left out."""

    __slots__ = ("line", "optional", "path", "text")

    def __init__(self, path: tuple[str, ...], text: str, line: int, *, optional: bool) -> None:
        self.path = path
        self.text = text
        self.line = line
        self.optional = optional


def _refers(node: Node) -> bool:
    """Tell whether a list contains a substitution."""
    if isinstance(node, HoconList):
        return any(_refers(item) for item in node.items)
    return isinstance(node, Substitution | Concatenation)


class _Cycle(Exception):
    """A substitution needs its own value; ``trace`` are the ones on the way."""

    def __init__(self, trace: tuple[Substitution, ...]) -> None:
        super().__init__()
        self.trace = trace


class _Text:
    """A resolved scalar: its value, and its text for longer ones."""

    __slots__ = ("scalar",)

    def __init__(self, scalar: Scalar) -> None:
        self.scalar = scalar


class Resolver:
    """The values of the nodes below a root."""

    def __init__(self, root: HoconObject) -> None:
        self.root = root
        # The values that are being made: the definitions of a field, and the index among them.
        self._running: list[tuple[list[Node], int]] = []
        self._trace: list[Substitution] = []

    def value(self) -> Value:
        """Return the value of the root."""
        return _plain(self.object_value(self.root))

    def object_value(self, node: HoconObject) -> dict[str, object]:
        """Return the resolved fields of an object; those without a value are left out."""
        made = {}
        for name, definitions in node.fields.items():
            value = self.field(definitions, len(definitions))
            if value is not UNSET:
                made[name] = value
        return made

    def field(self, definitions: list[Node], count: int) -> object:
        """Return the value of the first ``count`` definitions of a field together."""
        newest: object = UNSET
        for index in range(count - 1, -1, -1):
            self._running.append((definitions, index))
            try:
                value = self.node(definitions[index])
            finally:
                self._running.pop()
            if value is UNSET:
                continue
            if newest is UNSET:
                newest = value
            elif isinstance(newest, dict) and isinstance(value, dict):
                newest = _merged(newest, value)
            else:
                return newest
            if not isinstance(newest, dict):
                return newest
        return newest

    def node(self, node: Node) -> object:
        """Return the value of a node: a _Text, list or dict, or UNSET."""
        if isinstance(node, Scalar):
            return _Text(node)
        if isinstance(node, HoconList):
            values = [self.node(item) for item in node.items]
            return [value for value in values if value is not UNSET]
        if isinstance(node, HoconObject):
            return self.object_value(node)
        if isinstance(node, Substitution):
            return self.substitution(node)
        return self.concatenation(node)

    def substitution(self, node: Substitution) -> object:
        """Return the value that a substitution stands for."""
        if node in self._trace:
            raise _Cycle((*self._trace[self._trace.index(node) :], node))
        self._trace.append(node)
        try:
            value = self.lookup(node.path)
        except _Cycle as cycle:
            if node.optional:
                return UNSET
            involved = ", ".join([each.text for each in cycle.trace])
            raise HoconError(
                f"String: {node.line}: Could not resolve substitution to a value: {node.text} was "
                f"part of a cycle of substitutions involving {involved}"
            ) from None
        finally:
            self._trace.pop()
        if value is UNSET and not node.optional:
            raise HoconError(
                f"String: {node.line}: Could not resolve substitution to a value: {node.text}"
            )
        return value

    def lookup(self, path: tuple[str, ...]) -> object:
        """Return the value at a path, UNSET if there is none."""
        found: object = self.root
        for index, name in enumerate(path):
            if isinstance(found, HoconObject):
                definitions = found.fields.get(name)
                if definitions is None:
                    return UNSET
                is_last = index == len(path) - 1
                if not is_last and all(isinstance(each, HoconObject) for each in definitions):
                    found = definitions[-1]
                    continue
                found = self.field(definitions, self._usable(definitions))
            elif isinstance(found, dict):
                found = found.get(name, UNSET)
            else:
                return UNSET
        return found

    def _usable(self, definitions: list[Node]) -> int:
        """Count the usable definitions: only older ones if a field refers to its own name."""
        for running, index in reversed(self._running):
            if running is definitions:
                return index if index > 0 else len(definitions)
        return len(definitions)

    def concatenation(self, node: Concatenation) -> object:
        """Return the value of parts: a text, or lists or objects together."""
        values = [(part, self.node(part)) for part in node.parts]
        known = [(part, value) for part, value in values if value is not UNSET]
        if all(isinstance(value, _Text) for _, value in known):
            if all(isinstance(part, Substitution) for part in node.parts) and not known:
                return UNSET
            text = "".join([_text_of(value) for _, value in known])
            return _Text(Scalar(text, text, _line_of(*values[0])))
        joined: object = UNSET
        line = 0
        for part, value in known:
            if isinstance(value, _Text) and value.scalar.is_blank:
                continue
            if joined is UNSET:
                joined, line = value, _line_of(part, value)
            else:
                joined = _joined(joined, value, line)
        return joined


def _line_of(part: Node, value: object) -> int:
    """Return the line of the value of a part, which of a substitution may be another."""
    if isinstance(value, _Text):
        return value.scalar.line
    return 1 if isinstance(part, Concatenation) else part.line


def _text_of(value: object) -> str:
    return value.scalar.text if isinstance(value, _Text) else ""


def _joined(left: object, right: object, line: int) -> object:
    if isinstance(left, dict) and isinstance(right, dict):
        return _merged(right, left)
    if isinstance(left, list) and isinstance(right, list):
        return left + right
    if isinstance(right, _Text):
        if not isinstance(left, _Text):
            return left  # text after an object or a list is dropped
        text = left.scalar.text + right.scalar.text
        return _Text(Scalar(text, text, left.scalar.line))
    raise HoconTypeError(
        f"String: {line}: Cannot concatenate object or list with a non-object-or-list, "
        f"{_shown(left)} and {_shown(right)} are not compatible"
    )


def _merged(newer: dict[str, object], older: dict[str, object]) -> dict[str, object]:
    """Return an object with the fields of an older one after its own."""
    made = dict(newer)
    for name, value in older.items():
        mine = made.get(name, UNSET)
        if mine is UNSET:
            made[name] = value
        elif isinstance(mine, dict) and isinstance(value, dict):
            made[name] = _merged(mine, value)
    return made


def _shown(value: object) -> str:
    """Return a value as messages show it."""
    if isinstance(value, _Text):
        return value.scalar.shown
    if isinstance(value, list):
        return f"SimpleConfigList({_json(value)})"
    return f"SimpleConfigObject({_json(value)})"


def _json(value: object) -> str:
    return "".join(_json_parts(value))


def _json_parts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        inner = [f"{double_quote(name)}:{_json(item)}" for name, item in value.items()]
        yield "{" + ",".join(inner) + "}"
    elif isinstance(value, list):
        yield "[" + ",".join([_json(item) for item in value]) + "]"
    elif isinstance(value, _Text):
        plain = value.scalar.value
        yield double_quote(plain) if type(plain) is str else _word(plain)


def _word(value: Value) -> str:
    return "null" if value is None else ruby_text(value)


def _plain(value: object) -> Value:
    """Return a resolved value as Puppet's."""
    if isinstance(value, dict):
        return PuppetHash([(name, _plain(item)) for name, item in value.items()])
    if isinstance(value, list):
        return tuple([_plain(item) for item in value])
    return value.scalar.value if isinstance(value, _Text) else None
