"""PuppetHash as a Mapping of Python's, and values as what Python works with."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given

from puppet_repl.language.values.binary import Binary
from puppet_repl.language.values.compare import exact_equals
from puppet_repl.language.values.hash import PuppetHash, hash_key
from puppet_repl.language.values.python import from_python, to_python
from puppet_repl.language.values.sensitive import REDACTED, Sensitive
from puppet_repl.language.values.time import Timespan, Timestamp
from puppet_repl.session import Options, Session
from tests.language.values.test_hash import KEYS, PAIRS

SESSION = Session(Options(stdlib="off"), facts={})


def value_of(code: str) -> Any:
    outcome = SESSION.execute(code, record=False)
    assert outcome.error is None, outcome.error
    return outcome.value


@given(PAIRS, KEYS)
def test_a_hash_is_a_mapping(pairs: list[tuple[Any, Any]], key: Any) -> None:
    made = PuppetHash(pairs)
    assert isinstance(made, Mapping)
    items = list(made.items())
    assert [*map(repr, made)] == [repr(each) for each, _ in items] == [*map(repr, made.keys())]
    assert list(reversed(made)) == list(made)[::-1]
    assert len(made) == len(items) == len(made.keys())
    assert (key in made) == made.has(key) == (key in made.keys())
    assert (key in made) == any(hash_key(each) == hash_key(key) for each, _ in items)
    for each, value in items:
        assert made[each] == value
        assert (each, value) in made.items()


def test_what_python_does_with_a_mapping() -> None:
    made = value_of("{a => 1, b => [2, {c => 3}]}")
    assert list(made) == ["a", "b"]
    assert dict(made) == {"a": 1, "b": (2, {"c": 3})}
    assert {**made, "a": 9} == {"a": 9, "b": (2, {"c": 3})}
    assert dict(**made) == dict(made)
    assert made.keys() & {"b", "x"} == {"b"}
    assert json.loads(json.dumps(made, default=dict)) == {"a": 1, "b": [2, {"c": 3}]}
    match made:
        case {"a": first, **rest}:
            assert (first, rest) == (1, {"b": (2, {"c": 3})})
        case _:
            pytest.fail("it does not match")
    with pytest.raises(KeyError, match="nothing"):
        made["nothing"]


@pytest.mark.parametrize(
    ("code", "data", "same"),
    [
        ("{}", {}, True),
        ("{a => 1, b => 2}", {"b": 2, "a": 1}, True),
        ("{a => [1, {b => undef}]}", {"a": [1, {"b": None}]}, True),
        ("{a => [1]}", {"a": (1,)}, True),
        ("{a => 1}", {"a": 1, "b": 2}, False),
        ("{a => 1}", {"a": "1"}, False),
        ("{a => 1}", {"a": 1.0}, False),
        ("{a => 1}", {"a": True}, False),
        ("{1 => a}", {1: "a"}, True),
        ("{1 => a}", {1.0: "a"}, False),
        ("{a => x}", {"a": "X"}, False),
        ("{a => 1}", {"a": object()}, False),
        ("{a => {b => 1}}", {"a": {"b": 1}}, True),
    ],
)
def test_a_hash_equals_a_dict_that_makes_it(code: str, data: dict[Any, Any], same: bool) -> None:
    made = value_of(code)
    assert (made == data) is same
    assert (data == made) is same
    assert (made != data) is not same


def test_a_hash_equals_nothing_else() -> None:
    made = value_of("{a => 1}")
    assert made != [("a", 1)]
    assert made != "a"
    assert made == PuppetHash([("a", 1)])
    assert {made: 1}[PuppetHash([("a", 1)])] == 1


NAUGHT = datetime(1970, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("undef", None),
        ("true", True),
        ("1.5", 1.5),
        ("[]", []),
        ("[1, [a, undef]]", [1, ["a", None]]),
        ("{a => {b => [1]}}", {"a": {"b": [1]}}),
        ("{[1, [2]] => x}", {(1, (2,)): "x"}),
        ("{{a => 1} => x}", {PuppetHash([("a", 1)]): "x"}),
        ("Binary('YWJj', '%b')", b"abc"),
        ("Binary('', '%b')", b""),
        ("Timestamp(1.5)", NAUGHT + timedelta(seconds=1.5)),
        ("Timestamp(-1.5)", NAUGHT - timedelta(seconds=1.5)),
        ("Timestamp('2001-02-03T04:05:06')", datetime(2001, 2, 3, 4, 5, 6, tzinfo=UTC)),
        ("Timespan('1-02:03:04')", timedelta(days=1, hours=2, minutes=3, seconds=4)),
        ("Timespan(-0.000001999)", timedelta(microseconds=-1)),
        ("[1, 2].reverse_each", [2, 1]),
        ("{a => [1, 2].reverse_each}", {"a": [2, 1]}),
        ("Integer[1, 3].step(2)", [1, 3]),
    ],
)
def test_to_python(code: str, wanted: object) -> None:
    made = to_python(value_of(code))
    assert made == wanted
    assert type(made) is type(wanted)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("Integer[1, 2]", "Integer[1, 2]"),
        ("File['/x']", "File['/x']"),
        ("/a.b/", "/a.b/"),
        ("SemVer('1.2.3')", "1.2.3"),
        ("URI('http://a/b')", "http://a/b"),
        ("default", "default"),
        ("Sensitive({a => 1})", REDACTED),
        ("Timestamp('9999-12-31') + Timespan(864000)", "10000-01-10T00:00:00.000000000 UTC"),
    ],
)
def test_what_python_has_nothing_for_stays(code: str, text: str) -> None:
    value = value_of(code)
    made = to_python(value)
    assert made is value
    assert str(made) == text
    assert to_python((value,)) == [value]


@pytest.mark.parametrize(
    "code", ["{1 => a, 1.0 => b}", "{true => a, 1 => b}", "{[1] => a, [true] => b}"]
)
def test_keys_are_not_mixed_up(code: str) -> None:
    value = value_of(code)
    made = to_python(value)
    assert type(made) is PuppetHash
    assert exact_equals(made, value)


def test_converters_say_what_becomes_of_a_class() -> None:
    value = value_of("{a => Sensitive([1, {b => Sensitive(x)}]), c => /x/, d => 1}")
    shown = to_python(value, {Sensitive: str})
    assert shown == {"a": REDACTED, "c": value["c"], "d": 1}
    opened = to_python(value, {Sensitive: lambda secret: secret.value, int: lambda each: -each})
    assert opened == {"a": [-1, {"b": "x"}], "c": value["c"], "d": -1}
    assert value.to_python() == {"a": value["a"], "c": value["c"], "d": 1}


def test_values_whose_parts_are_too_many_are_refused() -> None:
    value = value_of("Integer[1, 40].reduce([1]) |$memo, $_n| { [$memo, $memo] }")
    with pytest.raises(ValueError, match="parts"):
        to_python(value)


def test_deep_values() -> None:
    made = to_python(value_of("Integer[1, 2000].reduce([1]) |$memo, $_n| { [$memo] }"))
    for _ in range(2001):
        made = made[0]
    assert made == 1


class Colour(StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ({"a": [1, {"b": None}]}, PuppetHash([("a", (1, PuppetHash([("b", None)])))])),
        (b"abc", Binary(b"abc")),
        (NAUGHT + timedelta(seconds=2), Timestamp(2_000_000_000)),
        (
            datetime(1970, 1, 1, 1, tzinfo=timezone(timedelta(hours=1))),
            Timestamp(0),
        ),
        (timedelta(microseconds=-1), Timespan(-1000)),
        (Colour.RED, "red"),
        ((1, True, 2.0), (1, True, 2.0)),
        (Sensitive("x"), Sensitive("x")),
    ],
)
def test_from_python(value: object, wanted: object) -> None:
    made = from_python(value)
    assert made == wanted
    assert type(made) is type(wanted)


@pytest.mark.parametrize(
    "value", [{1, 2}, object(), [print], date(2000, 1, 1), datetime(2000, 1, 1)]
)
def test_what_puppet_has_nothing_for_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="Puppet has no value for"):
        from_python(value)


def test_there_and_back() -> None:
    data = {"a": [1, 2.5, None, True, {"b": "c"}], "t": NAUGHT, "d": timedelta(1), "x": b"\0"}
    assert to_python(from_python(data)) == data


def test_a_hash_can_be_pickled() -> None:
    value = value_of("{a => [1, {2.0 => x}]}")
    assert pickle.loads(pickle.dumps(value)) == value
