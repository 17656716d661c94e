"""Format specifications of String.new: one format, and maps from types to formats.

A format is ``%``, flags, a width, a precision and one letter. Formats of containers also have
separators and a map of formats for their elements (StringConverter::Format).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.model.base import ANY, PuppetType
from puppet_repl.language.types.model.binary import BINARY
from puppet_repl.language.types.model.collection import ARRAY, HASH
from puppet_repl.language.types.model.object import OBJECT
from puppet_repl.language.types.model.scalar import FLOAT, NUMERIC
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import ruby_class, ruby_inspect
from puppet_repl.language.values.sprintf import LONGEST, Directive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from puppet_repl.language.values.protocols import Value

    FormatMap: TypeAlias = dict[PuppetType, "Format"]

# Flags, width, precision, letter.
FORMAT = r"^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$"
_DELIMITERS = {"[": ("[", "]"), "{": ("{", "}"), "(": ("(", ")"), "<": ("<", ">"), "|": ("|", "|")}
_CONTAINER_KEYS = ("separator", "separator2", "format", "string_formats")
# The more special of two kinds that do not accept each other comes first.
_RANKS = {
    "Struct": 1,
    "Hash": 2,
    "Tuple": 3,
    "Array": 4,
    "Pattern": 10,
    "Enum": 11,
    "String": 12,
}


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(FORMAT, re.MULTILINE | re.ASCII)


class Format:
    """One format; immutable."""

    __slots__ = (
        "flags",
        "inner",
        "letter",
        "precision",
        "separator",
        "separator2",
        "text",
        "width",
    )

    def __init__(
        self,
        text: str,
        separator: str | None = None,
        separator2: str | None = None,
        inner: FormatMap | None = None,
    ) -> None:
        match = _pattern().search(text)
        if match is None:
            raise RuntimeFailure(
                f"The format '{text}' is not a valid format on the form"
                " '%<flags><width>.<prec><format>'"
            )
        self.text = text
        self.flags: str = match[1]
        self.width = int(match[2]) if match[2] else None
        self.precision = int(match[3]) if match[3] else None
        self.letter: str = match[4]
        self.separator = separator
        self.separator2 = separator2
        self.inner = inner
        if len(set(self.flags)) != len(self.flags):
            raise RuntimeFailure(f"The same flag can only be used once, got '{text}'")
        if len(set(self.flags) & set(_DELIMITERS)) > 1:
            raise RuntimeFailure(
                "Only one of the delimiters [ { ( < | can be given in the format flags,"
                f" got '{text}'"
            )

    def check_size(self) -> None:
        """Raise RuntimeFailure for a width or precision that no text may have."""
        if max(self.width or 0, self.precision or 0) > LONGEST:
            raise RuntimeFailure("width too big")

    @property
    def is_alternative(self) -> bool:
        """Tell whether the flag ``#`` is there."""
        return "#" in self.flags

    @property
    def is_plain(self) -> bool:
        """Tell whether there is nothing but a letter."""
        return len(self.text) == 2

    def delimiters(self, default: tuple[str, str]) -> tuple[str, str]:
        """Return what encloses a container: from a flag; nothing under a blank; the default."""
        for flag in self.flags:
            if flag in _DELIMITERS:
                return _DELIMITERS[flag]
        return ("", "") if " " in self.flags else default

    def directive(self) -> Directive:
        """Return the directive of sprintf. Raises RuntimeFailure for flags it does not have."""
        for flag in self.flags:
            if flag in "<{":
                raise RuntimeFailure("malformed name - unmatched parenthesis")
            if flag not in " #+-0":
                raise RuntimeFailure(f"malformed format string - %{flag}")
        return Directive(self.flags, self.width, self.precision)

    def under(self, higher: Format) -> Format:
        """Return the higher format, completed from this one."""
        inner = merge_maps(self.inner, higher.inner)
        separator = self.separator if higher.separator is None else higher.separator
        separator2 = self.separator2 if higher.separator2 is None else higher.separator2
        return Format(higher.text, separator, separator2, inner)


