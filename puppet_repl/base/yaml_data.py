"""YAML as plain data, for Hiera, hiera.yaml, facts and cell magics.

Scalars without quotes are read by the rules of Ruby's library Psych, which Puppet uses: ``1,000``
and ``0x1f`` are numbers, ``1:30`` is 5400, ``:name`` is a symbol.
"""

from __future__ import annotations

import re

from puppet_repl.base.lenient_base64 import decode_leniently
from puppet_repl.base.limits import MAX_DIGITS
from puppet_repl.base.modules import import_package
from puppet_repl.base.recursion import deep_calls
from puppet_repl.base.yaml_nodes import (
    PLAIN,
    STANDARD,
    Mapping,
    MissingAlias,
    Scalar,
    Sequence,
    TooDeep,
    compose,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    import yaml

    from puppet_repl.base.yaml_nodes import Node

    Pairs: TypeAlias = list[tuple[Any, Any]]

_TIME = re.compile(
    r"-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?\Z"
)
_DATE = re.compile(r"\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)\Z")
_INTEGER = re.compile(
    r"[-+]?(?:0b[01_,]+|0[0-7_,]+|0x[0-9a-fA-F_,]+|0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)\Z"
)
_FLOAT = re.compile(r"[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][+-][0-9]+)?\Z")
_RUBY_FLOAT = re.compile(
    r"\s*[-+]?[0-9]+(?:_[0-9]+)*(?:\.[0-9]+(?:_[0-9]+)*)?(?:[eE][-+]?[0-9]+)?\s*\Z"
)
_SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}(\.[0-9_]*)?\Z")
_QUOTED_SYMBOL = re.compile(r""":(["'])(.*)\1""", re.DOTALL)
_WORDS: dict[str, bool | float | None] = {
    "": None,
    "~": None,
    "null": None,
    "yes": True,
    "true": True,
    "on": True,
    "no": False,
    "false": False,
    "off": False,
    ".inf": float("inf"),
    "+.inf": float("inf"),
    "-.inf": float("-inf"),
    ".nan": float("nan"),
}
_WEIGHTS = (3600, 60, 1)  # of the parts of a number like 1:30
_REFUSAL = "Tried to load unspecified class: "
_SETS = ("!set", STANDARD + "set")
_ORDERED = ("!omap", STANDARD + "omap")
_FLOATS = ("!float", STANDARD + "float")

MAX_ALIASED = 250_000
"""How many nodes aliases may stand for: ten lines of aliases of aliases could be any number."""


class YamlError(ValueError):
    """The text is not YAML, or contains objects that are not read; the message says where.

    ``start`` is the offset of the problem where it is known. Messages about syntax say where the
    part with the problem begins, as those of Psych do.
    """

    start: int | None = None


class UnplacedError(YamlError):
    """An alias without its anchor, or no Float: the messages of Psych without a location."""


class CharacterError(YamlError):
    """A character that YAML does not allow; the message of Psych always names the first line.

    ``reason`` is the message without that, ``line`` and ``column`` (from 1) are the place.
    """

    def __init__(self, reason: str, text: str, offset: int) -> None:
        super().__init__(f"{reason} at line 1 column 1")
        self.reason = reason
        before = text.encode("utf-8")[:offset].decode("utf-8", "ignore")
        self.start = len(before)
        self.line = before.count("\n") + 1
        self.column = len(before) - before.rfind("\n")


class Symbol(str):
    """A symbol of Ruby; Puppet refuses it where a value of a program is needed."""

    __slots__ = ()


def read_yaml(
    text: str,
    *,
    ruby_objects: bool = False,
    as_puppet: bool = False,
    symbols: bool = True,
    mapping: Callable[[Pairs], Any] | None = None,
) -> Any:
    """Return the first YAML document as None, bool, int, float, str, list and dict.

    Dates and times become strings, sets lists, and a symbol of Ruby (``:name``) its name. With
    ``as_puppet`` dates, times and sets are errors, as they are where Puppet reads data, and a
    symbol that is not a key of a dict becomes a Symbol; without ``symbols`` it is an error. With
    ``ruby_objects`` Ruby's objects are read as the mappings of their attributes, otherwise they
    are errors. ``mapping`` makes a mapping of its pairs, whose keys may be anything; in a dict 1
    and true are one key. Raises YamlError.
    """
    node = compose_yaml(text)
    if node is None:
        return None
    return _value(node, _Builder(ruby_objects, as_puppet, symbols, mapping or _as_dict))


def value_of(node: Node, mapping: Callable[[Pairs], Any]) -> Any:
    """Return the value of a node as ``read_yaml`` reads a document with ``as_puppet``."""
    return _value(node, _Builder(False, True, True, mapping))


def _value(node: Node, builder: _Builder) -> Any:
    try:
        with deep_calls:
            return builder.value(node)
    except RecursionError:
        raise YamlError("the document is nested too deeply") from None


