"""Writes values under formats, each kind of value with the letters it knows."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.float_text import float_text, is_finite
from puppet_repl.language.types.algebra.infer import infer_set
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.collection import ARRAY, HASH
from puppet_repl.language.types.model.scalar import is_regexp
from puppet_repl.language.types.text.format import program_text
from puppet_repl.language.types.text.format_object import indented_text
from puppet_repl.language.types.text.format_spec import (
    Format,
    default_map,
    find_format,
    inner_defaults,
)
from puppet_repl.language.values.binary import Binary
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.integers import check_long
from puppet_repl.language.values.iterator import PuppetIterator
from puppet_repl.language.values.protocols import CallableValue, Instance, RuntimeValue
from puppet_repl.language.values.quote import double_quote, quote
from puppet_repl.language.values.ruby import no_conversion, no_method, ruby_class, ruby_quoted
from puppet_repl.language.values.semver import SemVer
from puppet_repl.language.values.sprintf import (
    Directive,
    character_of,
    format_float,
    format_integer,
    pad_text,
)
from puppet_repl.language.values.symbol import RubySymbol
from puppet_repl.language.values.text import to_text
from puppet_repl.language.values.time import TimeValue
from puppet_repl.language.values.uri import URI

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.types.text.format_spec import FormatMap
    from puppet_repl.language.values.protocols import Value

# The blanks of deeper values would take more time than anybody has; Puppet's stack ends here too.
_MAX_INDENTED = 1000
_SPACES = "\0\t\n\v\f\r "
_INTEGER_LETTERS = "dxXobB"
_FLOAT_LETTERS = "eEfgGaA"


class Indentation:
    """How deep containers are nested, and whether their elements go to lines of their own."""

    __slots__ = ("indenting", "is_first", "level")

    def __init__(self, level: int, is_first: bool, indenting: bool) -> None:
        self.level = level
        self.is_first = is_first
        self.indenting = indenting

    def breaks(self) -> bool:
        """Tell whether a container begins on a new line."""
        return self.indenting and self.level > 0 and not self.is_first

    def inner(self, is_first: bool, indenting: bool) -> Indentation:
        """Return the indentation of the elements."""
        if self.level > _MAX_INDENTED and (indenting or self.indenting):
            raise RecursionError
        return Indentation(self.level + 1, is_first, indenting)

    @property
    def padding(self) -> str:
        """The blanks at the beginning of a line."""
        return "  " * self.level


FIRST = Indentation(0, True, False)


def write(value: Any, formats: FormatMap, indentation: Indentation) -> str:
    """Write a value under a map of formats."""
    native = type(value)
    if native is PuppetIterator:
        value = tuple(value)
        native = tuple
    if formats is inner_defaults() and not _is_container(value):
        return program_text(value)
    if formats.keys() <= default_map().keys():
        # These are the narrowest types: the value's own class decides, not its parts.
        kind = ARRAY if native is tuple else HASH if native is PuppetHash else None
    else:
        kind = None
    format_ = formats[kind] if kind in formats else find_format(infer_set(value), formats)
    if native is tuple:
        return _write_array(value, format_, formats, indentation)
    if native is PuppetHash:
        return _write_hash(value, format_, formats, indentation)
    return write_scalar(value, format_, indentation)


def write_scalar(value: Any, format_: Format, indentation: Indentation) -> str:
    """Write anything but an Array or a Hash under one format."""
    format_.check_size()
    native = type(value)
    if native is str:
        return _write_string(value, format_)
    if native is bool:
        return _write_boolean(value, format_)
    if native is int:
        return _write_integer(value, format_)
    if native is float:
        return _write_float(value, format_)
    if value is None:
        return _write_undef(format_)
    if value is DEFAULT:
        return _write_default(format_)
    if isinstance(value, PuppetType):
        return _write_type(value, format_)
    return _write_rare(value, format_, indentation)


def _illegal(kind: str, format_: Format, expected: str) -> RuntimeFailure:
    return RuntimeFailure(
        f"Illegal format '{format_.letter}' specified for value of {kind} type - expected one of"
        f" the characters '{expected}'"
    )


def _with_flags(format_: Format, text: str) -> str:
    """Apply width, precision and ``-`` alone, whatever other flags there are."""
    flags = "-" if "-" in format_.flags else ""
    return pad_text(text, Directive(flags, format_.width, format_.precision))


def _under(format_: Format, text: str) -> str:
    """Write a text as sprintf's ``%s`` does under the flags of a format."""
    return text if format_.is_plain else pad_text(text, format_.directive())