def merge_maps(lower: FormatMap | None, higher: FormatMap | None) -> FormatMap | None:
    """Put one map over another: wider types in the higher map hide narrower lower formats."""
    if not lower or not higher:
        return lower or higher
    merged: FormatMap = {}
    for kind, format_ in lower.items():
        if not any(over != kind and over.accepts_type(kind) for over in higher):
            merged[kind] = format_
    for kind, format_ in higher.items():
        below = merged.get(kind)
        merged[kind] = format_ if below is None else below.under(format_)
    return dict(_sorted(list(merged.items())))


def _sorted(entries: list[tuple[PuppetType, Format]]) -> list[tuple[PuppetType, Format]]:
    """Merge sort from the top down.

    The order is not total, so the result depends on the algorithm; this is the one of the C library
    under Ruby.
    """
    if len(entries) < 2:
        return entries
    half = len(entries) // 2
    left, right = _sorted(entries[:half]), _sorted(entries[half:])
    merged = []
    while left and right:
        merged.append((left if _compare(left[0], right[0]) <= 0 else right).pop(0))
    return merged + left + right


def _compare(one: tuple[PuppetType, Format], two: tuple[PuppetType, Format]) -> int:
    """Order special types before general ones, and the rest by rank or text."""
    left, right = one[0], two[0]
    if left == right:
        return 0
    narrower, wider = right.accepts_type(left), left.accepts_type(right)
    if narrower != wider:
        return -1 if narrower else 1
    left_rank, right_rank = _RANKS.get(left.kind, 0), _RANKS.get(right.kind, 0)
    if left_rank == 0 or right_rank == 0:
        left_text, right_text = str(left), str(right)
        return (left_text > right_text) - (left_text < right_text)
    return left_rank - right_rank


@cache
def inner_defaults() -> FormatMap:
    """Return the formats inside containers: everything as program text."""
    return {ANY: Format("%p")}


@cache
def default_map() -> FormatMap:
    """Return the default formats."""
    return {
        OBJECT: Format("%p"),
        FLOAT: Format("%f"),
        NUMERIC: Format("%d"),
        ARRAY: Format("%a", ", ", ", ", inner_defaults()),
        HASH: Format("%h", ", ", " => ", inner_defaults()),
        BINARY: Format("%B"),
        ANY: Format("%s"),
    }


@lru_cache(maxsize=256)
def format_of(text: str) -> Format:
    """Read a format; those in use are kept."""
    return Format(text)


@lru_cache(maxsize=256)
def container_map(text: str, is_hash: bool) -> FormatMap:
    """Return the formats where one is given for an Array or a Hash."""
    return merge_maps(default_map(), {HASH if is_hash else ARRAY: Format(text)}) or {}


def map_of(formats: Value) -> FormatMap:
    """Read a Hash from types to formats, as it was given to String.new."""
    if type(formats) is not PuppetHash:
        raise RuntimeFailure(
            f"expected a hash with type to format mappings, got instance of '{ruby_class(formats)}'"
        )
    read: FormatMap = {}
    for kind, given in formats.items():
        if not isinstance(kind, PuppetType):
            raise RuntimeFailure(
                "top level keys in the format hash must be data types, got instance of"
                f" '{ruby_class(kind)}'"
            )
        read[kind] = _container_format(given) if type(given) is PuppetHash else Format(given)
    return read


def _container_format(given: PuppetHash) -> Format:
    for key in given.keys():
        if key not in _CONTAINER_KEYS:
            known = ", ".join(f"'{name}'" for name in _CONTAINER_KEYS)
            raise RuntimeFailure(
                f"only {known} are allowed in a container format, got {_inspect(given)}"
            )
    inner = given.get("string_formats")
    return Format(
        given.get("format") or "",
        given.get("separator"),
        given.get("separator2"),
        None if inner is None else map_of(inner),
    )


def _inspect(given: PuppetHash) -> str:
    return ruby_inspect(PuppetHash([(str(key), str(value)) for key, value in given.items()]))


def find_format(kind: PuppetType, formats: FormatMap) -> Format:
    """Return the first format whose type accepts the type of a value."""
    for wanted, format_ in formats.items():
        if wanted.accepts_type(kind):
            return format_
    return Format("%s")