def compose_yaml(text: str) -> Node | None:
    """Return the root of the first document as ``compose`` does; raise YamlError."""
    yaml = import_package("yaml")

    try:
        return compose(text)
    except yaml.MarkedYAMLError as error:
        failure = YamlError(_problem(error))
        mark = error.problem_mark
        if mark is None or (mark.index >= len(text) and error.context_mark is not None):
            mark = error.context_mark  # what the end of the text leaves open
        failure.start = None if mark is None else mark.index
        raise failure from None
    except yaml.reader.ReaderError as error:
        raise CharacterError(error.reason, text, error.position) from None
    except yaml.YAMLError as error:
        raise YamlError(str(error)) from None
    except UnicodeEncodeError as error:  # half a surrogate pair
        line = text.count("\n", 0, error.start) + 1
        column = error.start - text.rfind("\n", 0, error.start)
        raise YamlError(f"a character is not allowed at line {line} column {column}") from None
    except TooDeep as error:
        raise YamlError(str(error)) from None


def is_plain_string(text: str) -> bool:
    """Tell whether a scalar without quotes is read as a string: no number, Boolean or date."""
    try:
        return type(_Builder(False, True, True, _as_dict)._plain(text)) is str
    except YamlError:
        return False


def _problem(error: yaml.MarkedYAMLError) -> str:
    """Return the problem and its location in the words of Psych."""
    mark = error.context_mark or error.problem_mark
    words = " ".join([part for part in (error.problem, error.context) if part])
    return words if mark is None else f"{words} at line {mark.line + 1} column {mark.column + 1}"


class _Builder:
    """The values of nodes; a node that several aliases name has one value."""

    def __init__(
        self,
        ruby_objects: bool,
        as_puppet: bool,
        symbols: bool,
        mapping: Callable[[Pairs], Any],
    ) -> None:
        self.ruby_objects = ruby_objects
        self.as_puppet = as_puppet
        self.symbols = symbols
        self.mapping = mapping
        # By the numbers of nodes: values, pairs of mappings, and how many nodes there are inside.
        self._known: dict[int, Any] = {}
        self._pairs: dict[int, Pairs] = {}
        self._sizes: dict[int, int] = {}
        self._count = 0
        self._aliased = 0

    def value(self, node: Node) -> Any:
        """Return the value of a node. Raises YamlError for one that contains itself."""
        if type(node) is Scalar:
            self._count += 1
            return self._scalar(node)
        if type(node) is MissingAlias:
            raise UnplacedError(f"Unknown alias: {node.name}")
        known = self._known
        number = id(node)
        if number in known:
            self._repeat(number)
            return known[number]
        before = self._count
        self._count += 1
        if type(node) is Mapping:
            if number in self._pairs:
                raise YamlError("the document contains itself")
            known[number] = self._mapping(node)
        else:
            assert type(node) is Sequence
            if number in self._sizes:
                raise YamlError("the document contains itself")
            self._sizes[number] = 0
            known[number] = self._sequence(node)
        self._sizes[number] = self._count - before
        return known[number]

    def _repeat(self, number: int) -> None:
        """Count what an alias stands for."""
        size = self._sizes[number]
        self._count += size
        self._aliased += size
        if self._aliased > MAX_ALIASED:
            raise YamlError(f"aliases stand for more than {MAX_ALIASED:,} values")

    def _sequence(self, node: Sequence) -> Any:
        self._check_tag(node.tag)
        if self.as_puppet and node.tag in _ORDERED:
            return self.mapping([self._pair(item) for item in node.items])
        return [self.value(item) for item in node.items]

    def _pair(self, node: Node) -> tuple[Any, Any]:
        """Return the first and the last value in an item of an ordered mapping, as Psych does."""
        first, last = _ends(node)
        if first is None or last is None:
            raise YamlError("an ordered mapping consists of mappings")
        return self.value(first), self.value(last)

    def _mapping(self, node: Mapping) -> Any:
        pairs: Pairs = []
        self._pairs[id(node)] = pairs
        self._check_tag(node.tag)
        if self.as_puppet:
            self._check_class(node.tag)
        for key_node, value_node in node.pairs:
            key = self.value(key_node)
            if key == "<<" and value_node is node:
                continue  # the node contains itself, and is still empty
            item = self.value(value_node)
            merged = self._merged(value_node) if key == "<<" else None
            if merged is None:
                pairs.append((key, item))
            else:
                pairs += merged
        if node.tag in _SETS:
            return list(_as_dict(pairs))
        return self.mapping(pairs)

    def _merged(self, node: Node) -> Pairs | None:
        """Return the pairs that ``<<`` takes from one or several mappings; None for other values.

        The first mapping of a list takes precedence.
        """
        if type(node) is Mapping:
            return self._pairs[id(node)]
        if type(node) is not Sequence or not all(type(part) is Mapping for part in node.items):
            return None
        return [pair for part in reversed(node.items) for pair in self._pairs[id(part)]]

    def _scalar(self, node: Scalar) -> Any:
        tag, text = node.tag, node.text
        if tag == PLAIN:
            return self._plain(text)
        if tag in (STANDARD + "str", "!str"):
            return text
        if tag in (STANDARD + "binary", "!binary"):
            return decode_leniently(text).decode("utf-8", "replace")
        if tag in ("!ruby/sym", "!ruby/symbol"):
            return self._symbol(text)
        self._check_tag(tag)
        value = self._plain(text)
        return _float(value) if tag in _FLOATS else value

    def _check_tag(self, tag: str) -> None:
        if tag.startswith("!ruby/") and not self.ruby_objects:
            kind, _, name = tag.removeprefix("!ruby/").partition(":")
            raise YamlError(_refused(name or kind.capitalize()))

    def _check_class(self, tag: str) -> None:
        """Refuse a mapping of a class of its own."""
        if tag in _SETS or tag in _ORDERED:
            raise YamlError(_refused("Psych::Set" if tag in _SETS else "Psych::Omap"))
        kind, _, name = tag.partition(":")
        if kind == "!map" and name:
            raise YamlError(_refused(name))

    def _plain(self, text: str) -> Any:
        """Return the value of a scalar without quotes."""
        word = text.lower()
        if word in _WORDS:
            return _WORDS[word]
        if text.startswith(":") and len(text) > 1:
            quoted = _QUOTED_SYMBOL.match(text)
            return self._symbol(quoted[2] + text[quoted.end() :] if quoted else text[1:])
        if not (text[0].isdigit() or text[0] in "+-."):
            return text
        for pattern, name in ((_TIME, "Time"), (_DATE, "Date")):
            if self.as_puppet and pattern.match(text):
                raise YamlError(_refused(name))
        return _number(text)

    def _symbol(self, name: str) -> str:
        if not self.symbols:
            raise YamlError(_refused("Symbol"))
        return Symbol(name) if self.as_puppet else name