def _write_string(value: str, format_: Format) -> str:
    letter = format_.letter
    if letter == "s":
        return _under(format_, value)
    if letter == "p":
        text = double_quote(value) if format_.is_alternative else quote(value)
        return _with_flags(format_, text)
    if letter == "c":
        text = value.capitalize()
    elif letter == "C":
        segments = value.split("::")
        while segments and not segments[-1]:
            segments.pop()
        text = "::".join(segment.capitalize() for segment in segments)
    elif letter == "u":
        text = value.upper()
    elif letter == "d":
        text = value.lower()
    elif letter == "t":
        text = value.strip(_SPACES)
    else:
        raise _illegal("String", format_, "cCudspt")
    return _with_flags(format_, quote(text)) if format_.is_alternative else _under(format_, text)


def _write_boolean(value: bool, format_: Format) -> str:
    letter = format_.letter
    if letter in "tT":
        text = "true" if value else "false"
    elif letter in "yY":
        text = "yes" if value else "no"
    elif letter in _INTEGER_LETTERS:
        return _write_integer(int(value), format_)
    elif letter in _FLOAT_LETTERS:
        return _write_float(float(value), format_)
    elif letter in "sp":
        return _with_flags(format_, "true" if value else "false")
    else:
        raise _illegal("Boolean", format_, "tTyYdxXobBeEfgGaAsp")
    if letter in "TY":
        text = text.capitalize()
    return _with_flags(format_, text[0] if format_.is_alternative else text)


def _write_integer(value: int, format_: Format) -> str:
    letter = format_.letter
    if letter in _INTEGER_LETTERS:
        return format_integer(value, format_.directive(), letter)
    if letter == "p":
        return _under(format_, str(value))
    if letter in _FLOAT_LETTERS:
        return format_float(_to_float(value), format_.directive(), letter)
    if letter == "c":
        if not 0 <= check_long(value) <= 0x10FFFF:
            raise RuntimeFailure("pack(U): value out of range")
        text = chr(value)
        return _under(format_, f'"{text}"' if format_.is_alternative else text)
    if letter == "s":
        text = str(value)
        return _under(format_, f'"{text}"' if format_.is_alternative else text)
    raise _illegal("Integer", format_, "dxXobBeEfgGaAspc")


def _to_float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _write_float(value: float, format_: Format) -> str:
    letter = format_.letter
    if letter in _INTEGER_LETTERS:
        if not is_finite(value):
            raise RuntimeFailure(float_text(value))
        return format_integer(int(value), format_.directive(), letter)
    if letter in _FLOAT_LETTERS:
        return format_float(value, format_.directive(), letter)
    if letter == "p":
        directive = format_.directive()
        # A precision would only cut digits off: the specification gives it no effect.
        return pad_text(float_text(value), Directive(directive.flags, directive.width))
    if letter == "s":
        text = float_text(value)
        return _under(format_, f'"{text}"' if format_.is_alternative else text)
    raise _illegal("Float", format_, "dxXobBeEfgGaAsp")


def _write_undef(format_: Format) -> str:
    letter = format_.letter
    if letter in _INTEGER_LETTERS or letter in _FLOAT_LETTERS:
        return _with_flags(format_, "NaN")
    texts = {
        "n": ("nil", "null"),
        "u": ("undef", "undefined"),
        "v": ("n/a", "n/a"),
        "V": ("N/A", "N/A"),
        "s": ("", '""'),
        "p": ("undef", '"undef"'),
    }.get(letter)
    if texts is None:
        raise _illegal("Undef", format_, "nudxXobBeEfgGaAvVsp")
    return _with_flags(format_, texts[format_.is_alternative])


