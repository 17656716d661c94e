"""Values of Puppet <-> the JSON that crosses to Ruby. The other half is shim/values.rb.

Plain data are plain JSON. Other values are objects with the key "~", the kind of the value. A value
that only one side understands is sent as a handle: a number in that side's table.
"""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.environment.ruby.data_types import DataTypes, RubyInstance
from puppet_repl.environment.ruby.numbers import next_number
from puppet_repl.environment.ruby.objects import RubyBlock, RubyObject
from puppet_repl.language.functions.legacy import ResourceArgument
from puppet_repl.language.runtime.closure import Closure
from puppet_repl.language.types.model.alias import TypeAliasType
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.resource import ClassType, ResourceType
from puppet_repl.language.values.binary import Binary
from puppet_repl.language.values.default import DEFAULT, UNSET
from puppet_repl.language.values.extent import check_extent
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import PuppetIterator
from puppet_repl.language.values.protocols import Instance, PuppetValue
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.ruby import ruby_class
from puppet_repl.language.values.semver import SemVer
from puppet_repl.language.values.semver_range import SemVerRange
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.language.values.symbol import RubySymbol
from puppet_repl.language.values.text import to_text
from puppet_repl.language.values.time import Timespan, Timestamp
from puppet_repl.language.values.uri import URI

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.language.values.protocols import Value

TAG = "~"
_PLAIN = frozenset((int, bool, float, type(None)))


class Handles:
    """The values of ours that Ruby refers to by number, until it has collected its objects."""

    def __init__(self) -> None:
        self._values: dict[int, Value] = {}

    def add(self, value: Value) -> int:
        """Return a new number for a value."""
        number = next_number()
        self._values[number] = value
        return number

    def get(self, number: int) -> Value:
        """Return the value of a number."""
        try:
            return self._values[number]
        except KeyError:
            raise RuntimeFailure("This value is no longer available to Ruby code") from None

    def remove(self, numbers: list[int]) -> None:
        """Forget values."""
        for number in numbers:
            self._values.pop(number, None)


