"""YAML as Ruby's library Psych writes it: the events, and the styles of scalars.

The events are written by libyaml, as in Ruby, where PyYAML has it, else by PyYAML itself.
"""

from __future__ import annotations

import re

import yaml

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.float_text import float_text
from puppet_repl.base.yaml_data import is_plain_string
from puppet_repl.language.functions.stdlib.ruby_values import to_int
from puppet_repl.language.types.model.scalar import StringType
from puppet_repl.language.values.array import may_be_literal
from puppet_repl.language.values.binary import Binary
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.extent import check_extent
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import PuppetValue
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.ruby import no_method, ruby_class, ruby_inspect, ruby_text
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.language.values.symbol import RubySymbol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value

    Node = yaml.ScalarEvent | yaml.CollectionStartEvent

_Emitter: Any = getattr(yaml, "CBaseDumper", yaml.BaseDumper)
_SPECIAL_FLOATS = {"Infinity": ".inf", "-Infinity": "-.inf", "NaN": ".nan"}
# Psych's patterns, in Ruby's notation.
_SEVERAL_LINES = Regexp(r"\n(?!\Z)")
_BEGINS_WITH_A_SIGN = Regexp(r"^[^[:word:]][^\"]*$")
_LIKE_OCTAL = re.compile(r"0[0-7]*[89]")
_STRING_TAG = "tag:yaml.org,2002:str"


def yaml_text(value: Value, options: PuppetHash) -> str:
    """Return a value as a YAML document; ``options`` are those of Psych, by its names."""
    for name in options.keys():
        if type(name) is not str:
            raise no_method("to_sym", name)
    check_extent(value)
    events = _Events(_folding_width(options.get("line_width")))
    events.add(value)
    stream = _Stream()
    settings: dict[str, Any] = {
        setting: to_int(options.get(name))
        for name, setting in (("indentation", "indent"), ("line_width", "width"))
        if options.has(name)
    }
    emitter = _Emitter(
        stream,
        canonical=options.get("canonical") is True,
        allow_unicode=True,
        **settings,
    )
    version = _version(options)
    try:
        emitter.emit(yaml.StreamStartEvent(encoding=None))
        emitter.emit(yaml.DocumentStartEvent(explicit=True, version=version))
        for event in events.events:
            emitter.emit(event)
        emitter.emit(yaml.DocumentEndEvent(explicit=False))
        emitter.open_ended = False  # unlike libyaml, PyYAML itself would end a scalar with "..."
        emitter.emit(yaml.StreamEndEvent())
    except yaml.YAMLError as error:
        raise RuntimeFailure(str(error)) from None
    return stream.text()


def _folding_width(width: Value) -> float | None:
    """Return the length from which strings are folded; None for never."""
    if width is None or width is False:
        return None
    if type(width) is not int and type(width) is not float:
        if type(width) is str:
            raise RuntimeFailure("comparison of String with 0 failed")
        raise no_method("<", width)
    return None if width < 0 else width


def _version(options: PuppetHash) -> tuple[int, int] | None:
    """Return the version for the directive, None for no directive."""
    header = options.get("header")
    if not options.has("version"):
        return None if header is None or header is False else (1, 1)
    given = options.get("version")
    if type(given) is str:
        parts = tuple([int(part) if part.isdigit() else 0 for part in given.split(".")])
    elif type(given) is tuple:
        parts = tuple([to_int(part) for part in given])
    else:
        return (1, 1)
    if len(parts) != 2 or parts not in ((1, 1), (1, 2)):
        raise RuntimeFailure("incompatible %YAML directive")
    return (parts[0], parts[1])


class _Stream:
    """What an emitter writes, as text or as bytes."""

    def __init__(self) -> None:
        self._parts: list[str | bytes] = []

    def write(self, part: str | bytes) -> None:
        self._parts.append(part)

    def text(self) -> str:
        return "".join(
            [part if isinstance(part, str) else part.decode("utf-8") for part in self._parts]
        )