def _write_default(format_: Format) -> str:
    letter = format_.letter
    if letter not in "dDsp":
        raise _illegal("Default", format_, "dDsp")
    text = "Default" if letter == "D" else "default"
    return _with_flags(format_, f'"{text}"' if format_.is_alternative else text)


def _write_type(value: PuppetType, format_: Format) -> str:
    text = str(value)
    if format_.letter == "s":
        return _under(format_, f'"{text}"' if format_.is_alternative else text)
    if format_.letter == "p":
        return _under(format_, text)
    raise _illegal("Type", format_, "sp")


def _write_rare(value: Any, format_: Format, indentation: Indentation) -> str:
    native = type(value)
    letter = format_.letter
    if native is Binary:
        return _write_binary(value, format_)
    if is_regexp(value):
        return _write_regexp(value, format_)
    if native is URI:
        text = to_text(value)
        if letter == "p":
            return str(value.puppet_program())
        if letter == "s":
            return _under(format_, quote(text) if format_.is_alternative else text)
        raise _illegal("URI", format_, "sp")
    if isinstance(value, Instance):
        return _write_object(value, format_, indentation)
    if isinstance(value, TimeValue):
        return _write_time(value, format_)
    if isinstance(value, CallableValue | RubySymbol | RuntimeValue):
        if letter not in "spq":
            raise _illegal("Runtime", format_, "spq")
        if letter == "q" and isinstance(value, RubySymbol):
            return value.ruby_inspect()
        return quote(to_text(value)) if letter == "p" else to_text(value)
    return _write_any(value, format_)


def _write_any(value: Any, format_: Format) -> str:
    """Write a value that only sprintf itself knows how to write."""
    letter = format_.letter
    if letter == "s":
        return _under(format_, to_text(value))
    if letter == "p":
        return _under(format_, program_text(value))
    format_.directive()
    if letter in _INTEGER_LETTERS + "iu":
        raise RuntimeFailure(f"can't convert {ruby_class(value)} into Integer")
    if letter in _FLOAT_LETTERS:
        raise RuntimeFailure(f"can't convert {ruby_class(value)} into Float")
    if letter == "c":
        # In Ruby a version is a number, which is asked for its Integer.
        raise no_method("to_i", value) if type(value) is SemVer else no_conversion(value, "Integer")
    raise RuntimeFailure(f"malformed format string - %{letter}")


def _write_time(value: Any, format_: Format) -> str:
    letter = format_.letter
    if letter in _INTEGER_LETTERS or letter in "iu":
        return format_integer(value.whole_seconds, format_.directive(), letter)
    if letter in _FLOAT_LETTERS:
        return format_float(value.seconds, format_.directive(), letter)
    if letter == "c":
        return _under(format_, character_of(value.whole_seconds))
    return _write_any(value, format_)


def _write_binary(value: Binary, format_: Format) -> str:
    letter = format_.letter
    if letter == "p":
        return f'Binary("{_under(format_, to_text(value))}")'
    if letter == "s":
        if not format_.is_alternative:
            return _under(format_, value.puppet_plain())
        text = value.data.decode("latin-1")
        return _under(format_, _dump_bytes(text))
    if letter == "b":
        text = value.relaxed_text()
    elif letter == "B":
        text = value.puppet_text()
    elif letter == "u":
        text = value.url_safe_text()
    elif letter in "tT":
        text = "Binary" if letter == "t" else "BINARY"
    else:
        raise _illegal("Binary", format_, "bButTsp")
    return _under(format_, ruby_quoted(text) if format_.is_alternative else text)


def _dump_bytes(text: str) -> str:
    """Write bytes as Ruby inspects a binary string: all but ASCII in hexadecimal."""
    parts = []
    for character in ruby_quoted(text).replace("\\u00", "\\x"):
        parts.append(character if character < "\x80" else f"\\x{ord(character):02X}")
    return "".join(parts)


