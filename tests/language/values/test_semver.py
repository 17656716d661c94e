"""Versions and ranges, against the semantic_puppet library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.values.compare import NotComparableError
from puppet_repl.language.values.semver import Bounds, SemVer
from puppet_repl.language.values.semver_range import SemVerRange
from tests.recorded import read

HERE = Path(__file__).parent
VERSIONS_OF_PAIRS = (
    *("0.9.0", "1.0.0-a", "1.0.0-a.2", "1.0.0-b", "1.0.0", "1.0.0+x", "1.0.1-rc1", "1.0.1"),
    *("1.1.0", "1.2.3", "2.0.0-a", "2.0.0", "2.0.1", "3.0.0"),
)
PAIRS: dict[str, list[dict[str, Any]]] = {}
for row in read(HERE / "range_pairs.jsonl"):
    PAIRS.setdefault(row["one"], []).append(row)
VERSIONS = read(HERE / "versions.jsonl")


@pytest.mark.parametrize(
    "case", [*VERSIONS, *read(HERE / "prereleases.jsonl")], ids=lambda case: case["version"]
)
def test_order(case: dict[str, Any]) -> None:
    version = SemVer.parse(case["version"])
    assert version.puppet_text() == case["version"]
    assert [version.order(SemVer.parse(other)) for other in case["others"]] == case["order"]


@pytest.mark.parametrize(
    "case", read(Path(__file__).with_name("ranges.jsonl")), ids=lambda case: case["range"]
)
def test_ranges(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(RuntimeFailure) as caught:
            SemVerRange.parse(case["range"])
        assert caught.value.message == case["error"]
        return
    made = SemVerRange.parse(case["range"])
    assert made.puppet_text() == (case["range"] if case["range"] != "" else "*")
    assert made.puppet_program() == case["ranges"]
    versions = [one["version"] for one in VERSIONS]
    assert [one for one in versions if made.includes_text(one)] == case["holds"]


def test_ranges_that_overlap_are_one() -> None:
    """Where the library fails (it misses a question mark) the ranges are joined all the same."""
    assert SemVerRange.parse(">=1.0.0 || >=2.0.0").puppet_program() == ">=1.0.0"


@pytest.mark.parametrize(
    ("one", "two", "both"),
    [
        (">=1.0.0", "<2.0.0", ">=1.0.0 <2.0.0"),
        ("1.x", "2.x", "<0.0.0"),
        ("1.x || 3.x", ">=1.5.0", ">=1.5.0 <2.0.0 || >=3.0.0 <4.0.0"),
        (">=1.0.0", "<=1.0.0", "1.0.0"),
    ],
)
def test_intersection(one: str, two: str, both: str) -> None:
    found = SemVerRange.parse(one).intersection(SemVerRange.parse(two))
    assert found.puppet_program() == both
    assert found.is_empty == (both == "<0.0.0")


@pytest.mark.parametrize("first", PAIRS)
def test_pairs_of_ranges(first: str) -> None:
    """Rows where the library fails are left out."""
    for case in PAIRS[first]:
        if "both" in case:
            found = SemVerRange.parse(first).intersection(SemVerRange.parse(case["two"]))
        else:
            found = SemVerRange.parse(f"{first} || {case['two']}")
        assert found.puppet_program() == case.get("both", case.get("either")), case
        if "holds" in case:
            held = [text for text in VERSIONS_OF_PAIRS if found.includes_text(text)]
            assert held == case["holds"], case


def test_ranges_at_random() -> None:
    """Two ranges, what is in the first one and in both, as the library has it; not its crashes."""
    for case in read(HERE / "range_samples.jsonl"):
        if "error" in case:
            with pytest.raises(RuntimeFailure) as caught:
                SemVerRange.parse(case["one"])
            assert caught.value.message == case["error"]
            continue
        one = SemVerRange.parse(case["one"])
        assert one.puppet_text() == case.get("text", case["one"]), case
        assert one.puppet_program() == case["ranges"], case
        assert [text for text in case["versions"] if one.includes_text(text)] == case["holds"], case
        if "two" in case:
            two = SemVerRange.parse(case["two"])
            both = one.intersection(two)
            assert both.puppet_text() == both.puppet_program() == case["both"], case
            held = [text for text in case["versions"] if both.includes_text(text)]
            assert held == case["both_holds"], case
            assert (one == two) == case["equal"], case


def test_a_range_without_ends_is_no_wild_card() -> None:
    everything, unlimited = SemVerRange.parse("*"), SemVerRange.between(None, None)
    assert unlimited.puppet_program() == "<=Infinity.0.0"
    assert everything != unlimited
    prerelease = SemVer(1, 0, 0, ("a",))
    assert everything.includes(prerelease)
    assert not unlimited.includes(prerelease)


UNREADABLE = "Unable to parse '{}' as a semantic version identifier"
LEADING_ZERO = "Numeric pre-release identifiers MUST NOT contain leading zeroes"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.2", UNREADABLE),
        ("1.02.3", UNREADABLE),
        ("v1.2.3", UNREADABLE),
        ("1.2.3-", UNREADABLE),
        ("1.2.3+", UNREADABLE),
        ("1.2.3-a..b", UNREADABLE),
        ("", UNREADABLE),
        ("1.2.3-01", LEADING_ZERO),
        ("1.2.3-1.00", LEADING_ZERO),
    ],
)
def test_texts_that_are_no_versions(text: str, message: str) -> None:
    with pytest.raises(RuntimeFailure) as caught:
        SemVer.parse(text)
    assert caught.value.message == message.format(text)
    assert not SemVerRange.parse("*").includes_text(text)
    assert not SemVer(1, 2, 3).puppet_matches(text)


@pytest.mark.parametrize(
    ("text", "prerelease", "build"),
    [
        ("1.2.3", None, None),
        ("1.2.3-0", (0,), None),
        ("1.2.3-0a", ("0a",), None),
        ("1.2.3+01", None, ("01",)),
        ("1.2.3-rc.1+b.2", ("rc", 1), ("b", "2")),
    ],
)
def test_parts(text: str, prerelease: tuple[object, ...] | None, build: object) -> None:
    version = SemVer.parse(text)
    assert (version.numbers, version.prerelease, version.build) == ((1, 2, 3), prerelease, build)
    assert version.is_stable == (prerelease is None)
    assert version.puppet_text() == text
    assert repr(version) == f"SemVer({text})"
    assert version == SemVer.parse(text)
    assert hash(version) == hash(SemVer.parse(text))
    assert version.puppet_matches(text)
    assert version.puppet_matches(version)
    assert version != SemVer(1, 2, 4)
    assert not version.puppet_matches("1.2.4")
    assert not version.puppet_matches(1)
    assert (version == text) is False


def test_versions_are_neither_numbers_nor_compared_with_any() -> None:
    version = SemVer(1, 2, 3)
    assert version.puppet_compare(SemVer(1, 2, 4)) == -1
    with pytest.raises(NotComparableError, match="Versions not comparable to non Versions"):
        version.puppet_compare("1.2.3")
    assert version.puppet_arithmetic("+", 1) is NotImplemented
    with pytest.raises(RuntimeFailure) as caught:
        version.puppet_negate()
    assert caught.value.message == "can't convert SemanticPuppet::Version into Float"


def test_intervals_that_hold_nothing() -> None:
    nothing, everything = Bounds(empty=True), Bounds(everything=True)
    assert nothing.text() == "<0.0.0"
    assert everything.text() == "*"
    assert nothing.intersection(everything) is None
    assert everything.intersection(nothing) is nothing
    assert everything.merge(nothing) is everything
    assert nothing.merge(Bounds(SemVer(1, 0, 0))) is None
    prerelease = SemVer(1, 0, 0, ("a",))
    assert not nothing.includes(SemVer(1, 0, 0))
    assert not nothing.admits_prerelease(prerelease)
    assert everything.includes(prerelease)
    assert nothing.key() != everything.key()


def test_ranges_are_told_apart_by_their_intervals() -> None:
    one, same = SemVerRange.parse("1.x"), SemVerRange.parse(">=1.0.0 <2.0.0")
    assert one == same
    assert hash(one) == hash(same)
    assert one != SemVerRange.parse("2.x")
    assert one != "1.x"
    assert repr(one) == "SemVerRange('1.x')"
    both = SemVerRange.parse("1.x || 3.x").intersection(SemVerRange.parse("<9.0.0"))
    assert both.puppet_text() == both.ruby_inspect() == ">=1.0.0 <2.0.0 || >=3.0.0 <4.0.0"


def test_what_a_range_includes() -> None:
    found = SemVerRange.parse("1.x")
    assert found.puppet_includes(SemVer(1, 2, 3))
    assert found.puppet_includes("1.2.3")
    assert not found.puppet_includes(SemVer(2, 0, 0))
    assert not found.puppet_includes("no version")
    assert not found.puppet_includes(1)