class Codec:
    """Encodes and decodes the values of one session.

    ``parse_type`` returns the type that a text means there, ``call_block`` calls a block of Ruby.
    ``mark_bytes`` notes that a string is of bytes in Ruby. ``constants`` returns the values
    by identity that are frozen there.
    """

    def __init__(
        self,
        parse_type: Callable[[str], PuppetType],
        call_block: Callable[[int, tuple[Value, ...]], Value],
        mark_bytes: Callable[[str, bytes], str],
        constants: Callable[[], dict[int, Value]],
    ) -> None:
        self.handles = Handles()
        # Objects of one Ruby share a list, to which each adds its number when it is collected.
        self._released: list[int] = []
        self._referred = 0
        self._parse_type = parse_type
        self._call_block = call_block
        self.mark_bytes = mark_bytes
        self._constants = constants
        # The constants to mark in the encoded value; empty inside of a marked constant.
        self._frozen: dict[int, Value] = {}
        # The constants that were sent, and their numbers by identity; Ruby sends the number back.
        self._sent_constants: list[Value] = []
        self._constant_numbers: dict[int, int] = {}
        self.data_types: DataTypes

    # Objects of Ruby that values here refer to

    @property
    def refers_to_ruby(self) -> bool:
        """Whether a value refers to an object of the Ruby that runs."""
        return self._referred > len(self._released)

    def take_released(self) -> list[int]:
        """Return the numbers of the objects that are needed no longer, each once."""
        taken, self._released[:] = self._released[:], []
        self._referred -= len(taken)
        return taken

    def expect_another_ruby(self) -> None:
        """Note that Ruby has ended: the next one gives the same numbers to other objects."""
        self._released = []
        self._referred = 0

    def _refer(self) -> list[int]:
        self._referred += 1
        return self._released

    def is_alive(self, value: RubyObject) -> bool:
        """Tell whether the Ruby of an object still runs."""
        return value.released is self._released

    def number_of(self, value: RubyObject) -> int:
        """Return the number of an object in the Ruby that runs."""
        self._check(value.released)
        return value.number

    def _check(self, released: list[int]) -> None:
        if released is not self._released:
            raise RuntimeFailure("This object of Ruby is gone: its Ruby has ended")

    def _reference(self, value: RubyObject | RubyBlock) -> dict[str, Any]:
        self._check(value.released)
        return {TAG: "ruby", "v": value.number}

    # To Ruby

    def encode(self, value: Any) -> Any:
        """Return the JSON-like form of a value, which is written out: nothing in it is shared."""
        if type(value) in _PLAIN:
            return value
        check_extent(value)
        if type(value) is not str:
            self._frozen = self._constants()
        return self._encoded(value)

    def encode_copy(self, value: Any) -> Any:
        """Return the form of a value as encode() does, with nothing frozen in it."""
        check_extent(value)
        self._frozen = {}
        return self._encoded(value)

    def encode_frozen(self, value: Any) -> Any:
        """Return the form of a value that is frozen with all that is in it."""
        encoded = self.encode(value)
        is_constant = type(encoded) is dict and encoded.get(TAG) == "frozen"
        return encoded if is_constant else {TAG: "frozen", "v": encoded}

    def _encoded(self, value: Any) -> Any:
        kind = type(value)
        if kind is str:
            return value if value.isascii() else _text(value)
        if kind in _PLAIN:
            return value
        if kind is not tuple and kind is not PuppetHash:
            return self._rich(value)
        if id(value) in self._frozen:
            outside, self._frozen = self._frozen, {}
            number = self._constant_numbers.get(id(value))
            if number is None:
                number = self._constant_numbers[id(value)] = len(self._sent_constants)
                self._sent_constants.append(value)
            encoded = {TAG: "frozen", "v": self._encoded(value), "n": number}
            self._frozen = outside
            return encoded
        if kind is tuple:
            return [self._encoded(item) for item in value]
        return self._hash(value)

    def _hash(self, value: PuppetHash) -> Any:
        keys = value.keys()
        if all(type(key) is str and key.isascii() and key != TAG for key in keys):
            return {key: self._encoded(item) for key, item in value.items()}
        pairs = [[self._encoded(key), self._encoded(item)] for key, item in value.items()]
        return {TAG: "hash", "v": pairs}

    def _rich(self, value: Any) -> dict[str, Any]:
        encode = _ENCODERS.get(type(value))
        if encode is not None:
            return encode(self, value)
        if isinstance(value, PuppetType):
            return self._type(value)
        if isinstance(value, Closure):
            return self.block(value)
        if isinstance(value, PuppetIterator):
            return {TAG: "iterator", "h": self.handles.add(value)}
        return self._object(value)

    def _type(self, value: PuppetType) -> dict[str, Any]:
        # The text alone would not do: an exact string is String there, names depend on the place.
        data: dict[str, Any] = {TAG: "type", "v": str(value), "k": value.kind, "name": value.name}
        data["h"] = self.handles.add(value)
        if isinstance(value, ResourceType):
            data["k"] = "Resource"
            data["type_name"] = value.type_name
            data["title"] = value.title
        elif isinstance(value, ClassType):
            data["class_name"] = value.class_name
        elif isinstance(value, TypeAliasType):
            data["resolved"] = self._type(value.resolved())
        return data

    def _object(self, value: Value) -> dict[str, Any]:
        members: list[str] = []
        if isinstance(value, Instance):
            members = sorted(str(key) for key in value.init_hash().keys())
        text = value.ruby_text() if isinstance(value, PuppetValue) else to_text(value)
        data = {TAG: "object", "h": self.handles.add(value), "s": text, "m": members}
        data["c"] = ruby_class(value)
        return data

    def block(self, block: Closure) -> dict[str, Any]:
        """Return the form of a lambda, which becomes a block in Ruby."""
        if type(block) is RubyBlock:
            return self._reference(block)
        parameters = [
            [
                "rest" if one.captures_rest else "opt" if one.has_default else "req",
                one.name,
            ]
            for one in block.spec.parameters
        ]
        return {TAG: "closure", "h": self.handles.add(block), "p": parameters}

    # From Ruby

    def decode(self, data: Any) -> Any:
        """Return the value of a JSON-like form."""
        kind = type(data)
        if kind is str or kind in _PLAIN:
            return data
        if kind is list:
            return tuple([self.decode(item) for item in data])
        tag = data.get(TAG)
        if tag is None:
            return PuppetHash([(key, self.decode(item)) for key, item in data.items()])
        return _DECODERS[tag](self, data)

    def decode_all(self, data: list[Any]) -> tuple[Any, ...]:
        """Return the values of arguments."""
        return tuple([self.decode(item) for item in data])

    def _decode_type(self, data: dict[str, Any]) -> Value:
        return self.handles.get(data["h"]) if "h" in data else self._parse_type(data["v"])

    def _decode_object(self, data: dict[str, Any]) -> Value:
        return RubyObject(data["v"], data["c"], data["s"], data["i"], self._refer())

    def _decode_data_object(self, data: dict[str, Any]) -> Value:
        found = RubyObject(data["v"], "", "", "", self._refer())
        return self.data_types.instance(data["n"], found, data["i"])

    def _decode_constant(self, data: dict[str, Any]) -> Value:
        return self._sent_constants[data["n"]]

    def _decode_block(self, data: dict[str, Any]) -> Value:
        number = data["v"]
        released = self._refer()

        def run(*args: Value) -> Value:
            self._check(released)
            return self._call_block(number, args)

        return RubyBlock(number, data["p"], run, released)

    def _decode_resource(self, data: dict[str, Any]) -> Value:
        return ResourceArgument(data["type"], data["title"])