def _write_regexp(value: Any, format_: Format) -> str:
    if format_.letter == "p":
        return _under(format_, to_text(value))
    if format_.letter == "s":
        text = value.puppet_plain()
        return _under(format_, quote(text) if format_.is_alternative else text)
    raise _illegal("Regexp", format_, "sp")


def _write_object(value: Instance, format_: Format, indentation: Indentation) -> str:
    letter = format_.letter
    if letter not in "spq":
        raise _illegal("Object", format_, "spq")
    if letter == "p" and (format_.is_alternative or indentation.indenting):
        return indented_text(value, indentation.level)
    return value.puppet_program() if letter == "p" else to_text(value)


def _is_container(value: Value) -> bool:
    native = type(value)
    return native is tuple or native is PuppetHash or isinstance(value, Instance)


def _is_collection(value: Value) -> bool:
    return type(value) is tuple or type(value) is PuppetHash


def _opening(indentation: Indentation) -> str:
    return f"\n{indentation.padding}" if indentation.breaks() else ""


def _write_array(
    values: tuple[Any, ...], format_: Format, formats: FormatMap, indentation: Indentation
) -> str:
    if format_.letter not in "asp":
        raise _illegal("Array", format_, "asp")
    separator = ", " if format_.separator is None else format_.separator
    inner_formats = format_.inner or inner_defaults()
    opening, closing = format_.delimiters(("[", "]"))
    alternative = format_.is_alternative
    indentation = Indentation(
        indentation.level, indentation.is_first, alternative or indentation.indenting
    )
    inner = indentation.inner(False, alternative)
    texts = []
    for value in values:
        chosen = formats if _is_container(value) else inner_formats
        texts.append(write(value, chosen, inner))
    breaking = False
    if alternative and format_.width is not None:
        breaking = _widest_run(values, texts) > format_.width
    result = _opening(indentation) + opening
    for index, (value, text) in enumerate(zip(values, texts, strict=True)):
        nested = _is_collection(value)
        if index == 0:
            if breaking and not nested:
                result += " "
        else:
            result += separator
            after_nested = alternative and _is_collection(values[index - 1])
            if not nested and (breaking or after_nested):
                if not result.endswith("\n"):
                    result = result.rstrip(_SPACES)
                result += "\n" + inner.padding
        if result.endswith(" ") and text.startswith("\n"):
            result = result.rstrip(_SPACES)
        result += text
    return result + closing


def _widest_run(values: tuple[Value, ...], texts: list[str]) -> int:
    """Return the longest run of elements that no nested container interrupts."""
    widest = current = 0
    for value, text in zip(values, texts, strict=True):
        current = 0 if _is_collection(value) else current + len(text)
        widest = max(widest, current)
    return widest


def _write_hash(
    values: PuppetHash, format_: Format, formats: FormatMap, indentation: Indentation
) -> str:
    if format_.letter == "a":
        pairs = tuple(values.items())
        return write(pairs, formats, indentation)
    if format_.letter not in "hsp":
        raise _illegal("Hash", format_, "hasp")
    separator = ", " if format_.separator is None else format_.separator
    association = " => " if format_.separator2 is None else format_.separator2
    inner_formats = format_.inner or inner_defaults()
    opening, closing = format_.delimiters(("{", "}"))
    alternative = format_.is_alternative
    indentation = Indentation(
        indentation.level, indentation.is_first, alternative or indentation.indenting
    )
    inner = indentation.inner(True, False)
    padding = ""
    if alternative:
        if not separator.endswith("\n"):
            separator = separator.rstrip(_SPACES)
        separator += "\n"
        padding = inner.padding
    # Joined once, since the content may be long.
    pieces = [_opening(indentation), opening, "\n" if alternative else ""]
    for number, pair in enumerate(values.items()):
        key, value = [
            write(part, formats if _is_container(part) else inner_formats, inner) for part in pair
        ]
        pieces += [separator if number else "", padding, key, association, value]
    if alternative:
        pieces += ["\n", indentation.padding]
    return "".join([*pieces, closing])