def _as_dict(pairs: Pairs) -> dict[Any, Any]:
    return {_as_key(key): item for key, item in pairs}


def _as_key(key: Any) -> Any:
    if type(key) is Symbol:
        return str(key)
    if type(key) is list:
        return tuple([_as_key(item) for item in key])
    if type(key) is dict:
        return tuple([(name, _as_key(item)) for name, item in key.items()])
    return key


def _ends(node: Node) -> tuple[Node | None, Node | None]:
    """Return the first and the last node in a collection, None for a scalar or an empty one."""
    if type(node) is Mapping and node.pairs:
        return node.pairs[0][0], node.pairs[-1][1]
    if type(node) is Sequence and node.items:
        return node.items[0], node.items[-1]
    return None, None


def _refused(name: str) -> str:
    return f"{_REFUSAL}{name}"


def is_refusal(error: YamlError) -> bool:
    """Tell whether an error is about an object that is not read, not about the syntax."""
    return str(error).startswith(_REFUSAL)


def _number(text: str) -> int | float | str:
    """Return the number that a text stands for, else the text."""
    if _INTEGER.match(text):
        return _integer(text.replace(",", "").replace("_", ""))
    if _FLOAT.match(text) and text.lstrip("+-") != ".":
        return float(text.replace(",", "").replace("_", ""))
    sexagesimal = _SEXAGESIMAL.match(text)
    if sexagesimal is None:
        return text
    parts = text.replace("_", "").split(":")
    if sexagesimal[1] is None:
        return sum(_decimal(part) * _WEIGHTS[index] for index, part in enumerate(parts))
    return sum(float(part) * _WEIGHTS[index] for index, part in enumerate(parts))


def _integer(text: str) -> int | str:
    digits = text.lstrip("+-")
    if digits[0] != "0" or len(digits) == 1:
        return _decimal(text)
    _check_length(text)
    try:
        return int(text, {"x": 16, "b": 2}.get(digits[1], 8))
    except ValueError:
        return text


def _decimal(text: str) -> int:
    _check_length(text)
    try:
        return int(text)
    except ValueError:  # Python's own limit
        raise YamlError("a number has too many digits") from None


def _check_length(text: str) -> None:
    if len(text) > MAX_DIGITS:
        raise YamlError(f"a number has more than {MAX_DIGITS:,} digits")


def _float(value: Any) -> float:
    """Return the Float that the tag of one makes of a value."""
    if type(value) is int or type(value) is float:
        try:
            return float(value)
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
    if type(value) is str and _RUBY_FLOAT.match(value):
        return float(value)
    if type(value) is str:
        raise UnplacedError(f'invalid value for Float(): "{value}"')
    shown = {None: "nil", True: "true", False: "false"}.get(value, "Symbol")
    raise UnplacedError(f"can't convert {shown} into Float")
