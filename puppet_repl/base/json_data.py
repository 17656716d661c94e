"""JSON as plain data, for files and requests that others wrote."""

from __future__ import annotations

import re
from json import JSONDecodeError, loads

from puppet_repl.base.float_text import float_text, is_finite
from puppet_repl.base.limits import MAX_DATA_DEPTH, MAX_DIGITS
from puppet_repl.base.recursion import deep_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_STRING = r'"(?:[^"\\]|\\.)*+"?'
_BRACKET = re.compile(rf"{_STRING}|([\[{{])|([\]}}])", re.DOTALL)
_CONSTANT = re.compile(rf"{_STRING}|(-?Infinity|NaN)", re.DOTALL)
_LONG_NUMBER = re.compile(rf"[0-9]{{{MAX_DIGITS + 1}}}")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
# Escapes that are whole, or one half of a pair in the group.
_HALF_PAIR = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.DOTALL,
)


class JsonDataError(ValueError):
    """The text is not JSON; the message is the reason and the place, if that is known."""

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        location = "" if line is None else f" (line: {line}, column: {column})"
        super().__init__(reason + location)
        self.reason = reason
        self.line = line
        self.column = column


class JsonLimitError(JsonDataError):
    """The text is JSON, but nested too deeply, or a number is too long."""


def read_json(text: str, *, keep_half_pairs: bool = False) -> Any:
    """Return the value of a JSON text as None, bool, int, float, str, list and dict.

    NaN and Infinity are refused, half a surrogate pair becomes U+FFFD unless ``keep_half_pairs``.
    Raises JsonDataError.
    """
    if text.startswith("\ufeff"):
        raise JsonDataError("a byte order mark is not JSON", 1, 1)
    if is_deeper(text, MAX_DATA_DEPTH):
        raise JsonLimitError(f"nested more than {MAX_DATA_DEPTH:,} deep")
    if not keep_half_pairs and _SURROGATE.search(text):
        text = _HALF_PAIR.sub(lambda found: r"\ufffd" if found[1] else found[0], text)

    def refuse(name: str) -> NoReturn:
        found = next(found for found in _CONSTANT.finditer(text) if found[1] == name)
        line, column = _location(text, found.start())
        raise JsonDataError(f"{name} is not JSON", line, column)

    whole_number = _integer if _LONG_NUMBER.search(text) else None
    try:
        with deep_calls:
            return loads(text, parse_constant=refuse, parse_int=whole_number)
    except JSONDecodeError as error:
        raise JsonDataError(error.msg, error.lineno, error.colno) from None
    except JsonDataError:
        raise
    except RecursionError:
        raise JsonLimitError("nested too deeply") from None
    except ValueError:  # Python's own limit of digits
        raise JsonLimitError("a number has too many digits") from None


def with_finite_numbers(data: Any) -> Any:
    """Return JSON data with texts for the numbers that JSON cannot repeat: 1e999 is Infinity."""
    if isinstance(data, list):
        return [with_finite_numbers(item) for item in data]
    if isinstance(data, dict):
        return {key: with_finite_numbers(item) for key, item in data.items()}
    return float_text(data) if type(data) is float and not is_finite(data) else data


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise JsonLimitError(f"a number has more than {MAX_DIGITS:,} digits")
    return int(digits)


def has_half_pairs(text: str) -> bool:
    """Tell whether a text may have halves of surrogate pairs as escapes."""
    return (
        any(found[1] for found in _HALF_PAIR.finditer(text)) if _SURROGATE.search(text) else False
    )


def is_deeper(text: str, limit: int) -> bool:
    """Tell whether brackets in a JSON text are nested deeper than a limit."""
    if text.count("[") + text.count("{") <= limit:
        return False
    depth = 0
    for found in _BRACKET.finditer(text):
        if found[1]:
            depth += 1
            if depth > limit:
                return True
        elif found[2]:
            depth -= 1
    return False


def _location(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
