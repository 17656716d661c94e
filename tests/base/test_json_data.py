"""The one reading of JSON."""

from __future__ import annotations

import math

import pytest

from puppet_repl.base.json_data import (
    JsonDataError,
    JsonLimitError,
    is_deeper,
    read_json,
)
from puppet_repl.base.limits import MAX_DATA_DEPTH, MAX_DIGITS


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('{"a": [1, 1.5, true, null, "text"]}', {"a": [1, 1.5, True, None, "text"]}),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ("1e999", math.inf),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('"a\\ud83db"', "a\ufffdb"),
        ('"\\ude00"', "\ufffd"),
        ('"\\\\ud83d"', "\\ud83d"),
        ('"\\ud83d\\ud83d\\ude00"', "\ufffd\U0001f600"),
        ('"NaN"', "NaN"),
    ],
)
def test_data(text: str, data: object) -> None:
    assert read_json(text) == data


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1,\n x]", "Expecting value (line: 2, column: 2)"),
        ('["NaN",\n NaN]', "NaN is not JSON (line: 2, column: 2)"),
        ("[Infinity, -Infinity]", "Infinity is not JSON (line: 1, column: 2)"),
        ("-Infinity", "-Infinity is not JSON (line: 1, column: 1)"),
        ('"\t"', "Invalid control character at (line: 1, column: 2)"),
        ("", "Expecting value (line: 1, column: 1)"),
    ],
)
def test_error_says_where(text: str, message: str) -> None:
    with pytest.raises(JsonDataError) as caught:
        read_json(text)
    assert str(caught.value) == message


def test_depth() -> None:
    deep = "[" * MAX_DATA_DEPTH + "]" * MAX_DATA_DEPTH
    value = read_json(deep)
    for _ in range(MAX_DATA_DEPTH - 1):
        (value,) = value
    assert value == []
    for text in (f"[{deep}]", f'{{"a": {deep}}}', "[" * 1_000_000):
        with pytest.raises(JsonLimitError, match="nested more than 1,000 deep"):
            read_json(text)


def test_what_is_wide_is_not_deep() -> None:
    assert len(read_json("[" + "[], " * 5000 + "[]]")) == 5001
    assert read_json('["' + "[" * 5000 + '", "\\"["]') == ["[" * 5000, '"[']
    assert not is_deeper('{"[[[": [1]}', 2)
    assert is_deeper('{"a": [[1]]}', 2)


def test_digits() -> None:
    assert read_json(f'"{"9" * (MAX_DIGITS + 1)}"') == "9" * (MAX_DIGITS + 1)
    with pytest.raises(JsonLimitError, match="more than 100,000 digits"):
        read_json(f"[-{'9' * (MAX_DIGITS + 1)}]")
