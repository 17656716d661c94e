"""The constructors of Timespan and Timestamp."""

from __future__ import annotations

from puppet_repl.language.types.making.constructor import Constructor, Way
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.strptime import parse_timestamp
from puppet_repl.language.values.time import Timespan, Timestamp
from puppet_repl.language.values.timespan_fields import timespan_of

_FORMATS = {"Formats": "Variant[String[2],Array[String[2], 1]]"}


def _timespan_of_fields(days: int, *parts: int) -> Timespan:
    names = ("hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds")
    return timespan_of(PuppetHash([("days", days), *zip(names, parts, strict=False)]))


def _timespan_of_string_hash(given: PuppetHash) -> Timespan:
    return Timespan.parse(given["string"], given.get("format"))


def _timestamp_of_hash(given: PuppetHash) -> Timestamp:
    return parse_timestamp(given["string"], given.get("format"), given.get("timezone"))


NEW_TIMESPAN = Constructor(
    "new_timespan",
    Way(Timespan.from_seconds, "Variant[Integer,Float] seconds"),
    Way(Timespan.parse, "String[1] string", "Formats format?"),
    Way(
        _timespan_of_fields,
        "Integer days",
        "Integer hours",
        "Integer minutes",
        "Integer seconds",
        "Integer milliseconds?",
        "Integer microseconds?",
        "Integer nanoseconds?",
    ),
    Way(
        _timespan_of_string_hash,
        "Struct[{string => String[1], Optional[format] => Formats}] hash_arg",
    ),
    Way(
        timespan_of,
        "Struct[{Optional[negative] => Boolean, Optional[days] => Integer,"
        " Optional[hours] => Integer, Optional[minutes] => Integer,"
        " Optional[seconds] => Integer, Optional[milliseconds] => Integer,"
        " Optional[microseconds] => Integer, Optional[nanoseconds] => Integer}] hash_arg",
    ),
    aliases=_FORMATS,
)
NEW_TIMESTAMP = Constructor(
    "new_timestamp",
    Way(Timestamp.now),
    Way(Timestamp.from_seconds, "Variant[Integer,Float] seconds"),
    Way(parse_timestamp, "String[1] string", "Formats format?", "String[1] timezone?"),
    Way(
        _timestamp_of_hash,
        "Struct[{string => String[1], Optional[format] => Formats,"
        " Optional[timezone] => String[1]}] hash_arg",
    ),
    aliases=_FORMATS,
)
