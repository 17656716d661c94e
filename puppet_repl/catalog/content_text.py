"""Values of the content of a catalog (rich data) as Puppet code, on one line or on several."""

from __future__ import annotations

from math import inf

from puppet_repl.base.float_text import code_float
from puppet_repl.catalog.content import Secret
from puppet_repl.language.values.quote import source_quote
from puppet_repl.language.values.sensitive import REDACTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.catalog.content import Json

NO_LINE_END = "\\ no line end"
_TYPE = "__ptype"
_VALUE = "__pvalue"


def value_text(value: Json) -> str:
    """Return a value on one line."""
    pieces: list[str] = []
    _write(value, pieces, inf)
    return "".join(pieces)


def value_lines(value: Json, width: int) -> list[str]:
    """Return a value as Puppet code, on as many lines as it needs.

    Arrays and hashes wider than ``width`` have a line for each item; a string is one line.
    """
    lines: list[str] = []
    _lay_out(value, "", "", width, lines)
    return lines


def is_text(*values: Json) -> bool:
    """Tell whether all values are strings and at least one has several lines."""
    return all(isinstance(value, str) for value in values) and any(
        "\n" in value.rstrip("\n") for value in values
    )


def text_lines(text: Json) -> list[str]:
    """Return the lines of a string; a last one tells when the last line has no end."""
    *lines, last = text.split("\n")
    return lines if not last else [*lines, last, NO_LINE_END]


def _write(value: Json, pieces: list[str], room: float) -> float:
    """Add the pieces of a value on one line; return how much room they leave.

    If this is negative, the pieces are incomplete and do not fit.
    """
    scalar = _scalar(value)
    if scalar is not None:
        pieces.append(scalar)
        return room - len(scalar)
    opening, closing, items = _opened(value)
    pieces.append(opening)
    room -= len(opening) + len(closing)
    for number, (before, item) in enumerate(items):
        if room < 0:
            return room
        pieces.append((", " if number else "") + before)
        room = _write(item, pieces, room - len(pieces[-1]))
    pieces.append(closing)
    return room


def _lay_out(value: Json, before: str, after: str, width: int, lines: list[str]) -> None:
    """Add the lines of a value; ``before`` begins with their indentation."""
    pieces = [before]
    fits = _write(value, pieces, width - len(before) - len(after)) >= 0
    if fits or _scalar(value) is not None:
        lines.append("".join(pieces) + after)
        return
    opening, closing, items = _opened(value)
    if not items:
        lines.append(before + opening + closing + after)
        return
    lines.append(before + opening.rstrip())
    indent = before[: len(before) - len(before.lstrip())]
    for key, item in items:
        _lay_out(item, f"{indent}  {key}", ",", width, lines)
    lines.append(indent + closing.lstrip() + after)


def _scalar(value: Json) -> str | None:
    """Return the text of a value without parts, None for others."""
    if value is None:
        return "undef"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return source_quote(value)
    if isinstance(value, float):
        return code_float(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, Secret):
        return REDACTED
    if isinstance(value, dict) and _TYPE in value:
        return _special(value)
    return None


def _special(value: dict[str, Json]) -> str | None:
    """Return the text of a value that JSON lacks, None for a value with parts."""
    name = value[_TYPE]
    inner = value.get(_VALUE)
    if name == "Default":
        return "default"
    if name == "Regexp" and isinstance(inner, str):
        return "/" + inner.replace("/", "\\/") + "/"
    if name == "Symbol" and isinstance(inner, str):
        return source_quote(inner)
    return None


def _opened(value: Json) -> tuple[str, str, list[tuple[str, Json]]]:
    """Return what a value with parts begins and ends with, and its parts."""
    if isinstance(value, list):
        return "[", "]", [("", item) for item in value]
    name = str(value.get(_TYPE, ""))
    if not name:
        return "{", "}", _entries((source_quote(str(key)), item) for key, item in value.items())
    if name == "Deferred":
        arguments = value.get("arguments") or []
        call: list[tuple[str, Json]] = [("", value.get("name"))]
        return "Deferred(", ")", [*call, *([("", arguments)] if arguments else [])]
    if name == "Hash":
        flat = value.get(_VALUE) or []
        pairs = zip(flat[::2], flat[1::2], strict=False)
        return "{", "}", _entries((value_text(key), item) for key, item in pairs)
    if _VALUE in value:
        return f"{name}(", ")", [("", value[_VALUE])]
    name = name.removeprefix("Pcore::").removesuffix("Type")
    parts = _entries((source_quote(key), item) for key, item in value.items() if key != _TYPE)
    return (f"{name}({{", "})", parts) if parts else (name, "", [])


def _entries(pairs: Iterable[tuple[str, Json]]) -> list[tuple[str, Json]]:
    return [(f"{key} => ", item) for key, item in pairs]