def _text(value: str) -> Any:
    """Encode a string that is not ASCII; a string that is not Unicode is sent as bytes."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        try:
            raw = value.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            raw = value.encode("utf-8", "surrogatepass")
        return {TAG: "bytes", "v": b2a_base64(raw, newline=False).decode()}
    return value


def _bytes(codec: Codec, data: dict[str, Any]) -> str:
    raw = a2b_base64(data["v"])
    try:
        text = raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = raw.decode("utf-8", "surrogateescape")
    return codec.mark_bytes(text, raw) if "binary" in data else text


def _regexp_source(value: Regexp) -> str:
    return value.puppet_text() if value.flags else value.pattern


_ENCODERS: dict[type, Callable[[Codec, Any], dict[str, Any]]] = {
    type(DEFAULT): lambda codec, value: {TAG: "default"},
    Sensitive: lambda codec, value: {TAG: "sensitive", "v": codec._encoded(value.value)},
    Regexp: lambda codec, value: {TAG: "regexp", "v": _regexp_source(value)},
    Binary: lambda codec, value: {TAG: "binary", "v": value.puppet_text()},
    Timestamp: lambda codec, value: {TAG: "timestamp", "v": value.ns},
    Timespan: lambda codec, value: {TAG: "timespan", "v": value.ns},
    SemVer: lambda codec, value: {TAG: "semver", "v": value.puppet_text()},
    SemVerRange: lambda codec, value: {TAG: "semverrange", "v": value.puppet_text()},
    URI: lambda codec, value: {TAG: "uri", "v": value.puppet_text()},
    ResourceArgument: lambda codec, value: {
        TAG: "resource",
        "type": value.type_name,
        "title": value.title,
        "namevar": "path" if value.type_name == "File" else "name",
    },
    RubySymbol: lambda codec, value: {TAG: "symbol", "v": value.name},
    RubyObject: Codec._reference,
    RubyInstance: lambda codec, value: {TAG: "ruby", "v": value.number()},
}
_DECODERS: dict[str, Callable[[Codec, dict[str, Any]], Any]] = {
    "bytes": _bytes,
    "hash": lambda codec, data: PuppetHash(
        [(codec.decode(key), codec.decode(item)) for key, item in data["v"]]
    ),
    "default": lambda codec, data: DEFAULT,
    "not_found": lambda codec, data: UNSET,
    "symbol": lambda codec, data: RubySymbol(data["v"]),
    "data_object": Codec._decode_data_object,
    "ruby": Codec._decode_object,
    "frozen": Codec._decode_constant,
    "proc": Codec._decode_block,
    "closure": lambda codec, data: codec.handles.get(data["h"]),
    "object": lambda codec, data: codec.handles.get(data["h"]),
    "type": Codec._decode_type,
    "resource": Codec._decode_resource,
    "sensitive": lambda codec, data: Sensitive(codec.decode(data["v"])),
    "regexp": lambda codec, data: Regexp(data["v"]),
    "binary": lambda codec, data: Binary(a2b_base64(data["v"])),
    "timestamp": lambda codec, data: Timestamp(data["v"]),
    "timespan": lambda codec, data: Timespan(data["v"]),
    "semver": lambda codec, data: SemVer.parse(data["v"]),
    "semverrange": lambda codec, data: SemVerRange.parse(data["v"]),
    "uri": lambda codec, data: URI.parse(data["v"]),
}
