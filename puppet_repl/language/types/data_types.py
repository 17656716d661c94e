"""The data types of the language: one record each.

The names that the interpreter finds, help, completion, rich data and the list of the lexer come
from here. A data type is loaded by its path when a program first names it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class DataType:
    """One data type.

    ``path`` is its module below this package and the constant there; ``constructor`` is
    one where the type can be called. ``parameters`` and ``text`` are for help, which leaves out
    types without a text. ``rich_data`` writes a value of the type as a string, where the values are
    of a class of their own.
    """

    __slots__ = ("constructor", "example", "name", "parameters", "path", "rich_data", "text")

    def __init__(
        self,
        name: str,
        path: str,
        *,
        parameters: str = "",
        text: str = "",
        example: str = "",
        constructor: str = "",
        rich_data: Callable[[Any], str] | None = None,
    ) -> None:
        self.name = name
        self.path = path
        self.parameters = parameters
        self.text = text
        self.example = example
        self.constructor = constructor
        self.rich_data = rich_data


def _text(value: Any) -> str:
    text: str = value.puppet_text()
    return text


def _source(value: Any) -> str:
    pattern: str = value.pattern
    return pattern


def _utc_time(value: Any) -> str:
    text: str = value.format("%FT%T.%N %Z")
    return text


RECORDS = (
    DataType(
        "Annotation",
        "model.object.ANNOTATION",
    ),
    DataType(
        "Any",
        "model.base.ANY",
        text="Every value, undef included.",
        example="Any",
    ),
    DataType(
        "Array",
        "model.collection.ARRAY",
        parameters="[ELEMENT, MIN, MAX]",
        text="Arrays, with a type and a number of elements.",
        example="[1, 2]",
        constructor="making.collections_constructors.NEW_ARRAY",
    ),
    DataType(
        "Binary",
        "model.binary.BINARY",
        text="A sequence of bytes, written in base 64.",
        example="Binary('aGVsbG8=')",
        constructor="making.others_constructors.NEW_BINARY",
        rich_data=_text,
    ),
    DataType(
        "Boolean",
        "model.scalar.BOOLEAN",
        parameters="[VALUE]",
        text="true and false; Boolean[true] is true alone.",
        example="true",
        constructor="making.numbers_constructors.NEW_BOOLEAN",
    ),
    DataType(
        "Callable",
        "model.callable.CALLABLE",
        parameters="[TYPE..., MIN, MAX, BLOCK]",
        text="Lambdas and functions that can be called with arguments of these types.",
        example="Callable[String, Integer]",
    ),
    DataType(
        "CatalogEntry",
        "model.resource.CATALOG_ENTRY",
        text="References to resources and classes.",
        example="File['/etc/motd']",
    ),
    DataType(
        "Class",
        "model.resource.CLASS",
        parameters="[NAME]",
        text="References to classes.",
        example="Class['apache']",
    ),
    DataType(
        "Collection",
        "model.collection.COLLECTION",
        parameters="[MIN, MAX]",
        text="Arrays and hashes.",
        example="[1]",
    ),
    DataType(
        "Data",
        "model.data.DATA",
        text="What JSON can represent: numbers, strings, booleans, undef, arrays and hashes.",
        example="{'a' => 1}",
    ),
    DataType(
        "Default",
        "model.base.DEFAULT_TYPE",
        text="The value default.",
        example="default",
    ),
    DataType(
        "Deferred",
        "making.builtin_objects.DEFERRED",
        text="A function call that the agent evaluates.",
        example="Deferred('upcase', ['a'])",
    ),
    DataType(
        "Enum",
        "model.scalar.ENUM",
        parameters="[STRING..., IGNORE_CASE]",
        text="One of the listed strings; with true at the end, in upper or lower case.",
        example="Enum['a', 'b']",
    ),
    DataType(
        "Error",
        "making.builtin_objects.ERROR",
        parameters="[KIND, ISSUE_CODE]",
        text="An error as a value.",
        example="Error('it broke')",
    ),
    DataType(
        "Float",
        "model.scalar.FLOAT",
        parameters="[FROM, TO]",
        text="Numbers with a fraction, within a range.",
        example="1.5",
        constructor="making.numbers_constructors.NEW_FLOAT",
    ),
    DataType(
        "Hash",
        "model.collection.HASH",
        parameters="[KEY, VALUE, MIN, MAX]",
        text="Hashes, with types of keys and values.",
        example="{'a' => 1}",
        constructor="making.collections_constructors.NEW_HASH",
    ),
    DataType(
        "Init",
        "making.init.INIT",
        parameters="[TYPE, ARGUMENT...]",
        text="Values from which TYPE can be constructed.",
        example="Init[Integer]",
    ),
    DataType(
        "Integer",
        "model.scalar.INTEGER",
        parameters="[FROM, TO]",
        text="Whole numbers of 64 bits, within a range.",
        example="42",
        constructor="making.numbers_constructors.NEW_INTEGER",
    ),
    DataType(
        "Iterable",
        "model.wrapper.ITERABLE",
        parameters="[TYPE]",
        text="Values that can be iterated over: arrays, hashes, strings, ranges.",
        example="[1]",
    ),
    DataType(
        "Iterator",
        "model.wrapper.ITERATOR",
        parameters="[TYPE]",
        text="Lazy sequences, as reverse_each and step return them.",
    ),
    DataType(
        "NotUndef",
        "model.wrapper.NOT_UNDEF",
        parameters="[TYPE]",
        text="A value of TYPE that is not undef.",
        example="NotUndef[Any]",
        constructor="making.others_constructors.NEW_NOT_UNDEF",
    ),
    DataType(
        "Numeric",
        "model.scalar.NUMERIC",
        text="Integer and Float.",
        example="1",
        constructor="making.numbers_constructors.NEW_NUMERIC",
    ),
    DataType(
        "Object",
        "model.object.OBJECT",
        parameters="[{...}]",
        text="Types with attributes, defined in Puppet code.",
    ),
    DataType(
        "Optional",
        "model.wrapper.OPTIONAL",
        parameters="[TYPE]",
        text="A value of TYPE, or undef.",
        example="Optional[String]",
    ),
    DataType(
        "Pattern",
        "model.scalar.PATTERN",
        parameters="[REGEXP...]",
        text="Strings that match one of the patterns.",
        example="Pattern[/^a/]",
    ),
    DataType(
        "Pcore",
        "making.pcore.PCORE",
    ),
    DataType(
        "Puppet::LookupKey",
        "model.data.LOOKUP_KEY",
    ),
    DataType(
        "Puppet::LookupValue",
        "model.data.LOOKUP_VALUE",
    ),
    DataType(
        "Regexp",
        "model.scalar.REGEXP",
        parameters="[REGEXP]",
        text="Regular expressions.",
        example="/^a.*z$/",
        constructor="making.others_constructors.NEW_REGEXP",
        rich_data=_source,
    ),
    DataType(
        "Resource",
        "model.resource.RESOURCE",
        parameters="[TYPE, TITLE...]",
        text="References to resources.",
        example="Resource['file', '/tmp']",
    ),
    DataType(
        "RichData",
        "model.data.RICH_DATA",
        text="Data, and values that a catalog can transport: times, versions, types ...",
    ),
    DataType(
        "RichDataKey",
        "model.data.RICH_DATA_KEY",
    ),
    DataType(
        "RubyMethod",
        "making.pcore.RUBY_METHOD",
    ),
    DataType(
        "Runtime",
        "model.ruby.RUNTIME",
        parameters="[RUNTIME, NAME]",
        text="Values of the host language.",
    ),
    DataType(
        "Scalar",
        "model.scalar.SCALAR",
        text="Values without parts: numbers, strings, booleans, times, versions.",
        example="1",
    ),
    DataType(
        "ScalarData",
        "model.scalar.SCALAR_DATA",
        text="Numbers, strings and booleans.",
        example="1",
    ),
    DataType(
        "SemVer",
        "model.version.SEM_VER",
        parameters="[RANGE...]",
        text="Semantic versions.",
        example="SemVer('1.2.3')",
        constructor="making.others_constructors.NEW_SEM_VER",
        rich_data=_text,
    ),
    DataType(
        "SemVerRange",
        "model.version.SEM_VER_RANGE",
        text="Ranges of semantic versions.",
        example="SemVerRange('>=1.0.0 <2.0.0')",
        constructor="making.others_constructors.NEW_SEM_VER_RANGE",
        rich_data=_text,
    ),
    DataType(
        "Sensitive",
        "model.wrapper.SENSITIVE",
        parameters="[TYPE]",
        text="A value that is never shown.",
        example="Sensitive('secret')",
        constructor="making.others_constructors.NEW_SENSITIVE",
    ),
    DataType(
        "String",
        "model.scalar.STRING",
        parameters="[MIN, MAX]",
        text="Strings, of a length within a range.",
        example="'text'",
        constructor="making.others_constructors.NEW_STRING",
    ),
    DataType(
        "Struct",
        "model.collection.STRUCT",
        parameters="[{KEY => TYPE, ...}]",
        text="Hashes with exactly these keys; Optional['key'] marks a key that may be missing.",
        example="Struct[{'port' => Integer}]",
        constructor="making.collections_constructors.NEW_HASH",
    ),
    DataType(
        "Timespan",
        "model.time.TIMESPAN",
        parameters="[FROM, TO]",
        text="Durations.",
        example="Timespan('1-02:03:04')",
        constructor="making.times_constructors.NEW_TIMESPAN",
        rich_data=_text,
    ),
    DataType(
        "Timestamp",
        "model.time.TIMESTAMP",
        parameters="[FROM, TO]",
        text="Points in time.",
        example="Timestamp('2024-01-31T12:00:00Z')",
        constructor="making.times_constructors.NEW_TIMESTAMP",
        rich_data=_utc_time,
    ),
    DataType(
        "Tuple",
        "model.collection.TUPLE",
        parameters="[TYPE..., MIN, MAX]",
        text="Arrays with a type for each position.",
        example="[1, 'a']",
        constructor="making.collections_constructors.NEW_ARRAY",
    ),
    DataType(
        "Type",
        "model.wrapper.TYPE",
        parameters="[TYPE]",
        text="Types as values.",
        example="Integer",
        constructor="making.constructor.NEW_TYPE",
    ),
    DataType(
        "TypeAlias",
        "model.alias.UNRESOLVED_ALIAS",
        text="A name for another type.",
        example="type Port = Integer[1, 65535]",
    ),
    DataType(
        "TypeReference",
        "model.alias.UNRESOLVED",
        parameters="[NAME]",
        text="An unresolved reference to a type.",
    ),
    DataType(
        "TypeSet",
        "model.typeset.TYPE_SET",
        parameters="[{...}]",
        text="A versioned set of types.",
    ),
    DataType(
        "Undef",
        "model.base.UNDEF",
        text="The value undef.",
        example="undef",
    ),
    DataType(
        "URI",
        "model.uri.URI_TYPE",
        parameters="[PARTS]",
        text="Addresses.",
        example="URI('http://example.com/')",
        constructor="making.others_constructors.NEW_URI",
        rich_data=_text,
    ),
    DataType(
        "Variant",
        "model.wrapper.VARIANT",
        parameters="[TYPE...]",
        text="A value of one of the types.",
        example="Variant[Integer, String]",
    ),
)
DATA_TYPES = {record.name.lower(): record for record in RECORDS}
DOCUMENTED = {record.name: record for record in RECORDS if record.text}
