"""Values as program text: right to the letter where they are whole, short where they are not."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.session import Session
from puppet_repl.tools.rendering.fragments import ansi, plain
from puppet_repl.tools.rendering.values import render_value, short_text, value_text
from puppet_repl.tools.rendering.width import cells, crop, display_width, expand_tabs

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(1 - 2**63, 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=6).map(tuple),
        st.lists(st.tuples(st.text(max_size=8), inner), max_size=6).map(PuppetHash),
    ),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(VALUES, st.integers(20, 120))
def test_what_is_shown_whole_means_the_value(value: object, width: int) -> None:
    """Laid out at any width, the text evaluates to the value again."""
    text = plain(render_value(value, width))
    outcome = Session(facts={}).execute(text)
    assert outcome.error is None, text
    expected = () if value == () else value
    assert value_text(outcome.value) == value_text(expected)


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("[1, 'a', undef, default, true, 1.0]", "[1, 'a', undef, default, true, 1.0]"),
        ("{a => {b => [1]}}", "{'a' => {'b' => [1]}}"),
        ("/a\\/b/", "/a\\/b/"),
        ("Integer[1, 2]", "Integer[1, 2]"),
        ("File['/x']", "File['/x']"),
        ("Sensitive('secret')", "Sensitive [value redacted]"),
        ("SemVer('1.2.3')", "SemVer('1.2.3')"),
        ("Timestamp(0)", "Timestamp('1970-01-01T00:00:00.000000000 UTC')"),
        ("'a\\nb'", "'a\\nb'"),
        ('"a\\nb"', '"a\\nb"'),
    ],
)
def test_values_of_all_kinds(code: str, shown: str) -> None:
    outcome = Session(facts={}).execute(code)
    assert outcome.error is None
    assert plain(render_value(outcome.value)) == shown


def test_long_hashes_have_their_arrows_in_one_column() -> None:
    value = PuppetHash((("a", "x" * 20), ("long_name", ("y" * 20, "z" * 20)), ("b", 1)))
    assert plain(render_value(value, 40)) == (
        "{\n"
        "  'a'         => 'xxxxxxxxxxxxxxxxxxxx',\n"
        "  'long_name' => [\n"
        "    'yyyyyyyyyyyyyyyyyyyy',\n"
        "    'zzzzzzzzzzzzzzzzzzzz',\n"
        "  ],\n"
        "  'b'         => 1,\n"
        "}"
    )


def test_a_text_of_several_lines_is_a_heredoc() -> None:
    text = "server {\n  listen 80;\n}\n"
    shown = plain(render_value(text, 80))
    assert shown == "@(END)\n  server {\n    listen 80;\n  }\n  | END"
    assert Session(facts={}).execute(shown).value == text


def test_long_values_say_what_is_missing() -> None:
    names = tuple(f"name {number}" for number in range(1_000_000))
    shown = plain(render_value(names, 80, full=False))
    assert "999950 more" in shown
    assert shown.endswith("1000000 items, :show shows everything")
    assert len(shown) < 1000


@pytest.mark.parametrize("rows", [1, 5, 50])
@pytest.mark.parametrize("width", [20, 80, 200])
def test_numbers_fill_the_lines_that_there_are(rows: int, width: int) -> None:
    shown = plain(render_value(tuple(range(1_000_000)), width, full=False, max_lines=rows))
    opening, *lines, more, closing, note = shown.split("\n")
    assert (opening, closing) == ("[", "]")
    assert note == "1000000 items, :show shows everything"
    assert len(lines) == rows
    assert all(width - 8 < len(line) <= width for line in lines[5:])
    numbers = [int(number) for line in lines for number in line.split(",") if number.strip()]
    assert numbers == list(range(len(numbers)))
    assert more == f"  … {1_000_000 - len(numbers)} more"


def test_an_item_is_shown_rather_than_that_one_is_missing() -> None:
    for count, missing in ((14, 0), (15, 0), (16, 2)):
        value = tuple(f"string number {number}" for number in range(count))
        shown = plain(render_value(value, 80, full=False, max_lines=14))
        assert (f"… {missing} more" in shown) is bool(missing)
        assert ("string number 14" in shown) is (count == 15)


def test_deep_values_are_survived() -> None:
    value: tuple[object, ...] = ()
    for _ in range(30_000):
        value = (value,)
    assert "[…]" in plain(render_value(value, 80, full=False))
    assert plain(render_value(value, 80)).count("[") == 30_001


def test_sensitive_values_are_never_shown() -> None:
    value = PuppetHash((("a", (Sensitive("hidden"),)),))
    for text in (plain(render_value(value)), value_text(value), plain(short_text(value, 50))):
        assert "hidden" not in text


def test_short_texts_keep_to_their_width() -> None:
    value = tuple("日本語" for _ in range(100))
    for width in range(5, 40):
        assert display_width(plain(short_text(value, width))) <= width + 1


def test_colours_are_asked_for() -> None:
    assert value_text((1, "a")) == "[1, 'a']"
    assert "\x1b[" in value_text((1, "a"), color=True)
    assert plain(render_value((1,))) == "[1]"
    assert ansi([("number", "1")]) == "\x1b[36m1\x1b[0m"


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("abc", 3),
        ("日本", 4),
        ("e\u0301", 1),
        ("\U0001f600", 2),
        ("\U0001f468\u200d\U0001f469", 2),
        ("1\ufe0f\u20e3", 2),
        ("\U0001f1e9\U0001f1ea", 2),
        ("\U0001f44d\U0001f3fd", 2),
        ("\u2603\ufe0f", 2),
        ("a\tb", 3),
    ],
)
def test_widths(text: str, width: int) -> None:
    assert display_width(text) == width == sum(cells(text))


def test_ascii_needs_no_tables_of_widths() -> None:
    code = (
        "import sys; from puppet_repl.tools.rendering.width import cells, crop; "
        "crop('abc' * 99, 9); cells('abc'); print('wcwidth' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_cropping_and_tabs() -> None:
    assert crop("a\U0001f1e9\U0001f1eab", 3) == "a…"
    assert crop("abcdef", 4) == "abc…"
    assert crop("日本語", 4) == "日…"
    assert expand_tabs("a\tb\tc") == "a   b   c"