class _Events:
    """The events of a value. A repeated object becomes an alias."""

    def __init__(self, folding_width: float | None) -> None:
        self.events: list[yaml.Event] = []
        self._folding_width = folding_width
        self._known: dict[int, Node] = {}
        self._anchors = 0

    def add(self, value: Value) -> None:
        """Add the events of a value."""
        kind = type(value)
        if value is None:
            self._add_plain("")
        elif isinstance(value, str):
            self._add_string(value)
        elif kind is bool or kind is int:
            self._add_plain(ruby_text(value))
        elif isinstance(value, float):
            text = float_text(value)
            self._add_plain(_SPECIAL_FLOATS.get(text, text))
        elif value is DEFAULT:
            self._add_plain(ruby_inspect(value))
        elif isinstance(value, RubySymbol):
            self._add_symbol(value.name)
        elif not self._add_alias(value):
            self._add_object(value)

    def _add_alias(self, value: Value) -> bool:
        node = self._known.get(id(value))
        if node is None:
            return False
        if node.anchor is None:
            self._anchors += 1
            node.anchor = str(self._anchors)
        self.events.append(yaml.AliasEvent(node.anchor))
        return True

    def _add_object(self, value: Value) -> None:
        if isinstance(value, tuple):
            self._start(value, yaml.SequenceStartEvent(None, None, implicit=True, flow_style=False))
            for item in value:
                self.add(item)
            self.events.append(yaml.SequenceEndEvent())
        elif isinstance(value, PuppetHash):
            self._add_mapping(value, None, value.items())
        elif isinstance(value, Regexp):
            implicit = (False, False)
            self._start(
                value, yaml.ScalarEvent(None, "!ruby/regexp", implicit, ruby_inspect(value))
            )
        else:
            tag = f"!ruby/object:{ruby_class(value)}"
            self._add_mapping(value, tag, instance_variables(value))

    def _add_mapping(self, value: Value, tag: str | None, entries: Any) -> None:
        start = yaml.MappingStartEvent(None, tag, implicit=tag is None, flow_style=False)
        self._start(value, start)
        for key, item in entries:
            self.add(key)
            self.add(item)
        self.events.append(yaml.MappingEndEvent())

    def _start(self, value: Value, event: Node) -> None:
        if not may_be_literal(value) and value is not PuppetHash.EMPTY:
            self._known[id(value)] = event
        self.events.append(event)

    def _add_plain(self, text: str) -> None:
        self.events.append(yaml.ScalarEvent(None, None, (True, False), text))

    def _add_symbol(self, name: str) -> None:
        if name:
            self._add_plain(f":{name}")
        else:
            self.events.append(yaml.ScalarEvent(None, "!ruby/symbol", (False, False), ""))

    def _add_string(self, text: str) -> None:
        tag = None
        implicit = (True, True)
        style = ""
        if _SEVERAL_LINES.matches(text):
            style = "|"
        elif text == "<<":
            style, tag, implicit = "'", _STRING_TAG, (False, False)
        elif text in ("y", "n"):
            style = '"'
        elif self._folding_width is not None and len(text) > self._folding_width:
            style = ">"
        elif _BEGINS_WITH_A_SIGN.matches(text):
            style = '"'
        elif not is_plain_string(text) or _LIKE_OCTAL.match(text):
            style = "'"
        self.events.append(yaml.ScalarEvent(None, tag, implicit, text, style=style))


def instance_variables(value: Value) -> list[tuple[str, Value]]:
    """Return the instance variables of Ruby's object by name; none for an unknown class."""
    if isinstance(value, Sensitive):
        return [("value", value.value)]
    if isinstance(value, Binary):
        return [("binary_buffer", value.data.decode("latin-1"))]
    if not isinstance(value, PuppetValue):
        return []
    if isinstance(value, StringType):
        return [("size_type_or_value", value.size if value.value is None else value.value)]
    names = _VARIABLES.get(ruby_class(value), {})
    return [(name, getattr(value, attribute)) for name, attribute in names.items()]


_TYPES = "Puppet::Pops::Types::P"
_RANGE = {"from": "low", "to": "high"}
# The attributes here of what the objects have in Ruby, by the class.
_VARIABLES: dict[str, dict[str, str]] = {
    f"{_TYPES}IntegerType": _RANGE,
    f"{_TYPES}FloatType": _RANGE,
    f"{_TYPES}ArrayType": {"size_type": "size", "element_type": "element"},
    f"{_TYPES}HashType": {"size_type": "size", "key_type": "key", "value_type": "value"},
    f"{_TYPES}BooleanType": {"value": "value"},
    f"{_TYPES}ClassType": {"class_name": "class_name"},
    f"{_TYPES}ResourceType": {
        "type_name": "type_name",
        "title": "title",
        "downcased_name": "lower_name",
    },
    "Puppet::Pops::Time::Timestamp": {"nsecs": "ns"},
    "Puppet::Pops::Time::Timespan": {"nsecs": "ns"},
    "SemanticPuppet::Version": {
        "major": "major",
        "minor": "minor",
        "patch": "patch",
        "prerelease": "prerelease",
        "build": "build",
    },
}
