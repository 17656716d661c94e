"""YAML as plain data, for Hiera, hiera.yaml, facts and cell magics.

Scalars without quotes are read by the rules of Ruby's library Psych, which Puppet uses: ``1,000``
and ``0x1f`` are numbers, ``1:30`` is 5400, ``:name`` is a symbol.
"""

from __future__ import annotations

import binascii
import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    import yaml

    Pairs: TypeAlias = list[tuple[Any, Any]]

_TIME = re.compile(
    r"-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?\Z"
)
_DATE = re.compile(r"\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)\Z")
_INTEGER = re.compile(
    r"[-+]?(?:0b[01_,]+|0[0-7_,]+|0x[0-9a-fA-F_,]+|0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)\Z"
)
_FLOAT = re.compile(r"[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][+-][0-9]+)?\Z")
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
_STANDARD = "tag:yaml.org,2002:"
_SETS = ("!set", _STANDARD + "set")
_ORDERED = ("!omap", _STANDARD + "omap")
_FLOATS = ("!float", _STANDARD + "float")
_PLAIN = "plain"  # the tag that scalars without quotes and without a tag of their own get


class YamlError(ValueError):
    """The text is not YAML, or contains objects that are not read; the message says where."""


class UnknownAlias(YamlError):
    """An alias names an anchor that is not there; the one message of Psych without a location."""


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
    symbol that is no key of a dict becomes a Symbol; without ``symbols`` it is an error. With
    ``ruby_objects`` Ruby's objects are read as the mappings of their attributes, otherwise they
    are errors. ``mapping`` makes a mapping of its pairs, whose keys may be anything; in a dict 1
    and true are one key. Raises YamlError.
    """
    import yaml

    try:
        loader = _loader()(text)
        try:
            node = loader.get_node() if loader.check_node() else None
        finally:
            loader.dispose()
    except yaml.composer.ComposerError as error:
        raise UnknownAlias(f"Unknown alias: {_alias_at(text, error.problem_mark)}") from None
    except yaml.MarkedYAMLError as error:
        raise YamlError(_problem(error)) from None
    except yaml.reader.ReaderError as error:
        # libyaml does not say where.
        raise YamlError(f"{error.reason} at line 1 column 1") from None
    except yaml.YAMLError as error:
        raise YamlError(str(error)) from None
    if node is None:
        return None
    try:
        return _Builder(ruby_objects, as_puppet, symbols, mapping or _as_dict).value(node)
    except RecursionError:
        raise YamlError("the document contains itself, or is nested too deeply") from None


def is_plain_string(text: str) -> bool:
    """Tell whether a scalar without quotes is read as a string: no number, Boolean or date."""
    try:
        return type(_Builder(False, True, True, _as_dict)._plain(text)) is str
    except YamlError:
        return False


@cache
def _loader() -> type[Any]:
    import yaml

    base: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

    def resolve(self: Any, kind: type[yaml.Node], value: str, implicit: Any) -> Any:
        if kind is yaml.ScalarNode and implicit[0]:
            return _PLAIN
        return base.resolve(self, kind, value, implicit)

    # Only tells scalars without quotes from others.
    return type("Loader", (base,), {"resolve": resolve})


def _alias_at(text: str, mark: yaml.Mark | None) -> str:
    lines = text.splitlines()
    at = "" if mark is None or mark.line >= len(lines) else lines[mark.line][mark.column :]
    return re.split(r"[\s,\]}]", at.removeprefix("*"), maxsplit=1)[0]


def _problem(error: yaml.MarkedYAMLError) -> str:
    """Return what is wrong and where, as Psych says it."""
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
        self._known: dict[int, Any] = {}
        self._pairs: dict[int, Pairs] = {}

    def value(self, node: yaml.Node) -> Any:
        """Return the value of a node."""
        import yaml

        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        known = self._known
        if id(node) not in known:
            if isinstance(node, yaml.MappingNode):
                known[id(node)] = self._mapping(node)
            else:
                assert isinstance(node, yaml.SequenceNode)
                known[id(node)] = self._sequence(node)
        return known[id(node)]

    def _sequence(self, node: yaml.SequenceNode) -> Any:
        self._check_tag(node.tag)
        if self.as_puppet and node.tag in _ORDERED:
            return self.mapping([self._pair(item) for item in node.value])
        return [self.value(item) for item in node.value]

    def _pair(self, node: yaml.Node) -> tuple[Any, Any]:
        """Return the first and the last value in an item of an ordered mapping, as Psych does."""
        if type(node.value) is not list or not node.value:
            raise YamlError("an ordered mapping consists of mappings")
        ends = node.value[0], node.value[-1]
        first, last = [end[at] if type(end) is tuple else end for at, end in enumerate(ends)]
        return self.value(first), self.value(last)

    def _mapping(self, node: yaml.MappingNode) -> Any:
        self._check_tag(node.tag)
        if self.as_puppet:
            self._check_class(node.tag)
        pairs: Pairs = []
        for key_node, value_node in node.value:
            key, item = self.value(key_node), self.value(value_node)
            merged = self._merged(value_node) if key == "<<" else None
            if merged is None:
                pairs.append((key, item))
            else:
                pairs += merged
        if node.tag in _SETS:
            return list(_as_dict(pairs))
        self._pairs[id(node)] = pairs
        return self.mapping(pairs)

    def _merged(self, node: yaml.Node) -> Pairs | None:
        """Return the pairs that ``<<`` takes from a mapping, or a list of them; None if it cannot.

        The first one of a list goes before the others.
        """
        if id(node) in self._pairs:
            return self._pairs[id(node)]
        if type(node.value) is not list or type(self._known.get(id(node))) is not list:
            return None
        if not all(id(part) in self._pairs for part in node.value):
            return None
        return [pair for part in reversed(node.value) for pair in self._pairs[id(part)]]

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        tag, text = node.tag, str(node.value)
        if tag == _PLAIN:
            return self._plain(text)
        if tag in (_STANDARD + "str", "!str"):
            return text
        if tag in (_STANDARD + "binary", "!binary"):
            return _decoded(text)
        if tag in ("!ruby/sym", "!ruby/symbol"):
            return self._symbol(text)
        self._check_tag(tag)
        value = self._plain(text)
        return float(value) if tag in _FLOATS and type(value) is int else value

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
    return tuple(key.items()) if type(key) is dict else key


def _refused(name: str) -> str:
    return f"{_REFUSAL}{name}"


def is_refusal(error: YamlError) -> bool:
    """Tell whether an error is about an object that is not read, not about the syntax."""
    return str(error).startswith(_REFUSAL)


def _decoded(text: str) -> str:
    try:
        return binascii.a2b_base64(text).decode("utf-8", "replace")
    except binascii.Error:
        return ""


def _number(text: str) -> int | float | str:
    """Return the number that a text stands for; the text where it is none."""
    if _INTEGER.match(text):
        return _integer(text.replace(",", "").replace("_", ""))
    if _FLOAT.match(text) and text.lstrip("+-") != ".":
        return float(text.replace(",", "").replace("_", ""))
    sexagesimal = _SEXAGESIMAL.match(text)
    if sexagesimal is None:
        return text
    parts = text.replace("_", "").split(":")
    if sexagesimal[1] is None:
        return sum(int(part) * _WEIGHTS[index] for index, part in enumerate(parts))
    return sum(float(part) * _WEIGHTS[index] for index, part in enumerate(parts))


def _integer(text: str) -> int | str:
    digits = text.lstrip("+-")
    base = 10
    if digits[:1] == "0" and len(digits) > 1:
        base = {"x": 16, "b": 2}.get(digits[1], 8)
    try:
        return int(text, base)
    except ValueError:
        return text
