"""The constructors of String, Regexp, Sensitive, Binary, SemVer, SemVerRange and URI."""

from __future__ import annotations

from puppet_repl.language.types.making.constructor import Constructor, Way
from puppet_repl.language.types.text.convert import convert
from puppet_repl.language.types.text.format_spec import FORMAT
from puppet_repl.language.values.binary import Binary, decode_base64
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.semver import PARTS, SemVer
from puppet_repl.language.values.semver_range import SemVerRange
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.language.values.uri import URI
from puppet_repl.language.values.uri_components import uri_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value

_NUMBERS = r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"
_ESCAPES = {
    **{character: f"\\{character}" for character in "[]{}()|-*.\\?+^$# "},
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\f": "\\f",
    "\v": "\\v",
}


def _same(value: Value) -> Value:
    return value


def _regexp(pattern: str, escape: bool = False) -> Regexp:
    """Make a regular expression of a text; ``escape`` makes the text match itself."""
    if escape:
        pattern = "".join(_ESCAPES.get(character, character) for character in pattern)
    made = Regexp(pattern)
    made.check()
    return made


def _binary_of_text(text: str, format_: str | None = None) -> Binary:
    if format_ in ("%s", "%r"):
        return Binary(text.encode())
    return decode_base64(text, format_ or "%B")


def _binary_of_bytes(data: tuple[int, ...]) -> Binary:
    return Binary(bytes(data))


def _binary_of_hash(given: PuppetHash) -> Binary:
    value = given["value"]
    if type(value) is tuple:
        return _binary_of_bytes(value)
    return _binary_of_text(value, given.get("format"))


def _version(
    major: int, minor: int, patch: int, prerelease: str | None = None, build: str | None = None
) -> SemVer:
    """Make a version of its parts; a prerelease of several is kept as one, as Puppet does."""
    return SemVer(
        major,
        minor,
        patch,
        None if prerelease is None else (prerelease,),
        None if build is None else (build,),
    )


def _version_of_hash(given: PuppetHash) -> SemVer:
    return _version(*[given.get(name) for name in ("major", "minor", "patch")], *_rest(given))


def _rest(given: PuppetHash) -> list[Any]:
    return [given.get("prerelease"), given.get("build")]


def _refuse_version(text: str) -> str:
    return f"The string '{text}' cannot be converted to a SemVer"


def _range(low: Any, high: Any = DEFAULT, exclude_high: bool = False) -> SemVerRange:
    low = None if low is DEFAULT else low
    return SemVerRange.between(low, None if high is DEFAULT else high, exclude_high)


def _range_of_hash(given: PuppetHash) -> SemVerRange:
    return _range(given["min"], given.get("max", DEFAULT), given.get("exclude_max", False))


def _uri_of_hash(given: PuppetHash) -> URI:
    return uri_of({str(name): part for name, part in given.items()})


NEW_NOT_UNDEF = Constructor("new_unit", Way(_same, "Any from"))
NEW_STRING = Constructor(
    "new_string",
    Way(convert, "Convertible from", "Formats string_formats?"),
    aliases={
        "Format": f"Pattern[/{FORMAT}/]",
        "ContainerFormat": (
            "Struct[{Optional[format] => Format, Optional[separator] => String,"
            " Optional[separator2] => String,"
            " Optional[string_formats] => Hash[Type, Format]}]"
        ),
        "TypeMap": "Hash[Type, Variant[Format, ContainerFormat]]",
        "Convertible": "Any",
        "Formats": "Variant[Default, String[1], TypeMap]",
    },
)
NEW_REGEXP = Constructor("new_float", Way(_regexp, "String pattern", "Boolean escape?"))
NEW_SENSITIVE = Constructor(
    "new_Sensitive", Way(_same, "Sensitive value"), Way(Sensitive, "Any value")
)
NEW_BINARY = Constructor(
    "new_Binary",
    Way(_binary_of_text, "String str", "Base64Format format?"),
    Way(_binary_of_bytes, "Array[ByteInteger] byte_array"),
    Way(_binary_of_hash, "BinaryArgsHash hash_args"),
    aliases={
        "ByteInteger": "Integer[0,255]",
        "Base64Format": "Enum['%b', '%u', '%B', '%s', '%r']",
        "StringHash": "Struct[{value => String, 'format' => Optional[Base64Format]}]",
        "ArrayHash": "Struct[{value => Array[ByteInteger]}]",
        "BinaryArgsHash": "Variant[StringHash, ArrayHash]",
    },
)
NEW_SEM_VER = Constructor(
    "new_Version",
    Way(SemVer.parse, "SemVerPattern str"),
    Way(
        _version,
        "PositiveInteger major",
        "PositiveInteger minor",
        "PositiveInteger patch",
        "SemVerQualifier prerelease?",
        "SemVerQualifier build?",
    ),
    Way(_version_of_hash, "SemVerHash hash_args"),
    Way(_refuse_version, "String str", is_refusal=True),
    aliases={
        "PositiveInteger": "Integer[0,default]",
        "SemVerQualifier": r"Pattern[/\A(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*\Z/]",
        "SemVerPattern": rf"Pattern[/\A{_NUMBERS}(?:-({PARTS}))?(?:\+({PARTS}))?\Z/]",
        "SemVerHash": (
            "Struct[{major=>PositiveInteger,minor=>PositiveInteger,patch=>PositiveInteger,"
            "Optional[prerelease]=>SemVerQualifier,Optional[build]=>SemVerQualifier}]"
        ),
    },
)
NEW_SEM_VER_RANGE = Constructor(
    "new_VersionRange",
    Way(SemVerRange.parse, "SemVerRangeString str"),
    Way(
        _range,
        "Variant[Default,SemVer] min",
        "Variant[Default,SemVer] max",
        "Boolean exclude_max?",
    ),
    Way(_range_of_hash, "SemVerRangeHash hash_args"),
    aliases={
        "SemVerRangeString": "String[1]",
        "SemVerRangeHash": (
            "Struct[{min=>Variant[Default,SemVer],Optional[max]=>Variant[Default,SemVer],"
            "Optional[exclude_max]=>Boolean}]"
        ),
    },
)
NEW_URI = Constructor(
    "new_error",
    Way(URI.parse, "String[1] uri"),
    Way(
        _uri_of_hash,
        "Struct[{Optional[scheme] => String[1], Optional[userinfo] => String[1],"
        " Optional[host] => String[1], Optional[port] => Integer[0],"
        " Optional[path] => String[1], Optional[query] => String[1],"
        " Optional[fragment] => String[1], Optional[opaque] => String[1]}] hash",
    ),
)
