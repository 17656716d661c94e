"""Regular expressions, against what Ruby 3.1 finds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.values import regex
from puppet_repl.language.values.regex import Regexp, RegexpError, UnsupportedRegexpError
from tests.recorded import read

CASES = read(Path(__file__).with_name("regexps.jsonl"))


def _found(regexp: Regexp, text: str) -> list[Any] | None:
    match = regexp.search(text)
    return None if match is None else [match.start(), match[0], *match.groups()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["pattern"])
def test_as_ruby(case: dict[str, Any]) -> None:
    regexp = Regexp(case["pattern"])
    if "error" in case:
        with pytest.raises(RegexpError) as caught:
            regexp.check()
        assert caught.value.message == case["error"]
        return
    for text, expected in case["found"].items():
        assert _found(regexp, text) == expected
        assert regexp.matches(text) == (expected is not None)


@pytest.mark.parametrize(
    "case", [case for case in CASES if "found" in case], ids=lambda case: case["pattern"]
)
def test_both_engines_agree(case: dict[str, Any]) -> None:
    regexp = Regexp(case["pattern"])
    regexp.check()
    regexp._limit = -1  # no text is short enough for re
    for text, expected in case["found"].items():
        assert _found(regexp, text) == expected


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("x*", "abxd", ["", "", "x", "", ""]),
        ("^", "a\nb\n", ["", ""]),
        ("a*", "aab", ["aa", "", ""]),
        ("\\G.", "ab", ["a", "b"]),
        ("$", "a\n", ["", ""]),
    ],
)
def test_each_goes_on_as_gsub(pattern: str, text: str, expected: list[str]) -> None:
    assert [match[0] for match in Regexp(pattern).each(text)] == expected


@pytest.mark.parametrize("pattern", ["(?~a)", "(?<n>a)\\g<n>", "\\M-a", "\\p{Age=6.0}"])
def test_what_cannot_be_carried_over_is_refused(pattern: str) -> None:
    with pytest.raises(UnsupportedRegexpError, match="not supported"):
        Regexp(pattern).search("a")


def test_calls_elsewhere_may_still_say_yes_or_no() -> None:
    assert Regexp(r"\A(?<part>[a-z]+)(?:\.\g<part>)*\z").matches("a.b.c")
    assert not Regexp(r"\A(?<part>[a-z]+)(?:\.\g<part>)*\z").matches("a..c")


@pytest.mark.parametrize("pattern", ["(a|a)*$", "(a+)+\\1$", "(?:a*)*b\\z"])
def test_a_runaway_pattern_is_stopped(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regex, "TIME_LIMIT", 0.2)
    try:
        Regexp(pattern).search("a" * 50 + "c")
    except RuntimeFailure as error:
        assert "was stopped after 0.2 seconds" in error.message


def test_usual_patterns_leave_the_package_alone() -> None:
    code = (
        "import sys; from puppet_repl.language.values.regex import Regexp;"
        r"Regexp(r'^((::)?[a-z]\w*)(::[a-z]\w*)*$').search('::foo::bar');"
        "Regexp(r'[[:alpha:]]+-\\d{1,3}(\\.\\d{1,3}){3}').search('x-10.0.0.1');"
        "sys.exit('regex' in sys.modules)"
    )
    import subprocess

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("pattern", "flags", "text"),
    [
        ("a/b", 0, "/a\\/b/"),
        ("a\\/b", 0, "/a\\/b/"),
        ("a", 1, "/(?i-mx:a)/"),
        ("a", 7, "/(?mix:a)/"),
    ],
)
def test_text(pattern: str, flags: int, text: str) -> None:
    assert Regexp(pattern, flags).puppet_text() == text


def test_flags_count() -> None:
    assert Regexp("A.b", 5).search("xa\nB") is not None
    assert Regexp("a b # c", 2).search("ab") is not None
    assert Regexp("a") != Regexp("a", 1)


@pytest.mark.parametrize("pattern", ["(x)?(a{10}){10}(b)", "(x)?(?:a{10}){10}(b)|(?>z)"])
def test_a_repetition_that_few_texts_are_long_enough_for(
    pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is left out for the others; a longer text is searched for all of it."""
    monkeypatch.setattr(regex, "LONGEST", 99)
    monkeypatch.setattr(regex, "_prepared", {})
    wanted = Regexp(pattern)
    assert wanted.search("a" * 98 + "b") is None
    assert wanted.search("a" * 99 + "b") is None
    match = wanted.search("a" * 100 + "b")
    assert match is not None
    assert match.span(match.re.groups) == (100, 101)


# What Python's own ``re`` cannot do, and Python does not know without the package.
ONLY_BY_THE_PACKAGE = ("\\X", "\\K", "\\G", "\\g<", "\\p{Greek}", "\\p{Latin}", "\\p{Hiragana}")
FURTHER = ("\\p{Emoji}", "\\p{Cyrillic}")


@pytest.fixture
def without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "regex", None)
    monkeypatch.setattr(regex, "_prepared", {})


@pytest.mark.usefixtures("without_the_package")
@pytest.mark.parametrize(
    "case", [case for case in CASES if "found" in case], ids=lambda case: case["pattern"]
)
def test_as_ruby_without_the_package(case: dict[str, Any]) -> None:
    pattern = case["pattern"]
    regexp = Regexp(pattern)
    if any(each in pattern for each in (*ONLY_BY_THE_PACKAGE, *FURTHER)):
        with pytest.raises(UnsupportedRegexpError, match="needs the Python package regex"):
            regexp.check()
            regexp._compile()
        return
    regexp.check()
    regexp._limit = -1  # no text is short enough for what was compiled first
    for text, expected in case["found"].items():
        assert _found(regexp, text) == expected


@pytest.mark.usefixtures("without_the_package")
@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"(?<=a|bc)x", "bcx", [2, "x"]),
        (r"(?<!a|bc)x", "bcx dx", [5, "x"]),
        (r"[[:upper:]]", "é É", [2, "É"]),
        (r"[a-z&&[^aeiou]]+", "aeb", [2, "b"]),
        (r"[^[:alpha:]]", "äß1", [2, "1"]),
        (r"\p{Lu}\p{^Lu}", "Äh", [0, "Äh"]),
    ],
)
def test_classes_and_looks_without_the_package(
    pattern: str, text: str, expected: list[Any]
) -> None:
    assert _found(Regexp(pattern), text) == expected


@pytest.mark.usefixtures("without_the_package")
def test_the_call_of_a_group_without_the_package() -> None:
    """Types of Puppet's own have such expressions, which are matched but never searched for."""
    regexp = Regexp(r"\A(?<part>\d+(x)?)(?:\.\g<part>)*\z")
    regexp.check()
    found = regexp._compile()("1.22x.3", 0)
    assert found is not None and found.groups() == ("1",)
    assert regexp._compile()("1.22x.", 0) is None
