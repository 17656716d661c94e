"""What holds for all values: texts read back, conversions come back, operands stay as they are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.types.making.new import construct
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.text.convert import convert
from puppet_repl.language.types.text.format import program_text
from puppet_repl.language.values.binary import Binary, decode_base64
from puppet_repl.language.values.compare import NotComparableError, compare, equals, exact_equals
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash, hash_key
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.semver import SemVer
from puppet_repl.language.values.semver_range import SemVerRange
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.language.values.strptime import parse_timestamp
from puppet_repl.language.values.text import to_text
from puppet_repl.language.values.time import Timespan, Timestamp
from puppet_repl.language.values.uri import URI
from puppet_repl.session import Session

# Puppet itself does not read a single backslash back as it wrote it.
TEXTS = st.text(st.characters(exclude_characters="\\", codec="utf-8"), max_size=6)
# Nor does it read the + in the exponents that it writes.
NUMBERS = st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(-1e14, 1e14)
PLAIN = st.none() | st.booleans() | NUMBERS | TEXTS | st.just(DEFAULT)
TIMES = st.integers(-(10**19), 10**19)
DATA = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.lists(st.tuples(TEXTS | NUMBERS, inner), max_size=3).map(PuppetHash)
    ),
    max_leaves=8,
)
RARE = st.sampled_from(
    [
        Regexp("a+"),
        SemVer.parse("1.2.3-rc1"),
        SemVerRange.parse(">=1.0.0"),
        Binary(b"abc"),
        URI.parse("http://a/b"),
        Sensitive("x"),
        Timespan(1_500_000_000),
        Timestamp(1_500_000_000),
        parse_type("Integer[1, 5]"),
        parse_type("Array[String]"),
    ]
)
VALUES = DATA | RARE
OPERATORS = (
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "=~",
    "!~",
    "in",
)


def _evaluate(code: str, **variables: Any) -> Any:
    session = Session()
    for name, value in variables.items():
        session._context.top.bind(name, value)
    outcome = session.execute(code)
    if outcome.error is not None:
        raise outcome.error
    return outcome.value


@settings(max_examples=150, deadline=None)
@given(DATA)
def test_program_text_reads_back(value: Any) -> None:
    again = _evaluate(f"$x = {program_text(value)}; $x")
    assert hash_key(again) == hash_key(value)


@settings(max_examples=60, deadline=None)
@given(TIMES)
def test_program_text_of_times_reads_back(ns: int) -> None:
    for value in (Timespan(ns), Timestamp(ns % (250_000 * 10**15))):
        assert equals(_evaluate(program_text(value)), value)


@given(TIMES)
def test_timespans_come_back(ns: int) -> None:
    value = Timespan(ns)
    assert equals(Timespan.parse(value.puppet_text()), value)


@given(st.integers(-(10**19), 2 * 10**20))
def test_timestamps_come_back(ns: int) -> None:
    value = Timestamp(ns)
    assert equals(parse_timestamp(value.puppet_text()), value)


@given(st.binary())
def test_binaries_come_back(data: bytes) -> None:
    value = Binary(data)
    assert decode_base64(value.puppet_text(), "%B").data == data
    assert decode_base64(value.relaxed_text(), "%b").data == data
    assert decode_base64(value.url_safe_text(), "%u").data == data


@given(st.integers(-(2**70), 2**70), st.sampled_from([("%d", 10), ("%#+x", 16), ("%#+b", 2)]))
def test_integers_come_back(number: int, how: tuple[str, int]) -> None:
    text = convert(number, how[0])
    assert construct(parse_type("Integer"), (text, how[1])) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_come_back(number: float) -> None:
    text = convert(number, "%p")
    assert float(text) == number
    if "e+" not in text:
        assert construct(parse_type("Float"), (text,)) == number


@given(st.lists(st.integers(0, 20), min_size=3, max_size=3), st.none() | st.just("rc.1"))
def test_versions_come_back(numbers: list[int], prerelease: str | None) -> None:
    text = ".".join(map(str, numbers)) + ("" if prerelease is None else f"-{prerelease}")
    value = SemVer.parse(text)
    assert value.puppet_text() == text
    assert equals(SemVer.parse(value.puppet_text()), value)
    assert SemVerRange.parse(f"={text}").includes(value)


@given(VALUES, VALUES)
def test_equality_is_symmetric_and_follows_from_identity_of_keys(one: Any, two: Any) -> None:
    assert equals(one, one)
    assert equals(one, two) == equals(two, one) or PuppetHash in (type(one), type(two))
    if exact_equals(one, two):
        assert equals(one, two)
    if hash_key(one) == hash_key(two):
        assert equals(one, two)


@given(VALUES, VALUES)
def test_order_is_antisymmetric(one: Any, two: Any) -> None:
    try:
        order = compare(one, two)
    except (NotComparableError, PuppetError):
        return
    assert compare(two, one) == -order
    if type(one) is not SemVer:
        assert (order == 0) == equals(one, two) or type(one) is not type(two)


@settings(max_examples=300, deadline=None)
@given(VALUES, st.sampled_from(OPERATORS), VALUES)
def test_operators_change_nothing_and_fail_only_as_puppet_does(
    left: Any, operator: str, right: Any
) -> None:
    before = program_text(left), program_text(right)
    try:
        result = _evaluate(f"$r = $a {operator} $b; $r", a=left, b=right)
    except PuppetError:
        pass
    else:
        to_text(result)
        program_text(result)
    assert (program_text(left), program_text(right)) == before


@settings(max_examples=200, deadline=None)
@given(VALUES, st.sampled_from(["%s", "%p", "%#s", "%#p", "%10s", "%-8p", "%d", "%x", "%a", "%h"]))
def test_formats_fail_only_as_puppet_does(value: Any, format_: str) -> None:
    try:
        text = convert(value, format_)
    except PuppetError:
        return
    assert type(text) is str


@pytest.mark.parametrize("format_", ["%99999999999d", "%.99999999999f", "%-99999999999s"])
def test_giant_widths_are_refused(format_: str) -> None:
    with pytest.raises(PuppetError, match="width too big"):
        convert(1, format_)
